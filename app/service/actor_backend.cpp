#include "app/service/actor_backend.hpp"

#include "engine/snapshot/scores_question.hpp"
#include "messages/history_question.hpp"

#include <caf/send.hpp>

#include <utility>

namespace assay::app {

namespace {

http::admission to_admission(const http::caller& who, const store::rate_decision& d) {
  return {d.allowed, who.policy.limit, d.remaining, d.ms_to_next_free_slot,
          who.partner.has_value()};
}

} // namespace

std::optional<http::admission>
actor_backend::admit(const http::request& r,
                     const std::function<http::admission_sink()>& make_sink) {
  auto who = parts_.limits->identify(r);
  std::optional<http::admission> at_once;
  const auto now_ms = http::monotonic_ms();
  const auto first = parts_.limits->admit_locally(who, now_ms);
  if (!first.ask_shared)
    return to_admission(who, parts_.limits->count(first.decision));
  parts_.limits->ask_shared(
      who, first.decision, now_ms,
      [limits = parts_.limits, who, sink = make_sink()](const store::rate_decision& d) {
        sink->deliver(to_admission(who, limits->count(d)));
      });
  return std::nullopt;
}

std::uint64_t actor_backend::newest_snapshot() const noexcept {
  return parts_.readers->announced();
}

void actor_backend::query_scores(engine::score_query query, http::scores_sink sink) {
  const auto reader = parts_.readers->pick();
  if (!reader)
    return sink->fail(errc::not_ready);
  auto question = std::make_shared<engine::scores_question>();
  question->query = std::move(query);
  question->sink = std::move(sink);
  caf::anon_send(*reader, atom::query_v, scores_question_ptr{std::move(question)});
}

void actor_backend::read(http::readings_sink sink) {
  const auto reader = parts_.readers->pick();
  if (!reader)
    return sink->fail(errc::not_ready);
  caf::anon_send(*reader, atom::read_v, std::move(sink));
}

void actor_backend::allocate(const portfolio_request& request, portfolio_sink sink) {
  caf::anon_send(parts_.allocator, atom::allocate_v, request, std::move(sink));
}

void actor_backend::read_history(history_request request, http::history_sink sink) {
  auto question = std::make_shared<history_question>();
  question->request = std::move(request);
  question->sink = std::move(sink);
  caf::anon_send(parts_.history, atom::history_v, history_question_ptr{std::move(question)});
}

std::int64_t actor_backend::seconds_to_next_scoring() {
  const auto next = parts_.status->read().next_scoring_at;
  if (!next)
    return 0;
  return std::chrono::ceil<std::chrono::seconds>(*next - parts_.clock()).count();
}

http::health_report actor_backend::health() {
  const auto s = parts_.status->read();
  http::health_report result;
  result.ready = s.ready;
  result.dataset = s.dataset;
  result.archive = s.archive;
  result.vaults = s.vaults;
  result.live_vaults = s.live_vaults;
  result.score_rows = s.score_rows;
  result.scored_at = s.scored_at;
  result.next_scoring_at = s.next_scoring_at;
  for (const auto& [name, f] : s.feeds)
    result.feeds.push_back(
        {name, f.last_success, f.last_problem, f.faults, f.quarantined, f.quarantine_reason});
  result.problems.assign(s.problems.begin(), s.problems.end());
  return result;
}

} // namespace assay::app
