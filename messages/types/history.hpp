#pragma once

#include "messages/types/score.hpp"
#include "messages/types/time.hpp"

#include <optional>
#include <string>
#include <vector>

namespace assay {

/// A question for the stored score rows of one vault.
struct history_request {
  std::string vault_id;
  /// Both inclusive.
  time_point from{};
  time_point to{};
  /// 1 to 1000.
  int limit = 100;
  /// Empty, or `next_cursor` of the page before.
  std::string cursor;
};

/// Some rows of one vault in time order.
struct history_answer {
  std::vector<score_row> rows;
  /// Absent on the last page.
  std::optional<std::string> next_cursor;
  /// The cursor was not one that this service gave out; there are no rows.
  bool bad_cursor = false;
};

} // namespace assay
