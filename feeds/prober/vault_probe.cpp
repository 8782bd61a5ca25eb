#include "feeds/prober/vault_probe.hpp"

#include "feeds/value_limits.hpp"
#include "messages/types/text.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay::feeds::prober {

namespace {

/// What the probe schema takes.
constexpr auto bps = value_limits::basis_points;
constexpr auto usd = value_limits::usd;

trip_outcome outcome_of(quote_outcome outcome) {
  switch (outcome) {
  case quote_outcome::refused: return trip_outcome::protocol_refused;
  case quote_outcome::no_quote: return trip_outcome::no_quote;
  case quote_outcome::unmapped: return trip_outcome::unmapped;
  case quote_outcome::no_amount: return trip_outcome::no_amount;
  case quote_outcome::rate_limited: return trip_outcome::rate_limited;
  default: return trip_outcome::unpriced;
  }
}

bool has(const route_probe& probe, trip_outcome outcome) {
  return std::any_of(probe.trips.begin(), probe.trips.end(),
                     [outcome](const round_trip& trip) { return trip.outcome == outcome; });
}

/// True when nothing but missing knowledge of the token speaks against the path.
bool only_unknown(const route_probe& probe) {
  return std::all_of(probe.trips.begin(), probe.trips.end(), [](const round_trip& trip) {
    return trip.outcome == trip_outcome::unmapped || trip.outcome == trip_outcome::no_quote;
  });
}

} // namespace

vault_probe::vault_probe(probe_task task, std::vector<double> notionals_usd)
    : task_(std::move(task)), notionals_(std::move(notionals_usd)) {
  begin_path("composer", task_.vault_token);
}

void vault_probe::begin_path(std::string path, std::string token) {
  probe_ = {};
  probe_.vault_id = task_.vault_id;
  probe_.path = std::move(path);
  probe_.router = "lifi";
  token_ = std::move(token);
  begin_trip();
}

void vault_probe::begin_trip() {
  const double notional = notionals_[probe_.trips.size()];
  entered_.reset();
  next_ = quote_query{task_.chain, task_.usdc.address, token_,
                      number_to_units(notional, task_.usdc.decimals)};
}

void vault_probe::take(const quote_answer& answer) {
  if (answer.outcome != quote_outcome::quoted)
    return end_trip(outcome_of(answer.outcome));
  if (entered_)
    return complete_trip(answer);
  next_ = quote_query{task_.chain, token_, task_.usdc.address, answer.to_amount};
  entered_ = answer;
}

void vault_probe::end_trip(trip_outcome outcome) {
  round_trip trip;
  trip.notional_usd = notionals_[probe_.trips.size()];
  trip.outcome = outcome;
  // Refused on the way back, the USDC were spent all the same.
  if (entered_)
    trip.usd_in = trip.notional_usd;
  add(trip);
}

void vault_probe::complete_trip(const quote_answer& back) {
  const auto out = units_to_number(back.to_amount, task_.usdc.decimals);
  if (!out || *out > usd.high)
    return end_trip(trip_outcome::unpriced);
  round_trip trip;
  trip.notional_usd = notionals_[probe_.trips.size()];
  trip.usd_in = trip.notional_usd;
  trip.usd_out = *out;
  const double proportional = 1e4 * (trip.notional_usd - *out) / trip.notional_usd;
  if (proportional >= bps.low)
    trip.proportional_bps = proportional;
  if (entered_->swap_gas && back.swap_gas)
    trip.swap_gas = *entered_->swap_gas + *back.swap_gas;
  if (entered_->fee_bps && back.fee_bps)
    trip.router_fee_bps = *entered_->fee_bps + *back.fee_bps;
  if (trip.router_fee_bps && trip.proportional_bps &&
      std::abs(*trip.proportional_bps - *trip.router_fee_bps) <= bps.high)
    trip.price_impact_bps = *trip.proportional_bps - *trip.router_fee_bps;
  add(trip);
}

void vault_probe::add(const round_trip& trip) {
  probe_.trips.push_back(trip);
  if (probe_.trips.size() < notionals_.size())
    begin_trip();
  else
    end_path();
}

void vault_probe::end_path() {
  next_.reset();
  entered_.reset();
  if (probe_.path == "native") {
    if (composer_ && !has(probe_, trip_outcome::completed) && only_unknown(probe_))
      probe_ = *std::exchange(composer_, std::nullopt);
    return;
  }
  const bool completed = has(probe_, trip_outcome::completed);
  if (completed || !task_.underlying || !only_unknown(probe_))
    return;
  composer_ = std::move(probe_);
  if (lower_case(*task_.underlying) == lower_case(task_.usdc.address))
    return answer_same_token();
  begin_path("native", *task_.underlying);
}

void vault_probe::answer_same_token() {
  probe_ = {};
  probe_.vault_id = task_.vault_id;
  probe_.path = "native";
  probe_.router = "none";
  for (const double notional : notionals_) {
    round_trip trip;
    trip.notional_usd = notional;
    trip.usd_in = notional;
    trip.usd_out = notional;
    trip.swap_gas = 0;
    trip.router_fee_bps = 0;
    trip.price_impact_bps = 0;
    trip.proportional_bps = 0;
    probe_.trips.push_back(trip);
  }
}

route_probe vault_probe::result(time_point checked_at) const {
  auto probe = probe_;
  probe.checked_at = checked_at;
  return probe;
}

} // namespace assay::feeds::prober
