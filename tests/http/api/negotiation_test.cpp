#include "http/api/negotiation.hpp"

#include <gtest/gtest.h>

namespace assay::http {
namespace {

bool gzip(std::string_view value) {
  return wants_gzip(request::make(method::get, "/", {{"accept-encoding", value}}));
}

bool matches(std::string_view value) {
  return matches_none_match(request::make(method::get, "/", {{"if-none-match", value}}), "\"a,b\"");
}

TEST(WantsGzip, WeighsTheCodings) {
  for (const auto* yes : {"gzip", "GZIP", "x-gzip", "br, gzip", "gzip;q=0.5", "*", "*;q=0.1",
                          "deflate, gzip;q=1.0, *;q=0.5", "identity;q=0.5, gzip;q=0.5",
                          "gzip ; q=1", ",gzip,", "gzip;q=1.", "identity;q=0, gzip;q=0.001"})
    EXPECT_TRUE(gzip(yes)) << yes;
  for (const auto* no : {"", "br", "gzip;q=0", "gzip;q=0.000", "*;q=0", "gzip;q=0, *",
                         "identity, gzip;q=0.5", "gzip;q=2", "gzip;q=x", "gzip;level=1", "xgzip"})
    EXPECT_FALSE(gzip(no)) << no;
  EXPECT_FALSE(wants_gzip(request::make(method::get, "/")));
}

TEST(WantsGzip, ReadsSeveralFieldsAsOneList) {
  EXPECT_FALSE(wants_gzip(request::make(
      method::get, "/", {{"accept-encoding", "gzip;q=0.1"}, {"accept-encoding", "identity"}})));
}

TEST(MatchesNoneMatch, ComparesWeaklyTagByTag) {
  for (const auto* yes : {"*", "\"a,b\"", "W/\"a,b\"", "\"x\", \"a,b\"", " \"x\" ,, W/\"a,b\" "})
    EXPECT_TRUE(matches(yes)) << yes;
  for (const auto* no : {"", "\"a\"", "a,b", "\"a,b", "w/\"a,b\"", "\"x\" junk \"a,b\""})
    EXPECT_FALSE(matches(no)) << no;
}

TEST(FailsMatch, ComparesStronglyAndOnlyWhenAsked) {
  const auto fails = [](std::string_view value) {
    return fails_match(request::make(method::get, "/", {{"if-match", value}}), "\"a,b\"");
  };
  for (const auto* no : {"*", "\"a,b\"", "\"x\", \"a,b\"", "W/\"a,b\", \"a,b\""})
    EXPECT_FALSE(fails(no)) << no;
  for (const auto* yes : {"", "\"a\"", "W/\"a,b\"", "a,b"})
    EXPECT_TRUE(fails(yes)) << yes;
  EXPECT_FALSE(fails_match(request::make(method::get, "/"), "\"a,b\""));
}

} // namespace
} // namespace assay::http
