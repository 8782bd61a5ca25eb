#include "app/atomic_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace assay::app {

namespace {

/// Closes on every way out.
class descriptor {
public:
  explicit descriptor(int fd) noexcept : fd_(fd) {}
  ~descriptor() {
    if (fd_ >= 0)
      ::close(fd_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;

  int get() const noexcept { return fd_; }
  /// Returns false when closing reports a failed write.
  bool close() noexcept { return ::close(std::exchange(fd_, -1)) == 0; }

private:
  int fd_;
};

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string failure(const std::string& path) {
  return path + ": " + std::strerror(errno);
}

} // namespace

std::optional<std::string> replace_file(const std::string& path, std::string_view text) {
  const auto beside = path + ".new";
  descriptor file{::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)};
  if (file.get() < 0)
    return failure(beside);
  if (!write_all(file.get(), text) || ::fsync(file.get()) != 0 || !file.close() ||
      std::rename(beside.c_str(), path.c_str()) != 0) {
    auto why = failure(path);
    ::unlink(beside.c_str());
    return why;
  }
  const auto parent = std::filesystem::path{path}.parent_path();
  const descriptor directory{
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (directory.get() < 0 || ::fsync(directory.get()) != 0)
    return failure(parent.empty() ? "." : parent.string());
  return std::nullopt;
}

} // namespace assay::app
