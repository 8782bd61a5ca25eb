#pragma once

#include "feeds/plausibility.hpp"
#include "messages/types/expected.hpp"

#include <string>
#include <string_view>

namespace assay::feeds {

/// What a judge knows as a JSON document, `assay.quarantine/1`, for the next process.
std::string to_json(const plausibility_memory& memory);

/// Reads that document; `name` begins the place of a problem. Broken entries are left out.
expected<plausibility_memory> read_plausibility_memory(std::string_view name,
                                                       std::string_view text);

} // namespace assay::feeds
