#include "feeds/keccak256.hpp"
#include "feeds/vault_reference.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace assay::feeds {
namespace {

std::string hex(const std::array<std::uint8_t, 32>& bytes) {
  std::string out;
  for (const auto b : bytes) {
    out += "0123456789abcdef"[b >> 4U];
    out += "0123456789abcdef"[b & 0xfU];
  }
  return out;
}

// The first two digests are constants of Ethereum (the empty code hash, the topic of ERC-20's
// Transfer event).
TEST(Keccak256, GivesTheDigestsThatEthereumKnows) {
  EXPECT_EQ(hex(keccak256("")), "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
  EXPECT_EQ(hex(keccak256("Transfer(address,address,uint256)")),
            "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef");
}

TEST(Keccak256, PadsBlocksOfEveryLength) {
  std::vector<std::string> digests;
  for (std::size_t n = 130; n < 275; ++n)
    digests.push_back(hex(keccak256(std::string(n, 'a'))));
  std::sort(digests.begin(), digests.end());
  EXPECT_EQ(std::adjacent_find(digests.begin(), digests.end()), digests.end());
}

// The examples of EIP-55's own text.
TEST(Address, GetsTheChecksumOfEip55) {
  for (const std::string address :
       {"0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
        "0xde709f2102306220921060314715629080e2fb77", "0x27b1fdb04752bbc536007a920d24acb045561c26",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
        "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
        "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb"}) {
    EXPECT_EQ(to_eip55(address), address);
    EXPECT_EQ(*read_address(1, address), address);
  }
}

TEST(Address, IsRefusedWhenItIsNotOne) {
  for (const std::string address :
       {"", "0x", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe",
        "0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD",
        "0x5gaeb6053f3e94c9b9a09f33669435e7ef1beaed", "5aaeb6053f3e94c9b9a09f33669435e7ef1beae-"})
    EXPECT_FALSE(read_address(1, address)) << address;
}

TEST(Address, OfSolanaIsBase58Of32Bytes) {
  for (const std::string address :
       {"11111111111111111111111111111111", "So11111111111111111111111111111111111111112",
        "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"})
    EXPECT_TRUE(read_address(solana_chain_id, address)) << address;
  for (const std::string address :
       {"1111111111111111111111111111111", "111111111111111111111111111111111",
        "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyT", "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
        "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt0v",
        "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"})
    EXPECT_FALSE(read_address(solana_chain_id, address)) << address;
}

TEST(VaultId, HasThreeLowerCaseParts) {
  EXPECT_TRUE(is_vault_id("aave-v3:1:0xab"));
  EXPECT_TRUE(is_vault_id("kamino:792703809:so11"));
  for (const std::string id :
       {"", "a", "a:1", "a:1:", ":1:0xab", "a::0xab", "a:x:0xab", "a:0:0xab", "a:01:0xab",
        "A:1:0xab", "a:1:0xAB", "a:1:0xab:0xcd", "a:99999999999999999999:0xab", "a b:1:0xab"})
    EXPECT_FALSE(is_vault_id(id)) << id;
}

} // namespace
} // namespace assay::feeds
