#include "actors/score_keeper.hpp"

#include "engine/scoring/score_universe.hpp"
#include "feeds/feed_batch.hpp"
#include "store/codec/records.hpp"
#include "tests/support/deterministic_actors.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/temporary_directory.hpp"

#include <fstream>
#include <iterator>

namespace assay::actors {
namespace {

using namespace std::chrono_literals;

constexpr const char* tracked = "p:1:0xaa";
constexpr const char* newcomer = "p:1:0xbb";

vault_record vault(std::string id) {
  vault_record v;
  v.vault_id = std::move(id);
  v.chain = 1;
  v.protocol_id = "p";
  v.address = v.vault_id.substr(4);
  v.asset = "USDC";
  return v;
}

class ScoreKeeper : public test::deterministic_actors {
protected:
  static void SetUpTestSuite() { test::full_disk::install(); }
  ~ScoreKeeper() override { stop(keeper); }

  void SetUp() override {
    std::ifstream in{ASSAY_SOURCE_DIR "/conf/methodology.toml"};
    const std::string text{std::istreambuf_iterator<char>{in}, {}};
    methodology = std::make_shared<const engine::methodology>(
        *engine::load_methodology(text, "methodology.toml"));
    engine::universe u;
    u.vaults = {vault(tracked)};
    ASSERT_TRUE(archive->put_universe(u));
    score_keeper_config config;
    config.clock = [this] { return now; };
    config.cadence = 4h;
    config.retry_delay = 60s;
    config.threads = 1;
    config.methodology = methodology;
    config.archive = archive;
    config.inputs_in_archive = true;
    config.status = status;
    config.build_snapshot = [](const snapshot_material& m) {
      return built_snapshot{nullptr, nullptr, m.now + 24h};
    };
    config.compute_metrics = [](const snapshot_material&, day_point) {
      return std::make_shared<const engine::metrics_table>();
    };
    config.publish = [this](const built_snapshot&) { published.push_back(committed_runs()); };
    keeper =
        sys.spawn(score_keeper, config,
                  std::make_shared<ledger>(u, engine::history_book{}, std::vector<live_entry>{}),
                  std::vector<score_row>{});
    caf::anon_send(keeper, atom::start_v);
    run();
  }

  std::size_t committed_runs() {
    return archive->read().runs(time_point::min(), time_point::max())->size();
  }
  void learn(feeds::feed_batch batch) {
    caf::anon_send(keeper, atom::learn_v,
                   feed_batch_ptr{std::make_shared<const feeds::feed_batch>(std::move(batch))});
    run();
  }
  static feeds::feed_batch seen(std::string id, time_point at, double apy) {
    feeds::feed_batch batch;
    observation x;
    x.vault_id = std::move(id);
    x.at = at;
    x.apy = apy;
    x.tvl_usd = apy * 1e6;
    batch.observations.push_back(std::move(x));
    return batch;
  }
  void pass(std::chrono::milliseconds by) {
    now += by;
    advance(by);
  }
  /// Every run must come out of the archive again, byte for byte.
  void expect_reproducible() {
    const auto runs = *archive->read().runs(time_point::min(), time_point::max());
    for (const auto& r : runs) {
      const auto again = engine::score_universe(
          *archive->read().load_universe(r.inputs),
          *archive->read().load_history(r.scored_at, r.inputs), *methodology, r.scored_at, 2);
      const auto stored = *archive->read().scores_of(r);
      ASSERT_EQ(stored.size(), again.size());
      for (std::size_t i = 0; i < stored.size(); ++i)
        EXPECT_EQ(store::encode(stored[i]), store::encode(again[i])) << to_iso8601(r.scored_at);
    }
  }

  time_point now = *parse_iso8601("2026-01-05T10:00:00Z");
  test::temporary_directory directory;
  std::shared_ptr<store::archive> archive =
      std::make_shared<store::archive>(std::move(*store::archive::open(directory.path())));
  std::shared_ptr<const engine::methodology> methodology;
  std::shared_ptr<status_board> status = std::make_shared<status_board>();
  /// Runs in the archive at each publishing.
  std::vector<std::size_t> published;
  score_keeper_actor keeper;
};

TEST_F(ScoreKeeper, CommitsFirstAndPublishesAfter) {
  EXPECT_EQ(published, std::vector<std::size_t>{1});
  pass(4h);
  EXPECT_EQ(committed_runs(), 2u);
  EXPECT_EQ(published.back(), 2u);
  EXPECT_EQ(status->read().scored_at, now);
}

TEST_F(ScoreKeeper, ScoresWhatTheArchiveCanGiveAgain) {
  learn(seen(tracked, now - 1h, 5));
  // Ahead of the clock: must not hide the figure before it.
  learn(seen(tracked, now + 5h, 50));
  // Of a vault that nobody tracks yet.
  learn(seen(newcomer, now - 2h, 7));
  pass(4h);
  feeds::feed_batch facts;
  facts.vaults = {vault(newcomer)};
  learn(facts);
  // Late and corrected.
  learn(seen(tracked, now - 30h, 4));
  learn(seen(tracked, now - 5h, 6));
  pass(4h);
  EXPECT_EQ(committed_runs(), 3u);
  const auto rows = *archive->read().latest_scores();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].history_days, 2);
  EXPECT_EQ(rows[1].history_days, 1);
  expect_reproducible();
}

TEST_F(ScoreKeeper, NeverGoesBackInTimeWithTheClock) {
  now -= 1h;
  advance(4h);
  pass(4h);
  const auto runs = *archive->read().runs(time_point::min(), time_point::max());
  ASSERT_GE(runs.size(), 2u);
  for (std::size_t i = 1; i < runs.size(); ++i)
    EXPECT_LT(runs[i - 1].scored_at, runs[i].scored_at);
  EXPECT_EQ(runs.back().id, static_cast<std::int64_t>(runs.size()));
}

TEST_F(ScoreKeeper, KeepsTheOldScoresOnAFullDiskAndRecoversByItself) {
  const auto before = status->read().scored_at;
  {
    test::full_disk full{0};
    learn(seen(tracked, now, 5));
    pass(4h);
    EXPECT_EQ(committed_runs(), 1u);
    EXPECT_EQ(status->read().scored_at, before);
    EXPECT_TRUE(status->read().problems.contains("archive"));
  }
  pass(60s);
  EXPECT_EQ(committed_runs(), 2u);
  EXPECT_EQ(status->read().scored_at, now);
  EXPECT_FALSE(status->read().problems.contains("archive"));
  expect_reproducible();
}

} // namespace
} // namespace assay::actors
