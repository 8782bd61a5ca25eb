#include "store/redis/redis_client.hpp"

namespace assay::store {

expected<std::vector<redis_reply>> redis_client::run(const std::vector<command>& commands) {
  const auto deadline = redis_connection::clock::now() + timeout_;
  if (!connection_ || !connection_->usable()) {
    connection_.reset();
    auto opened = redis_connection::open(url_, deadline);
    if (!opened)
      return opened.error();
    connection_ = std::move(*opened);
  }
  std::vector<std::string_view> argv;
  for (const auto& c : commands) {
    argv.assign(c.begin(), c.end());
    connection_->append(argv);
  }
  auto replies = connection_->exchange(deadline);
  if (!replies)
    return problem{url_.display(), replies.error().what};
  // Another password or another role than when we connected: greet the server anew next time.
  for (const auto& r : *replies)
    if (r.error_code() == "NOAUTH" || r.error_code() == "READONLY")
      connection_.reset();
  return replies;
}

expected<redis_reply> redis_client::run_one(const command& c) {
  auto replies = run({c});
  if (!replies)
    return replies.error();
  if (replies->front().is_error())
    return problem{url_.display(), replies->front().text};
  return std::move(replies->front());
}

} // namespace assay::store
