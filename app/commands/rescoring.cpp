#include "app/commands/rescoring.hpp"

#include "engine/scoring/score_universe.hpp"
#include "store/codec/records.hpp"

#include <charconv>

namespace assay::app {

namespace {

std::string text(double x) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}
std::string text(int x) {
  return std::to_string(x);
}
std::string text(const std::string& x) {
  return x;
}
template <class Enum>
requires std::is_enum_v<Enum> std::string text(Enum x) {
  return std::string{to_string(x)};
}

/// Notes a difference in `field` if there is one.
template <class T>
void compare(const std::string& field, const T& stored, const T& computed,
             std::vector<row_difference>& out) {
  if (const auto a = text(stored), b = text(computed); a != b)
    out.push_back({field, a, b});
}

} // namespace

expected<const engine::methodology*> rescoring::methodology_of(const std::string& scorer_version) {
  if (const auto i = methodologies_.find(scorer_version); i != methodologies_.end())
    return &i->second;
  const auto formulas = scorer_version.substr(0, scorer_version.find('+'));
  if (formulas != engine::formula_version)
    return problem{scorer_version, "scored by the formulas " + formulas + "; this program has " +
                                       std::string{engine::formula_version}};
  const auto kept = archive_.methodology(scorer_version);
  if (!kept)
    return kept.error();
  if (!*kept)
    return problem{scorer_version, "the archive does not hold the methodology of this version"};
  auto loaded = engine::load_methodology(**kept, "methodology of " + scorer_version);
  if (!loaded)
    return loaded.error();
  // The version may cover further documents that do not enter a score.
  loaded->version = scorer_version;
  return &methodologies_.emplace(scorer_version, std::move(*loaded)).first->second;
}

expected<std::vector<score_row>> rescoring::rows_of(const store::scoring_run& run) {
  const auto methodology = methodology_of(run.scorer_version);
  if (!methodology)
    return methodology.error();
  const auto& m = **methodology;
  const auto universe = archive_.load_universe(run.inputs);
  if (!universe)
    return universe.error();
  const auto first_day = day_of(run.scored_at) - std::chrono::days{m.history.window_days};
  const auto histories = archive_.load_history(run.scored_at, run.inputs, first_day);
  if (!histories)
    return histories.error();
  return engine::score_universe(*universe, *histories, m, run.scored_at, threads_);
}

std::vector<row_difference> differences(const score_row& stored, const score_row& computed) {
  std::vector<row_difference> out;
  if (store::encode(stored) == store::encode(computed))
    return out;
  compare("vaultId", stored.vault_id, computed.vault_id, out);
  compare("chainId", std::to_string(stored.chain), std::to_string(computed.chain), out);
  compare("protocolId", stored.protocol_id, computed.protocol_id, out);
  compare("asset", stored.asset, computed.asset, out);
  compare("composite", stored.composite, computed.composite, out);
  compare("label", stored.label, computed.label, out);
  compare("dataQuality", stored.quality, computed.quality, out);
  compare("historyDays", stored.history_days, computed.history_days, out);
  for (std::size_t i = 0; i < stored.pillar_scores.size(); ++i)
    compare("pillarScores." + text(static_cast<pillar>(i)), stored.pillar_scores[i],
            computed.pillar_scores[i], out);
  for (std::size_t i = 0; i < factor_count; ++i) {
    const auto& a = stored.factors[i];
    const auto& b = computed.factors[i];
    const auto name = "factors." + text(static_cast<factor>(i)) + ".";
    compare(name + "score", a.score, b.score, out);
    compare(name + "weight", a.weight, b.weight, out);
    compare(name + "rawValue", a.raw_value, b.raw_value, out);
    compare(name + "label", a.label, b.label, out);
  }
  if (!(stored.admin == computed.admin))
    out.push_back({"adminTopology", stored.admin ? "as stored" : "none",
                   computed.admin ? "another record" : "none"});
  // Whatever the list above does not name.
  if (out.empty())
    out.push_back({"bytes", "as stored", "others"});
  return out;
}

} // namespace assay::app
