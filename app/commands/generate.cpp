#include "app/commands/generate.hpp"

#include "feeds/generate/universe_generator.hpp"

#include <ostream>

namespace assay::app {

namespace {

void show_progress(std::ostream& err, std::uint64_t done, std::uint64_t all) {
  constexpr std::uint64_t width = 40;
  const auto filled = done * width / all;
  err << "\r[";
  for (std::uint64_t k = 0; k < width; ++k)
    err << (k < filled ? '#' : '.');
  err << "] " << done << '/' << all << (done == all ? "\n" : "") << std::flush;
}

} // namespace

int run_generate(const generate_arguments& arguments, std::ostream& out, std::ostream& err) {
  if (arguments.out.empty()) {
    err << "--out: missing, expected a directory\n";
    return 2;
  }
  feeds::generate::generator_progress progress;
  if (arguments.progress)
    progress = [&](std::uint64_t done) { show_progress(err, done, arguments.vaults); };
  const auto made = feeds::generate::generate_universe(
      {arguments.vaults, arguments.days, arguments.seed}, arguments.out, progress);
  if (!made) {
    const auto& where = made.error().where;
    const bool argument = where == "vaults" || where == "days";
    err << (argument ? "--" : "") << made.error().text() << '\n';
    return argument ? 2 : 1;
  }
  out << "synthetic universe in " << arguments.out << ": " << made->vaults << " vaults, "
      << made->live << " live, " << made->histories << " histories with " << made->points
      << " points\n";
  return 0;
}

} // namespace assay::app
