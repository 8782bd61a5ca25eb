#include "store/redis/redis_connection.hpp"

#include "store/redis/redis_socket.hpp"

#include <hiredis/hiredis.h>
#include <poll.h>
#include <string>
#include <unistd.h>

namespace assay::store {

namespace {

using clock = redis_connection::clock;

redis_reply to_value(const redisReply& r) {
  redis_reply out;
  switch (r.type) {
  case REDIS_REPLY_INTEGER:
    out.what = redis_reply::kind::integer;
    out.integer = r.integer;
    break;
  case REDIS_REPLY_STRING:
  case REDIS_REPLY_STATUS:
    out.what = redis_reply::kind::text;
    out.text.assign(r.str, r.len);
    break;
  case REDIS_REPLY_ERROR:
    out.what = redis_reply::kind::error;
    out.text.assign(r.str, r.len);
    break;
  case REDIS_REPLY_ARRAY:
    out.what = redis_reply::kind::array;
    out.items.reserve(r.elements);
    for (std::size_t i = 0; i < r.elements; ++i)
      out.items.push_back(to_value(*r.element[i]));
    break;
  default: break;
  }
  return out;
}

std::string target(const redis_url& url) {
  return url.socket_path.empty() ? url.host + ":" + std::to_string(url.port) : url.socket_path;
}

} // namespace

void redis_connection::closer::operator()(redisContext* c) const noexcept {
  redisFree(c);
}

expected<redis_connection> redis_connection::open(const redis_url& url, clock::time_point deadline,
                                                  name_resolver& resolver) {
  const auto fd = connect_socket(url, deadline, resolver);
  if (!fd)
    return problem{target(url), fd.error().what};
  redis_connection result{redisConnectFd(*fd)};
  auto* c = result.context_.get();
  if (c == nullptr) {
    close(*fd);
    return problem{target(url), "out of memory"};
  }
  // Our own waits carry one deadline over a whole exchange; hiredis' time limits are per read.
  c->flags &= ~REDIS_BLOCK;

  if (!url.password.empty()) {
    if (url.user.empty())
      result.append({"AUTH", url.password});
    else
      result.append({"AUTH", url.user, url.password});
  }
  const auto database = std::to_string(url.database);
  if (url.database != 0)
    result.append({"SELECT", database});
  auto replies = result.exchange(deadline);
  if (!replies)
    return problem{target(url), "no greeting: " + replies.error().what};
  for (const auto& r : *replies)
    if (r.is_error())
      return problem{target(url), "refused: " + r.text};
  return result;
}

void redis_connection::append(std::span<const std::string_view> argv) {
  if (!usable())
    return;
  std::vector<const char*> pointers;
  std::vector<std::size_t> sizes;
  pointers.reserve(argv.size());
  sizes.reserve(argv.size());
  for (auto arg : argv) {
    pointers.push_back(arg.data());
    sizes.push_back(arg.size());
  }
  redisAppendCommandArgv(context_.get(), static_cast<int>(argv.size()), pointers.data(),
                         sizes.data());
  ++pending_;
}

problem redis_connection::lose(std::string_view what) {
  problem result{"redis", std::string{what}}; // `what` may point into the context
  context_.reset();
  pending_ = 0;
  return result;
}

std::optional<problem> redis_connection::write_all(clock::time_point deadline) {
  for (int done = 0;;) {
    if (redisBufferWrite(context_.get(), &done) != REDIS_OK)
      return lose(context_->errstr);
    if (done != 0)
      return std::nullopt;
    if (!wait_for(context_->fd, POLLOUT, deadline))
      return lose("deadline passed while writing");
  }
}

expected<redis_reply> redis_connection::read_one(clock::time_point deadline) {
  for (;;) {
    void* raw = nullptr;
    if (redisGetReplyFromReader(context_.get(), &raw) != REDIS_OK)
      return lose(context_->errstr);
    if (raw != nullptr) {
      auto reply = to_value(*static_cast<redisReply*>(raw));
      freeReplyObject(raw);
      return reply;
    }
    if (!wait_for(context_->fd, POLLIN, deadline))
      return lose("deadline passed while waiting for the reply");
    if (redisBufferRead(context_.get()) != REDIS_OK)
      return lose(context_->errstr);
  }
}

expected<std::vector<redis_reply>> redis_connection::exchange(clock::time_point deadline) {
  if (!usable())
    return problem{"redis", "the connection is lost"};
  std::vector<redis_reply> replies;
  replies.reserve(pending_);
  if (pending_ > 0)
    if (auto p = write_all(deadline))
      return *p;
  while (replies.size() < pending_) {
    auto r = read_one(deadline);
    if (!r)
      return r.error();
    replies.push_back(std::move(*r));
  }
  pending_ = 0;
  return replies;
}

} // namespace assay::store
