#include "tests/http/transport/test_server.hpp"
#include "tests/support/raw_client.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace assay::http {
namespace {

using namespace test;
using assay::test::raw_client;
using std::chrono::milliseconds;

constexpr std::string_view simple = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

struct child_report {
  std::uint64_t exhausted = 0;
  std::uint64_t over_cap = 0;
};

/// A server in a process of its own that may have 64 descriptors.
class starved_server {
public:
  explicit starved_server(std::size_t spare_descriptors) {
    int up[2], down[2];
    if (::pipe(up) != 0 || ::pipe(down) != 0)
      std::abort();
    child_ = ::fork();
    if (child_ == 0) {
      // The child must see the end of its pipe when the parent closes it.
      ::close(up[0]);
      ::close(down[1]);
      serve(up[1], down[0], spare_descriptors);
    }
    ::close(up[1]);
    ::close(down[0]);
    from_child_ = up[0];
    to_child_ = down[1];
    if (::read(from_child_, &port, sizeof port) != sizeof port)
      std::abort();
  }

  ~starved_server() {
    ::close(to_child_);
    ::close(from_child_);
    if (child_ > 0)
      ::waitpid(child_, nullptr, 0);
  }

  /// CPU time of the child so far.
  milliseconds cpu() const {
    clockid_t clock{};
    timespec used{};
    if (::clock_getcpuclockid(child_, &clock) != 0 || ::clock_gettime(clock, &used) != 0)
      std::abort();
    return milliseconds(used.tv_sec * 1000 + used.tv_nsec / 1'000'000);
  }

  /// Ends the child; true when it exited by itself.
  bool finish(child_report& report) {
    ::close(to_child_);
    to_child_ = -1;
    const bool got = ::read(from_child_, &report, sizeof report) == sizeof report;
    int status = 0;
    ::waitpid(std::exchange(child_, -1), &status, 0);
    return got && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

  std::uint16_t port = 0;

private:
  [[noreturn]] static void serve(int report_to, int wait_on, std::size_t spare_descriptors) {
    rlimit limit{64, 64};
    ::setrlimit(RLIMIT_NOFILE, &limit);
    auto config = test_config();
    config.spare_descriptors = spare_descriptors;
    {
      const auto server = start_server(config);
      const auto port = server->port();
      [[maybe_unused]] auto n = ::write(report_to, &port, sizeof port);
      char octet;
      n = ::read(wait_on, &octet, 1);
      const child_report report{server->stats().descriptors_exhausted,
                                server->stats().connections_over_cap};
      n = ::write(report_to, &report, sizeof report);
    }
    ::_exit(0);
  }

  pid_t child_ = -1;
  int from_child_ = -1;
  int to_child_ = -1;
};

void survives_two_hundred_clients(starved_server& server) {
  std::vector<raw_client> clients;
  std::size_t served = 0, refused = 0;
  for (int i = 0; i < 200; ++i) {
    clients.emplace_back(server.port);
    ASSERT_TRUE(clients.back().connected()) << i;
    clients.back().send(simple);
    const auto got = clients.back().read_response();
    ASSERT_TRUE(got) << i;
    ASSERT_TRUE(got->status == 200 || got->status == 503) << got->status;
    ++(got->status == 200 ? served : refused);
  }
  EXPECT_GT(served, 20u);
  EXPECT_GT(refused, 100u);

  // With every descriptor taken and clients knocking, the server must wait, not spin.
  std::vector<raw_client> knocking;
  for (int i = 0; i < 20; ++i)
    knocking.emplace_back(server.port);
  const auto cpu_before = server.cpu();
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, milliseconds(500));
  EXPECT_LT(server.cpu() - cpu_before, milliseconds(150));

  clients.clear();
  knocking.clear();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(eventually([&] {
    const auto got = assay::test::get(server.port, "/");
    return got && got->status == 200;
  }));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST(Descriptors, WithNoneLeftClientsAreRefusedAndServiceComesBack) {
  starved_server server(0);
  ASSERT_NO_FATAL_FAILURE(survives_two_hundred_clients(server));
  child_report report;
  EXPECT_TRUE(server.finish(report));
  EXPECT_GT(report.exhausted, 0u);
}

TEST(Descriptors, TheCapKeepsSomeForTheRestOfTheProcess) {
  starved_server server(32);
  ASSERT_NO_FATAL_FAILURE(survives_two_hundred_clients(server));
  child_report report;
  EXPECT_TRUE(server.finish(report));
  EXPECT_EQ(report.exhausted, 0u);
  EXPECT_GT(report.over_cap, 100u);
}

} // namespace
} // namespace assay::http
