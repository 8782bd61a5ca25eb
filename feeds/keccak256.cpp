#include "feeds/keccak256.hpp"

#include <bit>
#include <cstddef>

namespace assay::feeds {

namespace {

// FIPS 202, sections 3.2 and 3.4. Lanes lie at x + 5y.
using keccak_state = std::array<std::uint64_t, 25>;

constexpr std::size_t rate_bytes = 136;

constexpr std::array<std::uint64_t, 24> round_constants{
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

constexpr std::array<int, 25> rotations{0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                        25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};

void permute(keccak_state& a) noexcept {
  for (const auto constant : round_constants) {
    std::array<std::uint64_t, 5> parity{};
    for (std::size_t i = 0; i < 25; ++i)
      parity[i % 5] ^= a[i];
    for (std::size_t i = 0; i < 25; ++i)
      a[i] ^= parity[(i + 4) % 5] ^ std::rotl(parity[(i + 1) % 5], 1);
    keccak_state b{};
    for (std::size_t x = 0; x < 5; ++x)
      for (std::size_t y = 0; y < 5; ++y)
        b[y + 5 * ((2 * x + 3 * y) % 5)] = std::rotl(a[x + 5 * y], rotations[x + 5 * y]);
    for (std::size_t y = 0; y < 25; y += 5)
      for (std::size_t x = 0; x < 5; ++x)
        a[y + x] = b[y + x] ^ (~b[y + (x + 1) % 5] & b[y + (x + 2) % 5]);
    a[0] ^= constant;
  }
}

void mix_in(keccak_state& a, std::size_t position, std::uint8_t byte) noexcept {
  a[position / 8] ^= std::uint64_t{byte} << (8 * (position % 8));
}

} // namespace

std::array<std::uint8_t, 32> keccak256(std::string_view bytes) noexcept {
  keccak_state a{};
  std::size_t position = 0;
  for (const char c : bytes) {
    mix_in(a, position++, static_cast<std::uint8_t>(c));
    if (position == rate_bytes) {
      permute(a);
      position = 0;
    }
  }
  mix_in(a, position, 0x01);
  mix_in(a, rate_bytes - 1, 0x80);
  permute(a);
  std::array<std::uint8_t, 32> digest{};
  for (std::size_t i = 0; i < digest.size(); ++i)
    digest[i] = static_cast<std::uint8_t>(a[i / 8] >> (8 * (i % 8)));
  return digest;
}

} // namespace assay::feeds
