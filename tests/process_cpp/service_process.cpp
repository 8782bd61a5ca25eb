#include "tests/process_cpp/service_process.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace assay::test {

namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

void redirect(int fd, const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || dup2(file, fd) < 0)
    _exit(127);
  ::close(file);
}

/// The port behind `word` and an address in a line of the program's output; 0 when not there yet.
std::uint16_t port_after(const std::string& output, std::string_view word) {
  auto at = output.find(word);
  if (at == std::string::npos)
    return 0;
  at = output.find(':', output.find("http://", at) + 7);
  std::uint16_t port = 0;
  if (at != std::string::npos)
    std::from_chars(output.data() + at + 1, output.data() + output.size(), port);
  return port;
}

} // namespace

program::program(std::filesystem::path directory, const std::vector<std::string>& arguments,
                 const std::vector<std::string>& environment)
    : directory_(std::move(directory)) {
  std::filesystem::create_directories(directory_);
  // What an earlier process wrote there must not be taken for words of this one.
  std::filesystem::remove(directory_ / "out");
  std::filesystem::remove(directory_ / "err");
  pid_ = fork();
  if (pid_ < 0)
    throw std::runtime_error("cannot fork");
  if (pid_ > 0)
    return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  redirect(STDOUT_FILENO, directory_ / "out");
  redirect(STDERR_FILENO, directory_ / "err");
  std::vector<char*> argv{const_cast<char*>(ASSAY_PROGRAM)};
  for (const auto& a : arguments)
    argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  // A test asks more often than anybody may.
  setenv("ASSAY_LIMITS_EXEMPT_NETWORKS", "127.0.0.0/8", 1);
  for (const auto& e : environment)
    putenv(const_cast<char*>(e.c_str()));
  execv(ASSAY_PROGRAM, argv.data());
  _exit(127);
}

program::~program() {
  kill();
}

void program::kill() {
  if (!status_ && pid_ > 0)
    ::kill(pid_, SIGKILL);
  wait();
}

void program::terminate() {
  if (!status_ && pid_ > 0)
    ::kill(pid_, SIGTERM);
}

int program::wait(std::chrono::seconds limit) {
  if (!eventually([this] { return !running(); }, limit))
    return -1;
  return WIFEXITED(*status_) ? WEXITSTATUS(*status_) : -1;
}

bool program::running() {
  if (status_)
    return false;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) == pid_)
    status_ = status;
  return !status_;
}

std::string program::output() const {
  return read_file(directory_ / "out");
}

std::string program::log() const {
  return read_file(directory_ / "err");
}

namespace {

std::vector<std::string> serve_arguments(std::vector<std::string> further) {
  std::vector<std::string> result{"serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"};
  result.insert(result.end(), further.begin(), further.end());
  return result;
}

} // namespace

service_process::service_process(std::filesystem::path directory,
                                 std::vector<std::string> arguments,
                                 const std::vector<std::string>& environment)
    : program_(std::move(directory), serve_arguments(std::move(arguments)), environment) {}

bool service_process::wait_until_ready(std::chrono::seconds limit) {
  return eventually(
             [this] {
               const auto text = program_.output();
               port_ = port_after(text, "listening on");
               admin_port_ = port_after(text, "metrics on");
               return (port_ != 0 && admin_port_ != 0) || !program_.running();
             },
             limit) &&
         port_ != 0 && admin_port_ != 0 &&
         eventually([this] { return member_text(get("/health/ready"), "status") == "ready"; },
                    limit);
}

std::string service_process::get(std::string_view target, std::string_view header_lines) const {
  const auto response = test::get(port_, target, header_lines);
  return response ? response->body : std::string{};
}

std::optional<raw_response> service_process::ask(std::string_view target) const {
  return test::get(port_, target);
}

std::string service_process::metrics() const {
  const auto response = test::get(admin_port_, "/metrics");
  return response ? response->body : std::string{};
}

double service_process::metric(std::string_view sample) const {
  const auto page = metrics();
  const auto at = page.find("\n" + std::string{sample} + " ");
  if (at == std::string::npos)
    return -1;
  return std::strtod(page.c_str() + at + sample.size() + 2, nullptr);
}

bool eventually(const std::function<bool()>& holds, std::chrono::seconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  return true;
}

std::string member_text(std::string_view json, std::string_view name, std::string_view after) {
  const auto from = after.empty() ? 0 : json.find(after);
  if (from == std::string_view::npos)
    return {};
  const auto key = "\"" + std::string{name} + "\":";
  const auto at = json.find(key, from);
  if (at == std::string_view::npos)
    return {};
  const auto rest = json.substr(at + key.size());
  if (rest.starts_with('"'))
    return std::string{rest.substr(1, rest.find('"', 1) - 1)};
  return std::string{rest.substr(0, rest.find_first_of(",}]"))};
}

} // namespace assay::test
