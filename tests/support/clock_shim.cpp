// Preloaded into a child (see moved_clock.hpp): what the wall clock says is moved, every other
// clock is left alone. Waits until a wall clock time are not moved, so a service that has any
// stops or spins here.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

const std::atomic<std::int64_t>* ahead_ms = nullptr;

__attribute__((constructor)) void find_clock() {
  const char* file = std::getenv("ASSAY_TEST_CLOCK");
  const int fd = file == nullptr ? -1 : open(file, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return;
  void* shared = mmap(nullptr, sizeof *ahead_ms, PROT_READ, MAP_SHARED, fd, 0);
  close(fd);
  if (shared != MAP_FAILED)
    ahead_ms = static_cast<const std::atomic<std::int64_t>*>(shared);
}

} // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* t) noexcept {
  const auto result = static_cast<int>(syscall(SYS_clock_gettime, clock, t));
  if (result == 0 && ahead_ms != nullptr &&
      (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    const auto ns = t->tv_nsec + *ahead_ms % 1000 * 1'000'000;
    const auto carry = ns < 0 ? -1 : ns / 1'000'000'000;
    t->tv_sec += *ahead_ms / 1000 + carry;
    t->tv_nsec = ns - carry * 1'000'000'000;
  }
  return result;
}

extern "C" int gettimeofday(timeval* t, void*) noexcept {
  timespec now{};
  const int result = clock_gettime(CLOCK_REALTIME, &now);
  t->tv_sec = now.tv_sec;
  t->tv_usec = now.tv_nsec / 1000;
  return result;
}

extern "C" time_t time(time_t* t) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (t != nullptr)
    *t = now.tv_sec;
  return now.tv_sec;
}
