// An answer of the quote API: the first two octets are the status, the rest is the body. It ends in
// an answer whose figures are in range, and two legs of it make a probe that the schema takes.
#include "feeds/prober/probe_document.hpp"
#include "feeds/prober/quote.hpp"
#include "feeds/prober/vault_probe.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace assay;
using namespace assay::feeds::prober;

namespace {

void require(bool good) {
  if (!good)
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2)
    return 0;
  const int status = data[0] < 128 ? 200 : 400 + data[1] % 130;
  const auto answer = read_quote(status, {reinterpret_cast<const char*>(data) + 2, size - 2});
  const bool quoted = answer.outcome == quote_outcome::quoted;
  require(!quoted || (answer.to_amount != "0" && units_to_number(answer.to_amount, 6)));
  require(!answer.swap_gas || (*answer.swap_gas > 0 && *answer.swap_gas <= 1'000'000'000));
  require(!answer.fee_bps || *answer.fee_bps >= 0);
  if (answer.outcome == quote_outcome::temporary || answer.outcome == quote_outcome::misconfigured)
    return 0;
  vault_probe probe{{"a:1:0x1", 1, "0x1", "0x2", {"0x3", 6}}, {100, 5000}};
  while (probe.next())
    probe.take(answer);
  const time_point now{std::chrono::sys_days{std::chrono::year{2026} / 3 / 1}};
  const auto text = write_probes({"fuzz", "fuzz", {probe.result(now)}}, now);
  require(read_probes("fuzz", text).has_value());
  return 0;
}
