#include "feeds/time_shift.hpp"

#include <gtest/gtest.h>

namespace assay::feeds {
namespace {

using namespace std::chrono;

TEST(TimeShift, MovesMeasurementsAndLeavesFactsWhereTheyAre) {
  const time_point t{sys_days{2026y / 1 / 1}};
  feed_batch batch;
  batch.observations.push_back({"p:1:0xab", t, 1, {}, {}, {}, {}, {}});
  batch.admins.resize(1);
  batch.admins[0].checked_at = t;
  batch.probes.resize(1);
  batch.probes[0].checked_at = t;
  batch.gas_samples.push_back({1, t, 1, 1});
  batch.gas_observed.push_back({"p:1:0xab", {}, {}, t});
  batch.protocols.resize(1);
  batch.protocols[0].launched_at = sys_days{2020y / 1 / 1};
  batch.protocols[0].incidents = {{sys_days{2025y / 1 / 1}, 1.0, {}, true, ""}};
  batch.vaults.resize(1);
  batch.vaults[0].launched_at = sys_days{2024y / 1 / 1};
  const auto facts = std::pair(batch.protocols, batch.vaults);

  shift_measurements(batch, days{100} + 5ms);

  const auto moved = t + days{100} + 5ms;
  EXPECT_EQ(batch.observations[0].at, moved);
  EXPECT_EQ(batch.admins[0].checked_at, moved);
  EXPECT_EQ(batch.probes[0].checked_at, moved);
  EXPECT_EQ(batch.gas_samples[0].at, moved);
  EXPECT_EQ(batch.gas_observed[0].at, moved);
  EXPECT_EQ(std::pair(batch.protocols, batch.vaults), facts);
}

} // namespace
} // namespace assay::feeds
