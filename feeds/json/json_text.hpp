#pragma once

#include "messages/types/expected.hpp"

#include <rapidjson/document.h>

#include <string_view>

namespace assay::feeds {

/// Reads one JSON text (RFC 8259, UTF-8 checked, numbers to the nearest double) into `out`.
/// Safe on any bytes: nesting costs memory but no stack.
///
/// Two things that JSON does not allow are let through so that one broken item does not cost the
/// whole document: `NaN` and `Infinity` become non-finite numbers, and so do the first few numbers
/// too big for a double. `object_reader` refuses every non-finite number at its place.
///
/// Returns nothing when `out` is filled, else a problem at `name:line:column`.
std::optional<problem> parse_json(std::string_view name, std::string_view text,
                                  rapidjson::Document& out);

} // namespace assay::feeds
