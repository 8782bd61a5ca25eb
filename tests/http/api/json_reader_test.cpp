#include "http/codec/json_reader.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include <rapidjson/document.h>

namespace assay::http {
namespace {

bool reads(std::string_view text) {
  json_value value;
  return !read_json(text, value).has_value();
}

TEST(ReadJson, TakesWhatRfc8259Allows) {
  for (const auto* text :
       {"{}", "[]", "null", "true", "false", "0", "-0", "1.5e-3", "\"\"", " \t\r\n[1 , 2]\n",
        R"({"a":{"b":[{}]}})", R"("\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00")", R"({"":1})", "[1E400]",
        "\"\x7f\"", "\"\xf4\x8f\xbf\xbf\"", R"("\u0000")"})
    EXPECT_TRUE(reads(text)) << text;
}

TEST(ReadJson, RefusesWhatItForbids) {
  for (const auto* text : {"",
                           " ",
                           "{",
                           "[",
                           "[1,]",
                           "{\"a\":1,}",
                           "{a:1}",
                           "{'a':1}",
                           "[1 2]",
                           "01",
                           "-",
                           "+1",
                           "1.",
                           ".5",
                           "1e",
                           "0x1",
                           "NaN",
                           "Infinity",
                           "tru",
                           "nulll",
                           "\"\\x\"",
                           "\"\\u12g4\"",
                           "\"\t\"",
                           "\"\\ud800\"",
                           "\"\\udc00\"",
                           "\"\\ud800\\u0041\"",
                           "\"\xff\"",
                           "\"\xc0\x80\"",
                           "\"\xed\xa0\x80\"",
                           "[1]x",
                           "[1]//",
                           "\xef\xbb\xbf{}",
                           "\"a",
                           "{\"a\"}",
                           "{\"a\":}",
                           "[\"a\",\n4,1,",
                           "{\"a\":1 \"b\":2}",
                           "\f1",
                           R"({"a":1,"a":2})",
                           R"({"a":1,"\u0061":2})"})
    EXPECT_FALSE(reads(text)) << text;
  EXPECT_FALSE(reads(std::string_view("[1]\0", 4)));
  EXPECT_FALSE(reads(std::string_view("\0", 1)));
}

TEST(ReadJson, NamesThePlaceOfTheFault) {
  json_value value;
  EXPECT_EQ(read_json(R"({"a": tru})", value)->offset, 6U);
  EXPECT_EQ(read_json(R"([1,2)", value)->offset, 4U);
  const auto repeated = *read_json(R"({"a":1,"b":2,"a":3})", value);
  EXPECT_EQ(repeated.offset, 13U);
  EXPECT_EQ(repeated.what, "duplicate key");
}

TEST(ReadJson, GoesSixteenDeepAndNoDeeper) {
  EXPECT_TRUE(reads(std::string(16, '[') + std::string(16, ']')));
  EXPECT_FALSE(reads(std::string(17, '[') + std::string(17, ']')));
}

TEST(ReadJson, AnswersHostileTextsQuickly) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(reads(std::string(100'000, '[')));
  std::string keys = "{";
  for (int i = 0; i < 8000; ++i)
    keys += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_TRUE(reads(keys + "\"z\":0}"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds{100});
}

TEST(ReadJson, AgreesWithAnotherReaderOnMutatedTexts) {
  std::mt19937 random{3};
  const std::string seed = R"({"positions":[{"chainId":1,"address":"0xab","weight":2.5e1},)"
                           R"({"chainId":10,"address":"\u00e4","weight":null}],"x":[true,false]})";
  constexpr std::string_view alphabet = "{}[]\",:0123456789.eE+-truefalsn\\u \xc3\xa4\x01";
  int good = 0;
  for (int round = 0; round < 30'000; ++round) {
    auto text = seed;
    for (auto n = random() % 3; n > 0; --n) {
      const auto at = random() % text.size();
      switch (random() % 3) {
      case 0: text[at] = alphabet[random() % alphabet.size()]; break;
      case 1: text.erase(at, 1 + random() % 4); break;
      default: text.insert(at, 1, alphabet[random() % alphabet.size()]);
      }
    }
    rapidjson::Document other;
    other.Parse<rapidjson::kParseValidateEncodingFlag | rapidjson::kParseFullPrecisionFlag>(
        text.data(), text.size());
    json_value value;
    const auto fault = read_json(text, value);
    // RapidJSON keeps duplicate keys and refuses numbers beyond double.
    if (fault && fault->what == "duplicate key")
      continue;
    if (other.HasParseError() && other.GetParseError() == rapidjson::kParseErrorNumberTooBig)
      continue;
    ASSERT_EQ(!fault.has_value(), !other.HasParseError()) << text;
    good += !fault.has_value();
  }
  EXPECT_GT(good, 5000);
}

} // namespace
} // namespace assay::http
