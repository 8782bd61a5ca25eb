#include "app/commands/backtest.hpp"
#include "app/commands/check.hpp"
#include "app/commands/generate.hpp"
#include "app/commands/import.hpp"
#include "app/commands/keys.hpp"
#include "app/commands/probe.hpp"
#include "app/commands/rescore.hpp"
#include "app/commands/serve.hpp"
#include "app/commands/solve.hpp"
#include "app/config/load.hpp"
#include "app/service/conf_directory.hpp"

#include <CLI/CLI.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace {

using namespace assay::app;

/// What the command line chose; run after parsing.
using command = std::function<int()>;

/// Adds a subcommand whose options `declare(sub, args)` names and which `run(args)` carries out.
template <class Arguments, class Declare, class Run>
void add_command(CLI::App& app, command& chosen, const char* name, const char* what,
                 Declare declare, Run run) {
  auto* sub = app.add_subcommand(name, what);
  auto args = std::make_shared<Arguments>();
  declare(*sub, *args);
  sub->callback([args, &chosen, run] { chosen = [args, run] { return run(*args); }; });
}

void add_serve(CLI::App& app, command& chosen) {
  add_command<serve_arguments>(
      app, chosen, "serve", "Serve the API",
      [](CLI::App& sub, serve_arguments& a) {
        sub.add_option("--listen", a.listen, "HOST:PORT; port 0: chosen by the system");
        sub.add_option("--admin", a.admin, "HOST:PORT of the Prometheus page");
        sub.add_option("--data-dir", a.data_dir, "Directory of the archive");
        sub.add_option("--config", a.config_file, "Configuration file (TOML)");
        sub.add_option("--universe", a.universe, "Universe directory in the feed schema");
        sub.add_option("--redis", a.redis,
                       "unix:///path.sock or redis://user:password@host:port/db");
      },
      [](const serve_arguments& a) { return run_serve(a, std::cout, std::cerr); });
}

void add_solve(CLI::App& app, command& chosen) {
  add_command<solve_arguments>(
      app, chosen, "solve", "Solve one allocation instance (text format MVO1)",
      [](CLI::App& sub, solve_arguments& a) {
        sub.add_option("instance", a.instance, "Instance file")->required();
        sub.add_option("--out", a.out, "Solution file; - for standard output");
      },
      [](const solve_arguments& a) { return run_solve(a, std::cout, std::cerr); });
}

void add_generate(CLI::App& app, command& chosen) {
  add_command<generate_arguments>(
      app, chosen, "generate", "Write a synthetic universe in the feed schema",
      [](CLI::App& sub, generate_arguments& a) {
        sub.add_option("--vaults", a.vaults, "Number of vaults, 1 to 10,000,000");
        sub.add_option("--days", a.days, "Days of history, 1 to 3,650");
        sub.add_option("--seed", a.seed, "The same seed gives the same universe");
        sub.add_option("--out", a.out, "New or empty directory")->required();
        a.progress = isatty(STDERR_FILENO) != 0;
      },
      [](const generate_arguments& a) { return run_generate(a, std::cout, std::cerr); });
}

void add_backtest(CLI::App& app, command& chosen) {
  add_command<backtest_arguments>(
      app, chosen, "backtest", "Walk the allocator over recorded history",
      [](CLI::App& sub, backtest_arguments& a) {
        sub.add_option("--universe", a.universe, "Universe directory")->required();
        sub.add_option("--from", a.from, "First day, YYYY-MM-DD")->required();
        sub.add_option("--to", a.to, "Last day, YYYY-MM-DD")->required();
        sub.add_option("--replay-at", a.replay_at, "Move each recording so that it ends then");
        sub.add_option("--principal", a.principal_usd, "USD, 100 to 1,000,000");
        sub.add_option("--timeline", a.timeline, "short, medium or long");
        sub.add_option("--output", a.output, "table, csv or both");
        a.terminal = isatty(STDERR_FILENO) != 0;
      },
      [](backtest_arguments a) {
        if (const auto conf = find_conf_directory()) {
          a.methodology_file = (*conf / "methodology.toml").string();
          a.policy_file = (*conf / "allocation.toml").string();
        }
        return run_backtest(a, std::cout, std::cerr);
      });
}

/// Set by SIGINT and SIGTERM; a long command ends at the next safe moment.
std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

extern "C" void request_stop(int) {
  stop_requested = true;
}

int probe(probe_arguments a) {
  if (a.rules.empty() || a.routes.empty()) {
    const auto conf = find_conf_directory();
    if (!conf) {
      std::cerr << conf.error().text() << '\n';
      return 2;
    }
    a.rules = a.rules.empty() ? (*conf / "prober.toml").string() : a.rules;
    a.routes = a.routes.empty() ? (*conf / "routes.toml").string() : a.routes;
  }
  if (const char* key = std::getenv("ASSAY_PROBE_API_KEY"))
    a.api_key = key;
  a.terminal = isatty(STDERR_FILENO) != 0;
  a.cancelled = &stop_requested;
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  return run_probe(a, std::cout, std::cerr);
}

void add_probe(CLI::App& app, command& chosen) {
  add_command<probe_arguments>(
      app, chosen, "probe", "Measure round trips through a quote API; stop and go on at any time",
      [](CLI::App& sub, probe_arguments& a) {
        sub.add_option("--universe", a.universe, "Universe directory in the feed schema")
            ->required();
        sub.add_option("--out", a.out, "Probe document, also the memory of earlier runs")
            ->required();
        sub.add_option("--rules", a.rules, "Instead of conf/prober.toml");
        sub.add_option("--routes", a.routes, "Instead of conf/routes.toml");
        sub.add_option("--url", a.url, "Instead of the rules' api.url");
        sub.add_option("--vault", a.vaults, "Only this vault; may be repeated");
        sub.add_option("--limit", a.limit, "Most vaults in this run")
            ->check(CLI::NonNegativeNumber);
      },
      [](const probe_arguments& a) { return probe(a); });
}

