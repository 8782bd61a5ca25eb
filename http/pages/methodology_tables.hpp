#pragma once

#include "engine/scoring/methodology.hpp"
#include "http/pages/html_builder.hpp"

#include <map>
#include <string>
#include <string_view>

namespace assay::http::pages {

/// HTML of everything that the methodology holds, by the first part of its keys (`yield_level`,
/// `labels`, …). Made by walking the list that the loader and the scorer version walk, so that
/// nothing in force can be missing.
std::map<std::string, std::string, std::less<>> tables_of(const engine::methodology& m);

/// Writes an anchor table: points side by side, `key` as its name and anchor.
void write_curve(html_builder& b, std::string_view key, const engine::anchor_table& curve,
                 std::string_view source, bool logarithmic);

} // namespace assay::http::pages
