#pragma once

#include <string>
#include <string_view>

namespace assay::app {

/// Sends the default logger's lines to standard error: one line per record, as
/// `{"time":"…","level":"…","message":"…"}` when `format` is `json`, else as plain text. Control
/// characters in a message are escaped in both forms, so that nothing a client sends can begin a
/// line of its own. `level` is one of trace, debug, info, warn, error, off. Call once, first thing.
void start_logging(std::string_view level, std::string_view format);

/// Returns `text` with `"`, `\` and control characters escaped as in JSON; bytes above 0x7f that
/// are not UTF-8 become U+FFFD.
std::string escape_log_text(std::string_view text);

} // namespace assay::app
