#pragma once

#include "messages/fwd.hpp"
#include "messages/response_sink.hpp"
#include "messages/types/errc.hpp"
#include "messages/types/portfolio.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/error.hpp>
#include <caf/make_message.hpp> // CAF_ERROR_CODE_ENUM expands to make_message
#include <caf/type_id.hpp>
#include <caf/typed_actor.hpp>

CAF_BEGIN_TYPE_ID_BLOCK(assay, caf::first_custom_type_id)

CAF_ADD_TYPE_ID(assay, (assay::portfolio_request))
CAF_ADD_TYPE_ID(assay, (assay::portfolio_result_ptr))
CAF_ADD_TYPE_ID(assay, (assay::portfolio_sink))
CAF_ADD_TYPE_ID(assay, (assay::allocation_universe_ptr))
CAF_ADD_TYPE_ID(assay, (assay::shared_admission_ptr))
CAF_ADD_TYPE_ID(assay, (assay::snapshot_ptr))
CAF_ADD_TYPE_ID(assay, (assay::readings_ptr))
CAF_ADD_TYPE_ID(assay, (assay::route_readings_ptr))
CAF_ADD_TYPE_ID(assay, (assay::feed_batch_ptr))
CAF_ADD_TYPE_ID(assay, (assay::scores_question_ptr))
CAF_ADD_TYPE_ID(assay, (assay::history_question_ptr))
CAF_ADD_TYPE_ID(assay, (assay::readings_sink))
CAF_ADD_TYPE_ID(assay, (assay::live_entries_ptr))

CAF_ADD_ATOM(assay, assay::atom, publish, "publish")
CAF_ADD_ATOM(assay, assay::atom, allocate, "allocate")
CAF_ADD_ATOM(assay, assay::atom, deadline, "deadline")
CAF_ADD_ATOM(assay, assay::atom, tick, "tick")
CAF_ADD_ATOM(assay, assay::atom, admit, "admit")
CAF_ADD_ATOM(assay, assay::atom, flush, "flush")
CAF_ADD_ATOM(assay, assay::atom, start, "start")
CAF_ADD_ATOM(assay, assay::atom, learn, "learn")
CAF_ADD_ATOM(assay, assay::atom, score, "score")
CAF_ADD_ATOM(assay, assay::atom, rebuild, "rebuild")
CAF_ADD_ATOM(assay, assay::atom, thin, "thin")
CAF_ADD_ATOM(assay, assay::atom, poll, "poll")
CAF_ADD_ATOM(assay, assay::atom, query, "query")
CAF_ADD_ATOM(assay, assay::atom, read, "read")
CAF_ADD_ATOM(assay, assay::atom, history, "history")

CAF_END_TYPE_ID_BLOCK(assay)

// Pointers to immutable data: they never leave the process.
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(assay::portfolio_result_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(assay::portfolio_sink)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(assay::allocation_universe_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(assay::shared_admission_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(assay::snapshot_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(assay::readings_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(assay::route_readings_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(assay::feed_batch_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(assay::scores_question_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(assay::history_question_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(assay::readings_sink)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(assay::live_entries_ptr)

CAF_ERROR_CODE_ENUM(assay::errc, "assay")
