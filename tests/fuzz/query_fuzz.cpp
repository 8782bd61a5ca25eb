// A query string as sent, read by the table of /scores. Whatever the octets: what is reported back
// is bounded text, a value that was taken is inside its declared range, and reading again says the
// same.
#include "http/api/endpoint.hpp"
#include "http/api/parameter_parser.hpp"
#include "http/api/parameters.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace assay::http;

namespace {

void require(bool good) {
  if (!good)
    std::abort();
}

constexpr std::size_t ignored_max = 20;
/// 64 characters of at most 4 octets.
constexpr std::size_t key_octets_max = 256;

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view query{reinterpret_cast<const char*>(data), size};
  const auto table = endpoint_of(endpoint_id::scores).query_parameters;
  validation_errors errors;
  const auto first = parse_query(table, query, errors);
  require(first.ignored.size() <= ignored_max);
  for (const auto& key : first.ignored)
    require(key.size() <= key_octets_max);
  if (const auto limit = first.values.get<std::uint64_t>(parameters::scores::limit))
    require(*limit >= 1 && *limit <= 200);
  if (const auto score = first.values.get<double>(parameters::scores::min_score))
    require(std::isfinite(*score) && *score >= 0 && *score <= 100);
  validation_errors again;
  require(parse_query(table, query, again).ignored == first.ignored);
  require(again.empty() == errors.empty());
  return 0;
}
