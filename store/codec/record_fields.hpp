#pragma once

#include "messages/types/admin_topology.hpp"
#include "messages/types/live.hpp"
#include "messages/types/registry.hpp"
#include "messages/types/route.hpp"
#include "messages/types/score.hpp"
#include "messages/types/vault.hpp"

#include <concepts>
#include <type_traits>

namespace assay {

// Names every field of every stored record once, for writing and for reading. The structured
// bindings are the guard: a field added to a type does not compile until it is stored as well.

template <class T, class Record>
concept is_record = std::same_as<std::remove_const_t<T>, Record>;

template <class V, is_record<withdrawal_terms> R>
void fields(V& v, R& r) {
  auto& [kind, delay] = r;
  v(kind, delay);
}

template <class V, is_record<vault_record> R>
void fields(V& v, R& r) {
  auto& [id, chain, protocol, address, name, asset, token, launched, withdrawal, source, curator,
         listed] = r;
  v(id, chain, protocol, address, name, asset, token, launched, withdrawal, source, curator,
    listed);
}

template <class V, is_record<audit_record> R>
void fields(V& v, R& r) {
  auto& [firm, year, contest] = r;
  v(firm, year, contest);
}

template <class V, is_record<incident_record> R>
void fields(V& v, R& r) {
  auto& [date, loss, returned, resolved, description] = r;
  v(date, loss, returned, resolved, description);
}

template <class V, is_record<protocol_record> R>
void fields(V& v, R& r) {
  auto& [id, name, category, launched, audits, incidents, withdrawal, source] = r;
  v(id, name, category, launched, audits, incidents, withdrawal, source);
}

template <class V, is_record<chain_record> R>
void fields(V& v, R& r) {
  auto& [id, key, name, evm, security, launched] = r;
  v(id, key, name, evm, security, launched);
}

template <class V, is_record<asset_record> R>
void fields(V& v, R& r) {
  auto& [symbol, cls, peg, deviation, rank] = r;
  v(symbol, cls, peg, deviation, rank);
}

template <class V, is_record<curator_record> R>
void fields(V& v, R& r) {
  auto& [id, name, established] = r;
  v(id, name, established);
}

template <class V, is_record<admin_role> R>
void fields(V& v, R& r) {
  auto& [role, kind, threshold, owners, delay, unverified] = r;
  v(role, kind, threshold, owners, delay, unverified);
}

template <class V, is_record<admin_topology> R>
void fields(V& v, R& r) {
  auto& [id, cls, curator, rating, timelock, roles, checked] = r;
  v(id, cls, curator, rating, timelock, roles, checked);
}

template <class V, is_record<factor_result> R>
void fields(V& v, R& r) {
  auto& [score, weight, raw, label, pillar] = r;
  v(score, weight, raw, label, pillar);
}

template <class V, is_record<score_row> R>
void fields(V& v, R& r) {
  auto& [id, chain, protocol, asset, cls, composite, label, pillars, factors, admin, quality, days,
         scored, version] = r;
  v(id, chain, protocol, asset, cls, composite, label, pillars, factors, admin, quality, days,
    scored, version);
}

template <class V, is_record<round_trip> R>
void fields(V& v, R& r) {
  auto& [notional, outcome, in, out, gas, fee, impact, proportional] = r;
  v(notional, outcome, in, out, gas, fee, impact, proportional);
}

template <class V, is_record<route_probe> R>
void fields(V& v, R& r) {
  auto& [id, checked, path, router, trips] = r;
  v(id, checked, path, router, trips);
}

template <class V, is_record<observed_gas> R>
void fields(V& v, R& r) {
  auto& [id, entry, exit, at] = r;
  v(id, entry, exit, at);
}

template <class V, is_record<live_entry> R>
void fields(V& v, R& r) {
  auto& [id, apy, base, reward, tvl, utilization, available, at] = r;
  v(id, apy, base, reward, tvl, utilization, available, at);
}

} // namespace assay
