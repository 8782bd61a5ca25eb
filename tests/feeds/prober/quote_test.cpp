#include "feeds/prober/quote.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::feeds::prober {

namespace {

using testing::HasSubstr;

quote_outcome outcome(int status, std::string_view body) {
  return read_quote(status, body).outcome;
}

/// A quote in the documented shape, with `estimate` as given.
std::string quote(const std::string& estimate) {
  return R"({"type":"lifi","id":"1","tool":"composer","action":{"fromChainId":1,"toChainId":1,)"
         R"("fromToken":{"decimals":6},"toToken":{"decimals":18}},"estimate":)" +
         estimate + R"(,"includedSteps":[],"transactionRequest":{}})";
}

} // namespace

TEST(quote_target, AsksForOneChainAndEscapes) {
  const quote_query query{8453, "0xA", "0xB&x=1", "100000000"};
  EXPECT_EQ(quote_target("https://example.org/v1/quote", query, "0xdEaD", "assay test"),
            "https://example.org/v1/quote?fromChain=8453&toChain=8453&fromToken=0xA"
            "&toToken=0xB%26x%3D1&fromAmount=100000000&fromAddress=0xdEaD&integrator=assay%20test");
  EXPECT_THAT(quote_target("https://example.org/q", query, "0xdEaD", ""),
              testing::Not(HasSubstr("integrator")));
}

