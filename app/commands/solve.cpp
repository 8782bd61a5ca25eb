#include "app/commands/solve.hpp"

#include "engine/allocation/mvo_text.hpp"
#include "engine/allocation/solver.hpp"

#include <charconv>
#include <chrono>
#include <fstream>
#include <ostream>
#include <span>
#include <sstream>

namespace assay::app {

namespace {

/// Appends the shortest text that reads back to the same double.
void put(std::string& json, double x) {
  char buffer[32];
  const auto r = std::to_chars(buffer, buffer + sizeof buffer, x);
  json.append(buffer, r.ptr);
}

void put(std::string& json, std::span<const double> list) {
  json += '[';
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0)
      json += ',';
    put(json, list[i]);
  }
  json += ']';
}

std::string to_json(const engine::mvo_solution& s, std::chrono::nanoseconds took) {
  std::string json = "{\"w\":";
  put(json, s.w);
  json += ",\"lambda\":";
  put(json, s.lambda);
  json += ",\"f\":";
  put(json, s.proof.objective);
  json += ",\"gap\":";
  put(json, s.proof.gap);
  json += ",\"dual\":";
  put(json, s.proof.dual_bound);
  json += ",\"relative_gap\":";
  put(json, s.proof.relative_gap);
  json += ",\"infeasibility\":";
  put(json, s.proof.infeasibility);
  json += ",\"iterations\":" + std::to_string(s.iterations);
  json += ",\"rounds\":" + std::to_string(s.rounds);
  json += ",\"status\":\"" + std::string{to_string(s.status)} + "\"";
  json += ",\"path\":\"" + std::string{to_string(s.path)} + "\"";
  json += ",\"solve_us\":";
  put(json, static_cast<double>(took.count()) / 1000.0);
  return json + "}\n";
}

bool write(const std::string& text, const std::string& path, std::ostream& out) {
  if (path.empty() || path == "-")
    return static_cast<bool>(out << text << std::flush);
  std::ofstream file{path, std::ios::binary | std::ios::trunc};
  return static_cast<bool>(file << text << std::flush);
}

} // namespace

int run_solve(const solve_arguments& arguments, std::ostream& out, std::ostream& err) {
  std::ifstream file{arguments.instance, std::ios::binary};
  std::ostringstream text;
  // Fails for a directory and for an empty file, where iterators over the file would throw.
  if (!file.is_open() || !(text << file.rdbuf())) {
    err << arguments.instance << ": expected a readable file in the format MVO1\n";
    return 2;
  }
  const auto problem = engine::read_mvo(text.str(), arguments.instance);
  if (!problem) {
    err << problem.error().text() << '\n';
    return 2;
  }
  const auto start = std::chrono::steady_clock::now();
  const engine::mvo_solution solution = engine::solve(*problem);
  const auto took = std::chrono::steady_clock::now() - start;
  if (!write(to_json(solution, took), arguments.out, out)) {
    err << arguments.out << ": expected a writable file\n";
    return 1;
  }
  if (solution.status != engine::solve_status::optimal) {
    err << arguments.instance << ": no certificate: relative gap " << solution.proof.relative_gap
        << ", infeasibility " << solution.proof.infeasibility << '\n';
    return 1;
  }
  return 0;
}

} // namespace assay::app
