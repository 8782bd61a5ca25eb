#include "feeds/adapter_registry.hpp"

#include "feeds/adapters/aave.hpp"
#include "feeds/adapters/beefy.hpp"
#include "feeds/adapters/defillama.hpp"
#include "feeds/adapters/morpho.hpp"
#include "feeds/adapters/yearn.hpp"
#include "feeds/own_schema/assay_adapter.hpp"

#include <array>

namespace assay::feeds {

namespace {

using maker = std::shared_ptr<const adapter> (*)(const adapter_options&);

template <class Adapter>
std::shared_ptr<const adapter> plain(const adapter_options&) {
  return std::make_shared<const Adapter>();
}

template <class Adapter>
std::shared_ptr<const adapter> with_chain(const adapter_options& options) {
  return std::make_shared<const Adapter>(options.chain);
}

std::shared_ptr<const adapter> defillama(const adapter_options& options) {
  return std::make_shared<const defillama_adapter>(options.pools);
}

// Every adapter has one line here, sorted by name.
constexpr std::array<std::pair<std::string_view, maker>, 6> registry{{
    {"aave", &with_chain<aave_adapter>},
    {"assay", &plain<assay_adapter>},
    {"beefy", &plain<beefy_adapter>},
    {"defillama", &defillama},
    {"morpho", &plain<morpho_adapter>},
    {"yearn", &with_chain<yearn_adapter>},
}};

} // namespace

std::shared_ptr<const adapter> make_adapter(std::string_view name, const adapter_options& options) {
  for (const auto& [known, make] : registry)
    if (known == name)
      return make(options);
  return nullptr;
}

std::vector<std::string_view> adapter_names() {
  std::vector<std::string_view> out;
  out.reserve(std::size(registry));
  for (const auto& [known, make] : registry)
    out.push_back(known);
  return out;
}

} // namespace assay::feeds