TEST(read_quote, ReadsAmountGasAndFees) {
  const auto answer = read_quote(200, quote(R"({"tool":"composer","fromAmount":"100000000",
    "toAmount":"0099500000000000000000","toAmountMin":"98","feeCosts":[
    {"name":"LIFI Fixed Fee","percentage":"0.0025","amount":"250000","included":true},
    {"name":"Integrator","percentage":"0.001","amount":"100000","included":true}],
    "gasCosts":[{"type":"APPROVE","estimate":"46000","limit":"60000"},
    {"type":"SEND","price":"1","estimate":"511758","limit":"700000"}]})"));
  EXPECT_EQ(answer.outcome, quote_outcome::quoted);
  EXPECT_EQ(answer.to_amount, "99500000000000000000");
  EXPECT_EQ(answer.swap_gas, 511'758);
  ASSERT_TRUE(answer.fee_bps);
  EXPECT_NEAR(*answer.fee_bps, 35, 1e-9);
}

TEST(read_quote, LeavesOutWhatTheRouterDidNotSay) {
  auto answer = read_quote(200, quote(R"({"toAmount":"5"})"));
  EXPECT_EQ(answer.outcome, quote_outcome::quoted);
  EXPECT_FALSE(answer.swap_gas || answer.fee_bps);
  answer = read_quote(200, quote(R"({"toAmount":"5","gasCosts":[],"feeCosts":[]})"));
  EXPECT_FALSE(answer.swap_gas);
  EXPECT_EQ(answer.fee_bps, 0);
  for (const char* gas :
       {R"([{"type":"SEND"}])", R"([{"type":"SEND","estimate":"x"}])",
        R"([{"type":"SEND","estimate":"-5"}])", R"([{"type":"APPROVE","estimate":"1"}])",
        R"([{"type":"SEND","estimate":"99999999999999999999"}])", R"("none")", R"([7])"})
    EXPECT_FALSE(
        read_quote(200, quote(std::string{R"({"toAmount":"5","gasCosts":)"} + gas + "}")).swap_gas)
        << gas;
  for (const char* fee :
       {R"([{"included":true}])", R"([{"percentage":"0.1"}])",
        R"([{"percentage":"0.1","included":false}])", R"([{"percentage":"2","included":true}])",
        R"([{"percentage":"nan","included":true}])"})
    EXPECT_FALSE(
        read_quote(200, quote(std::string{R"({"toAmount":"5","feeCosts":)"} + fee + "}")).fee_bps)
        << fee;
}

TEST(read_quote, ReadsGasAsNumberToo) {
  EXPECT_EQ(read_quote(200, quote(R"({"toAmount":"5","gasCosts":[{"type":"SEND","estimate":77}]})"))
                .swap_gas,
            77);
}

TEST(read_quote, TellsAQuoteOfZeroFromOneWithoutAnAmount) {
  EXPECT_EQ(outcome(200, quote(R"({"toAmount":"0"})")), quote_outcome::no_amount);
  EXPECT_EQ(outcome(200, quote(R"({"toAmount":"000"})")), quote_outcome::no_amount);
  EXPECT_EQ(outcome(200, quote("{}")), quote_outcome::unpriced);
  EXPECT_EQ(outcome(200, quote(R"({"toAmount":null})")), quote_outcome::unpriced);
}

TEST(read_quote, TakesNothingElseForAQuote) {
  const auto temporary = quote_outcome::temporary;
  for (const char* body :
       {"", "garbage", "[]", "null", "{}", R"({"estimate":5})", R"({"estimate":{"toAmount":"12"})"})
    EXPECT_EQ(outcome(200, body), temporary) << body;
  for (const char* amount :
       {R"("-5")", R"("1e9")", R"("0x10")", R"("")", R"(" 5")", "5", R"(["5"])"})
    EXPECT_EQ(outcome(200, quote(std::string{R"({"toAmount":)"} + amount + "}")), temporary)
        << amount;
  EXPECT_EQ(outcome(200, quote(R"({"toAmount":")" + std::string(79, '9') + R"("})")), temporary);
  EXPECT_EQ(outcome(200, quote(R"({"toAmount":")" + std::string(78, '9') + R"("})")),
            quote_outcome::quoted);
  EXPECT_EQ(outcome(200, std::string(100'000, '[')), temporary);
}

TEST(read_quote, UnderstandsTheDocumentedErrors) {
  struct row {
    int status;
    const char* body;
    quote_outcome outcome;
  };
  for (const auto& r : {
           row{404, R"({"message":"No available quotes for the requested transfer","code":1002})",
               quote_outcome::no_quote},
           row{404, R"({"message":"No available quotes for the requested transfer"})",
               quote_outcome::no_quote},
           row{400, R"({"message":"Slippage","code":1007})", quote_outcome::no_quote},
           row{404, R"({"message":"x","code":1003})", quote_outcome::unmapped},
           row{400, R"({"message":"Could not find token '0x79' on chain '480'","code":1011})",
               quote_outcome::unmapped},
           row{400,
               R"({"message":"/fromChain must be equal to one of the allowed values","code":1011})",
               quote_outcome::misconfigured},
           row{400, R"({"message":"Unable to build","code":1001})", quote_outcome::refused},
           row{422, R"({"message":"Not processable"})", quote_outcome::refused},
           row{400, R"({"message":"x","code":1004})", quote_outcome::refused},
           row{429, "", quote_outcome::rate_limited},
           row{429, R"({"message":"Rate limit exceeded, retry in 2 hours","code":1005})",
               quote_outcome::rate_limited},
           row{400, R"({"code":1005})", quote_outcome::rate_limited},
           row{401, R"({"message":"Invalid key","code":1010})", quote_outcome::misconfigured},
           row{403, "", quote_outcome::misconfigured},
           row{400, "", quote_outcome::misconfigured},
           row{500, R"({"message":"x","code":1006})", quote_outcome::temporary},
           row{504, R"({"message":"x","code":1009})", quote_outcome::temporary},
           row{503, "<html>", quote_outcome::temporary},
           row{404, "<html>not here</html>", quote_outcome::temporary},
       })
    EXPECT_EQ(outcome(r.status, r.body), r.outcome) << r.status << ' ' << r.body;
}

TEST(read_quote, KeepsTheMessageShortAndOnOneLine) {
  const auto answer =
      read_quote(404, R"({"code":1002,"message":"a\nb)" + std::string(500, 'x') + "\"}");
  EXPECT_EQ(answer.what.size(), 200U);
  EXPECT_EQ(answer.what.substr(0, 3), "a b");
}

TEST(units, AreRoundedOnce) {
  EXPECT_EQ(units_to_number("99021511", 6), 99.021511);
  EXPECT_EQ(units_to_number("4937778648", 6), 4937.778648);
  EXPECT_EQ(units_to_number("0", 6), 0.0);
  EXPECT_EQ(units_to_number("4937778648000000000000", 18), 4937.778648);
  EXPECT_EQ(units_to_number(std::string(78, '9'), 0), 1e78);
  EXPECT_FALSE(units_to_number("", 6));
  EXPECT_FALSE(units_to_number("-1", 6));
  EXPECT_FALSE(units_to_number("1.5", 6));
}

TEST(units, AreWholeNumbers) {
  EXPECT_EQ(number_to_units(100, 6), "100000000");
  EXPECT_EQ(number_to_units(5000, 18), "5000000000000000000000");
  EXPECT_EQ(number_to_units(0.5, 6), "500000");
  EXPECT_EQ(number_to_units(123.456789, 6), "123456789");
  EXPECT_EQ(number_to_units(7, 0), "7");
  EXPECT_EQ(number_to_units(0, 18), "0");
}

} // namespace assay::feeds::prober
