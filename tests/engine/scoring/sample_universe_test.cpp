// The sample universe is scored as a whole: every key that its registries use must be known to the
// methodology, and every state that the API speaks of must really occur.
#include "engine/scoring/factor_pillar.hpp"
#include "engine/scoring/score_universe.hpp"
#include "feeds/universe_directory.hpp"
#include "tests/engine/scoring/scoring_fixture.hpp"

#include <set>

#include <gtest/gtest.h>

namespace assay::engine {
namespace {

using test::noon;
using test::shipped;

feeds::loaded_universe sample() {
  auto loaded =
      feeds::load_universe_directory(ASSAY_SOURCE_DIR "/conf/sample", {.replay_at = noon()});
  if (!loaded)
    throw std::runtime_error{loaded.error().front().text()};
  for (const auto& live : loaded->live)
    loaded->histories[live.vault_id].add({live.vault_id, live.observed_at, live.apy, live.apy_base,
                                          live.apy_reward, live.tvl_usd, live.utilization,
                                          live.available_usd});
  return std::move(*loaded);
}

TEST(sample_universe, UsesOnlyKeysThatTheMethodologyKnows) {
  const auto u = sample().universe;
  const auto& m = shipped();
  for (const auto& [id, protocol] : u.protocols)
    EXPECT_TRUE(!protocol.yield_source ||
                m.yield_source.base.by_key.contains(*protocol.yield_source))
        << id;
  for (const auto& vault : u.vaults)
    EXPECT_TRUE(!vault.yield_source || m.yield_source.base.by_key.contains(*vault.yield_source))
        << vault.vault_id;
  for (const auto& [id, chain] : u.chains)
    EXPECT_TRUE(!chain.security || m.chain.security.by_key.contains(*chain.security)) << id;
}

TEST(sample_universe, ShowsEveryQualityLabelFactorAndAdminClass) {
  const auto s = sample();
  const auto rows = score_universe(s.universe, s.histories, shipped(), noon(), 2);
  ASSERT_EQ(rows.size(), s.universe.vaults.size());
  std::set<data_quality> qualities;
  std::set<posture> labels;
  std::set<std::size_t> factors;
  std::set<admin_class> classes;
  for (const auto& row : rows) {
    qualities.insert(row.quality);
    labels.insert(row.label);
    if (row.admin)
      classes.insert(row.admin->cls);
    for (std::size_t f = 0; f < factor_count; ++f)
      if (row.factors[f].weight > 0)
        factors.insert(f);
  }
  EXPECT_EQ(qualities.size(), enum_size<data_quality>);
  EXPECT_EQ(labels.size(), enum_size<posture>);
  EXPECT_EQ(classes.size(), enum_size<admin_class>);
  EXPECT_EQ(factors.size(), factor_count - 1);
}

} // namespace
} // namespace assay::engine
