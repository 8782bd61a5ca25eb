#pragma once

#include "app/config/config.hpp"
#include "messages/types/expected.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::app {

/// Looks up one environment variable; nothing when it is not set.
using environment = std::function<std::optional<std::string>(const std::string& name)>;

/// Returns the defaults.
config default_config();

/// Reads a configuration: defaults, then the TOML document, then the environment
/// (`ASSAY_<SECTION>_<KEY>`, lists by comma). Returns every problem at once, each with file, line
/// and column or the name of the variable, and what was expected. Unknown keys are problems:
/// a typo must not pass silently.
expected<config, std::vector<problem>>
load_config(std::string_view toml_text, std::string_view file_name, const environment& env);

/// Returns the text of conf/assay.toml: every key with its default, bounds and documentation.
std::string default_config_text();

} // namespace assay::app
