#include "engine/basket/basket.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace assay::engine {
namespace {

basket_vault vault(std::string protocol, double composite, std::optional<double> apy) {
  basket_vault v;
  v.vault_id = protocol + ":1:0xa";
  v.protocol_id = std::move(protocol);
  v.composite = composite;
  v.pillar_scores = {composite, composite + 1, composite + 2, composite + 3};
  v.apy = apy;
  return v;
}

/// 0xa and 0xb on chain 1 are scored, 0xc on chain 10 is, without an APY.
std::optional<basket_vault> find(chain_id chain, std::string_view address) {
  if (chain == 1 && address == "0xa")
    return vault("aave", 80, 4.0);
  if (chain == 1 && address == "0xb")
    return vault("morpho", 60, 8.0);
  if (chain == 10 && address == "0xc")
    return vault("aave", 20, std::nullopt);
  return std::nullopt;
}

std::vector<std::pair<std::string, std::string>>
faults_of(const std::vector<basket_position>& positions) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const problem& p : find_basket_faults(positions))
    list.emplace_back(p.where, p.what);
  return list;
}

TEST(Basket, WeighsScoredPositionsOnly) {
  // Weights 3 : 1 : 4, the last one unscored. Composite (3·80 + 60)/4 = 75.
  const std::vector<basket_position> p{{1, "0xA", 30}, {1, "0xb", 10}, {137, "0xZZ", 40}};
  const basket_result r = score_basket(p, find);
  EXPECT_DOUBLE_EQ(r.composite.value(), 75);
  EXPECT_EQ(r.label, posture::conservative);
  EXPECT_DOUBLE_EQ(r.apy.value(), 5);
  EXPECT_DOUBLE_EQ(r.pillar_scores[1].value(), 76);
  EXPECT_EQ(r.positions, 3);
  EXPECT_EQ(r.scored_positions, 2);
  EXPECT_DOUBLE_EQ(r.scored_weight, 0.5);
  EXPECT_DOUBLE_EQ(r.max_weight, 0.5);
  EXPECT_DOUBLE_EQ(r.chain_share.at(1), 0.5);
  EXPECT_DOUBLE_EQ(r.chain_share.at(137), 0.5);
  EXPECT_DOUBLE_EQ(r.protocol_share.at("aave"), 0.375);
  EXPECT_DOUBLE_EQ(r.protocol_share.at("morpho"), 0.125);
  EXPECT_DOUBLE_EQ(r.protocol_share.at("unscored"), 0.5);
  ASSERT_EQ(r.items.size(), 3u);
  EXPECT_EQ(r.items[0].address, "0xA");
  EXPECT_DOUBLE_EQ(r.items[0].weight, 0.375);
  EXPECT_TRUE(r.items[0].vault);
  EXPECT_FALSE(r.items[2].vault);
}

TEST(Basket, WithoutWeightsEveryPositionCountsTheSame) {
  const basket_result r =
      score_basket(std::vector<basket_position>{{1, "0xa", {}}, {1, "0xb", {}}}, find);
  EXPECT_DOUBLE_EQ(r.composite.value(), 70);
  EXPECT_EQ(r.label, posture::conservative);
  EXPECT_EQ(r.scored_weight, 1);
  EXPECT_EQ(r.items[0].weight, 0.5);
}

TEST(Basket, TakesTheApyOverThosePositionsThatHaveOne) {
  const basket_result r =
      score_basket(std::vector<basket_position>{{10, "0xC", 3}, {1, "0xb", 1}}, find);
  EXPECT_DOUBLE_EQ(r.composite.value(), 30);
  EXPECT_EQ(r.label, posture::aggressive);
  EXPECT_DOUBLE_EQ(r.apy.value(), 8);
  EXPECT_FALSE(score_basket(std::vector<basket_position>{{10, "0xC", 3}}, find).apy);
}

TEST(Basket, IsNullWhenNothingIsScored) {
  const basket_result r = score_basket(std::vector<basket_position>{{5, "0xA", {}}}, find);
  EXPECT_FALSE(r.composite);
  EXPECT_FALSE(r.label);
  EXPECT_FALSE(r.apy);
  EXPECT_FALSE(r.pillar_scores[0]);
  EXPECT_EQ(r.scored_weight, 0);
  EXPECT_EQ(r.max_weight, 1);
  EXPECT_EQ(r.protocol_share.at("unscored"), 1);
}

TEST(Basket, KeepsAVaultSentTwiceAsTwoPositions) {
  const basket_result r =
      score_basket(std::vector<basket_position>{{1, "0xa", 1}, {1, "0xA", 1}, {1, "0xb", 2}}, find);
  EXPECT_EQ(r.positions, 3);
  EXPECT_EQ(r.items.size(), 3u);
  EXPECT_DOUBLE_EQ(r.max_weight, 0.5);
  EXPECT_DOUBLE_EQ(r.composite.value(), 70);
}

TEST(Basket, SurvivesWeightsOfAnySize) {
  const double big = std::numeric_limits<double>::max();
  const double small = std::numeric_limits<double>::denorm_min();
  for (const double w : {big, small}) {
    const basket_result r =
        score_basket(std::vector<basket_position>{{1, "0xa", w}, {1, "0xb", w}}, find);
    EXPECT_DOUBLE_EQ(r.composite.value(), 70);
    EXPECT_EQ(r.scored_weight, 1);
  }
  const basket_result r =
      score_basket(std::vector<basket_position>{{1, "0xa", big}, {1, "0xb", small}}, find);
  EXPECT_DOUBLE_EQ(r.composite.value(), 80);
  EXPECT_TRUE(std::isfinite(r.items[1].weight));
}

TEST(Basket, LabelsChangeExactlyAtTheirBands) {
  for (const auto& [composite, label] : {std::pair{70.0, posture::conservative},
                                         {69.999, posture::balanced},
                                         {40.0, posture::balanced},
                                         {39.999, posture::aggressive}}) {
    const double c = composite;
    const basket_result r = score_basket(
        std::vector<basket_position>{{1, "0xa", 0.1}, {1, "0xb", 0.2}, {1, "0xc", 0.7}},
        [c](chain_id, std::string_view) { return std::optional{vault("aave", c, 1.0)}; });
    EXPECT_EQ(r.composite.value(), composite);
    EXPECT_EQ(r.label, label);
  }
}

TEST(BasketFaults, AreReportedAllAtOnceWithTheirPaths) {
  using list = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(faults_of({}), (list{{"positions", "expected 1 to 50 positions, got 0"}}));
  EXPECT_EQ(faults_of(std::vector<basket_position>(51, {1, "0xa", {}})),
            (list{{"positions", "expected 1 to 50 positions, got 51"}}));
  EXPECT_EQ(faults_of(std::vector<basket_position>(50, {1, "0xa", {}})), list{});
  const std::string number = "expected a number greater than 0";
  const std::string all = "expected a weight on every position or on none";
  const std::string address = "expected 1 to 128 letters and digits";
  EXPECT_EQ(faults_of({{1, "0xa", 1}, {1, "0xb", {}}, {1, "0x/", 0}, {1, "", -1}}),
            (list{{"positions[1].weight", all},
                  {"positions[2].address", address},
                  {"positions[2].weight", number},
                  {"positions[3].address", address},
                  {"positions[3].weight", number}}));
  EXPECT_EQ(faults_of({{1, "0xa", std::numeric_limits<double>::infinity()}}),
            (list{{"positions[0].weight", number}}));
}

} // namespace
} // namespace assay::engine
