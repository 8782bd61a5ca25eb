#include "actors/shared_limiter.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace assay::actors {

namespace {

constexpr const char* part = "limits";

using limiter_pointer = shared_limiter_actor::stateful_pointer<shared_limiter_state>;

void ask(limiter_pointer self, shared_admission_ptr question) {
  auto& st = self->state;
  const auto waited = std::chrono::steady_clock::now() - question->asked_at;
  if (waited > shared_limiter_state::patience)
    return question->sink->deliver(std::nullopt);
  st.limiter->append(question->key, question->policy);
  st.waiting.push_back(std::move(question));
  // To the end of the mailbox: whatever is already there shares the flush.
  if (!std::exchange(st.flush_sent, true))
    self->send(self, atom::flush_v);
}

/// Says that Redis is left alone from now on, and sees to it that it is not for good.
void leave_alone(limiter_pointer self) {
  auto& st = self->state;
  st.in_use->store(false, std::memory_order_relaxed);
  const auto& why = st.limiter->last_failure();
  spdlog::warn("shared rate limits are off, the local ones stand: {}", why);
  st.status->update([&](service_status& s) { s.problems[part] = "local only: " + why; });
  self->delayed_send(self, st.limiter->probe_interval(), atom::tick_v);
}

void use_again(shared_limiter_state& st) {
  st.in_use->store(true, std::memory_order_relaxed);
  spdlog::info("shared rate limits are back");
  st.status->update([](service_status& s) { s.problems.erase(part); });
}

/// When the first of the waiting questions was asked: the deadline counts from there, so that
/// nobody waits longer than it.
std::chrono::steady_clock::time_point asked_first(const shared_limiter_state& st) {
  const auto now = std::chrono::steady_clock::now();
  return st.waiting.empty() || !st.waiting.front() ? now
                                                   : std::min(now, st.waiting.front()->asked_at);
}

/// Asks the shared buckets about everything collected.
void flush(limiter_pointer self) {
  auto& st = self->state;
  st.flush_sent = false;
  const bool was_open = st.limiter->circuit_open();
  const auto decisions = st.limiter->flush(asked_first(st));
  for (std::size_t i = 0; i < st.waiting.size(); ++i)
    if (st.waiting[i])
      st.waiting[i]->sink->deliver(decisions[i]);
  st.waiting.clear();
  if (st.limiter->circuit_open() != was_open)
    was_open ? use_again(st) : leave_alone(self);
}

/// Takes one decision on a bucket that is nobody's: what a request would need of Redis.
void probe(limiter_pointer self) {
  auto& st = self->state;
  if (!st.limiter->circuit_open())
    return;
  st.limiter->append(store::bucket_key{}, {1, 1});
  st.waiting.push_back(nullptr);
  flush(self);
  if (st.limiter->circuit_open())
    self->delayed_send(self, st.limiter->probe_interval(), atom::tick_v);
}

} // namespace

shared_limiter_actor::behavior_type shared_limiter(limiter_pointer self,
                                                   shared_limiter_config config) {
  self->state.status = std::move(config.status);
  self->state.in_use = std::move(config.in_use);
  self->state.limiter =
      std::make_unique<store::shared_limiter>(std::move(config.url), std::move(config.options));
  return {
      [self](atom::admit, shared_admission_ptr question) { ask(self, std::move(question)); },
      [self](atom::flush) { flush(self); },
      [self](atom::tick) { probe(self); },
  };
}

} // namespace assay::actors
