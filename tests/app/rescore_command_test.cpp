// Plays the service's life on the sample universe: facts and observations come in, some late, some
// corrected; the universe is scored from what is in memory; old days are thinned. Every row must
// come out of the archive again.
#include "app/commands/rescore.hpp"

#include "actors/ledger.hpp"
#include "engine/scoring/methodology.hpp"
#include "engine/scoring/score_universe.hpp"
#include "feeds/universe_directory.hpp"
#include "store/archive/archive.hpp"

#include "tests/support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

namespace assay::app {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr time_point start{std::chrono::milliseconds{1'763'726'400'000}};

std::string read_file(const std::string& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

std::optional<double> known(double x) {
  return std::isfinite(x) ? std::optional{x} : std::nullopt;
}

/// What the recordings of the sample say, as a feed would have brought it.
std::vector<observation> recordings(const feeds::loaded_universe& sample) {
  std::vector<observation> result;
  for (const auto& [id, s] : sample.histories)
    for (std::size_t i = 0; i < s.size(); ++i)
      result.push_back({id, time_point{std::chrono::milliseconds{s.at_ms[i]}}, known(s.apy[i]),
                        known(s.apy_base[i]), known(s.apy_reward[i]), known(s.tvl_usd[i]),
                        known(s.utilization[i]), known(s.available_usd[i])});
  return result;
}

class played_service {
public:
  explicit played_service(const std::filesystem::path& directory)
      : archive_(std::move(*store::archive::open(directory))),
        methodology_(*engine::load_methodology(read_file(ASSAY_SOURCE_DIR "/conf/methodology.toml"),
                                               "methodology.toml")) {
    auto sample =
        feeds::load_universe_directory(ASSAY_SOURCE_DIR "/conf/sample", {.replay_at = start});
    if (!sample)
      throw std::runtime_error{sample.error().front().text()};
    // As many vaults as make the test quick, and all that they need.
    sample->universe.vaults.resize(120);
    archive_.put_universe(sample->universe);
    archive_.put_methodology(methodology_.version, engine::canonical_text(methodology_));
    archive_.append_observations(recordings(*sample));
    book_.emplace(std::move(sample->universe), *archive_.read().load_history(start),
                  std::vector<live_entry>{});
  }

  void learn(const feeds::feed_batch& batch) {
    ASSERT_TRUE(archive_.put_facts(
        {batch.vaults, batch.protocols, batch.chains, batch.assets, batch.curators, batch.admins}));
    ASSERT_TRUE(archive_.append_observations(batch.observations));
    book_->apply(batch, time_point::max() - 1h);
  }

  void score(time_point at) {
    store::scoring_batch batch;
    batch.scored_at = at;
    batch.scorer_version = methodology_.version;
    batch.inputs = *archive_.read().revision();
    batch.rows =
        engine::score_universe(*book_->universe(), book_->histories(), methodology_, at, 1);
    ASSERT_TRUE(archive_.append_scores(batch));
  }

  /// Three days, a batch every three hours: new figures, a few corrections and late ones, and now
  /// and then a changed fact; a scoring every four.
  void live_for_three_days() {
    std::mt19937 random{7};
    const auto below = [&](std::size_t n) { return random() % n; };
    for (int hour = 1; hour <= 72; ++hour) {
      const auto now = start + hour * 1h;
      if (hour % 3 == 0) {
        feeds::feed_batch batch;
        const auto& vaults = book_->universe()->vaults;
        for (int i = 0; i < 60; ++i) {
          const auto age = below(10) == 0 ? below(30) : 0;
          observation x;
          x.vault_id = vaults[below(vaults.size())].vault_id;
          x.at = now - std::chrono::hours{age};
          x.apy = static_cast<double>(below(2000)) / 100.0;
          x.tvl_usd = static_cast<double>(below(100'000'000));
          batch.observations.push_back(std::move(x));
        }
        if (hour % 12 == 0) {
          auto protocol = book_->universe()->protocols.begin()->second;
          protocol.launched_at = day_of(now) - std::chrono::days{hour * 9};
          batch.protocols.push_back(std::move(protocol));
        }
        learn(batch);
      }
      if (hour % 4 == 0)
        score(now);
    }
  }

  store::archive& archive() { return archive_; }
  std::string vault() const { return book_->universe()->vaults[3].vault_id; }

private:
  store::archive archive_;
  engine::methodology methodology_;
  std::optional<actors::ledger> book_;
};

struct result {
  int code = 0;
  std::string out;
  std::string err;
};

class Rescore : public ::testing::Test {
protected:
  test::temporary_directory directory;

  result verify() {
    std::ostringstream out, err;
    const int code = run_verify({directory.path(), 2, false}, out, err);
    return {code, out.str(), err.str()};
  }
  result rescore(const std::string& vault, const std::string& at,
                 const std::string& output = "table") {
    std::ostringstream out, err;
    const int code = run_rescore({vault, at, directory.path(), output, 2}, out, err);
    return {code, out.str(), err.str()};
  }
  void tamper(const std::string& sql) {
    auto db = *store::sqlite::database::open(directory.path() / "archive.sqlite",
                                             store::sqlite::database::mode::write);
    const auto p = db.run(sql);
    ASSERT_FALSE(p) << p->text();
  }
};

TEST_F(Rescore, FindsEveryRowIdenticalBeforeAndAfterThinning) {
  played_service service{directory.path()};
  service.live_for_three_days();
  auto r = verify();
  EXPECT_EQ(r.code, 0) << r.out;
  EXPECT_EQ(r.out,
            "18 runs, 2160 rows: 2160 identical, 0 different, 0 not computable; 0 damaged\n");
  EXPECT_THAT(r.err, HasSubstr("verify: 100 % (18 of 18)\n"));
  const auto thinned = service.archive().thin_observations(start + 71h);
  ASSERT_TRUE(thinned);
  EXPECT_GT(thinned->removed, 10);
  r = verify();
  EXPECT_EQ(r.code, 0) << r.out;

  const auto one = rescore(service.vault(), "2025-11-22T23:00:00Z");
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(one.out, StartsWith(service.vault() + " at 2025-11-22T20:00:00.000Z by 1.0.0+"));
  EXPECT_THAT(one.out, HasSubstr(": identical\n"));
  const auto json = rescore(service.vault(), "2025-11-22T20:00:00.000Z", "json");
  EXPECT_THAT(json.out, HasSubstr("\"identical\":true,\"differences\":[]}"));
}

TEST_F(Rescore, SeesAChangedInput) {
  played_service service{directory.path()};
  service.score(start);
  // One figure of one vault, changed behind the archive's back.
  tamper("UPDATE observations SET tvl_usd = tvl_usd * 3 + 1e6 WHERE vault_no = "
         "(SELECT vault_no FROM vaults WHERE vault_id = '" +
         service.vault() + "')");
  const auto r = verify();
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.out, HasSubstr(service.vault() + " at 2025-11-21T12:00:00.000Z: "));
  EXPECT_THAT(r.out, HasSubstr("0 not computable; 0 damaged"));
  const auto one = rescore(service.vault(), "2025-11-21T12:00:00Z");
  EXPECT_EQ(one.code, 1);
  EXPECT_THAT(one.out, HasSubstr("DIFFERENT"));
  EXPECT_THAT(one.out, HasSubstr("  factors.TVL_DEPTH_SAFETY.rawValue: stored "));
}

TEST_F(Rescore, SeesADamagedRow) {
  played_service service{directory.path()};
  service.score(start);
  tamper("DROP TRIGGER score_rows_no_update; UPDATE score_rows SET body = x'01' WHERE row_no = 5");
  const auto r = verify();
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.out, HasSubstr("score row 5 does not match its checksum"));
}

