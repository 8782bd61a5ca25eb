#include "app/commands/keys.hpp"

#include "store/keys/api_key.hpp"

#include "tests/support/redis_server.hpp"
#include "tests/support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace assay::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr time_point now{std::chrono::milliseconds{1'763'726'400'123}};

struct result {
  int code = 0;
  std::string out;
  std::string err;
};

result run(const keys_arguments& a) {
  std::ostringstream out, err;
  const int code = run_keys(a, now, out, err);
  return {code, out.str(), err.str()};
}

class KeysCommand : public ::testing::Test {
protected:
  test::temporary_directory directory;

  keys_arguments arguments(std::string action) {
    keys_arguments a;
    a.action = std::move(action);
    a.data_dir = directory.path();
    a.output = "json";
    return a;
  }
  /// Issues a key and returns its text.
  std::string issue(const std::string& name) {
    auto a = arguments("issue");
    a.name = name;
    const auto r = run(a);
    EXPECT_EQ(r.code, 0) << r.err;
    return r.out.substr(8, 38);
  }
};

TEST_F(KeysCommand, ShowsANewKeyOnce) {
  auto a = arguments("issue");
  a.name = "acme";
  const auto r = run(a);
  ASSERT_EQ(r.code, 0) << r.err;
  const auto key = r.out.substr(8, 38);
  EXPECT_TRUE(store::looks_like_api_key(key)) << r.out;
  const auto id = store::key_id(store::digest_of(key));
  EXPECT_EQ(r.out, "{\"key\":\"" + key + "\",\"id\":\"" + id +
                       "\",\"name\":\"acme\",\"createdAt\":\"2025-11-21T12:00:00.123Z\"}\n");
  const auto list = run(arguments("list"));
  EXPECT_EQ(list.out, "[{\"id\":\"" + id +
                          "\",\"name\":\"acme\",\"createdAt\":\"2025-11-21T12:00:00.123Z\","
                          "\"retiredAt\":null}]\n");
}

TEST_F(KeysCommand, PrintsTables) {
  auto a = arguments("issue");
  a.output = "table";
  a.name = "acme";
  const auto r = run(a);
  EXPECT_THAT(r.out, HasSubstr("key   assay_"));
  EXPECT_THAT(r.out, HasSubstr("name  acme"));
  auto list = arguments("list");
  list.output = "table";
  EXPECT_THAT(run(list).out,
              ::testing::MatchesRegex("ID            NAME  CREATED                   RETIRED\n"
                                      "............  acme  2025-11-21T12:00:00.123Z  -\n"));
}

TEST_F(KeysCommand, RetiresByNameIdAndKey) {
  const auto first = issue("acme"), second = issue("bolt"), third = issue("core");
  auto by_name = arguments("retire");
  by_name.name = "acme";
  EXPECT_THAT(run(by_name).out, HasSubstr("\"retiredAt\":\"2025-11-21T12:00:00.123Z\""));
  auto by_id = arguments("retire");
  by_id.id = store::key_id(store::digest_of(second));
  EXPECT_THAT(run(by_id).out, HasSubstr("bolt"));
  auto by_key = arguments("retire");
  by_key.key = third;
  EXPECT_THAT(run(by_key).out, HasSubstr("core"));
  EXPECT_THAT(run(arguments("list")).out, Not(HasSubstr("null")));
  by_key.key = "assay_unknown";
  const auto r = run(by_key);
  EXPECT_EQ(r.code, 2);
  EXPECT_THAT(r.err, Not(HasSubstr("assay_unknown")));
}

TEST_F(KeysCommand, RefusesWrongArgumentsWithOneLine) {
  const auto refused = [&](auto change, const std::string& says) {
    auto a = arguments("issue");
    a.name = "acme";
    change(a);
    const auto r = run(a);
    EXPECT_EQ(r.code, 2) << says;
    EXPECT_THAT(r.err, HasSubstr(says));
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1);
    EXPECT_TRUE(r.out.empty());
  };
  refused([](auto& a) { a.action = "drop"; }, "expected issue, list or retire, got 'drop'");
  refused([](auto& a) { a.output = "xml"; }, "--output: expected table or json, got 'xml'");
  refused([](auto& a) { a.data_dir = ""; }, "expected either --data-dir DIR or --redis URL");
  refused([](auto& a) { a.redis = "redis://h"; }, "expected either --data-dir DIR or --redis URL");
  refused([](auto& a) { a.name = ""; }, "--name: expected the name of the partner");
  refused([](auto& a) { a.name = "a b"; }, "name: expected 1 to 64 characters");
  refused([](auto& a) { a.action = "retire", a.name = ""; }, "expected one of --name N");
  refused([](auto& a) { a.action = "retire", a.id = "x"; }, "expected one of --name N");
  refused([](auto& a) { a.action = "list", a.data_dir += "/nowhere"; },
          "--data-dir: there is no directory");
  refused([](auto& a) { a.data_dir = "", a.redis = "http://h"; }, "redis URL: unknown scheme");
}

TEST_F(KeysCommand, WorksOnARedis) {
  test::redis_server server;
  auto a = arguments("issue");
  a.data_dir = "";
  a.redis = server.url();
  a.name = "acme";
  ASSERT_EQ(run(a).code, 0);
  a.action = "list";
  EXPECT_THAT(run(a).out, HasSubstr("acme"));
  a.action = "retire";
  EXPECT_THAT(run(a).out, Not(HasSubstr("null")));
  server.kill();
  a.action = "list";
  const auto r = run(a);
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.err, HasSubstr("cannot connect"));
}

} // namespace
} // namespace assay::app
