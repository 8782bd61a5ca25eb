#include "engine/scoring/score_vault.hpp"

#include "engine/scoring/admin_factor.hpp"
#include "engine/scoring/exploit_factor.hpp"
#include "engine/scoring/factor_pillar.hpp"
#include "engine/scoring/factor_reading.hpp"
#include "engine/scoring/history_facts.hpp"
#include "engine/scoring/liquidity_factors.hpp"
#include "engine/scoring/safety_factors.hpp"
#include "engine/scoring/sustainability_factors.hpp"
#include "engine/scoring/yield_factors.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay::engine {

namespace {

/// Beyond it a double has no millionths to round.
constexpr double roundable = 1e9;

/// Rounds to millionths: what is published is then exactly what the composite was computed from.
double to_millionths(double x) noexcept {
  // + 0.0 turns -0 into 0.
  return std::abs(x) >= roundable ? x : std::round(x * 1e6) / 1e6 + 0.0;
}

double to_thousandths(double x) noexcept {
  return std::round(x * 1e3) / 1e3;
}

/// The admin record as it was known at the time, with the curator's rating filled in from the
/// curator registry where the record itself does not rate.
std::optional<admin_topology> known_admin(const scoring_input& input, time_point scored_at) {
  if (input.admin == nullptr || input.admin->checked_at > scored_at)
    return std::nullopt;
  auto result = *input.admin;
  if (!result.curator_id)
    result.curator_id = input.vault.curator_id;
  if (!result.rating && input.curator != nullptr && input.curator->id == result.curator_id)
    result.rating =
        input.curator->established ? curator_rating::established : curator_rating::unknown_new;
  return result;
}

class row_builder {
public:
  row_builder(score_row& row, const methodology& m) : row_(row), m_(m) {}

  void put(factor f, factor_reading reading) {
    auto& out = row_.factors[static_cast<std::size_t>(f)];
    out.score = to_millionths(std::clamp(reading.score, 0.0, 100.0));
    out.raw_value = to_millionths(reading.raw_value);
    out.label = std::move(reading.label);
    out.pillar = pillar_of(f);
    out.weight = 0;
    if (!is_additive(f) || !reading.measured)
      return;
    out.weight = m_.factors.weights[static_cast<std::size_t>(f)];
    ++measured_;
  }

  /// Computes from the factors of the row alone, so that any reader of it can do the same.
  void finish() {
    for (std::size_t p = 0; p < enum_size<pillar>; ++p)
      row_.pillar_scores[p] = mean_of(static_cast<pillar>(p));
    double sum = 0;
    for (std::size_t p = 0; p < enum_size<pillar>; ++p)
      sum += m_.pillars.weights[p] * row_.pillar_scores[p];
    const auto& exploits = row_.factors[static_cast<std::size_t>(factor::exploit_history)];
    const double composite = sum * (exploits.score / 100.0);
    row_.composite = to_thousandths(std::clamp(composite, 0.0, 100.0));
    row_.label = row_.composite >= m_.labels.conservative_min ? posture::conservative
                 : row_.composite >= m_.labels.balanced_min   ? posture::balanced
                                                              : posture::aggressive;
    row_.quality = quality();
  }

private:
  double mean_of(pillar p) const {
    double weights = 0;
    double sum = 0;
    for (const auto& f : row_.factors) {
      if (f.pillar != p)
        continue;
      weights += f.weight;
      sum += f.weight * f.score;
    }
    return weights > 0 ? to_millionths(std::clamp(sum / weights, 0.0, 100.0)) : missing_score;
  }

  data_quality quality() const {
    if (measured_ < m_.quality.fallback_below_factors || row_.history_days == 0)
      return data_quality::fallback;
    return measured_ >= m_.quality.sufficient_factors_min &&
                   row_.history_days >= m_.quality.sufficient_days_min
               ? data_quality::sufficient
               : data_quality::partial;
  }

  score_row& row_;
  const methodology& m_;
  int measured_ = 0;
};

void put_yield(row_builder& builder, const scoring_input& input, const history_facts& history,
               const methodology& m) {
  const bool of_protocol = !input.vault.yield_source && input.protocol != nullptr;
  const auto& source = of_protocol ? input.protocol->yield_source : input.vault.yield_source;
  builder.put(factor::yield_level, yield_level(history.apy, input.peers, m));
  builder.put(factor::apy_stability, apy_stability(history.apy, m));
  builder.put(factor::apy_persistence, apy_persistence(history.apy, m));
  builder.put(factor::yield_source, yield_source(history.apy, source, m));
}

void put_safety(row_builder& builder, const scoring_input& input, const history_facts& history,
                const std::optional<admin_topology>& admin, const methodology& m,
                time_point scored_at) {
  auto audits = audit_quality(input.protocol, m, scored_at);
  auto maturity = protocol_maturity(input.protocol, m, scored_at);
  builder.put(factor::admin_topology,
              admin ? screened_admin(*admin, m)
                    : unscreened_admin(input.protocol, input.vault.chain, maturity, audits, m));
  builder.put(factor::audit_quality, std::move(audits));
  builder.put(factor::protocol_maturity, std::move(maturity));
  builder.put(factor::tvl_depth_safety, tvl_depth_safety(history.tvl, m));
  builder.put(factor::tvl_stability, tvl_stability(history.tvl, m));
  builder.put(factor::chain_security, chain_security(input.chain, m, scored_at));
  builder.put(factor::exploit_history, exploit_history(input.protocol, m, scored_at));
}

} // namespace

score_row score_vault(const scoring_input& input, const methodology& m, time_point scored_at) {
  const auto history = read_history(input.history, m.history);
  score_row row;
  row.vault_id = input.vault.vault_id;
  row.chain = input.vault.chain;
  row.protocol_id = input.vault.protocol_id;
  row.asset = input.vault.asset;
  if (input.asset != nullptr)
    row.asset_class = input.asset->cls;
  row.admin = known_admin(input, scored_at);
  row.history_days = history.days;
  row.scored_at = scored_at;
  row.scorer_version = m.version;
  row_builder builder{row, m};
  put_yield(builder, input, history, m);
  put_safety(builder, input, history, row.admin, m, scored_at);
  builder.put(factor::withdrawal_type, withdrawal_type(input.vault, input.protocol, m));
  builder.put(factor::tvl_depth_liquidity, tvl_depth_liquidity(history.tvl, history.liquidity, m));
  builder.put(factor::utilization_health, utilization_health(history, input.protocol, m));
  builder.put(factor::emission_dependency, emission_dependency(history.apy, m));
  builder.put(factor::asset_risk, asset_risk(input.asset, m));
  builder.finish();
  return row;
}

} // namespace assay::engine
