#include "http/pages/error_page.hpp"

#include "http/pages/frame.hpp"

namespace assay::http::pages {

std::string error_page(int status, std::string_view error, const std::vector<std::string>& details,
                       std::string_view disclaimer) {
  html_builder b;
  b.element("h1", error);
  b.element("p", "Status " + std::to_string(status), {{"class", "dim"}});
  if (!details.empty()) {
    b.open("ul");
    for (const auto& line : details)
      b.element("li", line);
    b.close();
  }
  b.open("p").text("The vaults that are scored are listed at ");
  b.link("/v1/scores?fields=compact", "/v1/scores").text(".").close();
  const std::string title = std::to_string(status) + " " + std::string(error) + " - assay";
  return frame({title, error, {}}, disclaimer, std::move(b).finish());
}

} // namespace assay::http::pages
