#pragma once

#include "http/codec/json_value.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace assay::http {

/// Why a text is not JSON.
struct json_fault {
  /// Octets before the place of the fault.
  std::size_t offset = 0;
  /// One clause, for example `expected a value`.
  std::string what;
};

/// Deepest nesting of arrays and objects that is read.
inline constexpr int json_depth_max = 16;

/// Reads one JSON text strictly by RFC 8259: valid UTF-8 without byte order mark, no lone
/// surrogates, no duplicate keys, nothing behind the value. Safe on any octets; time and memory
/// are linear in the text (objects with many keys: n log n).
/// Returns the fault, if any; then `out` holds whatever was read before it.
std::optional<json_fault> read_json(std::string_view text, json_value& out);

} // namespace assay::http
