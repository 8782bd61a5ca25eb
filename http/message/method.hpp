#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::http {

/// The methods of RFC 9110 and RFC 5789. Any other token is answered 501 by the transport.
enum class method : std::uint8_t { get, head, post, put, delete_, options, patch, trace, connect };

/// Returns the method's name as it stands in a request line, for example `GET`.
std::string_view to_string(method m) noexcept;

/// Reads a method name; names are case-sensitive (RFC 9110, 9.1).
std::optional<method> parse_method(std::string_view name) noexcept;

} // namespace assay::http
