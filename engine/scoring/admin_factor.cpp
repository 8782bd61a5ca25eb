#include "engine/scoring/admin_factor.hpp"

#include "engine/scoring/label_text.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

namespace assay::engine {

namespace {

constexpr double seconds_an_hour = 3'600.0;
constexpr double seconds_a_day = 86'400.0;

bool is_limited(const admin_role& role, const methodology::admin_rules& rules) {
  std::string name = role.role;
  for (char& c : name)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::find(rules.limited_roles.begin(), rules.limited_roles.end(), name) !=
         rules.limited_roles.end();
}

double delay_of(const admin_topology& t, const admin_role& role) {
  return std::max(t.timelock_seconds.value_or(0.0), 0.0) +
         std::max(role.delay_seconds.value_or(0.0), 0.0);
}

double score_at(holder_strength strength, double delay_seconds,
                const methodology::admin_rules& rules) {
  const double hours = delay_seconds / seconds_an_hour;
  switch (strength) {
  case holder_strength::strong: return rules.strong(hours);
  case holder_strength::weak: return rules.weak(hours);
  case holder_strength::single_key: return rules.single_key(hours);
  case holder_strength::unrecognised: return rules.unrecognised(hours);
  default: return std::numeric_limits<double>::max();
  }
}

/// The role that lets a vault be changed most easily.
struct weakest_role {
  double score = std::numeric_limits<double>::max();
  double delay_seconds = 0;
  const admin_role* role = nullptr;
};

std::optional<weakest_role> find_weakest(const admin_topology& t,
                                         const methodology::admin_rules& rules) {
  weakest_role result;
  for (const auto& role : t.roles) {
    const auto strength = strength_of(role, rules);
    if (strength == holder_strength::nobody || is_limited(role, rules))
      continue;
    const double delay = delay_of(t, role);
    const double score = score_at(strength, delay, rules);
    const bool same = score == result.score;
    // Of equals the shorter delay, then the name: the order of the roles does not matter.
    if (score < result.score || (same && delay < result.delay_seconds) ||
        (same && delay == result.delay_seconds && role.role < result.role->role))
      result = {score, delay, &role};
  }
  if (result.role == nullptr)
    return std::nullopt;
  return result;
}

/// Score and delay of a class that no role proves or disproves.
weakest_role score_by_class(const admin_topology& t, const methodology::admin_rules& rules) {
  const double timelock = std::max(t.timelock_seconds.value_or(0.0), 0.0);
  switch (t.cls) {
  case admin_class::immutable: return {rules.cap[0], timelock, nullptr};
  case admin_class::timelock_long_multisig_strong: {
    const double delay = t.timelock_seconds ? timelock : rules.long_delay_days * seconds_a_day;
    return {score_at(holder_strength::strong, delay, rules), delay, nullptr};
  }
  case admin_class::timelock_short_multisig_weak:
  case admin_class::multisig_only:
    return {score_at(holder_strength::weak, timelock, rules), timelock, nullptr};
  default: return {rules.unknown, timelock, nullptr};
  }
}

std::string delay_text(double seconds) {
  if (seconds <= 0)
    return "no delay";
  if (seconds < 2 * seconds_a_day)
    return "a delay of " + decimal(seconds / seconds_an_hour, 1) + " hours";
  return "a delay of " + decimal(seconds / seconds_a_day, 1) + " days";
}

std::string holder_text(const admin_role& role) {
  if (role.kind == role_kind::safe && role.threshold && role.owners)
    return "a " + std::to_string(*role.threshold) + "-of-" + std::to_string(*role.owners) + " safe";
  if (role.kind == role_kind::dao)
    return role.unverified_governance.value_or(false) ? "unverified governance"
                                                      : "on-chain governance";
  switch (role.kind) {
  case role_kind::safe: return "a safe of unknown threshold";
  case role_kind::eoa: return "a single key";
  default: return "an unrecognised contract";
  }
}

factor_reading eoa_reading(const admin_topology& t, const methodology::admin_rules& rules) {
  const bool established = t.rating == curator_rating::established;
  const double score = established ? rules.eoa_established : rules.eoa_unknown_new;
  return measured(std::max(score, rules.floor), 0,
                  std::string{"A single key decides; its curator is "} +
                      (established ? "established" : "unknown or new"));
}

} // namespace

holder_strength strength_of(const admin_role& role, const methodology::admin_rules& rules) {
  switch (role.kind) {
  case role_kind::none: return holder_strength::nobody;
  case role_kind::eoa: return holder_strength::single_key;
  case role_kind::dao:
    return role.unverified_governance.value_or(false) ? holder_strength::weak
                                                      : holder_strength::strong;
  case role_kind::safe: {
    if (!role.threshold)
      return holder_strength::weak;
    if (*role.threshold <= 1)
      return holder_strength::single_key;
    const bool majority = role.owners && 2 * *role.threshold > *role.owners;
    return majority && *role.threshold >= rules.strong_threshold_min ? holder_strength::strong
                                                                     : holder_strength::weak;
  }
  default: return holder_strength::unrecognised;
  }
}

admin_class supported_class(const admin_topology& t, const methodology::admin_rules& rules) {
  const auto weakest = find_weakest(t, rules);
  if (!weakest || t.cls == admin_class::eoa || t.cls == admin_class::unknown)
    return t.cls;
  switch (strength_of(*weakest->role, rules)) {
  case holder_strength::single_key: return admin_class::eoa;
  case holder_strength::unrecognised: return admin_class::unknown;
  case holder_strength::strong:
    if (weakest->delay_seconds >= rules.long_delay_days * seconds_a_day)
      return admin_class::timelock_long_multisig_strong;
    [[fallthrough]];
  default:
    return weakest->delay_seconds > 0 ? admin_class::timelock_short_multisig_weak
                                      : admin_class::multisig_only;
  }
}

factor_reading screened_admin(const admin_topology& t, const methodology& m) {
  const auto& rules = m.admin;
  if (t.cls == admin_class::eoa)
    return eoa_reading(t, rules);
  const auto weakest = find_weakest(t, rules);
  const auto deciding = weakest ? *weakest : score_by_class(t, rules);
  const double cap = rules.cap[static_cast<std::size_t>(t.cls)];
  const double score = std::max(std::min(deciding.score, cap), rules.floor);
  std::string label = "Class " + std::string{to_string(t.cls)};
  if (weakest) {
    label += ", weakest role " + weakest->role->role + ": " + holder_text(*weakest->role) + ", " +
             delay_text(weakest->delay_seconds);
    // A stronger set of roles than the class needs no word: the cap speaks.
    const auto supported = supported_class(t, rules);
    if (supported > t.cls)
      label += " (the roles bear out " + std::string{to_string(supported)} + " only)";
  } else {
    label += ", " + delay_text(deciding.delay_seconds);
  }
  return measured(score, deciding.delay_seconds, label);
}

factor_reading unscreened_admin(const protocol_record* protocol, chain_id chain,
                                const factor_reading& maturity, const factor_reading& audits,
                                const methodology& m) {
  const auto& rules = m.admin;
  std::optional<double> base;
  std::string whose;
  if (protocol != nullptr) {
    const auto found = rules.unscreened_category.by_key.find(protocol->category);
    if (found != rules.unscreened_category.by_key.end()) {
      base = found->second;
      whose = "category " + protocol->category;
    }
  }
  if (!base && std::find(rules.unscreened_chains.begin(), rules.unscreened_chains.end(), chain) !=
                   rules.unscreened_chains.end()) {
    base = rules.unscreened_chain_base;
    whose = "a chain without an admin screen";
  }
  if (!base)
    return missing("No admin record");
  double score = *base;
  if (maturity.measured)
    score += rules.unscreened_maturity_points * maturity.score / 100.0;
  if (audits.measured)
    score += rules.unscreened_audit_points * audits.score / 100.0;
  score = std::clamp(score, rules.floor, 100.0);
  return measured(score, *base,
                  "Not screened; by protocol metadata: " + whose +
                      (maturity.measured ? ", maturity" : ", maturity not known") +
                      (audits.measured ? ", audits" : ", audits not known"));
}

} // namespace assay::engine
