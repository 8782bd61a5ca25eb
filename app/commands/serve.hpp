#pragma once

#include <iosfwd>
#include <optional>
#include <string>

namespace assay::app {

/// `assay serve`; what is absent comes from the environment, the configuration file or the default.
struct serve_arguments {
  std::optional<std::string> listen;
  std::optional<std::string> admin;
  std::optional<std::string> data_dir;
  std::optional<std::string> config_file;
  std::optional<std::string> universe;
  std::optional<std::string> redis;
};

/// Serves until SIGTERM or SIGINT. Prints `listening on http://HOST:PORT` on `out` as soon as
/// requests are answered. Returns 0 after a clean stop, 1 when a started service failed, and 2,
/// with every problem on `err`, when the configuration or the data do not allow a start.
int run_serve(const serve_arguments& arguments, std::ostream& out, std::ostream& err);

} // namespace assay::app
