#include "app/commands/serve.hpp"
#include "app/commands/solve.hpp"
#include "app/config/load.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <iostream>

namespace {

using namespace assay::app;

/// What the command line chose; run after parsing.
using command = std::function<int()>;

void add_serve(CLI::App& app, command& chosen) {
  auto* sub = app.add_subcommand("serve", "Serve the API");
  auto args = std::make_shared<serve_arguments>();
  sub->add_option("--listen", args->listen, "HOST:PORT to serve on; port 0: chosen by the system");
  sub->add_option("--admin", args->admin, "HOST:PORT of the Prometheus page");
  sub->add_option("--data-dir", args->data_dir, "Directory of the archive");
  sub->add_option("--config", args->config_file, "Configuration file (TOML)");
  sub->add_option("--universe", args->universe, "Universe directory in the feed schema");
  sub->add_option("--redis", args->redis, "unix:///path.sock or redis://user:password@host:port/db");
  sub->callback([args, &chosen] {
    chosen = [args] { return run_serve(*args, std::cout, std::cerr); };
  });
}

void add_solve(CLI::App& app, command& chosen) {
  auto* sub = app.add_subcommand("solve", "Solve one allocation instance (text format MVO1)");
  auto args = std::make_shared<solve_arguments>();
  sub->add_option("instance", args->instance, "Instance file")->required();
  sub->add_option("--out", args->out, "Solution file; - for standard output");
  sub->callback([args, &chosen] {
    chosen = [args] { return run_solve(*args, std::cout, std::cerr); };
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
  app.require_subcommand(1);
  command chosen;
  add_serve(app, chosen);
  add_solve(app, chosen);
  add_config(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11's own codes differ by kind of mistake; ours is 2 for all of them.
    return app.exit(error) == 0 ? 0 : 2;
  }
  return chosen();
}
