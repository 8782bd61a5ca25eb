#include "http/message/ip_address.hpp"
#include "http/message/request.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include <netinet/in.h>

namespace assay::http {
namespace {

TEST(IpAddress, ReadsAndPrintsBothFamilies) {
  for (const char* text : {"127.0.0.1", "255.255.255.255", "0.0.0.0", "::1", "2001:db8::1", "::"}) {
    const auto address = ip_address::parse(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(address->to_string(), text);
  }
  EXPECT_EQ(ip_address().to_string(), "-");
}

TEST(IpAddress, AMappedAddressIsTheIPv4AddressItCarries) {
  const auto mapped = ip_address::parse("::ffff:10.1.2.3");
  ASSERT_TRUE(mapped);
  EXPECT_EQ(mapped->kind(), ip_address::family::v4);
  EXPECT_EQ(*mapped, *ip_address::parse("10.1.2.3"));
  EXPECT_EQ(std::hash<ip_address>{}(*mapped),
            std::hash<ip_address>{}(*ip_address::parse("10.1.2.3")));
  // Not the mapped prefix: ::a.b.c.d was something else and stays IPv6.
  EXPECT_EQ(ip_address::parse("::10.1.2.3")->kind(), ip_address::family::v6);
}

TEST(IpAddress, RefusesEverythingElse) {
  using namespace std::string_view_literals;
  for (const auto text :
       {""sv, "1.2.3"sv, "1.2.3.4.5"sv, "1.2.3.256"sv, "01.2.3.4"sv, " 1.2.3.4"sv, "1.2.3.4 "sv,
        "[::1]"sv, "::1%lo"sv, "1::2::3"sv, "localhost"sv, "1.2.3.4\0"sv, "0x7f.1"sv,
        "1111:2222:3333:4444:5555:6666:7777:8888:9999"sv})
    EXPECT_FALSE(ip_address::parse(text)) << text;
}

TEST(IpAddress, ReadsSocketAddresses) {
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_addr.s_addr = htonl(0x7f000001);
  EXPECT_EQ(ip_address::from_socket(reinterpret_cast<const sockaddr&>(four)).to_string(),
            "127.0.0.1");
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_addr = in6addr_loopback;
  EXPECT_EQ(ip_address::from_socket(reinterpret_cast<const sockaddr&>(six)).to_string(), "::1");
  sockaddr other{};
  other.sa_family = AF_UNIX;
  EXPECT_EQ(ip_address::from_socket(other), ip_address());
}

TEST(Request, CanBeMadeWithoutASocket) {
  const auto r =
      request::make(method::post, "/v1/basket?x=1&y", {{"Host", "h"}, {"X-A", "1"}, {"x-a", "2"}},
                    "{}", *ip_address::parse("10.0.0.1"));
  EXPECT_EQ(r.verb(), method::post);
  EXPECT_EQ(r.path(), "/v1/basket");
  EXPECT_EQ(r.query(), "x=1&y");
  EXPECT_EQ(r.authority(), "h");
  EXPECT_EQ(r.find("x-a"), "1");
  EXPECT_EQ(r.count("x-a"), 2u);
  EXPECT_EQ(r.body(), "{}");
  EXPECT_EQ(r.peer().to_string(), "10.0.0.1");
}

TEST(Method, NamesAreCaseSensitive) {
  EXPECT_EQ(parse_method("DELETE"), method::delete_);
  EXPECT_EQ(to_string(method::delete_), "DELETE");
  EXPECT_FALSE(parse_method("get"));
  EXPECT_FALSE(parse_method(""));
  EXPECT_FALSE(parse_method("GETS"));
}

} // namespace
} // namespace assay::http
