#pragma once

#include "messages/types/expected.hpp"

#include <filesystem>

namespace assay::app {

/// Returns the directory of the published assumptions (methodology.toml and its neighbours, the
/// sample universe): the environment's ASSAY_CONF_DIR, else `conf` beside the checkout that the
/// program was built in, else `share/assay` beside its `bin`. A problem names what was tried.
expected<std::filesystem::path> find_conf_directory();

/// Returns the text of a file or a problem that names it.
expected<std::string> read_text_file(const std::filesystem::path& path);

} // namespace assay::app
