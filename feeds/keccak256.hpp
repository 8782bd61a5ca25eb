#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace assay::feeds {

/// Returns the Keccak-256 digest (the original padding, as Ethereum uses it, not SHA3-256).
/// OpenSSL 3.0 has SHA3 only. For short inputs: clear rather than fast.
std::array<std::uint8_t, 32> keccak256(std::string_view bytes) noexcept;

} // namespace assay::feeds
