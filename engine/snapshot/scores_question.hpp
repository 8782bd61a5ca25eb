#pragma once

#include "engine/snapshot/score_query.hpp"
#include "messages/fwd.hpp"
#include "messages/response_sink.hpp"

#include <memory>

namespace assay::engine {

/// The rows that answer a question, with the snapshot that they are numbers in.
struct scores_answer {
  snapshot_ptr snapshot;
  query_result result;
};

/// One question on its way from an I/O thread to a reader of the newest snapshot.
struct scores_question {
  score_query query;
  std::shared_ptr<response_sink<scores_answer>> sink;
};

} // namespace assay::engine
