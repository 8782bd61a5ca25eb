#include "http/api/router.hpp"

#include "tests/http/api/api_world.hpp"

#include <gtest/gtest.h>

namespace assay::http {
namespace {

using testing::api_world;

TEST(Router, FindsEveryEndpointByItsDeclaredPath) {
  for (const auto& e : endpoints()) {
    std::string path(e.path);
    for (const auto& [name, value] : {std::pair{"{chainId}", "1"}, std::pair{"{address}", "abc"}})
      if (const auto at = path.find(name); at != std::string::npos)
        path.replace(at, std::string_view(name).size(), value);
    EXPECT_EQ(find_endpoint(path).target, &e) << path;
    EXPECT_EQ(find_endpoint(path + '/').target, &e) << path;
    EXPECT_EQ(find_endpoint(path + "//").target, nullptr) << path;
    EXPECT_EQ(find_endpoint(path + "x").target == &e, e.path.ends_with('}')) << path;
  }
}

TEST(Router, DecodesSegmentsAfterSplitting) {
  const auto m = find_endpoint("/v1/vaults/%31/a%2Fb/fact%6Frs");
  ASSERT_NE(m.target, nullptr);
  EXPECT_EQ(m.target->id, endpoint_id::vault_factors);
  EXPECT_EQ(m.captures[0], "1");
  EXPECT_EQ(m.captures[1], "a/b");
  EXPECT_EQ(find_endpoint("/v1/%73cores").target, &endpoint_of(endpoint_id::scores));
}

TEST(Router, FindsNothingElsewhere) {
  for (const auto* path : {"", "*", "/v1", "/v1/", "//v1/scores", "/v1/Scores", "/v2/scores",
                           "/v1/scores/1", "/v1/vaults/1/factors", "/v1/../v1/scores", "/scores"})
    EXPECT_EQ(find_endpoint(path).target, nullptr) << path;
}

TEST(Routing, RefusesBadPathsMethodsAndAddresses) {
  const api_world w;
  EXPECT_EQ(w.get("/v1/scores/").status, 200);
  EXPECT_EQ(w.send(method::head, "/v1/scores").status, 200);
  EXPECT_STREQ(w.get("/v1/nothing").json()["error"].GetString(), "Not found");
  for (const auto verb : {method::post, method::put, method::patch, method::delete_, method::trace})
    EXPECT_EQ(w.send(verb, "/v1/scores").header("allow"), "GET, HEAD, OPTIONS");
  EXPECT_EQ(w.get("/v1/basket").status, 405);
  EXPECT_EQ(w.get("/v1/basket").header("allow"), "POST, OPTIONS");
  const auto bad = w.get("/v1/vaults/0/0x12/factors").json();
  EXPECT_EQ(bad["details"]["fieldErrors"].MemberCount(), 2U);
  EXPECT_EQ(w.get("/v1/vaults/1/%zz/factors").status, 400);
  EXPECT_EQ(w.get("/v1/vaults/1/%00/factors").status, 400);
  EXPECT_EQ(w.get("/v1/vaults/1/a%2Fb/factors").status, 400);
  EXPECT_EQ(w.get("/v1/vaults/1//factors").status, 404);
}

} // namespace
} // namespace assay::http
