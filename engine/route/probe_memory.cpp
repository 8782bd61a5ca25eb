#include "engine/route/probe_memory.hpp"

#include "engine/route/route_status.hpp"

namespace assay::engine {

void probe_memory::add(const route_probe& probe) {
  // Whether a probe measured something does not depend on where the thresholds lie.
  const auto status = classify(probe, {});
  if (!status)
    return;
  const bool conclusive = status->verdict != route_verdict::skipped;
  if (!decisive_ || conclusive > conclusive_ ||
      (conclusive == conclusive_ && probe.checked_at >= decisive_->checked_at)) {
    decisive_ = probe;
    conclusive_ = conclusive;
  }
  if (status->retained && (!costed_ || probe.checked_at >= costed_->checked_at))
    costed_ = probe;
}

void probe_memory::append_to(std::vector<route_probe>& out) const {
  if (costed_ && *costed_ != *decisive_)
    out.push_back(*costed_);
  if (decisive_)
    out.push_back(*decisive_);
}

} // namespace assay::engine
