// A service that is started again while its upstreams are down: what they said before is still
// known, because it was archived.
#include "tests/process_cpp/live_universe.hpp"
#include "tests/process_cpp/service_process.hpp"
#include "tests/support/stub_http_server.hpp"
#include "tests/support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace assay::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

const auto& listed = live_universe::one;
const std::string added_address = "0x00000000000000000000000000000000000000a1";
const std::string added = "synthetic-38:8453:" + added_address;

std::string ago(std::chrono::seconds by) {
  return to_iso8601(wall_clock() - by);
}

/// What each upstream says, by the path that it is asked for.
std::string upstream(const std::string& path) {
  const auto kind = path.substr(1);
  if (kind == "vaults")
    return feed_document_of(
        kind, "{\"chainId\":8453,\"protocolId\":\"synthetic-38\",\"address\":\"" + added_address +
                  "\",\"name\":\"Added by a feed\",\"asset\":\"DAI\"}");
  if (kind == "admin")
    return feed_document_of(kind, "{\"vaultId\":\"" + listed +
                                      "\",\"class\":\"immutable\",\"roles\":[],\"checkedAt\":\"" +
                                      ago(60s) + "\"}");
  if (kind == "probes")
    return feed_document_of(kind,
                            "{\"vaultId\":\"" + added + "\",\"checkedAt\":\"" + ago(60s) +
                                "\",\"path\":\"composer\",\"router\":\"lifi\",\"trips\":["
                                "{\"notionalUsd\":100,\"outcome\":\"completed\",\"usdIn\":100,"
                                "\"usdOut\":99.5,\"swapGas\":850614}]}");
  if (kind == "gas")
    return feed_document_of(kind, "{\"chainId\":8453,\"at\":\"" + ago(60s) +
                                      "\",\"gwei\":0.0125,\"nativeUsd\":4000}");
  return feed_document(feed_item(listed, "5.25", "1234567") + "," +
                       feed_item(added, "6.5", "7654321"));
}

const std::vector<std::string> paths{"/vaults", "/observations", "/admin", "/probes", "/gas"};

class WarmRestart : public ::testing::Test {
protected:
  void SetUp() override {
    stub.emplace([](const stub_request& r) { return stub_response::json(upstream(r.target)); });
    std::ofstream conf{directory.path() / "assay.toml"};
    conf << "[catalog]\nretries = 0\n[scoring]\ncadence_s = 1\n";
    for (const auto& path : paths)
      conf << "[[feeds]]\nname = \"" << path.substr(1)
           << "\"\nadapter = \"assay\"\ncadence_s = 1\nurl = \"" << stub->url(path) << "\"\n";
  }

  void start() {
    service.reset();
    service.emplace(directory.path() / "serve",
                    std::vector<std::string>{"--universe", universe.path(), "--data-dir",
                                             (directory.path() / "data").string(), "--config",
                                             (directory.path() / "assay.toml").string()});
    ASSERT_TRUE(service->wait_until_ready()) << service->process().log();
  }

  std::string catalog(const std::string& name) const {
    return member_text(service->get("/v1/catalog"), name, "\"id\":\"" + added + "\"");
  }
  bool admin_is_scored() const {
    return service->get("/v1/vaults/8453/" + listed.substr(listed.rfind(':') + 1) + "/factors")
               .find("immutable") != std::string::npos;
  }
  std::string vault(const std::string& rest) const {
    return service->get("/v1/vaults/8453/" + added_address + rest);
  }

  temporary_directory directory;
  live_universe universe{directory.path()};
  std::optional<stub_http_server> stub;
  std::optional<service_process> service;
};

TEST_F(WarmRestart, KnowsWhatTheFeedsSaidAlthoughTheyAreGone) {
  start();
  const auto told = [this] {
    return admin_is_scored() && catalog("apy") == "6.5" &&
           member_text(vault("/route"), "verdict") == "OK" &&
           service->get("/v1/gas?chainId=8453").find("\"usdPerMillionGas\":0.05") !=
               std::string::npos;
  };
  ASSERT_TRUE(eventually(told)) << service->get("/v1/catalog") << service->process().log();
  stub.reset();
  start();
  // Asked at once: nothing of it needs the upstreams.
  EXPECT_EQ(catalog("apy"), "6.5");
  EXPECT_EQ(catalog("tvl"), "7654321");
  EXPECT_EQ(member_text(vault("/route"), "verdict"), "OK");
  EXPECT_THAT(service->get("/v1/gas?chainId=8453"), HasSubstr("\"usdPerMillionGas\":0.05"));
  EXPECT_TRUE(admin_is_scored());
}

} // namespace
} // namespace assay::test
