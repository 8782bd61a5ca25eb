#include "http/codec/json_writer.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>

#include <rapidjson/document.h>

namespace assay::http {
namespace {

std::string number(double x) {
  std::string out;
  append_number(out, x);
  return out;
}

TEST(AppendNumber, WritesTheShortestTextThatReadsBack) {
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(5.21), "5.21");
  EXPECT_EQ(number(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(number(-0.0), "-0");
  EXPECT_EQ(number(2251799813685249.5), "2251799813685249.5");
  EXPECT_EQ(number(5e-324), "5e-324");
  EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(number(HUGE_VAL), "null");
}

TEST(AppendNumber, ReadsBackToTheSameBits) {
  std::mt19937_64 random{1};
  for (int i = 0; i < 100'000; ++i) {
    const auto x = std::bit_cast<double>(random());
    if (!std::isfinite(x))
      continue;
    const auto text = number(x);
    double back = 0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(x)) << text;
  }
}

TEST(JsonWriter, PutsCommasWhereTheyBelong) {
  std::string out = "kept";
  json_writer w(out);
  w.begin_object().member("a", 1).member("b", "x,").key("c").begin_array();
  w.value(true).null().begin_object().end_object().value("{").value(2.5).end_array();
  w.member("d", std::optional<double>{}).end_object();
  EXPECT_EQ(out, R"(kept{"a":1,"b":"x,","c":[true,null,{},"{",2.5],"d":null})");
}

TEST(JsonWriter, EscapesSoThatEveryTextReadsBack) {
  std::string all;
  for (char c = 1; c < 127; ++c)
    all += c;
  all += "ä€😀";
  std::string out;
  append_string(out, all);
  rapidjson::Document document;
  document.Parse(out.c_str());
  ASSERT_FALSE(document.HasParseError());
  EXPECT_EQ(std::string(document.GetString(), document.GetStringLength()), all);
}

} // namespace
} // namespace assay::http
