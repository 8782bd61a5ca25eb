#include "store/archive/archive.hpp"

#include "tests/store/archive/random_records.hpp"
#include "tests/support/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace assay::store {
namespace {

using namespace std::chrono_literals;

constexpr time_point start{std::chrono::milliseconds{1'763'726'400'000}};
constexpr int rows_per_run = 12;

/// What the child says over the pipe after a call has returned: everything up to here is safe.
struct acknowledgement {
  std::int64_t scored_at_ms = 0;
  inputs_revision revision = 0;
};

/// Observes and scores without end.
[[noreturn]] void write_until_killed(const std::filesystem::path& directory, int pipe_out,
                                     std::uint64_t seed) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  auto opened = archive::open(directory);
  if (!opened)
    _exit(1);
  auto& a = *opened;
  test::random_records random{seed};
  auto now = start;
  if (const auto run = a.read().latest_run(); run && *run)
    now = (*run)->scored_at;
  for (;;) {
    now += 4h;
    std::vector<observation> seen;
    for (int i = 0; i < rows_per_run; ++i)
      seen.push_back(random.observed("v" + std::to_string(i), now));
    const auto inputs = a.append_observations(seen);
    if (!inputs)
      _exit(2);
    const auto run = a.append_scores(random.batch(rows_per_run, now, inputs->revision));
    if (!run)
      _exit(3);
    const acknowledgement ack{now.time_since_epoch().count(), inputs->revision};
    if (write(pipe_out, &ack, sizeof ack) != sizeof ack)
      _exit(4);
  }
}

/// Runs a writer, kills it `after` its `acks`-th acknowledgement; returns the last one read.
acknowledgement write_and_kill(const std::filesystem::path& directory, std::uint64_t seed,
                               std::uint64_t acks, std::chrono::microseconds after) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    write_until_killed(directory, ends[1], seed);
  }
  close(ends[1]);
  acknowledgement last, ack;
  for (std::uint64_t i = 0; i < acks && read(ends[0], &ack, sizeof ack) == sizeof ack; ++i)
    last = ack;
  std::this_thread::sleep_for(after);
  kill(child, SIGKILL);
  while (read(ends[0], &ack, sizeof ack) == sizeof ack)
    last = ack;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the writer failed with code " << WEXITSTATUS(status);
  return last;
}

TEST(Crash, LosesNoAcknowledgedRowAndTearsNone) {
  test::temporary_directory directory;
  test::random_records random{std::random_device{}()};
  acknowledgement safe;
  int rounds_with_work = 0;
  for (std::uint64_t round = 0; round < 200; ++round) {
    const auto ack = write_and_kill(directory.path(), round, random.below(4),
                                    std::chrono::microseconds{random.below(3000)});
    if (ack.scored_at_ms != 0) {
      safe = ack;
      ++rounds_with_work;
    }
    auto a = archive::open(directory.path());
    ASSERT_TRUE(a) << a.error().text();
    if (safe.scored_at_ms == 0)
      continue;
    ASSERT_GE(*a->read().revision(), safe.revision);
    const auto latest = a->read().latest_run();
    ASSERT_TRUE(latest && *latest);
    ASSERT_GE((*latest)->scored_at.time_since_epoch().count(), safe.scored_at_ms);
    ASSERT_LE((*latest)->inputs, *a->read().revision());
    const auto rows = a->read().latest_scores();
    ASSERT_TRUE(rows) << rows.error().text();
    ASSERT_EQ(rows->size(), static_cast<std::size_t>(rows_per_run));
    if (round % 25 == 24) {
      const auto report = a->read().check_integrity();
      ASSERT_TRUE(report);
      ASSERT_TRUE(report->problems.empty()) << report->problems.front().text();
      // One run every 4 h from the start: none of those acknowledged is missing.
      ASSERT_EQ(report->runs, ((*latest)->scored_at - start) / std::chrono::hours{4});
    }
  }
  EXPECT_GT(rounds_with_work, 100);
}

} // namespace
} // namespace assay::store
