#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

namespace assay::app {

/// Shows how far a long command is: a bar drawn in place on a terminal, else one line for every
/// tenth of the way, so that a log stays short. Not thread-safe.
class progress_bar {
public:
  /// `what` names the work, for example `verify`. `err` must outlive the bar.
  progress_bar(std::ostream& err, std::string what, bool terminal)
      : err_(err), what_(std::move(what)), terminal_(terminal) {}
  /// Ends the line that a terminal shows.
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  /// `done` of `total` items are finished; draws only when that shows.
  void update(std::int64_t done, std::int64_t total);

private:
  std::ostream& err_;
  std::string what_;
  bool terminal_;
  // In percent on a terminal, else in tenths; −1 before the first.
  std::int64_t shown_ = -1;
};

} // namespace assay::app
