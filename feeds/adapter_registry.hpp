#pragma once

#include "feeds/adapter.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay::feeds {

/// What adapters may need to know beyond the document.
struct adapter_options {
  /// For `defillama`: vault ids by pool UUID (feeds/adapters/defillama.hpp).
  std::unordered_map<std::string, std::string> defillama_pools;
};

/// Returns the adapter of this name (`assay`, `defillama`, …), or nullptr.
std::shared_ptr<const adapter> make_adapter(std::string_view name,
                                            const adapter_options& options = {});

/// The names of all adapters, sorted.
std::vector<std::string_view> adapter_names();

} // namespace assay::feeds
