#include "engine/scoring/methodology.hpp"
#include "engine/scoring/score_universe.hpp"
#include "engine/snapshot/build_snapshot.hpp"
#include "feeds/universe_directory.hpp"
#include "http/codec/snapshot_fragments.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace assay::http {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The sample universe as it is served.
std::shared_ptr<const engine::snapshot> sample_snapshot() {
  const std::string conf = ASSAY_SOURCE_DIR "/conf/";
  auto loaded = feeds::load_universe_directory(conf + "sample");
  const auto methodology =
      engine::load_methodology(text_of(conf + "methodology.toml"), "methodology.toml");
  EXPECT_TRUE(loaded && methodology);
  const auto now = loaded->newest_observation;
  std::vector<std::shared_ptr<const score_row>> rows;
  for (auto& row :
       engine::score_universe(loaded->universe, loaded->histories, *methodology, now, 2))
    rows.push_back(std::make_shared<const score_row>(std::move(row)));
  std::unordered_map<std::string, live_entry> live;
  for (const auto& entry : loaded->live)
    live.emplace(entry.vault_id, entry);
  const snapshot_fragments renderer("http://127.0.0.1:8080");
  return engine::build_snapshot(
      {.universe = std::make_shared<const engine::universe>(std::move(loaded->universe)),
       .rows = std::move(rows),
       .live = live,
       .verdict_of = {},
       .scorer_version = methodology->version,
       .now = now,
       .next_refresh = now,
       .rules = {},
       .renderer = renderer});
}

double average(const std::vector<std::size_t>& sizes) {
  std::size_t sum = 0;
  for (const auto bytes : sizes)
    sum += bytes;
  return static_cast<double>(sum) / static_cast<double>(sizes.size());
}

TEST(RowSize, IsAboutWhatTheContractSaysOnTheSample) {
  // The contract's full row shows an admin record; most recorded vaults of the sample have none,
  // so the rows that do are measured. A tenth is what another mix of names and roles makes.
  const auto s = sample_snapshot();
  ASSERT_GT(s->size(), 400U);
  std::vector<std::size_t> compact;
  std::vector<std::size_t> screened;
  for (engine::row_number i = 0; i < s->size(); ++i) {
    compact.push_back(s->compact()[i].size());
    if (s->at(i).row->admin)
      screened.push_back(s->full()[i].size());
  }
  ASSERT_GE(screened.size(), 30U);
  EXPECT_NEAR(average(compact), 410, 41);
  EXPECT_NEAR(average(screened), 820, 82);
}

} // namespace
} // namespace assay::http
