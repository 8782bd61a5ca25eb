#include "http/pages/html_builder.hpp"

#include "http/codec/html_writer.hpp"

#include <cassert>

namespace assay::http::pages {

void html_builder::start_tag(std::string_view tag, attributes with) {
  out_.append("<").append(tag);
  for (const auto& [name, value] : with) {
    out_.append(" ").append(name).append("=\"");
    append_html(out_, value);
    out_ += '"';
  }
  out_ += '>';
}

html_builder& html_builder::open(std::string_view tag, attributes with) {
  start_tag(tag, with);
  opened_.push_back(tag);
  return *this;
}

html_builder& html_builder::close() {
  assert(!opened_.empty());
  out_.append("</").append(opened_.back()).append(">\n");
  opened_.pop_back();
  return *this;
}

html_builder& html_builder::text(std::string_view text) {
  append_html(out_, text);
  return *this;
}

html_builder& html_builder::element(std::string_view tag, std::string_view text, attributes with) {
  start_tag(tag, with);
  append_html(out_, text);
  out_.append("</").append(tag).append(">");
  return *this;
}

html_builder& html_builder::leaf(std::string_view tag, attributes with) {
  start_tag(tag, with);
  out_ += '\n';
  return *this;
}

html_builder& html_builder::raw(std::string_view html) {
  out_ += html;
  return *this;
}

html_builder& html_builder::fact(std::string_view name, std::string_view value) {
  return element("dt", name).element("dd", value);
}

html_builder& html_builder::row(std::initializer_list<std::string_view> cells) {
  open("tr");
  bool first = true;
  for (const auto cell : cells) {
    if (first)
      element("th", cell, {{"scope", "row"}});
    else
      element("td", cell);
    first = false;
  }
  return close();
}

html_builder& html_builder::head(std::initializer_list<std::string_view> cells) {
  open("thead").open("tr");
  for (const auto cell : cells)
    element("th", cell, {{"scope", "col"}});
  return close().close().open("tbody");
}

html_builder& html_builder::section(std::string_view id, std::string_view heading) {
  return open("section", {{"id", id}}).element("h2", heading);
}

html_builder& html_builder::wide_table(std::string_view name) {
  // Focusable, so that it can be scrolled with the keyboard.
  return open("div",
              {{"class", "wide"}, {"role", "region"}, {"tabindex", "0"}, {"aria-label", name}})
      .open("table");
}

std::string html_builder::finish() && {
  assert(opened_.empty());
  return std::move(out_);
}

} // namespace assay::http::pages
