#include "http/api/basket_body.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace assay::http {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::StartsWith;

struct outcome {
  std::vector<engine::basket_position> positions;
  validation_errors errors;
};

outcome read(std::string_view body) {
  outcome o;
  o.positions = read_basket_body(body, o.errors);
  return o;
}

TEST(BasketBody, ReadsPositions) {
  const auto o = read(R"({"positions":[{"chainId":1,"address":"AbC","weight":2.5,"note":"x"},)"
                      R"({"chainId":1e1,"address":"def","weight":1}],"more":1})");
  EXPECT_TRUE(o.errors.empty());
  ASSERT_THAT(o.positions, SizeIs(2));
  EXPECT_EQ(o.positions[0].address, "AbC");
  EXPECT_EQ(o.positions[0].weight, 2.5);
  EXPECT_EQ(o.positions[1].chain, 10U);
}

TEST(BasketBody, ReportsEveryFaultByItsPath) {
  const auto o = read(R"({"positions":[{"chainId":0,"address":"a b"},{"chainId":1.5,)"
                      R"("weight":0},7,{"chainId":"1","address":"a","weight":"1"}]})");
  EXPECT_THAT(
      o.errors.fields(),
      ElementsAre(Pair("positions[0].chainId", SizeIs(1)), Pair("positions[0].address", SizeIs(1)),
                  Pair("positions[1].chainId", SizeIs(1)),
                  Pair("positions[1].address", ElementsAre("is required")),
                  Pair("positions[1].weight", SizeIs(1)), Pair("positions[2]", SizeIs(1)),
                  Pair("positions[3].chainId", SizeIs(1)), Pair("positions[3].weight", SizeIs(1))));
}

TEST(BasketBody, RefusesWeightsOnSomePositionsOnly) {
  EXPECT_FALSE(read(R"({"positions":[{"chainId":1,"address":"a","weight":1},)"
                    R"({"chainId":1,"address":"b"}]})")
                   .errors.empty());
}

TEST(BasketBody, WantsOneToFiftyPositions) {
  std::string many = R"({"positions":[)";
  for (int i = 0; i < 51; ++i)
    many += std::string(i > 0 ? "," : "") + R"({"chainId":1,"address":"a"})";
  for (const auto& body : {std::string(R"({"positions":[]})"), many + "]}",
                           std::string(R"({"positions":{}})"), std::string("{}")})
    EXPECT_THAT(read(body).errors.fields(), ElementsAre(Pair("positions", SizeIs(1)))) << body;
}

TEST(BasketBody, GivesTheOffsetOfMalformedJson) {
  const auto form = read(R"({"positions":[})").errors.form();
  EXPECT_THAT(form, ElementsAre(StartsWith("the body is not valid JSON at byte 14")));
  EXPECT_THAT(read("[]").errors.form(), ElementsAre("the body must be a JSON object"));
}

TEST(BasketBody, NeverTakesAMutatedBodyWithAWrongPosition) {
  std::mt19937 random{9};
  const std::string seed = R"({"positions":[{"chainId":1,"address":"abc","weight":3},)"
                           R"({"chainId":10,"address":"def","weight":1}]})";
  for (int round = 0; round < 20'000; ++round) {
    auto text = seed;
    for (auto n = 1 + random() % 5; n > 0; --n)
      text[random() % text.size()] = static_cast<char>(random() % 256);
    const auto o = read(text);
    if (!o.errors.empty())
      continue;
    ASSERT_THAT(o.positions.size(), AnyOf(1U, 2U));
    for (const auto& p : o.positions) {
      ASSERT_GE(p.chain, 1U);
      ASSERT_FALSE(p.address.empty());
    }
  }
}

} // namespace
} // namespace assay::http
