#include "app/commands/probe.hpp"

#include "app/atomic_file.hpp"
#include "app/prober/probe_run.hpp"
#include "app/progress_bar.hpp"
#include "engine/route/route_rules.hpp"
#include "feeds/prober/probe_document.hpp"
#include "feeds/universe_directory.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>
#include <thread>
#include <utility>

namespace assay::app {

namespace {

using feeds::prober::probe_document;

constexpr int exit_done = 0;
constexpr int exit_incomplete = 1;
constexpr int exit_wrong = 2;

/// The machine's clocks. Waits in short steps, because a signal handler can only set a flag.
class system_clock final : public prober_clock {
public:
  explicit system_clock(const std::atomic<bool>* cancelled) : cancelled_(cancelled) {}

  std::chrono::steady_clock::time_point now() override { return std::chrono::steady_clock::now(); }

  time_point utc() override {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  }

  bool wait(std::chrono::milliseconds duration) override {
    constexpr std::chrono::milliseconds step{100};
    const auto end = now() + duration;
    while (!stopped()) {
      const auto left = end - now();
      if (left.count() <= 0)
        return true;
      std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(left, step));
    }
    return false;
  }

  bool stopped() const noexcept { return cancelled_ != nullptr && cancelled_->load(); }

private:
  const std::atomic<bool>* cancelled_;
};

bool read_text(const std::string& path, std::string& text) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream read;
  // Fails for a directory and for an empty file, where iterators over the file would throw.
  if (!file.is_open() || !(read << file.rdbuf()))
    return false;
  text = std::move(read).str();
  return true;
}

/// Reads and parses a rule file with `load`.
template <class Load>
auto load_file(const std::string& path, Load load) -> decltype(load("", "")) {
  std::string text;
  if (!read_text(path, text))
    return problem{path, "expected a readable file"};
  return load(text, path);
}

expected<probe_document> load_memory(const std::string& path, const std::string& dataset) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) {
    if (failed)
      return problem{path, failed.message()};
    return probe_document{dataset, "measured by assay probe", {}};
  }
  std::string text;
  if (!read_text(path, text))
    return problem{path, "expected a readable file"};
  auto document = feeds::prober::read_probes(path, text);
  if (document && document->dataset != dataset)
    return problem{path, "expected the dataset " + dataset + ", as the universe has it"};
  return document;
}

/// Keeps the vaults that were asked for; returns the first one that the universe does not have.
std::optional<problem> select(engine::universe& all, const std::vector<std::string>& wanted) {
  if (wanted.empty())
    return std::nullopt;
  for (const auto& id : wanted)
    if (all.find_vault(id) == nullptr)
      return problem{"--vault " + id, "expected a vault id of the universe"};
  const auto unwanted = [&wanted](const vault_record& vault) {
    return std::find(wanted.begin(), wanted.end(), vault.vault_id) == wanted.end();
  };
  all.vaults.erase(std::remove_if(all.vaults.begin(), all.vaults.end(), unwanted),
                   all.vaults.end());
  return std::nullopt;
}

int report(const probe_run_result& result, const feeds::prober::probe_plan& plan, std::ostream& out,
           std::ostream& err) {
  out << "probed " << result.probed << " of " << plan.tasks.size() << " vaults with "
      << result.requests << " requests; " << result.unanswered << " unanswered, " << plan.fresh
      << " fresh, " << plan.untracked << " on chains without a probe\n";
  if (!result.misconfigured.empty()) {
    err << "api.url: the quote API refuses our requests: " << result.misconfigured << '\n';
    return exit_wrong;
  }
  if (result.cancelled)
    err << "stopped; run it again to go on\n";
  return result.cancelled || result.unanswered > 0 || !result.save_failed.empty() ? exit_incomplete
                                                                                  : exit_done;
}

} // namespace

int run_probe(const probe_arguments& arguments, std::ostream& out, std::ostream& err) {
  const auto wrong = [&err](const problem& p) {
    err << p.text() << '\n';
    return exit_wrong;
  };
  auto rules = load_file(arguments.rules, feeds::prober::load_prober_rules);
  if (!rules)
    return wrong(rules.error());
  const auto routes = load_file(arguments.routes, engine::load_route_rules);
  if (!routes)
    return wrong(routes.error());
  auto loaded = feeds::load_universe_directory(arguments.universe);
  if (!loaded) {
    for (const auto& p : loaded.error())
      err << p.text() << '\n';
    return exit_wrong;
  }
  auto& universe = loaded->universe;
  if (const auto unknown = select(universe, arguments.vaults))
    return wrong(*unknown);
  auto memory = load_memory(arguments.out, universe.dataset);
  if (!memory)
    return wrong(memory.error());
  if (!arguments.url.empty())
    rules->url = arguments.url;

  system_clock clock{arguments.cancelled};
  auto plan = feeds::prober::plan_probes(universe, *rules, memory->probes, clock.utc());
  if (arguments.limit > 0 && plan.tasks.size() > static_cast<std::size_t>(arguments.limit))
    plan.tasks.resize(static_cast<std::size_t>(arguments.limit));
  http_quote_client client{*rules, arguments.api_key, [&clock] { return clock.stopped(); }};
  probe_run run{*rules, routes->probe.notionals_usd, client, clock};
  const auto keep = [&](route_probe probe) {
    memory->put(std::move(probe));
    const auto failed = replace_file(arguments.out, write_probes(*memory, clock.utc()));
    if (failed)
      err << *failed << '\n';
    return !failed;
  };
  const auto result = [&] {
    progress_bar bar{err, "probe", arguments.terminal};
    return run.run(plan.tasks, keep, [&bar](std::size_t done, std::size_t total) {
      bar.update(static_cast<std::int64_t>(done), static_cast<std::int64_t>(total));
    });
  }();
  return report(result, plan, out, err);
}

} // namespace assay::app
