#pragma once

#include "http/openapi/schema.hpp"

#include <set>
#include <string>
#include <vector>

#include <rapidjson/document.h>

namespace assay::http::testing {

/// Returns every way in which `value` differs from its declared shape: a member that is not
/// declared, a required one that is missing, a wrong type, a value outside its bounds or choices.
/// Paths of the declared members that were seen go to `seen` (`Score.name`).
std::vector<std::string> shape_faults(const rapidjson::Value& value, const schema& shape,
                                      std::set<std::string>& seen);

/// Adds `Name.member` of every named object inside `shape` to `declared`.
void declared_members(const schema& shape, std::set<std::string>& declared);

} // namespace assay::http::testing
