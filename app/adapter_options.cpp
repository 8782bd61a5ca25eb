#include "app/adapter_options.hpp"

#include <fstream>
#include <iterator>
#include <utility>

namespace assay::app {

expected<feeds::adapter_options> read_adapter_options(const std::string& pool_map,
                                                      std::int64_t chain) {
  feeds::adapter_options result;
  if (chain > 0)
    result.chain = static_cast<chain_id>(chain);
  if (pool_map.empty())
    return result;
  std::ifstream in{pool_map, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{in}, {}};
  if (!in.is_open() || in.bad())
    return problem{pool_map, "cannot be read"};
  auto pools = feeds::read_pool_map(pool_map, text);
  if (!pools)
    return pools.error();
  result.pools = std::move(*pools);
  return result;
}

} // namespace assay::app
