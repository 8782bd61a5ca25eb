#include "http/transport/request_parser.hpp"

#include <algorithm>
#include <utility>

namespace assay::http {

request_parser::request_parser(const request_limits& limits)
    : limits_(limits), head_(limits), chunks_(limits) {}

std::size_t request_parser::feed(std::string_view input) {
  std::size_t used = 0;
  if (state_ == state::idle || state_ == state::head) {
    used = head_.feed(input);
    if (head_.started())
      state_ = state::head;
    if (head_.status() == head_reader::state::failed) {
      state_ = state::failed;
    } else if (head_.status() == head_reader::state::complete) {
      const auto& framing = head_.framing();
      state_ = framing.chunked || framing.content_length > 0 ? state::body : state::complete;
      awaits_continue_ = state_ == state::body && framing.expects_continue;
    }
  }
  if (state_ == state::body && used < input.size())
    feed_body(input.substr(used), used);
  return used;
}

void request_parser::feed_body(std::string_view input, std::size_t& used) {
  awaits_continue_ = false;
  const auto& framing = head_.framing();
  if (framing.chunked) {
    used += chunks_.feed(input, body_);
    if (chunks_.status() == chunked_body::state::complete)
      state_ = state::complete;
    else if (chunks_.status() == chunked_body::state::failed)
      state_ = state::failed;
    return;
  }
  const auto n = std::min(input.size(), framing.content_length - body_.size());
  body_.append(input.substr(0, n));
  used += n;
  if (body_.size() == framing.content_length)
    state_ = state::complete;
}

const parse_failure& request_parser::failure() const noexcept {
  return head_.status() == head_reader::state::failed ? head_.failure() : chunks_.failure();
}

request request_parser::take() {
  auto parts = head_.take();
  parts.body = std::exchange(body_, {});
  head_.reset();
  chunks_.reset();
  state_ = state::idle;
  awaits_continue_ = false;
  return request(std::move(parts));
}

} // namespace assay::http
