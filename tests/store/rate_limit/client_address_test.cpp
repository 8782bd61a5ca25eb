#include "store/rate_limit/client_address.hpp"

#include <gtest/gtest.h>

#include <set>

namespace assay::store {
namespace {

ip_address ip(std::string_view text) {
  const auto x = parse_ip(text);
  EXPECT_TRUE(x) << text;
  return x.value_or(ip_address{});
}

std::string bucket_text(std::string_view address) {
  return bucket_of(ip(address)).text();
}

TEST(ClientAddress, ReadsAddressesAndNothingElse) {
  EXPECT_EQ(ip("192.0.2.1").text(), "192.0.2.1");
  EXPECT_EQ(ip("::ffff:192.0.2.1").text(), "192.0.2.1");
  EXPECT_EQ(ip("2001:DB8:0::1").text(), "2001:db8::1");
  using namespace std::string_view_literals;
  for (const auto bad : {""sv, "localhost"sv, "1.2.3"sv, "1.2.3.4.5"sv, "01.2.3.4"sv, "1.2.3.256"sv,
                         " 1.2.3.4"sv, "1.2.3.4:80"sv, "[::1]"sv, "fe80::1%eth0"sv, "1.2.3.4\0"sv,
                         ":::"sv, "2001:0db8:0000:0000:0000:0000:0000:0001:0002:0003:0004"sv})
    EXPECT_FALSE(parse_ip(bad)) << bad;
}

TEST(ClientAddress, BucketsIpv4WholeAndIpv6ByNetwork) {
  EXPECT_EQ(bucket_text("192.0.2.1"), "4:c0000201");
  EXPECT_EQ(bucket_text("::ffff:192.0.2.1"), "4:c0000201");
  EXPECT_NE(bucket_text("192.0.2.2"), bucket_text("192.0.2.1"));
  EXPECT_EQ(bucket_text("2001:db8:1:2:3:4:5:6"), "6:20010db800010002");
  EXPECT_EQ(bucket_text("2001:db8:1:2:ffff::"), "6:20010db800010002");
  EXPECT_EQ(bucket_text("2001:db8:1:3::"), "6:20010db800010003");
}

TEST(ClientAddress, ReadsNetworks) {
  const auto ten = *parse_network("10.0.0.0/8");
  EXPECT_TRUE(ten.contains(ip("10.255.0.1")));
  EXPECT_TRUE(ten.contains(ip("::ffff:10.1.2.3")));
  EXPECT_FALSE(ten.contains(ip("11.0.0.0")));
  const auto odd = *parse_network("192.0.2.128/25");
  EXPECT_TRUE(odd.contains(ip("192.0.2.255")));
  EXPECT_FALSE(odd.contains(ip("192.0.2.127")));
  const auto six = *parse_network("2001:db8::/33");
  EXPECT_TRUE(six.contains(ip("2001:db8:7fff::1")));
  EXPECT_FALSE(six.contains(ip("2001:db8:8000::1")));
  EXPECT_TRUE(parse_network("127.0.0.1")->contains(ip("127.0.0.1")));
  EXPECT_FALSE(parse_network("127.0.0.1")->contains(ip("127.0.0.2")));
  EXPECT_TRUE(parse_network("0.0.0.0/0")->contains(ip("203.0.113.9")));
  EXPECT_FALSE(parse_network("0.0.0.0/0")->contains(ip("2001:db8::1")));
  EXPECT_TRUE(parse_network("::/0")->contains(ip("203.0.113.9")));
  EXPECT_EQ(*parse_network("::ffff:10.0.0.0/104"), ten);
}

TEST(ClientAddress, RefusesBadNetworksWithThePlaceAndTheRemedy) {
  const auto fault = [](std::string item) {
    const auto n = parse_networks({"127.0.0.1", std::move(item)}, "limits.exempt_networks");
    EXPECT_FALSE(n);
    return n ? std::string{} : n.error().text();
  };
  EXPECT_EQ(fault("10.0.0.1/8"), "limits.exempt_networks[1]: '10.0.0.1/8' has bits set beyond its "
                                 "prefix; expected 10.0.0.0/8");
  EXPECT_EQ(fault("10.0.0.0/33"), "limits.exempt_networks[1]: '10.0.0.0/33' has a bad prefix "
                                  "length; expected a whole number from 0 to 32");
  EXPECT_EQ(fault("::/129"), "limits.exempt_networks[1]: '::/129' has a bad prefix length; "
                             "expected a whole number from 0 to 128");
  for (const auto* bad : {"10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8x", "10.0.0.0/ 8", "10.0.0.0/+8",
                          "10.0.0.0/99999999999", "example.com/8", "", "/8", "10.0.0.0/8/8"})
    EXPECT_NE(fault(bad), "") << bad;
}

class ForwardedFor : public ::testing::Test {
protected:
  address_policy policy{{*parse_network("10.0.0.0/8"), *parse_network("2001:db8:ffff::/48")}, {}};

