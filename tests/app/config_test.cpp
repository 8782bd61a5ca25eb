#include "app/config/load.hpp"
#include "app/config/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

namespace assay::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

environment no_environment() {
  return [](const std::string&) { return std::nullopt; };
}

environment only(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
    const auto i = values.find(name);
    return i == values.end() ? std::nullopt : std::optional{i->second};
  };
}

std::vector<problem> problems_of(std::string_view text, const environment& env = no_environment()) {
  const auto result = load_config(text, "test.toml", env);
  return result ? std::vector<problem>{} : result.error();
}

TEST(Config, TheFileInConfSaysWhatTheCodeDoes) {
  std::ifstream file{ASSAY_SOURCE_DIR "/conf/assay.toml"};
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), default_config_text()) << "write it anew with `assay config`";
}

TEST(Config, TheFileInConfReadsBackAsTheDefaults) {
  const auto c = load_config(default_config_text(), "conf/assay.toml", no_environment());
  ASSERT_TRUE(c);
  EXPECT_EQ(c->limits.anonymous_per_minute, 60);
  EXPECT_EQ(c->server.listen, "127.0.0.1:8080");
}

TEST(Config, EnvironmentComesBeforeTheFile) {
  const auto c = load_config("[limits]\nanonymous_per_minute = 10\n", "test.toml",
                             only({{"ASSAY_LIMITS_ANONYMOUS_PER_MINUTE", "20"},
                                   {"ASSAY_LIMITS_EXEMPT_NETWORKS", "127.0.0.0/8, ::1/128"}}));
  ASSERT_TRUE(c);
  EXPECT_EQ(c->limits.anonymous_per_minute, 20);
  EXPECT_THAT(c->limits.exempt_networks, ElementsAre("127.0.0.0/8", "::1/128"));
}

TEST(Config, NamesEveryFaultWithItsPlace) {
  const auto found = problems_of("[limits]\nanonymous_per_minute = \"many\"\nkeys_mx = 5\n"
                                 "[scoring]\nthreads = 0\n[typo]\nx = 1\n");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].text(),
            "test.toml:5:11: scoring.threads: expected a whole number from 1 to 256");
  EXPECT_EQ(found[1].where, "test.toml:2:24");
  EXPECT_THAT(found[2].what, HasSubstr("limits.keys_mx: unknown key"));
  EXPECT_THAT(found[3].what, HasSubstr("typo: unknown key"));
}

TEST(Config, NamesTheLineOfASyntaxError) {
  const auto found = problems_of("[server]\nlisten = \n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].where, HasSubstr("test.toml:2:"));
}

TEST(Config, NamesTheVariableThatIsWrong) {
  for (const char* text : {"", "12x", " 12", "0", "1e3", "99999999999999999999"}) {
    const auto found = problems_of("", only({{"ASSAY_SCORING_THREADS", text}}));
    ASSERT_EQ(found.size(), 1u) << text;
    EXPECT_EQ(found[0].where, "ASSAY_SCORING_THREADS");
  }
}

TEST(Config, RefusesAChoiceThatDoesNotExist) {
  const auto found = problems_of("[log]\nlevel = \"loud\"\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].what, HasSubstr("expected one of trace|debug|info|warn|error|off"));
}

TEST(Config, JudgesValuesWithASyntaxOfTheirOwnWhereTheyStand) {
  const auto found = problems_of("[server]\nlisten = \"nowhere\"\n[redis]\nurl = \"http://x\"\n"
                                 "[limits]\nexempt_networks = [\"::1\", \"10.0.0.0/99\"]\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].where, "test.toml:2:10");
  EXPECT_THAT(found[0].what, HasSubstr("expected HOST:PORT"));
  EXPECT_EQ(found[1].where, "test.toml:4:7");
  EXPECT_EQ(found[2].where, "test.toml:6:19");
  EXPECT_THAT(found[2].what, HasSubstr("10.0.0.0/99"));
  const auto variable =
      problems_of("", only({{"ASSAY_LIMITS_TRUSTED_PROXIES", "127.0.0.1,nobody"}}));
  ASSERT_EQ(variable.size(), 1u);
  EXPECT_EQ(variable[0].where, "ASSAY_LIMITS_TRUSTED_PROXIES");
}

TEST(Config, ReadsFeeds) {
  const auto c = load_config("[[feeds]]\nname = \"a\"\nadapter = \"assay\"\nurl = \"file:///x\"\n"
                             "cadence_s = 7\n",
                             "test.toml", no_environment());
  ASSERT_TRUE(c);
  EXPECT_THAT(c->feeds, ElementsAre(feed_source{"a", "assay", "file:///x", 7}));
  const auto full =
      load_config("[[feeds]]\nname = \"a\"\nadapter = \"defillama\"\nurl = \"http://x\"\n"
                  "body = \"{}\"\npages = 2\npage_size = 50\nheaders_file = \"h\"\n"
                  "pool_map = \"p\"\nchain = 42161\n",
                  "test.toml", no_environment());
  ASSERT_TRUE(full);
  EXPECT_THAT(full->feeds, ElementsAre(feed_source{"a", "defillama", "http://x", 300, "{}", 2, 50,
                                                   "h", "p", 42161}));
  EXPECT_EQ(
      problems_of("[[feeds]]\nname = \"a\"\nadapter = \"assay\"\nurl = \"c\"\npages = 0\n").size(),
      1u);
  EXPECT_EQ(problems_of("[[feeds]]\nname = \"a\"\n").size(), 1u);
  EXPECT_EQ(problems_of("[[feeds]]\nname = 1\nadapter = \"b\"\nurl = \"c\"\nx = 1\n").size(), 4u);
  EXPECT_EQ(problems_of("feeds = 3\n").size(), 1u);
}

} // namespace
} // namespace assay::app
