#include "store/data_dir_lock.hpp"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

namespace assay::store {

namespace {

std::string holder(int fd) {
  char text[32];
  const auto n = pread(fd, text, sizeof text, 0);
  std::string result{text, static_cast<std::size_t>(n > 0 ? n : 0)};
  result = result.substr(0, result.find('\n'));
  return result.empty() ? "pid not known" : "pid " + result;
}

} // namespace

expected<data_dir_lock> data_dir_lock::acquire(const std::filesystem::path& data_dir) {
  std::error_code error;
  std::filesystem::create_directories(data_dir, error);
  if (error)
    return problem{data_dir.string(), "cannot create the data directory: " + error.message()};
  const auto file = data_dir / "assay.lock";
  data_dir_lock result{::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)};
  if (result.fd_ < 0)
    return problem{file.string(), "cannot open: " + std::system_category().message(errno)};
  if (flock(result.fd_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK)
      return problem{file.string(), "cannot lock: " + std::system_category().message(errno)};
    return problem{file.string(), "another assay process (" + holder(result.fd_) +
                                      ") writes to this data directory; stop it or choose another"};
  }
  // For the message above only: the lock itself is the flock. On a full disk it stays empty.
  const auto pid = std::to_string(getpid()) + "\n";
  if (ftruncate(result.fd_, 0) == 0)
    (void)!pwrite(result.fd_, pid.data(), pid.size(), 0);
  return result;
}

data_dir_lock::~data_dir_lock() {
  if (fd_ >= 0)
    close(fd_);
}

} // namespace assay::store
