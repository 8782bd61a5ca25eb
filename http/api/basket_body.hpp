#pragma once

#include "engine/basket/basket.hpp"
#include "http/api/validation_errors.hpp"

#include <string_view>
#include <vector>

namespace assay::http {

/// Reads the body of POST /basket. Every fault goes to `errors` by its path in the body
/// (`positions`, `positions[3].weight`); malformed JSON is one fault of the form, with its octet
/// offset. Unknown members are passed over. Safe on any octets.
std::vector<engine::basket_position> read_basket_body(std::string_view body,
                                                      validation_errors& errors);

} // namespace assay::http
