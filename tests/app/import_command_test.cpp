#include "app/commands/import.hpp"

#include "app/commands/input_lines.hpp"
#include "store/archive/archive.hpp"

#include "tests/support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <random>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace assay::app {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr time_point now{std::chrono::milliseconds{1'763'726'400'000}};
constexpr int vaults = 40;
constexpr int days = 25;

std::string vault_id(int i) {
  std::string digits = std::to_string(i);
  return "example-lend:1:0x" + std::string(40 - digits.size(), '0') + digits;
}

/// A history of `vaults` vaults over `days` days that end today, in the own schema; `line(i)` may
/// replace a vault's line.
template <class Line>
std::string history(Line line) {
  std::string text = "{\"schema\":\"assay.history/1\",\"dataset\":\"test\",\"source\":\"a test\","
                     "\"recordedAt\":\"2025-11-21T12:00:00Z\"}\n";
  for (int i = 0; i < vaults; ++i)
    text += line(i) + "\n";
  return text;
}

std::string good_line(int i) {
  std::string at, apy;
  for (int d = days; d > 0; --d) {
    at +=
        (at.empty() ? "" : ",") + std::to_string((now - d * 24h).time_since_epoch().count() / 1000);
    apy += (apy.empty() ? "" : ",") + std::to_string(d) + "." + std::to_string(i);
  }
  return "{\"vaultId\":\"" + vault_id(i) + "\",\"at\":[" + at + "],\"apy\":[" + apy + "]}";
}

struct result {
  int code = 0;
  std::string out;
  std::string err;
};

class Import : public ::testing::Test {
protected:
  test::temporary_directory directory;

  std::string file(const std::string& name, const std::string& text) {
    const auto path = (directory.path() / name).string();
    std::ofstream{path, std::ios::binary} << text;
    return path;
  }
  std::string data_dir() { return (directory.path() / "data").string(); }
  import_arguments arguments(std::vector<std::string> files) {
    import_arguments a;
    a.files = std::move(files);
    a.data_dir = data_dir();
    return a;
  }
  result run(const import_arguments& a) {
    std::ostringstream out, err;
    const int code = run_import(a, now, out, err);
    return {code, out.str(), err.str()};
  }
  std::size_t observations() {
    const auto book = store::archive_reader::open(data_dir())->load_history(time_point::max());
    std::size_t n = 0;
    for (const auto& [id, series] : *book)
      n += series.size();
    return n;
  }
};

TEST_F(Import, LoadsHistoriesOnce) {
  const auto path = file("h.ndjson", history(good_line));
  auto r = run(arguments({path}));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.out, path + ": 1000 new, 0 known, 0 revised, 0 faults\n"
                          "1 files: 1000 new, 0 known, 0 revised, 0 faults\n");
  EXPECT_THAT(r.err, HasSubstr("import: 100 % ("));
  EXPECT_EQ(observations(), 1000u);
  r = run(arguments({path, path}));
  EXPECT_EQ(r.code, 0);
  EXPECT_THAT(r.out, HasSubstr("2 files: 0 new, 2000 known, 0 revised, 0 faults\n"));
  const auto book = *store::archive_reader::open(data_dir())->load_history(now);
  EXPECT_EQ(book.at(vault_id(7)).apy.back(), 1.7);
}

TEST_F(Import, ReportsABrokenLineAndGoesOn) {
  const auto path =
      file("h.ndjson",
           history([](int i) { return i == 3 ? std::string{"{\"vaultId\":\"x"} : good_line(i); }));
  const auto other = file("broken.ndjson", "{\"half\":");
  const auto r = run(arguments({other, path}));
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.err, HasSubstr("h.ndjson:5"));
  EXPECT_THAT(r.err, HasSubstr("broken.ndjson"));
  EXPECT_THAT(r.out, HasSubstr("2 files: 975 new, 0 known, 0 revised, 2 faults\n"));
  EXPECT_EQ(observations(), 975u);
}

TEST_F(Import, TakesALongHistoryPieceByPieceInBatches) {
  // Longer than one piece, so that lines lie across the pieces; the last one has no end.
  std::string text = history(good_line);
  const std::string head = text.substr(0, text.find('\n') + 1);
  text = head;
  for (int i = 0; i < 3000; ++i)
    text += good_line(i) + (i % 7 == 0 ? " \r\n\n" : "\n");
  text.pop_back();
  ASSERT_GT(text.size(), std::size_t{1} << 20);
  auto a = arguments({file("h.ndjson", text)});
  a.batch_size = 100;
  const auto r = run(a);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("1 files: 75000 new, 0 known, 0 revised, 0 faults\n"));
  EXPECT_THAT(r.err, HasSubstr("import: 50 % ("));
  EXPECT_EQ(observations(), 75'000u);
}

TEST_F(Import, StopsAtALineThatNeverEnds) {
  const auto text = history(good_line) + std::string(input_lines::line_bytes_max + 5, 'x');
  const auto r = run(arguments({file("h.ndjson", text)}));
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.err, HasSubstr("h.ndjson: a line is longer than 64 MiB"));
  EXPECT_EQ(observations(), 1000u);
}

