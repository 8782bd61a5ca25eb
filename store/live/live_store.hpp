#pragma once

#include "messages/types/expected.hpp"
#include "messages/types/live.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::store {

/// The live figures at one moment.
struct live_state {
  /// Sorted by vault id. What another process writes meanwhile may be among them already, never
  /// half of it; the revision differs next time then.
  std::vector<live_entry> entries;
  /// Changes whenever the entries change; never repeats, even when Redis lost everything.
  std::string revision;
};

/// What the processes of one installation share at any moment: live figures and the snapshot that
/// the primary publishes. Nothing in it is the only copy of anything. Calls block (Redis: up to
/// the configured timeout), so a detached actor owns it; one thread at a time. A problem means
/// that the store did not answer; what was there stays.
class live_store {
public:
  virtual ~live_store() = default;

  /// Sets the entries of their vaults; others stay. An entry replaces an earlier one whatever
  /// their times are.
  virtual std::optional<problem> put(std::span<const live_entry> entries) = 0;
  /// Removes vaults that are no longer in the live catalog; unknown ids are ignored.
  virtual std::optional<problem> erase(std::span<const std::string> vault_ids) = 0;
  virtual expected<live_state> all() = 0;
  /// The revision alone: cheap enough to ask every second.
  virtual expected<std::string> revision() = 0;

  /// Makes `bytes` the newest snapshot under `id` (1 to 128 visible ASCII characters). The one
  /// before stays readable, so that a reader that has just learned its id still finds it.
  virtual std::optional<problem> publish_snapshot(std::string_view id, std::string_view bytes) = 0;
  /// The id published last, or nothing.
  virtual expected<std::optional<std::string>> newest_snapshot_id() = 0;
  /// The bytes of a snapshot, or nothing when it is gone.
  virtual expected<std::optional<std::string>> snapshot(std::string_view id) = 0;
};

/// A problem unless `id` can name a snapshot.
std::optional<problem> check_snapshot_id(std::string_view id);

} // namespace assay::store
