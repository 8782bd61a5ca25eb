#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::app {

/// Replaces the file `path` by `text` so that whoever reads it, also after a crash or a power cut,
/// finds the old or the new text in full: writes beside it, syncs, renames, syncs the directory.
/// Returns nothing, or why it failed; then the old file is untouched.
std::optional<std::string> replace_file(const std::string& path, std::string_view text);

} // namespace assay::app
