#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::http {

/// Reads a number as JSON writes it (RFC 8259, 6), finite: no `+`, blanks, hexadecimal, leading
/// zeros, `1.` or `.5`; independent of the locale.
std::optional<double> parse_number(std::string_view text) noexcept;

/// Reads digits without leading zeros, at most 2^53 − 1.
std::optional<std::uint64_t> parse_integer(std::string_view text) noexcept;

/// True for 1 to 128 of `[0-9A-Za-z]` that, when they start with `0x`, are 40 hexadecimal digits
/// after it.
bool is_address(std::string_view text) noexcept;

/// True for 1 to 64 of `[A-Za-z0-9._-]`.
bool is_slug(std::string_view text) noexcept;

/// True for `<slug>:<chainId>:<address>`.
bool is_vault_id(std::string_view text) noexcept;

} // namespace assay::http
