#pragma once

#include "messages/types/route.hpp"

#include <optional>
#include <vector>

namespace assay::engine {

/// Of the probes of one vault the ones that count: the newest conclusive one, which gives the
/// verdict, and the newest with a completed trip, which gives the cost and may be older. A probe
/// whose trips were all rate limited measured nothing and counts only while there is no other. Of
/// equal times the later taken counts. Not thread-safe; a value.
class probe_memory {
public:
  /// Takes a probe of the vault, in any order of time. One without trips is no probe.
  void add(const route_probe& probe);

  /// Returns the probe that gives the verdict; null when none was taken.
  const route_probe* decisive() const noexcept { return decisive_ ? &*decisive_ : nullptr; }
  /// Returns the probe that gives the cost; null when no trip was ever completed.
  const route_probe* costed() const noexcept { return costed_ ? &*costed_ : nullptr; }

  /// True when no probe older than those taken can count.
  bool settled() const noexcept { return conclusive_ && costed_; }
  /// Appends the probes that count to `out`, each once.
  void append_to(std::vector<route_probe>& out) const;

private:
  std::optional<route_probe> decisive_, costed_;
  bool conclusive_ = false;
};

} // namespace assay::engine
