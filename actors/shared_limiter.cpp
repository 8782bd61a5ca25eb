#include "actors/shared_limiter.hpp"

#include <spdlog/spdlog.h>

namespace assay::actors {

namespace {

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

void flush(limiter_pointer self) {
  auto& st = self->state;
  st.flush_sent = false;
  const bool was_open = st.limiter->circuit_open();
  const auto decisions = st.limiter->flush(std::chrono::steady_clock::now());
  for (std::size_t i = 0; i < st.waiting.size(); ++i)
    st.waiting[i]->sink->deliver(decisions[i]);
  st.waiting.clear();
  if (st.limiter->circuit_open() != was_open) {
    if (was_open)
      spdlog::info("shared rate limits are back");
    else
      spdlog::warn("shared rate limits are off, the local ones stand: {}",
                   st.limiter->last_failure());
  }
}

} // namespace

shared_limiter_actor::behavior_type shared_limiter(limiter_pointer self, store::redis_url url,
                                                   store::shared_limiter::options options) {
  self->state.limiter = std::make_unique<store::shared_limiter>(std::move(url), std::move(options));
  return {
      [self](atom::admit, shared_admission_ptr question) { ask(self, std::move(question)); },
      [self](atom::flush) { flush(self); },
  };
}

} // namespace assay::actors
