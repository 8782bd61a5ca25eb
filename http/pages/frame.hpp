#pragma once

#include "http/pages/html_builder.hpp"

#include <string>
#include <string_view>

namespace assay::http::pages {

/// What every page says of itself.
struct page_head {
  std::string_view title;
  std::string_view description;
  /// URL under which the page is cited; empty for pages that are not (errors).
  std::string_view canonical;
};

/// Returns the document around `body`, which must be complete HTML: the head with the style sheet,
/// links to the other pages, the disclaimer.
std::string frame(const page_head& head, std::string_view disclaimer, std::string_view body);

/// Value of `Content-Security-Policy` of every page: the one style sheet, named by its hash, and
/// nothing else, from nowhere.
const std::string& content_policy();

} // namespace assay::http::pages
