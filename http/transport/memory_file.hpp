#pragma once

#include "http/transport/unique_fd.hpp"

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

namespace assay::http {

/// Octets in a file without a name that nobody can change any more: the kernel sends its pages as
/// they are, where octets from the process's memory are copied for every client. Costs a descriptor
/// and the memory of the octets. Any thread.
class memory_file {
public:
  /// Returns a file with these octets; null when there is no descriptor or no memory for it.
  static std::shared_ptr<const memory_file> make(std::string_view octets);

  int descriptor() const noexcept { return file_.get(); }
  std::size_t size() const noexcept { return size_; }

private:
  memory_file(unique_fd file, std::size_t size) noexcept : file_(std::move(file)), size_(size) {}

  unique_fd file_;
  std::size_t size_;
};

} // namespace assay::http
