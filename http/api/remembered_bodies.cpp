#include "http/api/remembered_bodies.hpp"

namespace assay::http {

body_ptr remembered_bodies::find_or_make(std::uint64_t snapshot_id, std::string_view key,
                                         const std::function<body_ptr()>& make) {
  {
    const std::lock_guard guard{mutex_};
    if (snapshot_id > snapshot_id_) {
      by_key_.clear();
      entries_.clear();
      bytes_ = 0;
      snapshot_id_ = snapshot_id;
    }
    if (const auto i = by_key_.find(key); snapshot_id == snapshot_id_ && i != by_key_.end()) {
      entries_.splice(entries_.begin(), entries_, i->second);
      return i->second->body;
    }
  }
  auto body = make();
  const std::lock_guard guard{mutex_};
  // A reader may still hold the snapshot before the newest one.
  if (snapshot_id != snapshot_id_ || by_key_.contains(key) || body->bytes() > bytes_max_)
    return body;
  entries_.push_front({std::string(key), body});
  by_key_.emplace(entries_.front().key, entries_.begin());
  bytes_ += body->bytes();
  while (bytes_ > bytes_max_)
    drop_oldest();
  return body;
}

void remembered_bodies::drop_oldest() {
  const auto& oldest = entries_.back();
  bytes_ -= oldest.body->bytes();
  by_key_.erase(oldest.key);
  entries_.pop_back();
}

std::size_t remembered_bodies::bytes() const {
  const std::lock_guard guard{mutex_};
  return bytes_;
}

} // namespace assay::http
