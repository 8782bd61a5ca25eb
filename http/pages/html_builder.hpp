#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::http::pages {

using attributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// Writes HTML that is well-formed by construction: elements close in the order in which they were
/// opened, and whatever is passed as text or as the value of an attribute is escaped. Names of
/// elements and attributes are literals of this library and must outlive the builder.
class html_builder {
public:
  html_builder& open(std::string_view tag, attributes with = {});
  /// Closes what was opened last.
  html_builder& close();
  html_builder& text(std::string_view text);
  /// An element that holds only text.
  html_builder& element(std::string_view tag, std::string_view text, attributes with = {});
  /// An element without content and end tag (`meta`, `link`).
  html_builder& leaf(std::string_view tag, attributes with);
  /// HTML that is complete and safe already.
  html_builder& raw(std::string_view html);

  html_builder& link(std::string_view href, std::string_view text) {
    return element("a", text, {{"href", href}});
  }
  /// One `dt` and `dd` of a `dl`.
  html_builder& fact(std::string_view name, std::string_view value);
  /// One body row of a table: the first cell names it.
  html_builder& row(std::initializer_list<std::string_view> cells);
  /// The head of a table, and its body opened.
  html_builder& head(std::initializer_list<std::string_view> cells);
  /// A `section` with a heading and an anchor.
  html_builder& section(std::string_view id, std::string_view heading);
  /// A table that scrolls sideways where it is too wide; closed by two `close` after the body's.
  html_builder& wide_table(std::string_view name);

  /// Returns the text; everything must be closed.
  std::string finish() &&;

private:
  void start_tag(std::string_view tag, attributes with);

  std::string out_;
  std::vector<std::string_view> opened_;
};

} // namespace assay::http::pages
