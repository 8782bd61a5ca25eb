#pragma once

#include "messages/types/expected.hpp"
#include "store/keys/key_record.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::store {

/// Where partner keys are kept: a data directory or a Redis. Changed from the command line while
/// services run; they ask for `revision` forty times a second and load again when it differs.
/// Blocking; one thread at a time.
class key_registry {
public:
  virtual ~key_registry() = default;

  /// Issues a key; problem when the name is not allowed or the store does not answer.
  expected<issued_key> issue(std::string_view name, time_point now);
  /// Retires every good key that `selector` names: the partner's name, the key's id (12 hex
  /// digits) or the key itself. Returns those retired now; a problem when it names none at all.
  expected<std::vector<key_record>> retire(std::string_view selector, time_point now);
  /// All keys, the retired ones included, in order of creation, then digest.
  virtual expected<std::vector<key_record>> list() = 0;
  /// Differs after every change. Cheap: one read of a counter.
  virtual expected<std::string> revision() = 0;

protected:
  /// Adds a record; problem when its digest is there.
  virtual std::optional<problem> add(const key_record& record) = 0;
  /// Marks keys as retired; those retired already keep their time.
  virtual std::optional<problem> mark_retired(const std::vector<key_digest>& digests,
                                              time_point now) = 0;
};

/// Opens the keys of a data directory (`keys.sqlite`, created when missing). Any number of
/// processes may have it open, the running service among them.
expected<std::unique_ptr<key_registry>> open_key_file(const std::filesystem::path& data_dir);

/// Opens the keys of a Redis (`redis://…`, `unix://…`): the hash `<prefix>keys` and the word
/// `<prefix>keys:changes`. Connects on demand. Such keys live as long as that Redis keeps its data:
/// give it persistence (`appendonly yes`), or keep the keys in a data directory.
expected<std::unique_ptr<key_registry>> open_key_redis(std::string_view url,
                                                       std::string_view prefix = "assay:");

} // namespace assay::store
