// One connection's octets through the request parser: whole and in pieces alike, and nothing taken
// that the second reading of the RFCs refuses.
#include "tests/http/transport/parser_driver.hpp"
#include "tests/http/transport/reference_checker.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace assay::http;
using namespace assay::http::test;

void require(bool holds) {
  if (!holds)
    std::abort();
}

void require_same(const parsed_connection& a, const parsed_connection& b) {
  require(a.statuses == b.statuses && a.unfinished == b.unfinished);
  for (std::size_t i = 0; i < a.requests.size(); ++i) {
    require(a.requests[i].path() == b.requests[i].path());
    require(a.requests[i].query() == b.requests[i].query());
    require(a.requests[i].body() == b.requests[i].body());
    require(a.requests[i].field_count() == b.requests[i].field_count());
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view octets(reinterpret_cast<const char*>(data), size);
  const auto whole = parse_connection(octets);
  for (const int status : whole.statuses)
    require(status == 200 || (status >= 400 && status < 500) || status == 501 || status == 505);

  // Pieces whose lengths come from the octets themselves, so that the fuzzer can steer them.
  std::vector<std::string_view> pieces;
  for (auto rest = octets; !rest.empty();) {
    const auto n =
        std::min<std::size_t>(1 + static_cast<unsigned char>(rest.front()) % 23, rest.size());
    pieces.push_back(rest.substr(0, n));
    rest.remove_prefix(n);
  }
  require_same(whole, parse_connection(pieces));

  const auto read = read_by_the_rfc(octets);
  require(whole.requests.size() <= read.requests.size());
  for (std::size_t i = 0; i < whole.requests.size(); ++i) {
    require(to_string(whole.requests[i].verb()) == read.requests[i].method);
    require(whole.requests[i].body() == read.requests[i].body);
  }
  return 0;
}
