#include "feeds/time_shift.hpp"

namespace assay::feeds {

void shift_measurements(feed_batch& batch, std::chrono::milliseconds delta) noexcept {
  for (auto& x : batch.observations)
    x.at += delta;
  for (auto& x : batch.admins)
    x.checked_at += delta;
  for (auto& x : batch.probes)
    x.checked_at += delta;
  for (auto& x : batch.gas_samples)
    x.at += delta;
  for (auto& x : batch.gas_observed)
    x.at += delta;
}

} // namespace assay::feeds
