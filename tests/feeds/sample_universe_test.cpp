#include "feeds/json/json_text.hpp"
#include "feeds/universe_directory.hpp"
#include "feeds/vault_reference.hpp"

#include <gmock/gmock.h>
#include <rapidjson/schema.h>
#include <rapidjson/stringbuffer.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace assay::feeds {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono;

const std::string sample_directory = std::string(ASSAY_SOURCE_DIR) + "/conf/sample";
const std::string schema_directory = std::string(ASSAY_SOURCE_DIR) + "/conf/schema";

std::string read_text(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

bool is_fictional(const std::string& id) {
  return id.rfind("example-", 0) == 0;
}

std::vector<fs::path> documents() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(sample_directory))
    if (entry.path().extension() == ".json" || entry.path().extension() == ".ndjson")
      out.push_back(entry.path());
  return out;
}

// The sample, loaded once for all tests.
const loaded_universe& sample() {
  static const auto loaded = load_universe_directory(sample_directory);
  if (!loaded)
    throw std::runtime_error(loaded.error().front().text());
  return *loaded;
}

// The promises of the sample universe, one by one.

TEST(SampleUniverse, IsReadWithoutAProblem) {
  const auto loaded = load_universe_directory(sample_directory);
  if (!loaded)
    for (const auto& x : loaded.error())
      ADD_FAILURE() << x.text();
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->universe.dataset, "sample");
}

TEST(SampleUniverse, HasRealVaultsOfManyProtocolsAndChains) {
  std::set<std::string> protocols;
  std::set<chain_id> chains;
  std::size_t real = 0;
  std::size_t with_apy = 0;
  std::size_t with_tvl = 0;
  for (const auto& v : sample().universe.vaults) {
    if (is_fictional(v.protocol_id))
      continue;
    ++real;
    protocols.insert(v.protocol_id);
    chains.insert(v.chain);
  }
  for (const auto& x : sample().live) {
    with_apy += !is_fictional(x.vault_id) && x.apy;
    with_tvl += !is_fictional(x.vault_id) && x.tvl_usd;
  }
  EXPECT_GE(real, 400U);
  EXPECT_GE(protocols.size(), 6U);
  EXPECT_GE(chains.size(), 5U);
  EXPECT_TRUE(chains.contains(solana_chain_id));
  EXPECT_GE(with_apy, 400U);
  EXPECT_GE(with_tvl, 400U);
}

TEST(SampleUniverse, SpellsEveryAddressAsItIsOnChain) {
  std::size_t seen = 0;
  for (const auto& path : documents()) {
    if (path.filename().string().rfind("vaults-", 0) != 0)
      continue;
    const auto text = read_text(path);
    rapidjson::Document root;
    ASSERT_FALSE(parse_json(path.string(), text, root));
    for (const auto& item : root["items"].GetArray())
      for (const char* field : {"address", "underlyingToken"}) {
        if (!item.HasMember(field))
          continue;
        const std::string address = item[field].GetString();
        const auto chain = item["chainId"].GetUint64();
        const auto read = read_address(chain, address);
        ASSERT_TRUE(read) << address;
        EXPECT_EQ(*read, address);
        EXPECT_EQ(chain == solana_chain_id, !to_eip55(address)) << address;
        ++seen;
      }
  }
  EXPECT_GE(seen, 800U);
}

TEST(SampleUniverse, HasHistoriesThatSpanAMonth) {
  std::size_t real = 0;
  std::size_t fortnight = 0;
  for (const auto& [id, series] : sample().histories) {
    const bool long_enough = series.day.back() - series.day.front() >= 31;
    real += !is_fictional(id) && long_enough;
    fortnight += series.size() >= 14;
  }
  EXPECT_GE(real, 250U);
  EXPECT_GE(fortnight, 150U);
}

TEST(SampleUniverse, KeepsBaseAndRewardApart) {
  std::size_t base = 0;
  std::size_t reward = 0;
  for (const auto& x : sample().live) {
    base += !is_fictional(x.vault_id) && x.apy_base;
    reward += !is_fictional(x.vault_id) && x.apy_reward;
    if (x.apy && x.apy_base) {
      EXPECT_NEAR(*x.apy, *x.apy_base + x.apy_reward.value_or(0), 0.01) << x.vault_id;
    }
  }
  EXPECT_GE(base, 300U);
  EXPECT_GE(reward, 5U);
}

TEST(SampleUniverse, InventsNothingAboutARealVault) {
  std::size_t fictional = 0;
  for (const auto& v : sample().universe.vaults) {
    if (!is_fictional(v.protocol_id))
      continue;
    ++fictional;
    EXPECT_THAT(v.name, testing::HasSubstr("(fictional)"));
  }
  EXPECT_GE(fictional, 30U);
  EXPECT_LE(fictional, 60U);
  for (const auto& [id, admin] : sample().universe.admins)
    EXPECT_TRUE(is_fictional(id)) << id;
  for (const auto& probe : sample().probes)
    EXPECT_TRUE(is_fictional(probe.vault_id)) << probe.vault_id;
  for (const auto& gas : sample().gas_observed)
    EXPECT_TRUE(is_fictional(gas.vault_id)) << gas.vault_id;
}

