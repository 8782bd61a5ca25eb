#include "app/service/data_directory.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

namespace assay::app {

namespace fs = std::filesystem;

expected<data_directory> data_directory::open(const std::string& path) {
  std::error_code error;
  if (!path.empty()) {
    fs::create_directories(path, error);
    if (error)
      return problem{path, "data directory: " + error.message()};
    return data_directory{path, false};
  }
  auto pattern = (fs::temp_directory_path(error) / "assay-XXXXXX").string();
  if (error || mkdtemp(pattern.data()) == nullptr)
    return problem{pattern, std::string{"temporary data directory: "} + std::strerror(errno)};
  return data_directory{pattern, true};
}

data_directory::data_directory(data_directory&& other) noexcept
    : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, false)) {}

data_directory::~data_directory() {
  std::error_code ignored;
  if (temporary_)
    fs::remove_all(path_, ignored);
}

} // namespace assay::app
