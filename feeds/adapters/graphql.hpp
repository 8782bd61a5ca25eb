#pragma once

#include "feeds/json/json_place.hpp"
#include "messages/types/expected.hpp"

#include <rapidjson/document.h>

#include <string_view>

namespace assay::feeds {

/// Returns the `data` object of a GraphQL answer, or the server's own error. An answer with both
/// (some fields failed) counts as data: what failed is null there, and why is a fault.
expected<const rapidjson::Value*> graphql_data(std::string_view document,
                                               const rapidjson::Value& root, fault_list& faults);

} // namespace assay::feeds
