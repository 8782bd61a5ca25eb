#pragma once

#include "messages/actors.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace assay::actors {

/// The score readers that are alive now. The SCORE CACHE writes it, I/O threads pick from it, so
/// that a read costs one message and no detour over the cache. Thread-safe.
class reader_directory {
public:
  using readers = std::vector<score_reader_actor>;

  /// Replaces the readers. Clear it before the actor system goes: a handle must not outlive it.
  void replace(readers next) {
    auto shared = std::make_shared<const readers>(std::move(next));
    const std::lock_guard guard{mutex_};
    readers_ = std::move(shared);
  }

  /// Returns the next reader in turn, or nothing when there is none.
  std::optional<score_reader_actor> pick() const {
    const auto now = all();
    if (now->empty())
      return std::nullopt;
    const auto turn = turn_.fetch_add(1, std::memory_order_relaxed);
    return (*now)[turn % now->size()];
  }

  /// Returns every reader that is alive now.
  std::shared_ptr<const readers> all() const {
    const std::lock_guard guard{mutex_};
    return readers_;
  }

  /// The snapshot with this id is in the mailbox of every reader: what is asked from now on is
  /// answered from it or from a later one.
  void announce(std::uint64_t snapshot_id) noexcept {
    announced_.store(snapshot_id, std::memory_order_release);
  }

  /// Returns the id announced last; 0 before the first.
  std::uint64_t announced() const noexcept { return announced_.load(std::memory_order_acquire); }

private:
  mutable std::mutex mutex_;
  std::shared_ptr<const readers> readers_ = std::make_shared<const readers>();
  mutable std::atomic<std::size_t> turn_{0};
  std::atomic<std::uint64_t> announced_{0};
};

} // namespace assay::actors
