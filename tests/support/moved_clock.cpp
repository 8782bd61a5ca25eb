#include "tests/support/moved_clock.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace assay::test {

moved_clock::moved_clock(std::filesystem::path file) : file_(std::move(file)) {
  const int fd = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  void* shared = MAP_FAILED;
  if (fd >= 0 && ftruncate(fd, sizeof *ahead_ms_) == 0)
    shared = mmap(nullptr, sizeof *ahead_ms_, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (fd >= 0)
    close(fd);
  if (shared == MAP_FAILED)
    throw std::system_error(errno, std::generic_category(), file_);
  ahead_ms_ = new (shared) std::atomic<std::int64_t>{0};
}

moved_clock::~moved_clock() {
  munmap(ahead_ms_, sizeof *ahead_ms_);
}

std::vector<std::string> moved_clock::environment() const {
  // AddressSanitizer wants to be loaded first, but does not need to be.
  const char* options = std::getenv("ASAN_OPTIONS");
  return {"LD_PRELOAD=" ASSAY_CLOCK_SHIM, "ASSAY_TEST_CLOCK=" + file_.string(),
          "ASAN_OPTIONS=" + (options == nullptr ? std::string{} : std::string{options} + ":") +
              "verify_asan_link_order=0"};
}

} // namespace assay::test
