#include "feeds/prober/probe_document.hpp"
#include "tests/support/stub_http_server.hpp"
#include "tests/support/temporary_directory.hpp"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

namespace assay::app {

namespace {

namespace fs = std::filesystem;
using test::stub_http_server;
using test::stub_request;
using test::stub_response;

/// Starts the program with its output going nowhere; the caller waits for it.
pid_t start(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), ASSAY_PROGRAM);
  std::vector<char*> raw;
  for (auto& argument : arguments)
    raw.push_back(argument.data());
  raw.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("ASSAY_CONF_DIR", ASSAY_SOURCE_DIR "/conf", 1);
    ::setenv("no_proxy", "127.0.0.1", 1);
    if (std::freopen("/dev/null", "w", stdout) == nullptr)
      ::_exit(126);
    ::execv(ASSAY_PROGRAM, raw.data());
    ::_exit(127);
  }
  return child;
}

/// Returns the exit code, or minus the signal that ended the process.
int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

class probe_process : public testing::Test {
protected:
  std::vector<std::string> command(const stub_http_server& api) {
    return {"probe", "--universe", ASSAY_SOURCE_DIR "/conf/sample",
            "--out", file(),       "--limit",
            "2",     "--url",      api.url("/v1/quote")};
  }

  std::string file() const { return (directory / "probes.json").string(); }

  std::size_t written() const {
    std::ifstream in{file(), std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{in}, {}};
    const auto document = feeds::prober::read_probes("probes.json", text);
    EXPECT_TRUE(document) << document.error().text();
    return document ? document->probes.size() : 0;
  }

  /// Ends a run by `signal` inside its second vault and returns how the process ended. The first
  /// vault takes two requests: what is not known to the router has no way back.
  int end_in_the_second_vault(int signal) {
    std::atomic<pid_t> child{0};
    stub_http_server api{[&child, signal, calls = 0](const stub_request&) mutable {
      auto refusal = stub_response::json(R"({"message":"x","code":1004})");
      refusal.status = 422;
      if (++calls == 3) {
        child.wait(0);
        ::kill(child, signal);
      }
      return refusal;
    }};
    child = start(command(api));
    child.notify_all();
    return wait_for(child);
  }

  assay::test::temporary_directory own;
  fs::path directory = own.path();
};

} // namespace

TEST_F(probe_process, StopsOnASignalAndGoesOnLater) {
  EXPECT_EQ(end_in_the_second_vault(SIGTERM), 1);
  EXPECT_EQ(written(), 1U);
  stub_response refusal = stub_response::json(R"({"message":"x","code":1004})");
  refusal.status = 422;
  stub_http_server api{{refusal}};
  EXPECT_EQ(wait_for(start(command(api))), 0);
  EXPECT_EQ(written(), 3U);
}

TEST_F(probe_process, LeavesACompleteFileWhenItIsKilled) {
  EXPECT_EQ(end_in_the_second_vault(SIGKILL), -SIGKILL);
  EXPECT_EQ(written(), 1U);
}

TEST_F(probe_process, RefusesAWrongCommandLine) {
  EXPECT_EQ(wait_for(start({"probe", "--out", file()})), 2);
  EXPECT_EQ(wait_for(start({"probe", "--universe", file(), "--out", file()})), 2);
  EXPECT_FALSE(fs::exists(file()));
}

} // namespace assay::app
