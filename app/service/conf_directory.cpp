#include "app/service/conf_directory.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

namespace assay::app {

namespace fs = std::filesystem;

expected<fs::path> find_conf_directory() {
  std::vector<fs::path> candidates;
  if (const char* set = std::getenv("ASSAY_CONF_DIR"); set != nullptr && *set != '\0') {
    candidates.emplace_back(set);
  } else {
    std::error_code error;
    const auto bin = fs::read_symlink("/proc/self/exe", error).parent_path();
    // build/<preset>/app/assay in a checkout, and an installed bin/assay.
    candidates = {bin / "../../../conf", bin / "../share/assay"};
  }
  std::string tried;
  for (const auto& candidate : candidates) {
    std::error_code error;
    if (fs::exists(candidate / "methodology.toml", error))
      return fs::weakly_canonical(candidate, error);
    tried += (tried.empty() ? "" : ", ") + candidate.lexically_normal().string();
  }
  return problem{"ASSAY_CONF_DIR", "expected a directory with methodology.toml; tried " + tried};
}

expected<std::string> read_text_file(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  std::stringstream text;
  text << in.rdbuf();
  // A directory opens like an empty file.
  std::error_code error;
  if (!in || fs::is_directory(path, error))
    return problem{path.string(), "cannot be read"};
  return std::move(text).str();
}

} // namespace assay::app
