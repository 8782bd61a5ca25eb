#include "actors/route_probe_reader.hpp"

#include "feeds/feed_batch.hpp"
#include "tests/support/deterministic_actors.hpp"

namespace assay::actors {
namespace {

using namespace std::chrono_literals;

constexpr const char* vault = "example-vaults:1:0x00000000000000000000000000000000000000aa";

class RouteProbeReader : public test::deterministic_actors {
protected:
  ~RouteProbeReader() override { stop(reader); }

  void start(feeds::feed_batch known = {}) {
    route_probe_reader_config config;
    config.clock = [this] { return now; };
    chain_record chain;
    chain.id = 1;
    chain.evm = true;
    config.chains = {{1, chain}};
    config.publish = [this](route_readings_ptr r) { published.push_back(std::move(r)); };
    config.gas_cadence = 60s;
    reader = sys.spawn(route_probe_reader, config,
                       feed_batch_ptr{std::make_shared<const feeds::feed_batch>(std::move(known))});
    run();
  }
  void learn(feeds::feed_batch batch) {
    caf::anon_send(reader, atom::learn_v,
                   feed_batch_ptr{std::make_shared<const feeds::feed_batch>(std::move(batch))});
    run();
  }
  void pass(std::chrono::milliseconds by) {
    now += by;
    advance(by);
  }
  feeds::feed_batch probed(trip_outcome outcome) {
    route_probe probe;
    probe.vault_id = vault;
    probe.checked_at = now;
    probe.path = "composer";
    probe.router = "lifi";
    round_trip trip;
    trip.notional_usd = 1000;
    trip.outcome = outcome;
    if (outcome == trip_outcome::completed) {
      trip.usd_in = 1000;
      trip.usd_out = 999;
    }
    probe.trips = {trip};
    feeds::feed_batch batch;
    batch.probes = {probe};
    return batch;
  }
  feeds::feed_batch sampled(time_point at) {
    feeds::feed_batch batch;
    batch.gas_samples = {gas_sample{1, at, 2.0, 3000}};
    return batch;
  }
  const engine::route_readings& newest() { return *published.back(); }

  time_point now = *parse_iso8601("2026-01-05T10:00:00Z");
  std::vector<route_readings_ptr> published;
  route_probe_reader_actor reader;
};

TEST_F(RouteProbeReader, PublishesWhatIsKnownAtTheStart) {
  start(probed(trip_outcome::completed));
  ASSERT_EQ(published.size(), 1u);
  ASSERT_NE(newest().routes->find(vault), nullptr);
  EXPECT_EQ(newest().routes->find(vault)->verdict, route_verdict::ok);
}

TEST_F(RouteProbeReader, PublishesABlockingVerdictAtOnceAndItsEndToo) {
  start(probed(trip_outcome::completed));
  EXPECT_TRUE(newest().routes->blocked().empty());
  now += 24h;
  learn(probed(trip_outcome::no_quote));
  ASSERT_EQ(published.size(), 2u);
  EXPECT_EQ(newest().routes->blocked(), std::vector<std::string>{vault});
  now += 24h;
  learn(probed(trip_outcome::completed));
  EXPECT_TRUE(newest().routes->blocked().empty());
}

TEST_F(RouteProbeReader, LetsAnOldProbeThatComesLateChangeNothing) {
  start(probed(trip_outcome::no_quote));
  now -= 24h;
  const auto late = probed(trip_outcome::completed);
  now += 24h;
  learn(late);
  EXPECT_EQ(newest().routes->blocked(), std::vector<std::string>{vault});
}

TEST_F(RouteProbeReader, KeepsAVerdictThroughManyRateLimits) {
  start(probed(trip_outcome::no_quote));
  for (int day = 0; day < 20; ++day) {
    now += 24h;
    learn(probed(trip_outcome::rate_limited));
  }
  EXPECT_EQ(newest().routes->blocked(), std::vector<std::string>{vault});
}

TEST_F(RouteProbeReader, ForgetsTheGasPriceAfterAnHourWithoutNews) {
  start(sampled(now));
  EXPECT_EQ(newest().gas->at(1).current->usd_per_million_gas, 6.0);
  pass(59min);
  EXPECT_TRUE(newest().gas->at(1).current);
  pass(2min);
  EXPECT_FALSE(newest().gas->at(1).current);
}

TEST_F(RouteProbeReader, LetsGasSamplesLeaveTheWeek) {
  start(sampled(now));
  now += 168h - 1min;
  learn(sampled(now));
  EXPECT_EQ(newest().gas->at(1).samples, 2u);
  pass(2min);
  EXPECT_EQ(newest().gas->at(1).samples, 1u);
}

TEST_F(RouteProbeReader, PublishesNothingForABatchOfOtherThings) {
  start();
  const auto before = published.size();
  feeds::feed_batch batch;
  batch.observations.resize(1);
  learn(std::move(batch));
  EXPECT_EQ(published.size(), before);
}

} // namespace
} // namespace assay::actors
