// The service and an import, killed at random moments again and again: what a client has seen is
// in the archive afterwards, and nothing in it is torn. ASSAY_KILL_ROUNDS sets the rounds (200 for
// the whole proof); without it as many as fit into the time of a test.
#include "store/archive/archive_reader.hpp"
#include "tests/process_cpp/service_process.hpp"
#include "tests/support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <thread>

namespace assay::test {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;
using ::testing::HasSubstr;

constexpr std::int64_t vaults = 60;

/// True while there are rounds to go.
class rounds {
public:
  rounds() {
    if (const char* n = std::getenv("ASSAY_KILL_ROUNDS"))
      wanted_ = std::atoi(n);
  }
  bool next() {
    ++count_;
    return wanted_ > 0 ? count_ <= wanted_ : count_ <= 5 || clock::now() < end_;
  }
  int count() const { return count_; }

private:
  int wanted_ = 0;
  int count_ = 0;
  clock::time_point end_ = clock::now() + 18s;
};

class Kill : public ::testing::Test {
protected:
  void SetUp() override {
    program generate{directory.path() / "generate",
                     {"generate", "--vaults", std::to_string(vaults), "--days", "30", "--seed", "3",
                      "--out", universe()}};
    ASSERT_EQ(generate.wait(), 0) << generate.log();
  }

  std::string universe() const { return (directory.path() / "universe").string(); }
  std::string data() const { return (directory.path() / "data").string(); }

  std::vector<store::scoring_run> runs() const {
    const auto archive = store::archive_reader::open(data());
    if (!archive)
      return {};
    const auto found = archive->runs(time_point::min(), time_point::max());
    return found ? *found : std::vector<store::scoring_run>{};
  }
  int command(const std::string& name) {
    program p{directory.path() / name, {name, "--data-dir", data()}};
    const int code = p.wait();
    EXPECT_EQ(code, 0) << p.output() << p.log();
    return code;
  }
  std::chrono::microseconds random_up_to(std::chrono::microseconds most) {
    return std::chrono::microseconds{
        std::uniform_int_distribution<std::int64_t>{0, most.count()}(random)};
  }

  temporary_directory directory;
  std::mt19937_64 random{std::random_device{}()};
};

TEST_F(Kill, LosesNoRunThatAClientHasSeenWhileScoring) {
  std::size_t before = 0;
  int acknowledged = 0;
  rounds r;
  while (r.next()) {
    std::optional<time_point> seen;
    {
      service_process service{directory.path() / "serve",
                              {"--universe", universe(), "--data-dir", data()},
                              {"ASSAY_SCORING_CADENCE_S=1"}};
      // Odd rounds die at any moment, even ones after answers of their own.
      if (r.count() % 2 == 1) {
        std::this_thread::sleep_for(random_up_to(800ms));
      } else {
        ASSERT_TRUE(service.wait_until_ready()) << service.process().log();
        const auto end = clock::now() + random_up_to(1100ms);
        do {
          const auto health = service.get("/health/ready");
          const auto at = parse_iso8601(member_text(health, "scoredAt"));
          ASSERT_TRUE(at) << health << service.process().log();
          seen = at;
        } while (clock::now() < end);
      }
      service.process().kill();
    }
    const auto found = runs();
    ASSERT_GE(found.size(), before) << "a committed run is gone";
    before = found.size();
    if (seen) {
      ++acknowledged;
      ASSERT_TRUE(std::any_of(found.begin(), found.end(),
                              [&](const auto& run) { return run.scored_at == *seen; }))
          << "a client has seen " << to_iso8601(*seen);
    }
    for (const auto& run : found)
      ASSERT_EQ(run.row_count, vaults) << "torn";
    if (!found.empty()) {
      ASSERT_EQ(command("check"), 0);
    }
  }
  EXPECT_GE(acknowledged, 2);
  EXPECT_GT(before, 0u);
  // Every row of every run comes out of the archive's inputs again.
  EXPECT_EQ(command("verify"), 0);
}

TEST_F(Kill, ImportGoesOnAfterAnyKill) {
  const auto history = universe() + "/history.ndjson";
  const std::vector<std::string> import{"import", history, "--data-dir", data()};
  rounds r;
  while (r.next()) {
    program p{directory.path() / "import", import};
    std::this_thread::sleep_for(random_up_to(60ms));
    p.kill();
    if (std::filesystem::exists(data() + "/archive.sqlite") &&
        store::archive_reader::open(data())) {
      ASSERT_EQ(command("check"), 0);
    }
    if (r.count() % 5 == 0)
      std::filesystem::remove_all(data());
  }
  program whole{directory.path() / "import", import};
  ASSERT_EQ(whole.wait(), 0) << whole.log();
  program again{directory.path() / "import", import};
  ASSERT_EQ(again.wait(), 0) << again.log();
  EXPECT_THAT(again.output(), HasSubstr("1 files: 0 new, "));
  EXPECT_EQ(command("check"), 0);
}

} // namespace
} // namespace assay::test
