#pragma once

#include "tests/support/raw_client.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace assay::test {

/// The program itself as a child; dies with the object, and with the test program.
class program {
public:
  /// Starts `assay` with these arguments; its output goes to files of `directory`.
  /// `environment`: further `NAME=value` entries.
  program(std::filesystem::path directory, const std::vector<std::string>& arguments,
          const std::vector<std::string>& environment = {});
  ~program();
  program(const program&) = delete;
  program& operator=(const program&) = delete;

  /// kill -9; returns when it is gone.
  void kill();
  /// SIGTERM; returns at once.
  void terminate();
  /// Waits for its end and returns the exit code, or -1 when a signal ended it or time is up.
  int wait(std::chrono::seconds limit = std::chrono::seconds{60});
  bool running();

  std::string output() const;
  std::string log() const;

private:
  std::filesystem::path directory_;
  pid_t pid_ = -1;
  std::optional<int> status_;
};

/// `assay serve` on ports that the system chooses.
class service_process {
public:
  service_process(std::filesystem::path directory, std::vector<std::string> arguments,
                  const std::vector<std::string>& environment = {});

  /// True once it listens and answers; false when it ended or did not within the limit.
  bool wait_until_ready(std::chrono::seconds limit = std::chrono::seconds{60});

  /// Body of a GET of the public or the admin address; empty when there was no answer. Further
  /// header lines end in CRLF.
  std::string get(std::string_view target, std::string_view header_lines = {}) const;
  /// The whole response of the public address.
  std::optional<raw_response> ask(std::string_view target) const;
  std::string metrics() const;
  /// Value of a sample of /metrics, for example `assay_feed_failures_total{feed="up"}`; -1 when
  /// there is none.
  double metric(std::string_view sample) const;

  /// Of the public address, once it listens.
  std::uint16_t port() const noexcept { return port_; }

  program& process() noexcept { return program_; }

private:
  program program_;
  std::uint16_t port_ = 0;
  std::uint16_t admin_port_ = 0;
};

/// Asks until `holds` or the limit is reached; returns whether it holds.
bool eventually(const std::function<bool()>& holds,
                std::chrono::seconds limit = std::chrono::seconds{30});

/// The text of a member's value in a JSON document, from the first place where it stands behind
/// `after`; empty when it is not there. Fit for numbers, texts and null.
std::string member_text(std::string_view json, std::string_view name, std::string_view after = {});

} // namespace assay::test
