#include "store/archive/row_checksum.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace assay::store {

std::int64_t row_checksum(std::string_view bytes) noexcept {
  return static_cast<std::int64_t>(XXH3_64bits(bytes.data(), bytes.size()));
}

} // namespace assay::store
