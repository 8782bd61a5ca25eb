#pragma once

#include "engine/scoring/methodology.hpp"
#include "messages/types/expected.hpp"
#include "messages/types/score.hpp"
#include "store/archive/archive_reader.hpp"

#include <map>
#include <string>
#include <vector>

namespace assay::app {

/// Computes runs again from what the archive kept.
class rescoring {
public:
  rescoring(const store::archive_reader& archive, unsigned threads)
      : archive_(archive), threads_(threads) {}

  /// Returns the rows of `run` as this program computes them, sorted by vault id. Problem: the
  /// methodology was not kept, or the run was scored by other formulas than this program has.
  expected<std::vector<score_row>> rows_of(const store::scoring_run& run);

private:
  expected<const engine::methodology*> methodology_of(const std::string& scorer_version);

  const store::archive_reader& archive_;
  unsigned threads_;
  std::map<std::string, engine::methodology> methodologies_;
};

/// One field in which two rows differ.
struct row_difference {
  /// For example `composite` or `factors.TVL_STABILITY.score`.
  std::string field;
  std::string stored;
  std::string computed;
};

/// Returns every difference between two rows; empty exactly when their stored bytes are equal.
std::vector<row_difference> differences(const score_row& stored, const score_row& computed);

} // namespace assay::app
