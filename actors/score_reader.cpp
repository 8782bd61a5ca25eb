#include "actors/score_reader.hpp"

#include "engine/readings.hpp"
#include "engine/snapshot/scores_question.hpp"
#include "engine/snapshot/snapshot.hpp"

#include <spdlog/spdlog.h>

#include <exception>

namespace assay::actors {

namespace {

void answer(const readings_ptr& newest, const engine::scores_question& question) {
  if (!newest)
    return question.sink->fail(errc::not_ready);
  try {
    const auto& snapshot = newest->snapshot;
    question.sink->deliver({snapshot, engine::run_query(*snapshot, question.query)});
  } catch (const std::exception& error) {
    // An exception would end the actor: the caller gets an error, the log the cause.
    spdlog::error("query failed: {}", error.what());
    question.sink->fail(errc::internal);
  }
}

} // namespace

score_reader_actor::behavior_type
score_reader(score_reader_actor::stateful_pointer<score_reader_state> self) {
  return {
      [self](atom::publish, readings_ptr next) { self->state.newest = std::move(next); },
      [self](atom::query, const scores_question_ptr& question) {
        answer(self->state.newest, *question);
      },
      [self](atom::read, const readings_sink& sink) {
        if (self->state.newest)
          sink->deliver(*self->state.newest);
        else
          sink->fail(errc::not_ready);
      },
  };
}

} // namespace assay::actors
