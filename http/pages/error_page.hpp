#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::http::pages {

/// Returns the page of a refusal. `error`: the text that the JSON body would carry; `details`: one
/// line for each fault of the request.
std::string error_page(int status, std::string_view error, const std::vector<std::string>& details,
                       std::string_view disclaimer);

} // namespace assay::http::pages
