#pragma once

#include "engine/history.hpp"
#include "feeds/own_schema/envelope.hpp"
#include "messages/types/expected.hpp"
#include "messages/types/observation.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::feeds::own_schema {

/// The history of one vault as one line of an `assay.history/1` document holds it. Columns have
/// the length of `at`, or are empty where the line lacks them; NaN stands for null.
struct history_line {
  /// Line of the document, from 1.
  std::size_t number = 0;
  std::string vault_id;
  /// Strictly increasing, whole seconds, none later than the document was recorded.
  std::vector<time_point> at;
  /// Percentage points.
  std::vector<double> apy;
  std::vector<double> apy_base;
  std::vector<double> apy_reward;
  /// USD.
  std::vector<double> tvl_usd;
  /// 0 to 1.
  std::vector<double> utilization;
  /// USD.
  std::vector<double> available_usd;

  /// Calls `sink` with every point, oldest first. One observation is filled anew for each call;
  /// `sink` may change it.
  void each(const std::function<void(observation&)>& sink) const;
};

/// Receives every good line in the order of the document.
using history_sink = std::function<void(history_line&&)>;

/// True when the first line of `text` is the envelope of a history.
bool is_history(std::string_view text);

/// Reads a history document: NDJSON, the envelope on the first line, then one vault per line;
/// blank lines are skipped. `recorded_at` of the envelope goes through `head`. Lines with a fault
/// are left out whole. Needs memory for one line at a time. Returns the kept faults, each at
/// `name:LINE/pointer`; when the envelope is broken nothing else is read.
std::vector<problem> read_history(std::string_view name, std::string_view text, envelope& head,
                                  const history_sink& sink);

/// Hands out the next line without its end, false after the last one. The view is used until the
/// next call.
using line_source = std::function<bool(std::string_view& line)>;

/// The same for a document that is too large to be held as a whole.
std::vector<problem> read_history(std::string_view name, const line_source& next, envelope& head,
                                  const history_sink& sink);

} // namespace assay::feeds::own_schema