  std::string from(std::string_view peer, std::string_view header) {
    return client_address(ip(peer), header, policy).text();
  }
};

TEST_F(ForwardedFor, IsIgnoredFromStrangers) {
  EXPECT_EQ(from("203.0.113.1", "198.51.100.7"), "203.0.113.1");
  EXPECT_EQ(from("::1", "198.51.100.7"), "::1");
}

TEST_F(ForwardedFor, GivesTheRightmostUntrustedHop) {
  EXPECT_EQ(from("10.0.0.1", "198.51.100.7"), "198.51.100.7");
  EXPECT_EQ(from("10.0.0.1", "1.1.1.1, 198.51.100.7"), "198.51.100.7");
  EXPECT_EQ(from("10.0.0.1", "1.1.1.1, 198.51.100.7 , 10.3.3.3,10.2.2.2"), "198.51.100.7");
  EXPECT_EQ(from("::ffff:10.0.0.1", "198.51.100.7"), "198.51.100.7");
  EXPECT_EQ(from("2001:db8:ffff::1", "2001:db8::5"), "2001:db8::5");
}

TEST_F(ForwardedFor, EndsAtTheLastTrustedHopBeforeGarbage) {
  EXPECT_EQ(from("10.0.0.1", ""), "10.0.0.1");
  EXPECT_EQ(from("10.0.0.1", "unknown"), "10.0.0.1");
  EXPECT_EQ(from("10.0.0.1", "198.51.100.7, unknown, 10.2.2.2"), "10.2.2.2");
  EXPECT_EQ(from("10.0.0.1", "198.51.100.7,,10.2.2.2"), "10.2.2.2");
  EXPECT_EQ(from("10.0.0.1", "198.51.100.7,"), "10.0.0.1");
}

TEST_F(ForwardedFor, GivesTheLeftmostHopWhenAllAreTrusted) {
  EXPECT_EQ(from("10.0.0.1", "10.9.9.9, 10.8.8.8"), "10.9.9.9");
}

TEST_F(ForwardedFor, AcceptsPortsAndBrackets) {
  EXPECT_EQ(from("10.0.0.1", "198.51.100.7:4711"), "198.51.100.7");
  EXPECT_EQ(from("10.0.0.1", "[2001:db8::5]:4711"), "2001:db8::5");
  EXPECT_EQ(from("10.0.0.1", "[2001:db8::5]"), "2001:db8::5");
  for (const auto* bad : {"198.51.100.7:", "198.51.100.7:x", "198.51.100.7:123456", "[2001:db8::5",
                          "[2001:db8::5]x", "[2001:db8::5]:", "[]", "["})
    EXPECT_EQ(from("10.0.0.1", bad), "10.0.0.1") << bad;
}

TEST(ClientAddress, ExemptsListedNetworksOnly) {
  address_policy policy;
  EXPECT_FALSE(is_exempt(ip("127.0.0.1"), policy));
  policy.exempt = {*parse_network("127.0.0.0/8"), *parse_network("::1")};
  EXPECT_TRUE(is_exempt(ip("127.0.0.1"), policy));
  EXPECT_TRUE(is_exempt(ip("::ffff:127.0.0.1"), policy));
  EXPECT_TRUE(is_exempt(ip("::1"), policy));
  EXPECT_FALSE(is_exempt(ip("::2"), policy));
}

TEST(BucketKeyHash, SpreadsNeighbouringAddresses) {
  std::set<std::size_t> shards;
  for (int i = 0; i < 256; ++i)
    shards.insert(bucket_key_hash{}(bucket_of(ip("192.0.2." + std::to_string(i)))) >> 58);
  EXPECT_GT(shards.size(), 48u); // of 64; an even spread of 256 leaves about one empty
}

} // namespace
} // namespace assay::store
