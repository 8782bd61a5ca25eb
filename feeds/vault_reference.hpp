#pragma once

#include "messages/types/expected.hpp"
#include "messages/types/vault.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace assay::feeds {

/// Returns the 20-byte address `0x…` in the mixed case of EIP-55, or nothing when `text` is not
/// `0x` and 40 hexadecimal digits. Whatever case `text` had is not looked at.
std::optional<std::string> to_eip55(std::string_view text);

/// Returns the address as it is written on chain, or what is wrong with it (`problem::where` is
/// empty: the caller knows the place).
///   - Solana: base58 of 32 bytes, as it stands.
///   - `0x…`: 40 hexadecimal digits. All in one case: put into EIP-55; mixed: must be EIP-55
///     already, since anything else is a typing error.
///   - any other chain: 1 to 128 of `[0-9A-Za-z]`, as it stands.
expected<std::string> read_address(chain_id chain, std::string_view text);

/// True for 1 to 64 of `[a-z0-9._-]`.
bool is_protocol_id(std::string_view text) noexcept;

/// True for `<protocol>:<chainId>:<address>` in lower case, each part well-formed.
bool is_vault_id(std::string_view text) noexcept;

} // namespace assay::feeds
