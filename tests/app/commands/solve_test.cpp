#include "app/commands/solve.hpp"

#include "engine/allocation/certificate.hpp"
#include "engine/allocation/mvo_text.hpp"
#include "tests/engine/allocation/random_instance.hpp"
#include "tests/support/temporary_directory.hpp"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace assay::app {
namespace {

class Solve : public ::testing::Test {
protected:
  std::string file(const std::string& name) const { return (directory_.path() / name).string(); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream{file(name), std::ios::binary} << text;
    return file(name);
  }

  static std::string read(const std::string& path) {
    std::ifstream in{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
  }

  int run(const solve_arguments& a) {
    out_.str("");
    err_.str("");
    return run_solve(a, out_, err_);
  }

  test::temporary_directory directory_;
  std::ostringstream out_, err_;
};

std::vector<double> numbers(const rapidjson::Value& list) {
  std::vector<double> x;
  for (const auto& v : list.GetArray())
    x.push_back(v.GetDouble());
  return x;
}

TEST_F(Solve, WritesASolutionThatProvesItself) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    engine::testing::market_shape shape;
    shape.vaults = 20 + 40 * static_cast<std::uint32_t>(seed);
    shape.observations = seed % 4 == 3 ? 40 : 0;
    const auto p = engine::mvo_problem::create(seed % 2 == 0 ? engine::testing::market(shape, seed)
                                                             : engine::testing::trouble(60, seed));
    ASSERT_TRUE(p);
    const std::string instance = write("i.mvo", engine::write_mvo(*p));
    ASSERT_EQ(run({instance, file("s.json")}), 0) << err_.str();
    EXPECT_EQ(err_.str(), "");
    rapidjson::Document d;
    ASSERT_FALSE(d.Parse<rapidjson::kParseFullPrecisionFlag>(read(file("s.json"))).HasParseError());
    const auto c = engine::certify(*p, numbers(d["w"]), numbers(d["lambda"]));
    ASSERT_TRUE(c.valid);
    EXPECT_LE(std::abs(c.relative_gap), 1e-12);
    EXPECT_LE(c.infeasibility, 1e-12);
    EXPECT_EQ(c.objective, d["f"].GetDouble());
    EXPECT_EQ(c.gap, d["gap"].GetDouble());
    EXPECT_STREQ(d["status"].GetString(), "optimal");
    EXPECT_TRUE(d["iterations"].IsInt());
    EXPECT_GT(d["solve_us"].GetDouble(), 0);
  }
}

TEST_F(Solve, RepeatsItsBytesApartFromTheTime) {
  const auto p = engine::mvo_problem::create(engine::testing::market({}, 4));
  const std::string instance = write("i.mvo", engine::write_mvo(*p));
  const auto once = [&] {
    EXPECT_EQ(run({instance, "-"}), 0);
    const std::string text = out_.str();
    return text.substr(0, text.find("\"solve_us\""));
  };
  const std::string first = once();
  EXPECT_EQ(first, once());
  EXPECT_EQ(first.rfind("{\"w\":[", 0), 0u);
}

TEST_F(Solve, RefusesAMalformedInstanceWithItsLine) {
  const std::string instance = write("bad.mvo", "MVO1 1 0 0 2\n0 0.1 -1 1 0\n");
  EXPECT_EQ(run({instance, file("s.json")}), 2);
  EXPECT_EQ(err_.str(), instance + ":2: d must be finite and above 0\n");
  EXPECT_FALSE(std::filesystem::exists(file("s.json")));
}

TEST_F(Solve, RefusesWhatIsNotAReadableFile) {
  EXPECT_EQ(run({file("none.mvo"), ""}), 2);
  EXPECT_EQ(err_.str(), file("none.mvo") + ": expected a readable file in the format MVO1\n");
  EXPECT_EQ(run({directory_.path().string(), ""}), 2);
  EXPECT_EQ(run({write("empty.mvo", ""), ""}), 2);
}

TEST_F(Solve, SaysWhenTheSolutionCannotBeWritten) {
  const std::string instance = write("i.mvo", "MVO1 1 0 0 2\n0 0.1 1 1 0\n");
  EXPECT_EQ(run({instance, file("no/such/s.json")}), 1);
  EXPECT_EQ(err_.str(), file("no/such/s.json") + ": expected a writable file\n");
}

} // namespace
} // namespace assay::app
