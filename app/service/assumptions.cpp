#include "app/service/assumptions.hpp"

#include "app/service/conf_directory.hpp"

#include <toml++/toml.h>

#include <optional>
#include <sstream>
#include <string>

namespace assay::app {

namespace {

/// The text of one file, or an empty one and a problem.
std::string text_of(const std::filesystem::path& file, std::vector<problem>& problems) {
  auto text = read_text_file(file);
  if (!text)
    problems.push_back(text.error());
  return text ? std::move(*text) : std::string{};
}

/// Reads one file with `parse(text, name)`; a problem goes to `problems`.
template <class Parse>
auto load(const std::filesystem::path& file, std::vector<problem>& problems, Parse parse)
    -> std::optional<std::decay_t<decltype(*parse(std::string_view{}, std::string_view{}))>> {
  const auto known = problems.size();
  const auto text = text_of(file, problems);
  if (problems.size() != known)
    return std::nullopt;
  auto result = parse(text, file.string());
  if (!result) {
    problems.push_back(result.error());
    return std::nullopt;
  }
  return std::move(*result);
}

/// The values of a TOML document in the order of their keys, without comments and spacing.
/// `text` was read as TOML before.
std::string canonical_toml(const std::string& text) {
  std::ostringstream out;
  out << toml::toml_formatter{toml::parse(text)};
  return std::move(out).str();
}

} // namespace

expected<assumptions, std::vector<problem>> load_assumptions(const std::filesystem::path& conf) {
  std::vector<problem> problems;
  auto methodology = load(conf / "methodology.toml", problems, engine::load_methodology);
  auto allocation = load(conf / "allocation.toml", problems, engine::read_policy);
  auto routes = load(conf / "routes.toml", problems, engine::load_route_rules);
  auto metrics = load(conf / "metrics.toml", problems, engine::load_metrics_rules);
  if (!problems.empty())
    return problems;
  methodology->version = engine::scorer_version(
      *methodology, canonical_toml(text_of(conf / "allocation.toml", problems)));
  return assumptions{std::move(*methodology), std::move(*allocation), std::move(*routes),
                     std::move(*metrics)};
}

} // namespace assay::app