void add_keys_action(CLI::App& keys, command& chosen, const char* action, const char* what) {
  add_command<keys_arguments>(
      keys, chosen, action, what,
      [action](CLI::App& sub, keys_arguments& a) {
        a.action = action;
        sub.add_option("--data-dir", a.data_dir, "Directory of the archive");
        sub.add_option("--redis", a.redis, "Redis URL; takes the place of --data-dir");
        sub.add_option("--redis-prefix", a.redis_prefix, "Begins the keys in Redis");
        sub.add_option("--output", a.output, "table or json");
        if (a.action != "list")
          sub.add_option("--name", a.name, "Name of the partner");
        if (a.action == "retire") {
          sub.add_option("--id", a.id, "Id as `list` shows it");
          sub.add_option("--key", a.key, "The key itself");
        }
      },
      [](const keys_arguments& a) {
        const auto now = std::chrono::system_clock::now();
        return run_keys(a, std::chrono::floor<std::chrono::milliseconds>(now), std::cout,
                        std::cerr);
      });
}

void add_keys(CLI::App& app, command& chosen) {
  auto* keys = app.add_subcommand("keys", "Issue, list and retire partner keys");
  add_keys_action(*keys, chosen, "issue", "Issue a key and print it, once");
  add_keys_action(*keys, chosen, "list", "List all keys, never the keys themselves");
  add_keys_action(*keys, chosen, "retire", "Retire a key");
}

void add_rescore(CLI::App& app, command& chosen) {
  add_command<rescore_arguments>(
      app, chosen, "rescore", "Compute a stored score again and compare it to the last bit",
      [](CLI::App& sub, rescore_arguments& a) {
        sub.add_option("--vault", a.vault, "Vault id")->required();
        sub.add_option("--at", a.at, "Time, ISO 8601")->required();
        sub.add_option("--data-dir", a.data_dir, "Directory of the archive")->required();
        sub.add_option("--output", a.output, "table or json");
        sub.add_option("--threads", a.threads, "Threads that score");
      },
      [](const rescore_arguments& a) { return run_rescore(a, std::cout, std::cerr); });
}

void add_verify(CLI::App& app, command& chosen) {
  add_command<verify_arguments>(
      app, chosen, "verify", "Check the archive and compute every stored score again",
      [](CLI::App& sub, verify_arguments& a) {
        sub.add_option("--data-dir", a.data_dir, "Directory of the archive")->required();
        sub.add_option("--threads", a.threads, "Threads that score");
        a.terminal = isatty(STDERR_FILENO) != 0;
      },
      [](const verify_arguments& a) { return run_verify(a, std::cout, std::cerr); });
}

void add_check(CLI::App& app, command& chosen) {
  add_command<check_arguments>(
      app, chosen, "check", "Check that the archive is whole",
      [](CLI::App& sub, check_arguments& a) {
        sub.add_option("--data-dir", a.data_dir, "Directory of the archive")->required();
        a.terminal = isatty(STDERR_FILENO) != 0;
      },
      [](const check_arguments& a) { return run_check(a, std::cout, std::cerr); });
}

void add_import(CLI::App& app, command& chosen) {
  add_command<import_arguments>(
      app, chosen, "import", "Load documents into the archive; repeating changes nothing",
      [](CLI::App& sub, import_arguments& a) {
        sub.add_option("files", a.files, "Documents")->required();
        sub.add_option("--data-dir", a.data_dir, "Directory of the archive")->required();
        sub.add_option("--adapter", a.adapter, "Format of the documents; assay is our own");
        sub.add_flag("--facts", a.facts, "Take vaults, registries and admin records as well");
        sub.add_option("--recorded-at", a.recorded_at,
                       "Time of figures without one of their own; else when the file was written");
        sub.add_option("--pool-map", a.pool_map, "JSON file of vault ids by DefiLlama's pools");
        sub.add_option("--chain", a.chain, "Chain of documents that do not name it")
            ->check(CLI::PositiveNumber);
        a.terminal = isatty(STDERR_FILENO) != 0;
      },
      [](const import_arguments& a) {
        const auto now = std::chrono::system_clock::now();
        return run_import(a, std::chrono::floor<std::chrono::milliseconds>(now), std::cout,
                          std::cerr);
      });
}

void add_config(CLI::App& app, command& chosen) {
  auto* sub = app.add_subcommand("config", "Print every configuration key with its default");
  sub->callback([&chosen] {
    chosen = [] {
      std::cout << default_config_text();
      return 0;
    };
  });
}

} // namespace

int main(int argc, char** argv) {
  CLI::App app{"assay: scores, exit tests and allocations for on-chain yield vaults"};
  app.set_version_flag("--version", ASSAY_VERSION);
  command chosen;
  add_serve(app, chosen);
  add_solve(app, chosen);
  add_generate(app, chosen);
  add_backtest(app, chosen);
  add_probe(app, chosen);
  add_keys(app, chosen);
  add_rescore(app, chosen);
  add_verify(app, chosen);
  add_check(app, chosen);
  add_import(app, chosen);
  add_config(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11's own codes differ by kind of mistake; ours is 2 for all of them.
    return app.exit(error) == 0 ? 0 : 2;
  }
  // CLI11 would ask for a command before it names the word that is none.
  if (!chosen) {
    std::cerr << app.help();
    return 2;
  }
  return chosen();
}
