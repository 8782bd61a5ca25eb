#pragma once

#include "messages/response_sink.hpp"
#include "messages/types/history.hpp"

#include <memory>

namespace assay {

/// One question on its way from an I/O thread to the reader of the archive.
struct history_question {
  history_request request;
  std::shared_ptr<response_sink<history_answer>> sink;
};

} // namespace assay
