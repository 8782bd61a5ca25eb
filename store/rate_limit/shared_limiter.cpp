#include "store/rate_limit/shared_limiter.hpp"

#include <numeric>

namespace assay::store {

namespace {

std::int64_t to_ms(shared_limiter::clock::time_point t) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(t.time_since_epoch()).count();
}

/// Errors after which the connection itself is of no use: it must greet again, or the server is
/// not the one to talk to any more.
bool ends_connection(const redis_reply& reply) {
  const auto code = reply.error_code();
  return code == "NOAUTH" || code == "NOPERM" || code == "READONLY" || code == "MASTERDOWN" ||
         reply.text.find("max number of clients") != std::string::npos;
}

} // namespace

shared_limiter::shared_limiter(redis_url url, options o)
    : url_(std::move(url)), options_(std::move(o)), breaker_(options_.breaker) {}

void shared_limiter::append(const bucket_key& key, const rate_policy& policy,
                            std::optional<std::int64_t> now_ms) {
  calls_.push_back({options_.prefix + "rate:" + key.text(), policy, now_ms});
}

void shared_limiter::fail(std::string what) {
  last_failure_ = std::move(what);
}

bool shared_limiter::ensure_connected(clock::time_point deadline) {
  if (connection_ && connection_->usable())
    return true;
  connection_.reset();
  auto opened = redis_connection::open(url_, deadline);
  if (!opened) {
    fail(opened.error().text());
    return false;
  }
  ++counters_.connects;
  connection_ = std::move(*opened);
  return true;
}

void shared_limiter::append_call(const script_call& call, bool by_hash) {
  const auto limit = std::to_string(call.policy.limit);
  const auto window = std::to_string(call.policy.window_ms);
  const auto now = call.now_ms ? std::to_string(*call.now_ms) : std::string{};
  const std::string_view argv[] = {by_hash ? "EVALSHA" : "EVAL",
                                   by_hash ? std::string_view{sliding_window_script_sha()}
                                           : sliding_window_script(),
                                   "1",
                                   call.key,
                                   limit,
                                   window,
                                   now};
  connection_->append(std::span{argv, call.now_ms ? 7u : 6u});
}

/// Reads one reply; false when it shows a server that cannot decide.
bool shared_limiter::take(const redis_reply& reply, std::optional<rate_decision>& out) {
  out = read_script_reply(reply);
  if (out)
    return true;
  fail(reply.is_error() ? reply.text : "unexpected reply of the script");
  if (ends_connection(reply))
    connection_.reset();
  // A foreign value under one key is that key's trouble, not the server's.
  return reply.text.find("WRONGTYPE") != std::string::npos;
}

bool shared_limiter::round(const std::vector<std::size_t>& which, bool by_hash, decisions& result,
                           std::vector<std::size_t>& unknown_script, clock::time_point deadline) {
  for (std::size_t n = 0; n < which.size(); ++n) {
    append_call(calls_[which[n]], by_hash);
    // The first EVAL teaches the server the script; the rest needs only its name.
    by_hash = true;
  }
  auto replies = connection_->exchange(deadline);
  if (!replies) {
    fail(replies.error().text());
    return false;
  }
  bool healthy = true;
  for (std::size_t n = 0; n < which.size(); ++n) {
    const auto& reply = (*replies)[n];
    if (reply.error_code() == "NOSCRIPT")
      unknown_script.push_back(which[n]);
    else
      healthy = take(reply, result[which[n]]) && healthy;
  }
  return healthy;
}

bool shared_limiter::decide(decisions& result, clock::time_point deadline) {
  if (!ensure_connected(deadline))
    return false;
  std::vector<std::size_t> which(calls_.size());
  std::iota(which.begin(), which.end(), std::size_t{0});
  std::vector<std::size_t> unknown_script;
  bool healthy = round(which, true, result, unknown_script, deadline);
  if (unknown_script.empty() || !connection_)
    return healthy;
  ++counters_.script_loads;
  which.swap(unknown_script);
  unknown_script.clear();
  healthy = round(which, false, result, unknown_script, deadline) && healthy;
  if (!unknown_script.empty())
    fail("the server forgets the script at once");
  return healthy && unknown_script.empty();
}

std::vector<std::optional<rate_decision>> shared_limiter::flush(clock::time_point now) {
  decisions result(calls_.size());
  if (calls_.empty())
    return result;
  const auto now_ms = to_ms(now);
  if (breaker_.may_try(now_ms)) {
    if (decide(result, now + options_.deadline)) {
      breaker_.on_success();
    } else {
      breaker_.on_failure(now_ms);
      ++counters_.failed_flushes;
    }
  }
  counters_.decisions += calls_.size();
  for (const auto& r : result)
    counters_.unavailable += r ? 0 : 1;
  calls_.clear();
  return result;
}

} // namespace assay::store
