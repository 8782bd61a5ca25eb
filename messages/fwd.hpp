#pragma once

#include <memory>
#include <vector>

namespace assay {

struct live_entry;

struct portfolio_request;
struct portfolio_result;
struct allocation_universe;
struct history_question;
template <class T>
class response_sink;

namespace engine {

class snapshot;
struct scores_question;
struct route_readings;
struct readings;

} // namespace engine

namespace feeds {

struct feed_batch;

} // namespace feeds

namespace store {

struct shared_admission;

} // namespace store

/// What travels between actors by pointer: immutable, shared, within one process.
using snapshot_ptr = std::shared_ptr<const engine::snapshot>;
using allocation_universe_ptr = std::shared_ptr<const allocation_universe>;
using portfolio_result_ptr = std::shared_ptr<const portfolio_result>;

using route_readings_ptr = std::shared_ptr<const engine::route_readings>;
using readings_ptr = std::shared_ptr<const engine::readings>;
using feed_batch_ptr = std::shared_ptr<const feeds::feed_batch>;
using live_entries_ptr = std::shared_ptr<const std::vector<live_entry>>;
using shared_admission_ptr = std::shared_ptr<const store::shared_admission>;

using scores_question_ptr = std::shared_ptr<const engine::scores_question>;
using history_question_ptr = std::shared_ptr<const history_question>;

/// Where an actor delivers an answer. Shared because a message may be copied.
using readings_sink = std::shared_ptr<response_sink<engine::readings>>;
using portfolio_sink = std::shared_ptr<response_sink<portfolio_result_ptr>>;

} // namespace assay
