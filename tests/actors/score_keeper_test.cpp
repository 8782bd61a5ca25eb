#include "actors/score_keeper.hpp"

#include "engine/scoring/score_universe.hpp"
#include "feeds/feed_batch.hpp"
#include "store/codec/records.hpp"
#include "tests/support/deterministic_actors.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/stored_metrics.hpp"
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
    book = std::make_shared<ledger>(u, engine::history_book{}, std::vector<live_entry>{});
    start();
  }

  /// Starts the keeper as a new process would.
  void start() {
    score_keeper_config config;
    config.clock = [this] { return now; };
    config.cadence = 4h;
    config.retry_delay = 60s;
    config.scoring.threads = 1;
    config.scoring.methodology = methodology;
    config.archive = archive;
    config.scoring.inputs_in_archive = true;
    config.status = status;
    config.build_snapshot = [this](const snapshot_material& m) {
      next_refresh = m.next_refresh;
      return built_snapshot{nullptr, nullptr, m.now + valid_for};
    };
    config.compute_metrics = [](const snapshot_material&, day_point day) {
      engine::metrics_table table;
      table[tracked].scorer_run_date = day;
      return std::make_shared<const engine::metrics_table>(std::move(table));
    };
    config.publish = [this](const built_snapshot&) { published.push_back(committed_runs()); };
    keeper = sys.spawn(score_keeper, config, book, *archive->read().latest_scores());
    if (routes) {
      caf::anon_send(keeper, atom::publish_v, routes);
      run();
      EXPECT_FALSE(status->read().ready);
    }
    caf::anon_send(keeper, atom::start_v);
    run();
  }

  std::size_t committed_runs() {
    return archive->read().runs(time_point::min(), time_point::max())->size();
  }
  /// Returns what the keeper answered.
  bool learn(feeds::feed_batch batch) {
    auto answer =
        self->request(keeper, caf::infinite, atom::learn_v,
                      feed_batch_ptr{std::make_shared<const feeds::feed_batch>(std::move(batch))});
    run();
    bool learned = false;
    answer.receive([&](bool x) { learned = x; },
                   [](caf::error& e) { ADD_FAILURE() << caf::to_string(e); });
    return learned;
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
  /// Two observations on each of some days beyond the horizon of 400 days.
  void archive_old_observations() {
    std::vector<observation> old;
    for (int day = 0; day < 3; ++day)
      for (const auto hour : {1h, 2h})
        old.push_back(
            seen(tracked, *parse_iso8601("2024-01-01") + day * 24h + hour, 3).observations.front());
    ASSERT_TRUE(archive->append_observations(old));
  }
  std::int64_t thinned_now() {
    const auto at = *archive->read().setting("thinned_at");
    return at ? (now - *parse_iso8601(*at)) / 1s : -1;
  }
  /// Both clocks go on together.
  void pass(std::chrono::milliseconds by) {
    for (; by > 0s; by -= 1s) {
      now += std::min<std::chrono::milliseconds>(by, 1s);
      advance(std::min<std::chrono::milliseconds>(by, 1s));
    }
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
  std::shared_ptr<ledger> book;
  /// Sent to the keeper before it starts.
  route_readings_ptr routes;
  /// How long each snapshot says that it holds.
  std::chrono::milliseconds valid_for = 24h;
  time_point next_refresh{};
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

TEST_F(ScoreKeeper, ScoresOnItsCadenceAfterTheClockJumpedAhead) {
  now += 10h;
  advance(4h); // the timer does not follow the clock
  EXPECT_EQ(committed_runs(), 2u);
  EXPECT_EQ(status->read().scored_at, now);
  pass(4h);
  EXPECT_EQ(committed_runs(), 3u);
}

TEST_F(ScoreKeeper, BuildsAgainWhenTheClockWasSet) {
  pass(1h);
  for (const auto by : {24h, -24h, -1h, 1h}) {
    const auto before = published.size();
    now += by;
    pass(1s);
    EXPECT_EQ(published.size(), before + 1);
    // By the clock as it is set now, whatever the scores say.
    EXPECT_LE(next_refresh, now + 5min);
    EXPECT_GT(next_refresh, now);
    EXPECT_LE(status->read().next_scoring_at, now + 3h);
    EXPECT_GT(status->read().next_scoring_at, now + 2h);
    pass(10s);
    EXPECT_EQ(published.size(), before + 1);
  }
  EXPECT_EQ(committed_runs(), 1u);
}

TEST_F(ScoreKeeper, LearnsOnAfterAClockThatWasAheadWasPutRight) {
  now += 24h;
  EXPECT_TRUE(learn(seen(tracked, now, 5)));
  pass(4h);
  now -= 24h;
  EXPECT_TRUE(learn(seen(tracked, now, 6)));
  EXPECT_EQ(book->live().at(tracked).apy, 6);
  const auto ahead = *status->read().scored_at;
  pass(4h); // not later, although the last run is a day ahead
  EXPECT_EQ(committed_runs(), 3u);
  EXPECT_EQ(status->read().scored_at, ahead + 1ms);
  EXPECT_LE(status->read().next_scoring_at, now + 4h);
  expect_reproducible();
}

TEST_F(ScoreKeeper, WaitsForItsTurnAfterARestart) {
  stop(keeper);
  const auto scored_at = now;
  now += 3h;
  status = std::make_shared<status_board>();
  start();
  EXPECT_EQ(committed_runs(), 1u);
  EXPECT_EQ(status->read().scored_at, scored_at);
  EXPECT_EQ(status->read().next_scoring_at, scored_at + 4h);
  EXPECT_EQ(status->read().score_rows, 1u);
  EXPECT_EQ(published.size(), 2u);
  pass(59min);
  EXPECT_EQ(committed_runs(), 1u);
  pass(1min);
  EXPECT_EQ(committed_runs(), 2u);
}

TEST_F(ScoreKeeper, ScoresAtOnceWhenARestartFindsThatATurnWasMissed) {
  stop(keeper);
  now += 5h;
  start();
  EXPECT_EQ(committed_runs(), 2u);
  EXPECT_EQ(status->read().scored_at, now);
}

TEST_F(ScoreKeeper, PutsABurstOfNewsIntoOneSnapshot) {
  const auto before = published.size();
  for (int i = 1; i <= 5; ++i)
    caf::anon_send(keeper, atom::learn_v,
                   feed_batch_ptr{std::make_shared<const feeds::feed_batch>(
                       seen(tracked, now - i * 1min, 5))});
  run();
  EXPECT_EQ(published.size(), before + 1);
  EXPECT_EQ(status->read().live_vaults, 1u);
}

TEST_F(ScoreKeeper, BuildsAgainWhenASnapshotNoLongerHolds) {
  valid_for = 1h;
  learn(seen(tracked, now, 5));
  const auto before = published.size();
  pass(59min);
  EXPECT_EQ(published.size(), before);
  pass(1min);
  EXPECT_EQ(published.size(), before + 1);
  EXPECT_EQ(committed_runs(), 1u);
}

TEST_F(ScoreKeeper, StartsWithOneSnapshotWhateverCameBefore) {
  stop(keeper);
  published.clear();
  status->update([](service_status& s) { s.ready = false; });
  routes = std::make_shared<const engine::route_readings>();
  start();
  EXPECT_EQ(published.size(), 1u);
}

TEST_F(ScoreKeeper, LearnsNothingThatTheArchiveRefuses) {
  const auto before = published.size();
  {
    test::full_disk full{0};
    EXPECT_FALSE(learn(seen(tracked, now, 5)));
  }
  EXPECT_EQ(published.size(), before);
  EXPECT_TRUE(book->live().empty());
  EXPECT_TRUE(status->read().problems.contains("archive"));
  EXPECT_TRUE(learn(seen(tracked, now, 5)));
  EXPECT_EQ(published.size(), before + 1);
  EXPECT_EQ(book->live().at(tracked).apy, 5);
  EXPECT_FALSE(status->read().problems.contains("archive"));
}

TEST_F(ScoreKeeper, ShowsAFullDiskUntilSomethingWasWritten) {
  learn(seen(tracked, now, 5));
  test::full_disk full{0};
  EXPECT_FALSE(learn(seen(tracked, now, 6)));
  EXPECT_TRUE(learn(seen(tracked, now, 5))); // known already: nothing to write
  EXPECT_TRUE(status->read().problems.contains("archive"));
}

TEST_F(ScoreKeeper, ArchivesTheMetricsOfADayThatBeganOnAFullDisk) {
  const auto archived = [&](day_point day) {
    const auto found = test::newest_metrics(directory.path());
    return found.size() == 1 && found.front().day == day;
  };
  const auto tomorrow = day_of(now) + std::chrono::days{1};
  {
    test::full_disk full{0};
    pass(25h);
    EXPECT_FALSE(archived(tomorrow));
  }
  EXPECT_TRUE(learn(seen(tracked, now, 5)));
  EXPECT_TRUE(archived(tomorrow));
}

TEST_F(ScoreKeeper, ThinsOldObservationsOnceADayWhateverTheRestarts) {
  archive_old_observations();
  pass(1min);
  EXPECT_EQ(thinned_now(), 0);
  const auto thinned = [&] { return archive->thin_observations(now - 400 * 24h)->removed == 0; };
  EXPECT_TRUE(thinned());
  for (int restart = 0; restart < 3; ++restart) {
    stop(keeper);
    start();
    pass(7h);
    EXPECT_EQ(thinned_now(), (restart + 1) * 7 * 3600);
  }
  stop(keeper);
  start();
  pass(3h);
  EXPECT_EQ(thinned_now(), 0);
}

TEST_F(ScoreKeeper, ThinsSoonAfterAStartThatIsOverdue) {
  ASSERT_FALSE(archive->put_setting("thinned_at", to_iso8601(now - 30h)));
  const std::vector gas{gas_sample{1, now - 401 * 24h, 0.1, 3000}, gas_sample{1, now, 0.1, 3000}};
  ASSERT_EQ(*archive->append_gas_samples(gas), 2);
  stop(keeper);
  start();
  pass(59s);
  EXPECT_NE(thinned_now(), 0);
  EXPECT_EQ(archive->read().gas_samples(now - 500 * 24h, now)->size(), 2u);
  pass(1s);
  EXPECT_EQ(thinned_now(), 0);
  EXPECT_EQ(*archive->read().gas_samples(now - 500 * 24h, now), std::vector{gas[1]});
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
