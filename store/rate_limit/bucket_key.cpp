#include "store/rate_limit/bucket_key.hpp"

#include <random>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace assay::store {

namespace {

std::uint64_t process_seed() {
  static const std::uint64_t seed = [] {
    std::random_device source;
    return (std::uint64_t{source()} << 32) | source();
  }();
  return seed;
}

} // namespace

std::string bucket_key::text() const {
  constexpr const char* kinds = "46k";
  constexpr std::size_t used[] = {4, 8, 16};
  constexpr const char* digits = "0123456789abcdef";
  std::string result{kinds[static_cast<std::size_t>(kind)]};
  result += ':';
  for (std::size_t i = 0; i < used[static_cast<std::size_t>(kind)]; ++i) {
    result += digits[id[i] >> 4];
    result += digits[id[i] & 15];
  }
  return result;
}

std::size_t bucket_key_hash::operator()(const bucket_key& key) const noexcept {
  return XXH3_64bits_withSeed(key.id.data(), key.id.size(),
                              process_seed() + static_cast<std::uint64_t>(key.kind));
}

} // namespace assay::store
