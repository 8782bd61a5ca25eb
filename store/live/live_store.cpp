#include "store/live/live_store.hpp"

#include <algorithm>

namespace assay::store {

std::optional<problem> check_snapshot_id(std::string_view id) {
  const bool visible =
      std::all_of(id.begin(), id.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  if (!id.empty() && id.size() <= 128 && visible)
    return std::nullopt;
  return problem{"snapshot id", "expected 1 to 128 visible ASCII characters"};
}

} // namespace assay::store
