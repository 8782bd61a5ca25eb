#include "http/api/value_syntax.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>

namespace assay::http {
namespace {

TEST(ParseNumber, ReadsJsonNumbersInFull) {
  EXPECT_EQ(parse_number("0"), 0.0);
  EXPECT_EQ(parse_number("1e3"), 1000.0);
  EXPECT_EQ(parse_number("1E+3"), 1000.0);
  EXPECT_EQ(parse_number("-1.5"), -1.5);
  EXPECT_EQ(parse_number("0.1"), 0.1);
  EXPECT_EQ(parse_number("12345678901234567890"), 12345678901234567890.0);
  EXPECT_EQ(parse_number("1e-400"), 0.0);
  ASSERT_TRUE(parse_number("-0"));
  EXPECT_TRUE(std::signbit(*parse_number("-0")));
}

TEST(ParseNumber, RefusesEverythingElse) {
  for (const auto* text : {"",         "+100", " 100",  "100 ",   "00100", "0x64", "NaN",   "nan",
                           "Infinity", "inf",  "1e400", "-1e400", "1.",    ".5",   "1,000", "1e",
                           "1e+",      "--1",  "-",     "1_0",    "1f",    "01",   "-01",   "1.e3"})
    EXPECT_FALSE(parse_number(text)) << text;
  EXPECT_FALSE(parse_number(std::string_view("100\0", 4)));
}

TEST(ParseNumber, DoesNotCareForTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const auto* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
    std::setlocale(LC_ALL, name);
    EXPECT_EQ(parse_number("1.5"), 1.5);
    EXPECT_FALSE(parse_number("1,5"));
  }
  std::setlocale(LC_ALL, before.c_str());
}

TEST(ParseInteger, ReadsDigitsUpToTheLargestSafeInteger) {
  EXPECT_EQ(parse_integer("0"), 0U);
  EXPECT_EQ(parse_integer("792703809"), 792'703'809U);
  EXPECT_EQ(parse_integer("9007199254740991"), 9'007'199'254'740'991U);
  for (const auto* text :
       {"", "-1", "+1", "01", "1.0", "1e3", " 1", "9007199254740992", "99999999999999999999999"})
    EXPECT_FALSE(parse_integer(text)) << text;
}

TEST(IsAddress, TakesHexOfTwentyOctetsAndPlainWords) {
  EXPECT_TRUE(is_address("0x92B5C229aa75348eaC861A5755e4c2E0B94D3010"));
  EXPECT_TRUE(is_address("0X92B5C229AA75348EAC861A5755E4C2E0B94D3010"));
  EXPECT_TRUE(is_address("So11111111111111111111111111111111111111112"));
  EXPECT_TRUE(is_address(std::string(128, 'a')));
  for (const auto* text : {"", "0x", "0x92B5", "0x92B5C229aa75348eaC861A5755e4c2E0B94D301g",
                           "0x92B5C229aa75348eaC861A5755e4c2E0B94D30101", "a b", "a-b", "ä"})
    EXPECT_FALSE(is_address(text)) << text;
  EXPECT_FALSE(is_address(std::string(129, 'a')));
}

} // namespace
} // namespace assay::http
