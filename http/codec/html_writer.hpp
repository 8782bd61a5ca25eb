#pragma once

#include <string>
#include <string_view>

namespace assay::http {

/// Appends `text` so that it stands as text in HTML, inside and outside of quoted attributes.
void append_html(std::string& out, std::string_view text);

} // namespace assay::http
