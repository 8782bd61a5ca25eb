#include "engine/scoring/anchor_table.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace assay::engine {
namespace {

anchor_table made(std::vector<anchor_point> points, anchor_scale scale = anchor_scale::linear,
                  anchor_shape shape = anchor_shape::rising) {
  auto table = anchor_table::make(std::move(points), scale, shape, 0, 100);
  EXPECT_TRUE(table) << (table ? "" : table.error());
  return *table;
}

std::string refusal(std::vector<anchor_point> points, anchor_scale scale = anchor_scale::linear,
                    anchor_shape shape = anchor_shape::rising) {
  const auto table = anchor_table::make(std::move(points), scale, shape, 0, 100);
  return table ? "accepted" : table.error();
}

TEST(anchor_table, IsExactAtItsPointsAndLinearBetween) {
  const auto table = made({{1, 10}, {3, 20}, {4, 80}});
  EXPECT_EQ(table(1), 10);
  EXPECT_EQ(table(2), 15);
  EXPECT_EQ(table(3), 20);
  EXPECT_EQ(table(3.25), 35);
  EXPECT_EQ(table(4), 80);
}

TEST(anchor_table, IsFlatOutsideItsPoints) {
  const auto table = made({{1, 10}, {3, 20}});
  EXPECT_EQ(table(-1e300), 10);
  EXPECT_EQ(table(1e300), 20);
  EXPECT_EQ(table(std::numeric_limits<double>::infinity()), 20);
}

TEST(anchor_table, TakesTheSameStepForEveryTenfoldOnALogarithmicScale) {
  const auto table = made({{1e4, 0}, {1e8, 80}}, anchor_scale::logarithmic);
  EXPECT_NEAR(table(1e5), 20, 1e-12);
  EXPECT_NEAR(table(1e6), 40, 1e-12);
  EXPECT_NEAR(table(std::sqrt(1e11)), 30, 1e-12);
  EXPECT_EQ(table(1e4), 0);
  EXPECT_EQ(table(1e8), 80);
  EXPECT_EQ(table(0), 0);
}

TEST(anchor_table, WithoutPointsIsZero) {
  EXPECT_EQ(anchor_table{}(7), 0);
}

TEST(anchor_table, RefusesWhatIsNoFunctionOfItsShape) {
  EXPECT_EQ(refusal({{1, 1}}), "expected at least two points");
  EXPECT_EQ(refusal({{1, 1}, {1, 2}}), "expected inputs that increase from point to point");
  EXPECT_EQ(refusal({{2, 1}, {1, 2}}), "expected inputs that increase from point to point");
  EXPECT_EQ(refusal({{1, 2}, {2, 1}}), "expected outputs that never fall");
  EXPECT_EQ(refusal({{1, 1}, {2, 2}}, anchor_scale::linear, anchor_shape::falling),
            "expected outputs that never rise");
  EXPECT_EQ(refusal({{1, 2}, {2, 1}, {3, 2}}, anchor_scale::linear, anchor_shape::peaked),
            "expected outputs that rise to one peak and then fall");
  EXPECT_EQ(refusal({{0, 1}, {2, 2}}, anchor_scale::logarithmic),
            "expected inputs over 0 on a logarithmic scale");
}

TEST(anchor_table, RefusesOutputsOutOfRangeAndNumbersThatAreNone) {
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& points : std::vector<std::vector<anchor_point>>{
           {{0, -1}, {1, 2}}, {{0, 1}, {1, 101}}, {{nan, 1}, {1, 2}}, {{0, nan}, {1, 2}}})
    EXPECT_NE(refusal(points).find("expected finite inputs and outputs from 0"), std::string::npos);
}

TEST(anchor_table, AcceptsAPeakAndAPlateau) {
  const auto table =
      made({{0, 0}, {1, 100}, {2, 100}, {3, 0}}, anchor_scale::linear, anchor_shape::peaked);
  EXPECT_EQ(table(0.5), 50);
  EXPECT_EQ(table(1.5), 100);
  EXPECT_EQ(table(2.5), 50);
}

} // namespace
} // namespace assay::engine