TEST_F(Rescore, SaysWhyARowCannotBeComputed) {
  played_service service{directory.path()};
  service.score(start);
  tamper("DELETE FROM methodologies");
  auto r = verify();
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.out, HasSubstr("the archive does not hold the methodology of this version"));
  EXPECT_THAT(r.out, HasSubstr("120 not computable"));
  r = rescore(service.vault(), "2025-11-21T12:00:00Z");
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.err, HasSubstr("does not hold the methodology"));
}

TEST_F(Rescore, RefusesWrongArguments) {
  EXPECT_EQ(rescore("v", "2025-11-21T12:00:00Z").code, 2); // no archive
  EXPECT_EQ(verify().code, 2);
  played_service service{directory.path()};
  service.score(start);
  EXPECT_THAT(rescore(service.vault(), "yesterday").err, HasSubstr("--at: expected a time like"));
  EXPECT_EQ(rescore(service.vault(), "2025-11-21T12:00:00Z", "xml").code, 2);
  const auto early = rescore(service.vault(), "2020-01-01");
  EXPECT_EQ(early.code, 2);
  EXPECT_THAT(early.err, HasSubstr("nothing was scored at or before 2020-01-01"));
  const auto nobody = rescore("nobody", "2025-11-21T12:00:00Z");
  EXPECT_EQ(nobody.code, 2);
  EXPECT_THAT(nobody.err, HasSubstr("--vault: no row of 'nobody'"));
}

} // namespace
} // namespace assay::app