TEST_F(Import, CountsACorrectionAsRevised) {
  run(arguments({file("h.ndjson", history(good_line))}));
  auto corrected = history(good_line);
  corrected.replace(corrected.find("25.0"), 4, "99.0");
  const auto r = run(arguments({file("h2.ndjson", corrected)}));
  EXPECT_THAT(r.out, HasSubstr("1 files: 0 new, 999 known, 1 revised, 0 faults\n"));
}

TEST_F(Import, TakesFactsOnlyWhenAsked) {
  const std::string conf = ASSAY_SOURCE_DIR "/conf/sample/";
  auto a = arguments({conf + "chains.json", conf + "gas.json"});
  auto later = now + 24h * 3650;
  std::ostringstream out, err;
  EXPECT_EQ(run_import(a, later, out, err), 0) << err.str();
  auto reader = *store::archive_reader::open(data_dir());
  EXPECT_TRUE(reader.load_universe()->chains.empty());
  EXPECT_FALSE(reader.gas_samples(time_point::min(), time_point::max())->empty());
  a.facts = true;
  EXPECT_EQ(run_import(a, later, out, err), 0);
  EXPECT_FALSE(reader.load_universe()->chains.empty());
}

TEST_F(Import, TakesAChartOfAMappedPoolAndASubgraphOfANamedChain) {
  auto a = arguments({file("11111111-2222-3333-4444-555555555555.json",
                           R"({"status":"success","data":[{"timestamp":"2025-11-01T23:01:00.000Z",)"
                           R"("tvlUsd":7,"apy":3,"apyBase":3,"apyReward":null}]})")});
  a.adapter = "defillama";
  EXPECT_THAT(run(a).err, HasSubstr("a chart does not name its pool"));
  a.pool_map = file("pools.json", R"({"11111111-2222-3333-4444-555555555555":"lido:1:0xab"})");
  auto done = run(a);
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("1 new, 0 known"));
  a.pool_map = file("broken.json", "{");
  EXPECT_EQ(run(a).code, 2);

  a = arguments(
      {file("aave.json", R"({"data":{"reserves":[{"symbol":"USDC","decimals":6,)"
                         R"("aToken":{"id":"0x98c23e9d8f34fefb1b7bd6a91b7ff122f4e16f5c"},)"
                         R"("liquidityRate":"50000000000000000000000000"}]}})")});
  a.adapter = "aave";
  a.recorded_at = "2025-11-01T00:00:00Z";
  EXPECT_EQ(run(a).code, 1);
  a.chain = 1;
  done = run(a);
  EXPECT_EQ(done.code, 0) << done.err;
}

TEST_F(Import, RefusesTheFuture) {
  const auto path = file("h.ndjson", history(good_line));
  std::ostringstream out, err;
  EXPECT_EQ(run_import(arguments({path}), now - 36h, out, err), 1);
  EXPECT_THAT(err.str(), HasSubstr("40 observations are later than now"));
  EXPECT_EQ(observations(), 960u);
}

TEST_F(Import, RefusesWrongArgumentsAndAnArchiveInUse) {
  const auto path = file("h.ndjson", history(good_line));
  EXPECT_EQ(run(arguments({})).code, 2);
  const auto missing = run(arguments({path, "/nowhere.json"}));
  EXPECT_EQ(missing.code, 2);
  EXPECT_EQ(missing.err, "/nowhere.json: expected a readable file\n");
  auto a = arguments({path});
  a.adapter = "nobody";
  EXPECT_THAT(run(a).err, HasSubstr("--adapter: expected one of aave, assay, "));
  a = arguments({path});
  a.recorded_at = "now";
  EXPECT_THAT(run(a).err, HasSubstr("--recorded-at: expected a time like"));
  a = arguments({path});
  const auto held = store::archive::open(data_dir());
  const auto r = run(a);
  EXPECT_EQ(r.code, 2);
  EXPECT_THAT(r.err, HasSubstr("another assay process (pid " + std::to_string(getpid()) + ")"));
}

TEST_F(Import, IsWholeAfterAnyKillAndARepeat) {
  const auto path = file("h.ndjson", history(good_line));
  std::mt19937 random{std::random_device{}()};
  std::size_t before = 0;
  int cut_short = 0;
  for (int round = 0; round < 200; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      auto a = arguments({path});
      a.batch_size = 5;
      run(a);
      _exit(0);
    }
    std::this_thread::sleep_for(std::chrono::microseconds{random() % 8'000});
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    cut_short += WIFSIGNALED(status) ? 1 : 0;
    auto a = store::archive::open(data_dir());
    ASSERT_TRUE(a) << a.error().text();
    ASSERT_TRUE(a->read().check_integrity()->problems.empty());
    const auto n = observations();
    // Never a part of a batch, never less than before.
    ASSERT_EQ(n % 5, 0u);
    ASSERT_GE(n, before);
    before = n;
    if (n == 1000) { // all there: begin anew
      a = problem{};
      std::filesystem::remove_all(data_dir());
      before = 0;
    }
  }
  EXPECT_GT(cut_short, 20);
  EXPECT_EQ(run(arguments({path})).code, 0);
  EXPECT_EQ(observations(), 1000u);
}

} // namespace
} // namespace assay::app
