#include "tests/support/small_disk.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <sys/mount.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace assay::test {

namespace {

void require(int result, const char* what) {
  if (result != 0)
    throw std::system_error(errno, std::generic_category(), what);
}

void write_file(const char* file, const std::string& text) {
  std::ofstream out{file};
  out << text;
  if (!out.flush())
    throw std::runtime_error(std::string{"cannot write "} + file);
}

/// Root may mount at once; anybody else where the kernel lets users be root among themselves.
void enter_namespace() {
  const auto user = std::to_string(geteuid());
  const auto group = std::to_string(getegid());
  if (unshare(CLONE_NEWNS) != 0) {
    require(unshare(CLONE_NEWUSER | CLONE_NEWNS), "unshare");
    write_file("/proc/self/setgroups", "deny");
    write_file("/proc/self/uid_map", "0 " + user + " 1");
    write_file("/proc/self/gid_map", "0 " + group + " 1");
  }
  require(mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "make mounts private");
}

} // namespace

small_disk::small_disk(std::filesystem::path directory, std::size_t megabytes)
    : directory_(std::move(directory)) {
  enter_namespace();
  std::filesystem::create_directories(directory_);
  const auto options = "size=" + std::to_string(megabytes) + "m";
  require(mount("tmpfs", directory_.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()),
          "mount");
}

small_disk::~small_disk() {
  umount2(directory_.c_str(), MNT_DETACH);
}

void small_disk::fill() const {
  const int fd = open(filler().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0)
    throw std::system_error(errno, std::generic_category(), "filler");
  const std::string block(64 * 1024, 'x');
  // The last pages are taken piece by piece: a large write may fail whole.
  for (auto size = block.size(); size > 0; size /= 2)
    while (write(fd, block.data(), size) > 0)
      continue;
  const bool full = errno == ENOSPC;
  close(fd);
  if (!full)
    throw std::runtime_error("the disk does not fill up");
}

void small_disk::free() const {
  std::filesystem::remove(filler());
}

} // namespace assay::test
