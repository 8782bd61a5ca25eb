#pragma once

#include "http/api/parameter.hpp"
#include "http/api/validation_errors.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay::http {

/// What a query string said.
struct parsed_query {
  parameter_values values;
  /// Keys that the table does not have: sorted, without repeats, at most 20, each cut to 64
  /// characters.
  std::vector<std::string> ignored;
};

/// Reads a query string (what follows the `?`, as sent) by `table`. Every fault goes to `errors`;
/// a faulty parameter has no value. Never throws on any octets.
parsed_query parse_query(parameter_table table, std::string_view query, validation_errors& errors);

/// Reads one decoded value; a fault goes to `errors` under the parameter's name.
parameter_value read_value(const parameter& p, std::string_view text, validation_errors& errors);

/// Returns what a parameter expects, for messages: `must be a number from 0 to 100`.
std::string expectation(const parameter& p);

} // namespace assay::http
