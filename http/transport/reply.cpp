#include "http/transport/reply.hpp"

#include <utility>

namespace assay::http {

reply::reply(std::shared_ptr<reply_sink> sink, const reply_address& address) noexcept
    : sink_(std::move(sink)), address_(address) {}

reply& reply::operator=(reply&& other) noexcept {
  if (this != &other) {
    if (const auto sink = std::exchange(sink_, nullptr))
      sink->deliver_unanswered(address_);
    sink_ = std::move(other.sink_);
    address_ = other.address_;
  }
  return *this;
}

reply::~reply() {
  if (sink_)
    sink_->deliver_unanswered(address_);
}

void reply::send(const response& answer) noexcept {
  // Emptied first: a sink that destroys or re-enters this handle finds nothing to answer.
  if (const auto sink = std::exchange(sink_, nullptr))
    sink->deliver(address_, answer);
}

} // namespace assay::http
