#include "http/codec/html_writer.hpp"

namespace assay::http {

void append_html(std::string& out, std::string_view text) {
  for (const char c : text)
    switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    case '\'': out += "&#39;"; break;
    default: out += c;
    }
}

} // namespace assay::http
