#include "tests/support/full_disk.hpp"

#include <array>
#include <atomic>
#include <limits>
#include <sqlite3.h>
#include <stdexcept>

namespace assay::test {

namespace {

constexpr int unlimited = std::numeric_limits<int>::max();

std::atomic<int> writes_left{unlimited};
std::atomic<bool> write_refused{false};

sqlite3_vfs* real_vfs = nullptr;
sqlite3_vfs our_vfs;

// The files of one database come with different tables of methods (the log needs no locks).
struct method_table {
  const sqlite3_io_methods* real = nullptr;
  sqlite3_io_methods ours{};
};
std::array<method_table, 8> tables;
int (*real_write)(sqlite3_file*, const void*, int, sqlite3_int64) = nullptr;

int write_or_refuse(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset) {
  if (writes_left != unlimited && writes_left-- <= 0) {
    writes_left = 0;
    write_refused = true;
    return SQLITE_FULL;
  }
  return real_write(file, data, size, offset);
}

const sqlite3_io_methods* wrapped(const sqlite3_io_methods* real) {
  for (auto& t : tables) {
    if (t.real == nullptr) {
      if (real_write != nullptr && real_write != real->xWrite)
        throw std::logic_error("SQLite writes in more than one way");
      real_write = real->xWrite;
      t.real = real;
      t.ours = *real;
      t.ours.xWrite = write_or_refuse;
    }
    if (t.real == real)
      return &t.ours;
  }
  throw std::logic_error("more kinds of SQLite files than expected");
}

int open_wrapped(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  const int code = real_vfs->xOpen(real_vfs, name, file, flags, out_flags);
  if (code == SQLITE_OK && file->pMethods != nullptr)
    file->pMethods = wrapped(file->pMethods);
  return code;
}

} // namespace

void full_disk::install() {
  if (real_vfs != nullptr)
    return;
  real_vfs = sqlite3_vfs_find(nullptr);
  our_vfs = *real_vfs;
  our_vfs.zName = "assay-full-disk";
  our_vfs.pNext = nullptr;
  our_vfs.xOpen = open_wrapped;
  sqlite3_vfs_register(&our_vfs, 1);
}

full_disk::full_disk(int writes) {
  write_refused = false;
  writes_left = writes;
}

full_disk::~full_disk() {
  writes_left = unlimited;
}

bool full_disk::refused() const noexcept {
  return write_refused;
}

} // namespace assay::test
