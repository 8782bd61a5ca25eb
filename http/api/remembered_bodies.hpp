#pragma once

#include "http/api/rendered_body.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace assay::http {

/// Bodies that were made from the newest snapshot and will be asked for again. Bounded in octets:
/// the one that was not asked for the longest goes first. A newer snapshot empties it. Thread-safe.
class remembered_bodies {
public:
  explicit remembered_bodies(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  /// Returns what is remembered under `key` of snapshot `snapshot_id`, else makes it. `make` runs
  /// outside the lock, so two threads may make the same body; the first one stays.
  body_ptr find_or_make(std::uint64_t snapshot_id, std::string_view key,
                        const std::function<body_ptr()>& make);

  std::size_t bytes() const;

private:
  struct entry {
    std::string key;
    body_ptr body;
  };

  void drop_oldest();

  const std::size_t bytes_max_;
  mutable std::mutex mutex_;
  std::uint64_t snapshot_id_ = 0;
  std::size_t bytes_ = 0;
  /// Last used first.
  std::list<entry> entries_;
  std::unordered_map<std::string_view, std::list<entry>::iterator> by_key_;
};

} // namespace assay::http
