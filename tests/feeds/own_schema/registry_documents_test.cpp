#include "tests/feeds/own_schema/documents.hpp"

#include <gmock/gmock.h>

namespace assay::feeds {
namespace {

using namespace std::chrono;
using test::only_fault;
using test::read;
using test::wrap;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

TEST(OwnSchema, ReadsAProtocolWithEverything) {
  const auto batch = read(wrap("protocols", R"({"id":"aave-v3","name":"Aave V3",
    "category":"lending","launchedAt":"2022-03-16",
    "audits":[{"firm":"A","year":2022},{"firm":"B","year":2023,"contest":true}],
    "incidents":[{"date":"2025-01-02","lossUsd":1e6,"returnedUsd":0,"resolved":false,
                  "description":"d"}],
    "withdrawal":{"kind":"delayed","delaySeconds":86400},"yieldSource":"lending"})"));
  ASSERT_TRUE(batch);
  EXPECT_THAT(batch->faults, IsEmpty());
  protocol_record expected;
  expected.id = "aave-v3";
  expected.name = "Aave V3";
  expected.category = "lending";
  expected.launched_at = sys_days{2022y / 3 / 16};
  expected.audits = {{"A", 2022, false}, {"B", 2023, true}};
  expected.incidents = {{sys_days{2025y / 1 / 2}, 1e6, 0.0, false, "d"}};
  expected.withdrawal = {withdrawal_kind::delayed, 86400};
  expected.yield_source = "lending";
  EXPECT_THAT(batch->protocols, ElementsAre(expected));
}

TEST(OwnSchema, KeepsUnknownAuditsApartFromNone) {
  const auto batch = read(wrap("protocols", R"({"id":"a","name":"A","category":"x"},
    {"id":"b","name":"B","category":"x","audits":[],"incidents":null})"));
  ASSERT_TRUE(batch);
  ASSERT_EQ(batch->protocols.size(), 2U);
  EXPECT_FALSE(batch->protocols[0].audits);
  ASSERT_TRUE(batch->protocols[1].audits);
  EXPECT_THAT(*batch->protocols[1].audits, IsEmpty());
  EXPECT_FALSE(batch->protocols[1].incidents);
}

TEST(OwnSchema, ReadsChainsAssetsAndCurators) {
  const auto chains = read(wrap("chains", R"({"chainId":792703809,"key":"solana","name":"Solana",
    "evm":false,"security":"l1-large","launchedAt":"2020-03-16"})"));
  ASSERT_TRUE(chains);
  EXPECT_THAT(chains->chains, ElementsAre(chain_record{792703809, "solana", "Solana", false,
                                                       "l1-large", sys_days{2020y / 3 / 16}}));
  const auto assets = read(wrap("assets", R"({"symbol":"sUSDe","class":"stablecoin-yield",
    "peg":"USD","pegDeviationBps":12.5,"marketCapRank":40})"));
  ASSERT_TRUE(assets);
  EXPECT_THAT(assets->assets,
              ElementsAre(asset_record{"sUSDe", asset_class::stablecoin_yield, "USD", 12.5, 40}));
  const auto curators = read(wrap("curators", R"({"id":"c","name":"C","rating":"established"})"));
  ASSERT_TRUE(curators);
  EXPECT_THAT(curators->curators, ElementsAre(curator_record{"c", "C", true}));
}

TEST(OwnSchema, PutsOneCaseAddressesIntoTheirChecksumAndDerivesTheId) {
  const auto batch = read(wrap("vaults", R"({"chainId":1,"protocolId":"p","name":"N",
    "address":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48","asset":"USDC",
    "underlyingToken":"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48","listed":false,
    "launchedAt":"2024-01-01","curatorId":"c","yieldSource":"lending",
    "withdrawal":{"kind":"instant"}})"));
  ASSERT_TRUE(batch);
  EXPECT_THAT(batch->faults, IsEmpty());
  ASSERT_EQ(batch->vaults.size(), 1U);
  const auto& v = batch->vaults[0];
  EXPECT_EQ(v.vault_id, "p:1:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48");
  EXPECT_EQ(v.address, usdc);
  EXPECT_EQ(v.underlying_token, usdc);
  EXPECT_FALSE(v.listed);
  EXPECT_EQ(v.withdrawal, withdrawal_terms{});
}

TEST(OwnSchema, ReadsAnAdminRecord) {
  const auto batch = read(wrap("admin", R"({"vaultId":"p:1:0xab","class":"multisig_only",
    "curatorId":"c","curatorRating":"unknown_new","timelockSeconds":0,
    "roles":[{"role":"owner","kind":"safe","threshold":2,"owners":3,"delaySeconds":60},
             {"role":"guardian","kind":"dao","unverifiedGovernance":true}],
    "checkedAt":"2026-02-28T23:59:59Z"})"));
  ASSERT_TRUE(batch);
  EXPECT_THAT(batch->faults, IsEmpty());
  ASSERT_EQ(batch->admins.size(), 1U);
  const auto& a = batch->admins[0];
  EXPECT_EQ(a.cls, admin_class::multisig_only);
  EXPECT_EQ(a.rating, curator_rating::unknown_new);
  EXPECT_EQ(a.timelock_seconds, 0.0);
  ASSERT_EQ(a.roles.size(), 2U);
  EXPECT_EQ(a.roles[0], (admin_role{"owner", role_kind::safe, 2, 3, 60.0, std::nullopt}));
  EXPECT_EQ(a.roles[1].unverified_governance, true);
}

struct faulty_item {
  const char* kind;
  const char* items;
  const char* fault;
};

class FaultyItem : public testing::TestWithParam<faulty_item> {};

TEST_P(FaultyItem, IsNamedWithItsPlace) {
  EXPECT_THAT(only_fault(wrap(GetParam().kind, GetParam().items)), HasSubstr(GetParam().fault));
}

#define VAULT(rest) R"({"chainId":1,"protocolId":"p","name":"N","asset":"USDC",)" rest "}"
#define ADMIN(rest)                                                                                \
  R"({"vaultId":"p:1:0xab","class":"eoa","checkedAt":"2026-01-01T00:00:00Z",)" rest "}"

INSTANTIATE_TEST_SUITE_P(
    OwnSchema, FaultyItem,
    testing::Values(
        faulty_item{"chains", R"({"chainId":1,"key":"a","name":"A","evm":true},
                                 {"chainId":"1","key":"a","name":"A","evm":true})",
                    "t#/items/1/chainId: expected an integer, found a text"},
        faulty_item{"chains", R"({"chainId":1.5,"key":"a","name":"A","evm":true})",
                    "t#/items/0/chainId: expected an integer from 1"},
        faulty_item{"chains", R"({"chainId":0,"key":"a","name":"A","evm":true})",
                    "t#/items/0/chainId: expected an integer from 1"},
        faulty_item{"chains", R"({"chainId":1,"key":"a","name":"A"})", "t#/items/0/evm: missing"},
        faulty_item{"chains", R"({"chainId":1,"key":"a","name":"A","evm":true},
                                 {"chainId":1,"key":"b","name":"B","evm":true})",
                    "t#/items/1: an item above has the same key"},
        faulty_item{"chains", R"({"chainId":1,"key":"A b","name":"A","evm":true})",
                    "t#/items/0/key: expected 1 to 64 of a-z"},
        faulty_item{"assets", R"({"symbol":"USDC","class":"stable"})",
                    "t#/items/0/class: expected one of stablecoin, stablecoin-yield, eth"},
        faulty_item{"assets", R"({"symbol":"usdc"},{"symbol":"USDC"})",
                    "t#/items/1: an item above has the same key"},
        faulty_item{"assets", R"({"symbol":"USDC","pegDeviationBps":-1})",
                    "t#/items/0/pegDeviationBps: expected 0 to 10000, found -1"},
        faulty_item{"assets", R"({"symbol":"USDC","pegdeviationbps":1})",
                    "t#/items/0/pegdeviationbps: unknown field"},
        faulty_item{"assets", R"({"symbol":"USDC","symbol":"USDC"})",
                    "t#/items/0/symbol: this field stands twice"},
        faulty_item{"assets", R"({"symbol":"US\nDC"})",
                    "t#/items/0/symbol: control characters are not allowed"},
        faulty_item{"assets", R"([])", "t#/items/0: expected an object, found an array"},
        faulty_item{"curators", R"({"id":"a","name":"A","rating":"good"})",
                    "t#/items/0/rating: expected one of established, unknown_new"},
        faulty_item{"curators", R"({"name":"A","rating":"established"})",
                    "t#/items/0/id: missing, expected a text"},
        faulty_item{"protocols", R"({"id":"a","name":"A","category":"x",
                                     "audits":[{"firm":"F","year":2027}]})",
                    "t#/items/0/audits/0/year: expected an integer from 2014 to 2026"},
        faulty_item{"protocols", R"({"id":"a","name":"A","category":"x",
                                     "incidents":[{"date":"2026-03-02"}]})",
                    "t#/items/0/incidents/0/date: later than the document's recordedAt"},
        faulty_item{"protocols", R"({"id":"a","name":"A","category":"x",
                                     "launchedAt":"2026-02-30"})",
                    "t#/items/0/launchedAt: expected a day"},
        faulty_item{"protocols", R"({"id":"a","name":"A","category":"x",
                                     "withdrawal":{"kind":"instant","delaySeconds":1}})",
                    "t#/items/0/withdrawal/delaySeconds: belongs to the kind `delayed`"},
        faulty_item{"vaults", VAULT(R"("address":"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eb48")"),
                    "t#/items/0/address: the letters' case is not its EIP-55 checksum"},
        faulty_item{"vaults", VAULT(R"("address":"0xabc")"),
                    "t#/items/0/address: expected 0x and 40 hexadecimal digits"},
        faulty_item{"vaults", VAULT(R"("address":"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                                       "underlyingToken":"x y")"),
                    "t#/items/0/underlyingToken: expected 1 to 128 letters and digits"},
        faulty_item{"vaults", R"({"chainId":792703809,"protocolId":"p","name":"N","asset":"SOL",
                                  "address":"0OIl"})",
                    "t#/items/0/address: expected a Solana address"},
        faulty_item{"admin", ADMIN(R"("roles":[{"role":"o","kind":"eoa","threshold":1}])"),
                    "t#/items/0/roles/0: threshold and owners belong to the kind `safe` only"},
        faulty_item{"admin",
                    ADMIN(R"("roles":[{"role":"o","kind":"safe","threshold":3,"owners":2}])"),
                    "t#/items/0/roles/0/threshold: more signatures than there are owners"},
        faulty_item{"admin",
                    ADMIN(R"("roles":[{"role":"o","kind":"eoa","unverifiedGovernance":true}])"),
                    "t#/items/0/roles/0/unverifiedGovernance: belongs to the kind `dao` only"},
        faulty_item{"admin", R"({"vaultId":"p:1:0xAB","class":"eoa","roles":[],
                                 "checkedAt":"2026-01-01T00:00:00Z"})",
                    "t#/items/0/vaultId: expected <protocol>:<chainId>:<address>"},
        faulty_item{"admin", R"({"vaultId":"p:1:0xab","class":"eoa","roles":[],
                                 "checkedAt":"2026-03-01T00:00:01Z"})",
                    "t#/items/0/checkedAt: later than the document's recordedAt"}));

