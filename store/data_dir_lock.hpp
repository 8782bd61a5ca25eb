#pragma once

#include "messages/types/expected.hpp"

#include <filesystem>
#include <utility>

namespace assay::store {

/// The right to write to a data directory, held through an flock on `<data_dir>/assay.lock`: it
/// ends with the process, however that ends. Moves only.
class data_dir_lock {
public:
  /// Creates the directory when missing. Problem: another process (named by its pid) holds it, or
  /// the directory cannot be written.
  static expected<data_dir_lock> acquire(const std::filesystem::path& data_dir);

  data_dir_lock(data_dir_lock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  data_dir_lock& operator=(data_dir_lock&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~data_dir_lock();

private:
  explicit data_dir_lock(int fd) noexcept : fd_(fd) {}

  int fd_ = -1;
};

} // namespace assay::store
