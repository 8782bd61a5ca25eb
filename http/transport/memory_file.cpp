#include "http/transport/memory_file.hpp"

#include <cerrno>

#include <fcntl.h>
#include <sys/mman.h>

namespace assay::http {
namespace {

bool write_all(int file, std::string_view octets) {
  while (!octets.empty()) {
    const auto n = ::write(file, octets.data(), octets.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    octets.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

} // namespace

std::shared_ptr<const memory_file> memory_file::make(std::string_view octets) {
  unique_fd file(::memfd_create("assay-body", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  // Sealed, because pages that wait in a socket are sent as they are then.
  constexpr int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;
  if (!file || !write_all(file.get(), octets) || ::fcntl(file.get(), F_ADD_SEALS, seals) != 0)
    return nullptr;
  return std::shared_ptr<const memory_file>(new memory_file(std::move(file), octets.size()));
}

} // namespace assay::http