TEST(OwnSchema, RefusesOneVaultUnderTwoProtocols) {
  EXPECT_THAT(only_fault(wrap("vaults", R"({"chainId":1,"protocolId":"p","name":"N","asset":"USDC",
                                "address":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"},
                               {"chainId":1,"protocolId":"q","name":"N","asset":"USDC",
                                "address":"0xA0B86991C6218B36C1D19D4A2E9EB0CE3606EB48"})")),
              HasSubstr("t#/items/1: an item above has the same key"));
}

TEST(OwnSchema, KeepsTheGoodItemsBesideABrokenOne) {
  const auto batch = read(wrap("curators", R"({"id":"a","name":"A","rating":"established"},5,
    {"id":"c","name":"C","rating":"unknown_new"})"));
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->curators.size(), 2U);
  EXPECT_EQ(batch->faults.size(), 1U);
}

TEST(OwnSchema, RefusesABrokenEnvelopeAsAWhole) {
  const auto fault = [](const std::string& text) {
    const auto batch = read(text);
    return batch ? std::string("taken") : batch.error().text();
  };
  EXPECT_THAT(fault(""), HasSubstr("t:1:1: not JSON"));
  EXPECT_THAT(fault("{\"schema\":\n \"assay.vaults/1\""), HasSubstr("t:2:18: not JSON"));
  EXPECT_THAT(fault("[]"), HasSubstr("t#: expected an object, found an array"));
  EXPECT_THAT(fault(R"({"schema":"assay.vault/1"})"), HasSubstr("t#/schema: expected one of"));
  EXPECT_THAT(fault(R"({"schema":"assay.vaults/1","dataset":"d","source":"s",
                        "recordedAt":"yesterday","items":[]})"),
              HasSubstr("t#/recordedAt: expected an instant"));
  EXPECT_THAT(fault(R"({"schema":"assay.vaults/1","dataset":"d","source":"s",
                        "recordedAt":"2026-01-01T00:00:00Z"})"),
              HasSubstr("t#/items: missing, expected an array"));
  EXPECT_THAT(fault(R"({"schema":"assay.vaults/1","dataset":"d","source":"s","extra":1,
                        "recordedAt":"2026-01-01T00:00:00Z","items":[]})"),
              HasSubstr("t#/extra: unknown field"));
  EXPECT_THAT(fault("{\n  \"schema\": \"assay.history/1\", \"dataset\": \"d\", \"source\": \"s\",\n"
                    "  \"recordedAt\": \"2026-01-01T00:00:00Z\"\n}"),
              HasSubstr("a history is NDJSON"));
}

} // namespace
} // namespace assay::feeds
