#pragma once

#include "store/live/live_store.hpp"

#include <cstdint>
#include <map>
#include <utility>

namespace assay::store {

/// The live store inside the process; never fails.
class embedded_live_store final : public live_store {
public:
  std::optional<problem> put(std::span<const live_entry> entries) override;
  std::optional<problem> erase(std::span<const std::string> vault_ids) override;
  expected<live_state> all() override;
  expected<std::string> revision() override;
  std::optional<problem> publish_snapshot(std::string_view id, std::string_view bytes) override;
  expected<std::optional<std::string>> newest_snapshot_id() override;
  expected<std::optional<std::string>> snapshot(std::string_view id) override;

private:
  std::map<std::string, live_entry, std::less<>> entries_;
  std::uint64_t changes_ = 0;
  // Newest first, at most two.
  std::vector<std::pair<std::string, std::string>> snapshots_;
};

} // namespace assay::store