TEST(SampleUniverse, NamesTheSourceOfEveryDocumentAndEveryProtocolsFacts) {
  const auto provenance = read_text(sample_directory + "/PROVENANCE.md");
  for (const auto& path : documents())
    EXPECT_THAT(provenance, testing::HasSubstr('`' + path.filename().string() + '`'));
  for (const auto& [id, protocol] : sample().universe.protocols)
    if (protocol.audits || protocol.incidents || protocol.launched_at) {
      EXPECT_THAT(provenance, testing::HasSubstr('`' + id + '`'));
    }
}

TEST(SampleUniverse, CoversEveryAdminClassRoleAndRating) {
  std::set<admin_class> classes;
  std::set<role_kind> kinds;
  std::set<std::optional<curator_rating>> ratings;
  std::set<std::optional<bool>> unverified;
  for (const auto& [id, admin] : sample().universe.admins) {
    classes.insert(admin.cls);
    ratings.insert(admin.rating);
    for (const auto& role : admin.roles) {
      kinds.insert(role.kind);
      unverified.insert(role.unverified_governance);
    }
  }
  EXPECT_EQ(classes.size(), enum_size<admin_class>);
  EXPECT_EQ(kinds.size(), enum_size<role_kind>);
  EXPECT_EQ(ratings.size(), 3U);
  EXPECT_EQ(unverified.size(), 3U);
}

TEST(SampleUniverse, CoversEveryOutcomeOfAProbe) {
  std::set<trip_outcome> outcomes;
  std::set<std::string> routers;
  std::set<int> bands; // of the worst retained share: OK, DEGRADED, DANGEROUS
  bool without_swap_gas = false;
  bool without_quote_at_size = false;
  for (const auto& probe : sample().probes) {
    routers.insert(probe.router);
    double worst = 1;
    for (const auto& trip : probe.trips) {
      outcomes.insert(trip.outcome);
      const bool completed = trip.outcome == trip_outcome::completed;
      if (completed)
        worst = std::min(worst, *trip.usd_out / *trip.usd_in);
      without_swap_gas |= completed && !trip.swap_gas;
      without_quote_at_size |= !completed && probe.trips.front().outcome == trip_outcome::completed;
    }
    if (probe.trips.front().outcome == trip_outcome::completed)
      bands.insert(worst >= 0.97 ? 0 : worst >= 0.85 ? 1 : 2);
  }
  EXPECT_EQ(outcomes.size(), enum_size<trip_outcome>);
  EXPECT_EQ(routers, (std::set<std::string>{"none", "lifi", "pendle"}));
  EXPECT_EQ(bands.size(), 3U);
  EXPECT_TRUE(without_swap_gas);
  EXPECT_TRUE(without_quote_at_size);
}

TEST(SampleUniverse, HasGasOfEveryRegime) {
  std::map<chain_id, std::vector<time_point>> samples;
  time_point newest{};
  for (const auto& x : sample().gas_samples) {
    samples[x.chain].push_back(x.at);
    newest = std::max(newest, x.at);
  }
  std::size_t whole = 0;
  std::size_t young = 0;
  std::size_t stale = 0;
  for (const auto& [chain, at] : samples) {
    const auto coverage = at.back() - at.front();
    whole += at.size() == 7 * 96 && coverage == days{7} - minutes{15};
    young += coverage < hours{6};
    stale += newest - at.back() > hours{1};
  }
  EXPECT_GE(whole, 4U);
  EXPECT_GE(young, 1U);
  EXPECT_GE(stale, 1U);
  const auto wide = [](const observed_gas& x) {
    if (x.exit_units.empty())
      return false;
    const auto [low, high] = std::minmax_element(x.exit_units.begin(), x.exit_units.end());
    return *high > 2 * *low;
  };
  EXPECT_TRUE(std::any_of(sample().gas_observed.begin(), sample().gas_observed.end(), wide));
  EXPECT_FALSE(std::all_of(sample().gas_observed.begin(), sample().gas_observed.end(), wide));
}

TEST(SampleUniverse, LacksInputsHereAndThere) {
  std::map<std::string, const live_entry*> live;
  for (const auto& x : sample().live)
    live[x.vault_id] = &x;
  for (const bool fictional : {false, true}) {
    int no_history = 0;
    int no_admin = 0;
    int no_live = 0;
    int no_apy = 0;
    int no_tvl = 0;
    for (const auto& v : sample().universe.vaults) {
      if (is_fictional(v.protocol_id) != fictional)
        continue;
      no_history += !sample().histories.contains(v.vault_id);
      no_admin += sample().universe.find_admin(v.vault_id) == nullptr;
      const auto found = live.find(v.vault_id);
      no_live += found == live.end();
      no_apy += found != live.end() && !found->second->apy;
      no_tvl += found != live.end() && !found->second->tvl_usd;
    }
    EXPECT_GT(no_history, 0);
    EXPECT_GT(no_admin, 0);
    EXPECT_GT(no_live, 0);
    EXPECT_GT(no_apy, 0);
    EXPECT_GT(no_tvl, 0);
  }
}

