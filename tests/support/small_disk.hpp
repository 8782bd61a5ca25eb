#pragma once

#include <cstddef>
#include <filesystem>

namespace assay::test {

/// A file system of a few megabytes (tmpfs) that nobody but this process and its children sees: it
/// is mounted in a mount namespace of their own and ends with them. Needs root or the right to
/// make user namespaces. Must be made before the process has other threads; one per process.
class small_disk {
public:
  /// Mounts it on `directory`, which is made; throws when the system does not let us.
  small_disk(std::filesystem::path directory, std::size_t megabytes);
  ~small_disk();
  small_disk(const small_disk&) = delete;
  small_disk& operator=(const small_disk&) = delete;

  const std::filesystem::path& path() const noexcept { return directory_; }

  /// Takes up all the room that is left.
  void fill() const;
  /// Gives back what `fill` took.
  void free() const;

private:
  std::filesystem::path filler() const { return directory_ / "filler"; }

  std::filesystem::path directory_;
};

} // namespace assay::test
