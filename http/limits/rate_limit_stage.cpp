#include "http/limits/rate_limit_stage.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace assay::http {

namespace {

store::ip_address to_store(const ip_address& x) {
  store::ip_address result;
  const auto& bytes = x.bytes();
  if (x.kind() == ip_address::family::v6) {
    result.bytes = bytes;
    return result;
  }
  result.bytes[10] = result.bytes[11] = 0xff;
  for (std::size_t i = 0; i < 4; ++i)
    result.bytes[12 + i] = bytes[i];
  return result;
}

/// All `X-Forwarded-For` fields joined by commas, in their order.
std::string forwarded_for(const request& r) {
  std::string result;
  for (std::size_t i = 0; i < r.field_count(); ++i) {
    const auto field = r.field_at(i);
    if (field.name != "x-forwarded-for")
      continue;
    if (!result.empty())
      result += ',';
    result += field.value;
  }
  return result;
}

} // namespace

std::int64_t monotonic_ms() noexcept {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void rate_limit_stage::counters::count_wait(std::chrono::nanoseconds waited) noexcept {
  constexpr auto relaxed = std::memory_order_relaxed;
  const double seconds = std::chrono::duration<double>(waited).count();
  const auto bucket = std::lower_bound(wait_bounds_s.begin(), wait_bounds_s.end(), seconds);
  shared_waits[static_cast<std::size_t>(bucket - wait_bounds_s.begin())].fetch_add(1, relaxed);
  shared_wait_ns.fetch_add(static_cast<std::uint64_t>(waited.count()), relaxed);
}

rate_limit_stage::rate_limit_stage(rate_limit_config config,
                                   std::shared_ptr<const store::key_book> keys)
    : config_(std::move(config)),
      keys_(std::move(keys)),
      gate_(static_cast<bool>(config_.ask_shared), config_.keys_max) {}

caller rate_limit_stage::identify(const request& r) const {
  caller result;
  if (r.count("x-api-key") == 1)
    result.partner = keys_->find(*r.find("x-api-key"));
  const auto client =
      store::client_address(to_store(r.peer()), forwarded_for(r), config_.addresses);
  result.exempt = store::is_exempt(client, config_.addresses);
  result.bucket = result.partner ? result.partner->bucket : store::bucket_of(client);
  result.policy = result.partner ? config_.partner : config_.anonymous;
  return result;
}

store::request_gate::outcome rate_limit_stage::admit_locally(const caller& who,
                                                             std::int64_t now_ms) {
  if (who.exempt) {
    counters_.exempt.fetch_add(1, std::memory_order_relaxed);
    return {{true, who.policy.limit, 0}, false};
  }
  auto outcome = gate_.admit(who.bucket, who.policy, now_ms);
  if (outcome.ask_shared && config_.shared_in_use &&
      !config_.shared_in_use->load(std::memory_order_relaxed)) {
    outcome.ask_shared = false;
    counters_.shared_unavailable.fetch_add(1, std::memory_order_relaxed);
  }
  return outcome;
}

void rate_limit_stage::ask_shared(const caller& who, const store::rate_decision& local,
                                  std::int64_t now_ms, continuation then) {
  auto question = std::make_shared<store::shared_admission>();
  question->key = who.bucket;
  question->policy = who.policy;
  question->asked_at = std::chrono::steady_clock::now();
  auto next = std::make_shared<continuation>(std::move(then));
  const auto settle = [this, bucket = who.bucket, local, now_ms, asked_at = question->asked_at,
                       next](const std::optional<store::rate_decision>& shared) {
    counters_.count_wait(std::chrono::steady_clock::now() - asked_at);
    if (!shared)
      counters_.shared_unavailable.fetch_add(1, std::memory_order_relaxed);
    (*next)(gate_.settle(bucket, local, now_ms, monotonic_ms(), shared));
  };
  question->sink = make_sink<std::optional<store::rate_decision>>(
      settle, [settle](errc) { settle(std::nullopt); });
  config_.ask_shared(std::move(question));
}

const store::rate_decision& rate_limit_stage::count(const store::rate_decision& d) noexcept {
  (d.allowed ? counters_.allowed : counters_.limited).fetch_add(1, std::memory_order_relaxed);
  return d;
}

} // namespace assay::http
