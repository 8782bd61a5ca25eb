#include "http/api/known_targets.hpp"

#include <mutex>

namespace assay::http {
namespace {

/// Longer ones are rarely asked twice.
constexpr std::size_t target_bytes_max = 256;

} // namespace

std::optional<known_answer> known_targets::find(std::uint64_t snapshot_id,
                                                std::string_view target) const {
  const std::shared_lock guard{mutex_};
  if (snapshot_id != snapshot_id_)
    return std::nullopt;
  const auto i = entries_.find(target);
  if (i == entries_.end())
    return std::nullopt;
  auto body = i->second.body.lock();
  if (!body)
    return std::nullopt;
  return known_answer{i->second.target, std::move(body), i->second.fresh_until};
}

void known_targets::keep(std::uint64_t snapshot_id, std::string_view target,
                         const known_answer& answer) {
  if (target.empty() || target.size() > target_bytes_max)
    return;
  const std::lock_guard guard{mutex_};
  // A reader may still hold the snapshot before the newest one.
  if (snapshot_id < snapshot_id_)
    return;
  if (snapshot_id > snapshot_id_ || entries_.size() >= targets_max_)
    entries_.clear();
  snapshot_id_ = snapshot_id;
  entries_.insert_or_assign(std::string(target),
                            entry{answer.target, answer.body, answer.fresh_until});
}

} // namespace assay::http
