#include "app/service/listen_address.hpp"

#include <gtest/gtest.h>

namespace assay::app {
namespace {

TEST(ListenAddress, ReadsNamesAndBothFamilies) {
  EXPECT_EQ(*parse_listen_address("127.0.0.1:8080", "k"), (listen_address{"127.0.0.1", 8080}));
  EXPECT_EQ(*parse_listen_address("[::1]:0", "k"), (listen_address{"::1", 0}));
  EXPECT_EQ(*parse_listen_address("localhost:65535", "k"), (listen_address{"localhost", 65535}));
}

TEST(ListenAddress, WritesWhatItReads) {
  for (const char* text : {"127.0.0.1:8080", "[::1]:80", "localhost:1"})
    EXPECT_EQ(parse_listen_address(text, "k")->text(), text);
}

TEST(ListenAddress, RefusesEverythingElse) {
  for (const char* text : {"", ":80", "host", "host:", "host:65536", "host:-1", "host:8o", "::1:80",
                           "[::1]", "[]:80", "host:80 ", "[::1:80", "a:b:1"}) {
    const auto got = parse_listen_address(text, "server.listen");
    ASSERT_FALSE(got) << text;
    EXPECT_EQ(got.error().where, "server.listen");
  }
}

} // namespace
} // namespace assay::app
