// A body of POST /basket. A body that is taken is also taken by an independent strict JSON reader,
// and what came out of it obeys the rules of a basket.
#include "http/api/basket_body.hpp"

#include <rapidjson/document.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

void require(bool good) {
  if (!good)
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body{reinterpret_cast<const char*>(data), size};
  assay::http::validation_errors errors;
  const auto positions = assay::http::read_basket_body(body, errors);
  if (!errors.empty())
    return 0;
  rapidjson::Document independent;
  constexpr unsigned strict =
      rapidjson::kParseValidateEncodingFlag | rapidjson::kParseIterativeFlag;
  independent.Parse<strict>(body.data(), body.size());
  require(!independent.HasParseError() && independent.IsObject());
  require(!positions.empty() && positions.size() <= assay::engine::basket_positions_max);
  require(independent["positions"].Size() == positions.size());
  for (const auto& p : positions) {
    require(!p.address.empty());
    require(p.weight.has_value() == positions.front().weight.has_value());
    require(!p.weight || (std::isfinite(*p.weight) && *p.weight > 0));
  }
  return 0;
}
