#include "feeds/generate/document_writer.hpp"
#include "feeds/generate/random_stream.hpp"
#include "feeds/generate/universe_generator.hpp"
#include "feeds/universe_directory.hpp"
#include "tests/support/temporary_directory.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>

namespace assay::feeds::generate {
namespace {

namespace fs = std::filesystem;

class Generator : public testing::Test {
protected:
  std::string make(const std::string& name, const generator_options& options) const {
    const auto path = directory_ + '/' + name;
    const auto made = generate_universe(options, path);
    EXPECT_TRUE(made) << made.error().text();
    return path;
  }

  static std::map<std::string, std::string> contents(const std::string& path) {
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::directory_iterator(path)) {
      std::ostringstream text;
      text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      out[entry.path().filename().string()] = text.str();
    }
    return out;
  }

  assay::test::temporary_directory own_;
  std::string directory_ = own_.path();
};

TEST_F(Generator, MakesTheSameBytesFromTheSameSeed) {
  const auto a = contents(make("a", {200, 30, 7}));
  EXPECT_EQ(a, contents(make("b", {200, 30, 7})));
  EXPECT_EQ(a.size(), 11U);
  EXPECT_NE(a.at("vaults.json"), contents(make("c", {200, 30, 8})).at("vaults.json"));
}

TEST_F(Generator, KeepsTheFirstVaultsWhenMoreAreAskedFor) {
  const auto few = contents(make("a", {50, 20, 7})).at("vaults.json");
  const auto many = contents(make("b", {80, 20, 7})).at("vaults.json");
  const auto shared = few.substr(0, few.rfind("\n]}"));
  EXPECT_EQ(many.substr(0, shared.size()), shared);
}

TEST_F(Generator, MakesAUniverseThatTheStrictReaderTakes) {
  const auto loaded = load_universe_directory(make("a", {3000, 40, 3}));
  if (!loaded)
    FAIL() << loaded.error().front().text();
  EXPECT_EQ(loaded->universe.dataset, "synthetic");
  EXPECT_EQ(loaded->universe.vaults.size(), 3000U);
  EXPECT_LT(loaded->histories.size(), 3000U);
  EXPECT_GT(loaded->histories.size(), 2700U);
  EXPECT_LT(loaded->live.size(), 3000U);
  EXPECT_LT(loaded->universe.admins.size(), 2500U);
  EXPECT_FALSE(loaded->probes.empty());
  EXPECT_FALSE(loaded->gas_samples.empty());
  EXPECT_FALSE(loaded->gas_observed.empty());
  EXPECT_THAT(loaded->universe.vaults.front().name, testing::HasSubstr("Synthetic"));
}

// Pearson correlation of the daily APY changes of two vaults with unbroken histories.
double correlation(const engine::daily_series& a, const engine::daily_series& b) {
  double sum_ab = 0;
  double sum_aa = 0;
  double sum_bb = 0;
  for (std::size_t i = 1; i < a.size(); ++i) {
    const double x = a.apy[i] - a.apy[i - 1];
    const double y = b.apy[i] - b.apy[i - 1];
    sum_ab += x * y;
    sum_aa += x * x;
    sum_bb += y * y;
  }
  return sum_ab / std::sqrt(sum_aa * sum_bb);
}

TEST_F(Generator, MovesVaultsOfOneAssetTogether) {
  const auto loaded = load_universe_directory(make("a", {400, 120, 5}));
  ASSERT_TRUE(loaded);
  double same = 0;
  double other = 0;
  int same_count = 0;
  int other_count = 0;
  std::vector<std::pair<std::string, const engine::daily_series*>> whole;
  for (const auto& v : loaded->universe.vaults) {
    const auto it = loaded->histories.find(v.vault_id);
    if (it != loaded->histories.end() && it->second.size() == 120 && !std::isnan(it->second.apy[0]))
      whole.emplace_back(v.asset, &it->second);
  }
  ASSERT_GT(whole.size(), 40U);
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double c = correlation(*whole[i].second, *whole[j].second);
      const bool equal = whole[i].first == whole[j].first;
      (equal ? same : other) += c;
      ++(equal ? same_count : other_count);
    }
  EXPECT_GT(same / same_count, 0.2);
  EXPECT_LT(std::abs(other / other_count), 0.1);
}

TEST_F(Generator, RefusesWhatItCannotMake) {
  const auto fault = [&](const generator_options& options, const std::string& path) {
    const auto made = generate_universe(options, path);
    return made ? std::string("made") : made.error().text();
  };
  EXPECT_EQ(fault({0, 90, 1}, directory_ + "/a"), "vaults: expected 1 to 10000000");
  EXPECT_EQ(fault({1, 0, 1}, directory_ + "/a"), "days: expected 1 to 3650");
  EXPECT_FALSE(fs::exists(directory_ + "/a"));
  std::ofstream(directory_ + "/file") << "x";
  EXPECT_THAT(fault({1, 1, 1}, directory_), testing::HasSubstr("expected an empty directory"));
  EXPECT_THAT(fault({1, 1, 1}, directory_ + "/file/below"),
              testing::HasSubstr("cannot be created"));
}

TEST_F(Generator, TellsWhenTheDiskIsFull) {
  document_writer out("/dev/full", "vaults", "s", {});
  out.next_item();
  EXPECT_FALSE(out.close());
}

TEST(DocumentWriter, WritesFixedPointNumbers) {
  const assay::test::temporary_directory directory;
  const auto text = [&](double x, int decimals) {
    const auto path = directory.path() / "number";
    document_writer out(path.string(), "history", "s", {});
    out.next_item();
    out.number(x, decimals);
    EXPECT_TRUE(out.close());
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    std::getline(in, line);
    return line;
  };
  EXPECT_EQ(text(5.21, 4), "5.21");
  EXPECT_EQ(text(-0.00004, 4), "0");
  EXPECT_EQ(text(-1.05, 2), "-1.05");
  EXPECT_EQ(text(12, 4), "12");
  EXPECT_EQ(text(0.0625, 4), "0.0625");
  EXPECT_EQ(text(1e9 + 0.5, 0), "1000000001");
  EXPECT_EQ(text(std::numeric_limits<double>::quiet_NaN(), 2), "null");
  EXPECT_EQ(text(1e300, 2), "null");
}

TEST(RandomStream, HasTheMomentsOfItsDistributions) {
  random_stream random(1, 2);
  double sum = 0;
  double squares = 0;
  double uniform = 0;
  constexpr int n = 200'000;
  for (int i = 0; i < n; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
    uniform += random.uniform();
  }
  EXPECT_NEAR(sum / n, 0, 0.01);
  EXPECT_NEAR(squares / n, 1, 0.01);
  EXPECT_NEAR(uniform / n, 0.5, 0.005);
}

} // namespace
} // namespace assay::feeds::generate
