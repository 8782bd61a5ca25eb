#pragma once

namespace assay::test {

/// Makes the disk full for every SQLite file of this process, from the n-th write on. The real
/// files stay as they are: writes that fit are made, those that do not fail with SQLITE_FULL.
/// At most one at a time.
class full_disk {
public:
  /// From now on `writes` more writes fit.
  explicit full_disk(int writes);
  /// There is room again.
  ~full_disk();
  full_disk(const full_disk&) = delete;
  full_disk& operator=(const full_disk&) = delete;

  /// True when a write was refused since the construction.
  bool refused() const noexcept;

  /// Must run before the first SQLite file is opened in the process.
  static void install();
};

} // namespace assay::test