TEST(SampleUniverse, EndsNowInEveryPartWhenItIsReplayed) {
  const time_point now = sys_days{2030y / 1 / 1} + 12h;
  const auto replayed = load_universe_directory(sample_directory, {now});
  ASSERT_TRUE(replayed);
  EXPECT_EQ(replayed->newest_observation, now);
  std::map<std::string, time_point> newest;
  for (const auto& x : replayed->live) {
    auto& t = newest[replayed->universe.find_vault(x.vault_id)->protocol_id];
    t = std::max(t, x.observed_at);
  }
  for (const auto& [protocol, t] : newest)
    EXPECT_EQ(t, now) << protocol;
}

TEST(SampleUniverse, StaysSmall) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(sample_directory))
    bytes += entry.file_size();
  EXPECT_LT(bytes, 6'000'000U);
}

// Holds one of the JSON Schema files that describe the documents to users.
class json_schema {
public:
  explicit json_schema(const std::string& kind) {
    const auto path = schema_directory + "/assay." + kind + "-1.schema.json";
    rapidjson::Document source;
    const auto text = read_text(path);
    if (const auto broken = parse_json(path, text, source))
      throw std::runtime_error(broken->text());
    schema_ = std::make_unique<rapidjson::SchemaDocument>(source);
  }

  // Returns where the document breaks the schema; empty when it does not.
  std::string fault(const rapidjson::Document& root) const {
    rapidjson::SchemaValidator validator(*schema_);
    if (root.Accept(validator))
      return {};
    rapidjson::StringBuffer at;
    validator.GetInvalidDocumentPointer().StringifyUriFragment(at);
    return at.GetString() + std::string(" breaks ") + validator.GetInvalidSchemaKeyword();
  }

private:
  std::unique_ptr<rapidjson::SchemaDocument> schema_;
};

TEST(SampleUniverse, IsValidByTheJsonSchemaFiles) {
  std::set<std::string> kinds;
  for (const auto& path : documents()) {
    auto rest = read_text(path);
    const bool lines = path.extension() == ".ndjson";
    for (std::size_t number = 1; !rest.empty(); ++number) {
      const auto end = lines ? rest.find('\n') : std::string::npos;
      const auto text = rest.substr(0, end);
      rest.erase(0, end == std::string::npos ? end : end + 1);
      rapidjson::Document root;
      ASSERT_FALSE(parse_json(path.string(), text, root));
      std::string kind = "history";
      if (!lines) {
        const std::string schema = root["schema"].GetString();
        kind = schema.substr(6, schema.size() - 8);
      }
      kinds.insert(kind);
      EXPECT_EQ(json_schema(kind).fault(root), "") << path << ':' << number;
    }
  }
  EXPECT_EQ(kinds.size(), 11U);
}

struct schema_case {
  const char* kind;
  const char* item;
};

class BrokenItem : public testing::TestWithParam<schema_case> {};

// The schema files would be worth nothing if they let everything pass.
TEST_P(BrokenItem, IsRefusedByTheJsonSchemaToo) {
  rapidjson::Document root;
  const auto text = std::string(R"({"schema":"assay.)") + GetParam().kind +
                    R"(/1","dataset":"d","source":"s","recordedAt":"2026-01-01T00:00:00Z",)" +
                    R"("items":[)" + GetParam().item + "]}";
  ASSERT_FALSE(parse_json("t", text, root));
  EXPECT_NE(json_schema(GetParam().kind).fault(root), "");
}

INSTANTIATE_TEST_SUITE_P(
    JsonSchema, BrokenItem,
    testing::Values(schema_case{"observations", R"({"vaultId":"p:1:0xab","tvlUsd":-1})"},
                    schema_case{"observations", R"({"vaultId":"p:1:0xab","apy":"5"})"},
                    schema_case{"observations", R"({"vaultId":"p:1:0xAB"})"},
                    schema_case{"observations", R"({"vaultId":"p:1:0xab","apyy":5})"},
                    schema_case{"observations", R"({"vaultId":"p:1:0xab","at":"yesterday"})"},
                    schema_case{"chains", R"({"chainId":1.5,"key":"a","name":"A","evm":true})"},
                    schema_case{"chains", R"({"key":"a","name":"A","evm":true})"},
                    schema_case{"assets", R"({"symbol":"A","class":"gold"})"},
                    schema_case{"protocols", R"({"id":"A B","name":"A","category":"x"})"},
                    schema_case{"admin", R"({"vaultId":"p:1:0xab","class":"eoa","roles":[{}],
                                             "checkedAt":"2026-01-01T00:00:00Z"})"},
                    schema_case{"probes", R"({"vaultId":"p:1:0xab","path":"x","router":"lifi",
                      "checkedAt":"2026-01-01T00:00:00Z","trips":[]})"}));

} // namespace
} // namespace assay::feeds
