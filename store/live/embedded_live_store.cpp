#include "store/live/embedded_live_store.hpp"

namespace assay::store {

std::optional<problem> embedded_live_store::put(std::span<const live_entry> entries) {
  for (const auto& x : entries)
    entries_.insert_or_assign(x.vault_id, x);
  changes_ += entries.empty() ? 0 : 1;
  return std::nullopt;
}

std::optional<problem> embedded_live_store::erase(std::span<const std::string> vault_ids) {
  for (const auto& id : vault_ids)
    entries_.erase(id);
  changes_ += vault_ids.empty() ? 0 : 1;
  return std::nullopt;
}

expected<live_state> embedded_live_store::all() {
  live_state result;
  result.entries.reserve(entries_.size());
  for (const auto& [id, entry] : entries_)
    result.entries.push_back(entry);
  result.revision = *revision();
  return result;
}

expected<std::string> embedded_live_store::revision() {
  return "embedded:" + std::to_string(changes_);
}

std::optional<problem> embedded_live_store::publish_snapshot(std::string_view id,
                                                             std::string_view bytes) {
  if (auto p = check_snapshot_id(id))
    return p;
  std::erase_if(snapshots_, [&](const auto& s) { return s.first == id; });
  snapshots_.emplace(snapshots_.begin(), id, bytes);
  if (snapshots_.size() > 2)
    snapshots_.pop_back();
  return std::nullopt;
}

expected<std::optional<std::string>> embedded_live_store::newest_snapshot_id() {
  return snapshots_.empty() ? std::optional<std::string>{} : snapshots_.front().first;
}

expected<std::optional<std::string>> embedded_live_store::snapshot(std::string_view id) {
  for (const auto& s : snapshots_)
    if (s.first == id)
      return std::optional{s.second};
  return std::optional<std::string>{};
}

} // namespace assay::store
