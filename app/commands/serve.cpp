#include "app/commands/serve.hpp"

#include "app/config/load.hpp"
#include "app/logging.hpp"
#include "app/service/conf_directory.hpp"
#include "app/service/service.hpp"
#include "app/service/startup.hpp"

#include <spdlog/spdlog.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ostream>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace assay::app {

namespace {

constexpr int exit_ok = 0;
constexpr int exit_failed = 1;
constexpr int exit_unusable = 2;

int refuse(const std::vector<problem>& problems, std::ostream& err, int code = exit_unusable) {
  for (const auto& p : problems)
    err << "assay: " << p.text() << "\n";
  return code;
}

std::optional<std::string> read_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>{value};
}

/// Command line before environment before file.
expected<config, std::vector<problem>> configure(const serve_arguments& arguments) {
  std::string text;
  if (arguments.config_file) {
    auto file = read_text_file(*arguments.config_file);
    if (!file)
      return std::vector{file.error()};
    text = std::move(*file);
  }
  auto c = load_config(text, arguments.config_file.value_or("defaults"), read_environment);
  if (!c)
    return c;
  c->server.listen = arguments.listen.value_or(c->server.listen);
  c->admin.listen = arguments.admin.value_or(c->admin.listen);
  c->data.dir = arguments.data_dir.value_or(c->data.dir);
  c->data.universe = arguments.universe.value_or(c->data.universe);
  c->redis.url = arguments.redis.value_or(c->redis.url);
  return c;
}

/// SIGTERM and SIGINT, to be waited for; blocked in every thread started after this.
sigset_t block_stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return set;
}

/// From now on a second signal ends the process at once.
void force_on_second_signal(sigset_t set) {
  std::thread([set] {
    int signal = 0;
    sigwait(&set, &signal);
    spdlog::warn("second signal, stopping at once");
    _exit(exit_failed);
  }).detach();
}

/// Connections are bounded by the configuration; the usual soft limit would bound them earlier.
void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max)
    return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

void greet(const service& s, std::ostream& out) {
  const auto base = "http://" + s.address();
  out << "listening on " << base << "\n"
      << "try:  curl " << base << "/v1/scores?limit=2\n"
      << "      curl '" << base << "/v1/portfolio?riskTier=balanced&principal=10000'\n"
      << "      curl " << base << "/health/ready\n"
      << "metrics on http://" << s.admin_address() << "/metrics" << std::endl;
}

} // namespace

int run_serve(const serve_arguments& arguments, std::ostream& out, std::ostream& err) {
  const auto c = configure(arguments);
  if (!c)
    return refuse(c.error(), err);
  start_logging(c->log.level, c->log.format);
  const auto signals = block_stop_signals();
  raise_descriptor_limit();

  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  auto prepared = load_startup(*c, now);
  if (!prepared)
    return refuse(prepared.error().problems, err,
                  prepared.error().may_pass ? exit_failed : exit_unusable);
  auto running = service::start(*c, std::move(*prepared));
  if (!running)
    return refuse({running.error()}, err);
  greet(**running, out);

  int signal = 0;
  sigwait(&signals, &signal);
  spdlog::info("stopping on signal {}", signal);
  force_on_second_signal(signals);
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds{c->server.drain_timeout_s};
  const bool clean = (*running)->stop(deadline);
  running->reset();
  spdlog::info("stopped{}", clean ? "" : ", some requests were cut");
  return exit_ok;
}

} // namespace assay::app
