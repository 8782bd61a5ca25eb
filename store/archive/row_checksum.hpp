#pragma once

#include <cstdint>
#include <string_view>

namespace assay::store {

/// XXH3 of the stored bytes of a row, as SQLite's signed integer.
std::int64_t row_checksum(std::string_view bytes) noexcept;

} // namespace assay::store
