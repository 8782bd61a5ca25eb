#pragma once

#include "messages/types/expected.hpp"

#include <filesystem>
#include <string>

namespace assay::app {

/// The directory that the archive lives in: the operator's, or a temporary one that is removed
/// with this object.
class data_directory {
public:
  /// Creates what is missing. Empty `path`: a temporary directory.
  static expected<data_directory> open(const std::string& path);

  data_directory(data_directory&& other) noexcept;
  data_directory& operator=(data_directory&&) = delete;
  ~data_directory();

  const std::filesystem::path& path() const noexcept { return path_; }
  bool temporary() const noexcept { return temporary_; }

private:
  data_directory(std::filesystem::path path, bool temporary)
      : path_(std::move(path)), temporary_(temporary) {}

  std::filesystem::path path_;
  bool temporary_;
};

} // namespace assay::app
