#pragma once

#include "engine/snapshot/snapshot.hpp"
#include "http/api/endpoint.hpp"
#include "http/api/rendered_body.hpp"
#include "messages/types/time.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace assay::http {

/// An answer as it can be given again to the same question.
struct known_answer {
  const endpoint* target = nullptr;
  body_ptr body;
  time_point fresh_until{};
};

/// Which remembered body answers a request target, octet by octet as it was sent before: the same
/// target on the same snapshot needs no second parse and no second question. Only targets that went
/// the whole way and were answered 200 come in here. Holds no body: what `remembered_bodies` lets
/// go is gone. A newer snapshot empties it. Thread-safe.
class known_targets {
public:
  /// When `targets_max` are known, all are forgotten and the asking begins anew.
  explicit known_targets(std::size_t targets_max = 16'384) : targets_max_(targets_max) {}

  /// Returns the answer of snapshot `snapshot_id` to `target`.
  std::optional<known_answer> find(std::uint64_t snapshot_id, std::string_view target) const;

  /// Keeps `answer` for `target`; an empty or overlong target is not worth it.
  void keep(std::uint64_t snapshot_id, std::string_view target, const known_answer& answer);

private:
  struct entry {
    const endpoint* target = nullptr;
    std::weak_ptr<const rendered_body> body;
    time_point fresh_until{};
  };

  const std::size_t targets_max_;
  mutable std::shared_mutex mutex_;
  std::uint64_t snapshot_id_ = 0;
  std::unordered_map<std::string, entry, engine::text_hash, std::equal_to<>> entries_;
};

} // namespace assay::http
