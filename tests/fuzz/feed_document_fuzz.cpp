// A document of any upstream: the first octet chooses the adapter, the rest is the document. It
// ends in a batch or a problem, and nothing in a batch is out of the range of what can be.
#include "feeds/adapter_registry.hpp"
#include "feeds/value_limits.hpp"
#include "feeds/vault_reference.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace assay;

namespace {

void require(bool good) {
  if (!good)
    std::abort();
}

void check(const std::optional<double>& x, feeds::number_range range) {
  require(!x || (*x >= range.low && *x <= range.high));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto names = feeds::adapter_names();
  if (size == 0)
    return 0;
  const auto adapter = feeds::make_adapter(names[data[0] % names.size()]);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const time_point now{std::chrono::sys_days{std::chrono::year{2026} / 3 / 1}};
  const auto batch = adapter->parse({"lido:1:0xab", text, now});
  if (!batch) {
    require(!batch.error().what.empty());
    return 0;
  }
  for (const auto& x : batch->observations) {
    require(feeds::is_vault_id(x.vault_id));
    check(x.tvl_usd, feeds::value_limits::usd);
    check(x.available_usd, feeds::value_limits::usd);
    check(x.utilization, feeds::value_limits::share);
    check(x.apy, {-100 * 12, 10'000 * 12}); // sums of parts, each in its own range
  }
  for (const auto& x : batch->vaults)
    require(feeds::is_vault_id(x.vault_id) && x.chain > 0 && !x.name.empty());
  for (const auto& x : batch->gas_samples)
    require(x.gwei >= 0 && x.native_usd >= 0);
  return 0;
}
