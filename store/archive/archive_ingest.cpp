#include "store/archive/archive.hpp"
#include "store/archive/fact_kind.hpp"
#include "store/archive/row_checksum.hpp"
#include "store/archive/state_value.hpp"
#include "store/codec/records.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay::store {

namespace {

using outcome = sqlite::statement::outcome;

std::array<const std::optional<double>*, 6> figures(const observation& x) {
  return {&x.apy, &x.apy_base, &x.apy_reward, &x.tvl_usd, &x.utilization, &x.available_usd};
}

std::optional<problem> not_finite(std::span<const observation> batch) {
  for (const auto& x : batch)
    for (const auto* figure : figures(x))
      if (*figure && !std::isfinite(**figure))
        return problem{x.vault_id + " at " + to_iso8601(x.at), "not a finite number"};
  return std::nullopt;
}

void bind_observation(sqlite::statement& s, std::int64_t vault, const observation& x,
                      inputs_revision revision) {
  s.bind(1, vault);
  s.bind(2, std::int64_t{x.at.time_since_epoch().count()});
  s.bind(3, static_cast<std::int64_t>(revision));
  int i = 4;
  for (const auto* figure : figures(x))
    s.bind(i++, *figure);
}

bool same_bits(std::optional<double> a, std::optional<double> b) {
  return a.has_value() == b.has_value() &&
         (!a || std::bit_cast<std::uint64_t>(*a) == std::bit_cast<std::uint64_t>(*b));
}

} // namespace

/// Writes one batch of inputs under one new revision; inside a transaction.
class archive::ingest {
public:
  explicit ingest(archive& owner) : owner_(owner), db_(owner.db()) {}

  std::optional<problem> begin() {
    const auto now = owner_.reader_.revision();
    if (!now)
      return now.error();
    result_.revision = *now + 1;
    auto known = db_.prepare("SELECT body FROM facts WHERE kind = ?1 AND key = ?2 "
                             "ORDER BY revision DESC LIMIT 1");
    auto put = db_.prepare("INSERT OR REPLACE INTO facts VALUES (?1, ?2, ?3, ?4)");
    if (!known || !put)
      return db_.failure();
    known_fact_ = std::move(*known);
    put_fact_ = std::move(*put);
    return std::nullopt;
  }

  std::optional<problem> observations(std::span<const observation> batch);
  std::optional<problem> facts(const fact_batch& batch);
  std::optional<problem> fact(fact_kind kind, const std::string& key,
                              const std::optional<std::string>& body);
  template <class Record>
  using keyed = std::vector<std::pair<std::string, const Record*>>;
  /// Takes what the universe directory says of `kind`, in any order: of the records that it said
  /// the same of before nothing, because they may have been revised from elsewhere since; what it
  /// said before and says no more is no longer known. One reading, and writing only what differs.
  template <class Record>
  std::optional<problem> say(fact_kind kind, keyed<Record> next);

  /// Raises the revision if anything changed; the result of the batch.
  expected<ingest_result> finish() {
    if (result_.added + result_.revised == 0) {
      --result_.revision;
      return result_;
    }
    if (auto p = put_state(db_, "inputs_revision", static_cast<std::int64_t>(result_.revision)))
      return *p;
    return result_;
  }

private:
  /// Key, and body unless it is no longer said.
  using said_fact = std::pair<std::string, std::optional<std::string>>;
  std::optional<problem> note(fact_kind kind, std::span<const said_fact> changes);

  archive& owner_;
  sqlite::database& db_;
  ingest_result result_;
  // Prepared by `begin`.
  std::optional<sqlite::statement> known_fact_;
  std::optional<sqlite::statement> put_fact_;
};

std::optional<problem> archive::ingest::observations(std::span<const observation> batch) {
  auto add = db_.prepare("INSERT INTO observations SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 "
                         "WHERE NOT EXISTS (SELECT 1 FROM observations "
                         "WHERE vault_no = ?1 AND at_ms = ?2)");
  auto known = db_.prepare("SELECT apy, apy_base, apy_reward, tvl_usd, utilization, available_usd "
                           "FROM observations WHERE vault_no = ?1 AND at_ms = ?2 "
                           "ORDER BY revision DESC LIMIT 1");
  // Of two in one batch the later one replaces the first: no run can have seen it.
  auto revise = db_.prepare("INSERT OR REPLACE INTO observations "
                            "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
  if (!add || !known || !revise)
    return db_.failure();
  auto earliest = time_point::max();
  for (const auto& x : batch) {
    const auto vault = owner_.vault_number(x.vault_id);
    if (!vault)
      return vault.error();
    bind_observation(*add, *vault, x, result_.revision);
    if (!add->run())
      return db_.failure();
    if (db_.changes() == 1) {
      ++result_.added;
      earliest = std::min(earliest, x.at);
      continue;
    }
    known->bind(1, *vault);
    known->bind(2, std::int64_t{x.at.time_since_epoch().count()});
    if (known->step() != outcome::row)
      return db_.failure();
    bool same = true;
    int column = 0;
    for (const auto* figure : figures(x))
      same = same_bits(known->optional_number(column++), *figure) && same;
    known->reset();
    if (same) {
      ++result_.repeated;
      continue;
    }
    bind_observation(*revise, *vault, x, result_.revision);
    if (!revise->run())
      return db_.failure();
    ++result_.revised;
    earliest = std::min(earliest, x.at);
  }
  return note_unthinned(db_, earliest);
}

std::optional<problem> archive::ingest::facts(const fact_batch& batch) {
  std::optional<problem> p;
  const auto put = [&](const auto& records) {
    for (const auto& x : records)
      if (!p)
        p = fact(kind_of(x), key_of(x), encode(x));
  };
  put(batch.vaults);
  put(batch.protocols);
  put(batch.chains);
  put(batch.assets);
  put(batch.curators);
  put(batch.admins);
  return p;
}

std::optional<problem> archive::ingest::fact(fact_kind kind, const std::string& key,
                                             const std::optional<std::string>& body) {
  auto& known = *known_fact_;
  known.bind(1, static_cast<std::int64_t>(kind));
  known.bind(2, std::string_view{key});
  const auto found = known.step();
  if (found == outcome::failed)
    return db_.failure();
  const bool is_known = found == outcome::row && !known.is_null(0);
  const bool same = body ? is_known && known.blob(0) == *body : !is_known;
  known.reset();
  if (same) {
    ++result_.repeated;
    return std::nullopt;
  }
  auto& put = *put_fact_;
  put.bind(1, static_cast<std::int64_t>(kind));
  put.bind(2, std::string_view{key});
  put.bind(3, static_cast<std::int64_t>(result_.revision));
  if (body)
    put.bind_blob(4, *body);
  else
    put.bind_null(4);
  if (!put.run())
    return db_.failure();
  ++(found == outcome::row ? result_.revised : result_.added);
  return std::nullopt;
}

template <class Record>
std::optional<problem> archive::ingest::say(fact_kind kind, keyed<Record> next) {
  std::sort(next.begin(), next.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  auto said = db_.prepare("SELECT key, checksum FROM universe_facts WHERE kind = ?1 ORDER BY key");
  if (!said)
    return said.error();
  said->bind(1, static_cast<std::int64_t>(kind));
  // Both sides come in the order of their keys. Written afterwards: what is being read must hold.
  std::vector<said_fact> changes;
  auto i = next.begin();
  const auto take_until = [&](std::optional<std::string_view> key) {
    for (; i != next.end() && (!key || i->first < *key); ++i)
      changes.emplace_back(i->first, encode(*i->second));
  };
  outcome o = said->step();
  for (; o == outcome::row; o = said->step()) {
    const auto key = said->text(0);
    take_until(key);
    if (i == next.end() || i->first != key) {
      changes.emplace_back(key, std::nullopt);
      continue;
    }
    if (auto body = encode(*i->second); row_checksum(body) != said->integer(1))
      changes.emplace_back(key, std::move(body));
    else
      ++result_.repeated;
    ++i;
  }
  if (o == outcome::failed)
    return db_.failure();
  take_until(std::nullopt);
  return note(kind, changes);
}

std::optional<problem> archive::ingest::note(fact_kind kind, std::span<const said_fact> changes) {
  auto put = db_.prepare("INSERT OR REPLACE INTO universe_facts VALUES (?1, ?2, ?3)");
  auto drop = db_.prepare("DELETE FROM universe_facts WHERE kind = ?1 AND key = ?2");
  if (!put || !drop)
    return db_.failure();
  for (const auto& [key, body] : changes) {
    auto& s = body ? *put : *drop;
    s.bind(1, static_cast<std::int64_t>(kind));
    s.bind(2, std::string_view{key});
    if (body)
      s.bind(3, row_checksum(*body));
    if (!s.run())
      return db_.failure();
    if (auto p = fact(kind, key, body))
      return p;
  }
  return std::nullopt;
}

expected<ingest_result> archive::append_observations(std::span<const observation> batch) {
  return take({.observations = batch});
}

expected<ingest_result> archive::put_facts(const fact_batch& batch) {
  return take({.facts = batch});
}

expected<std::int64_t> archive::add_measurements(const input_batch& batch) {
  // After a failure SQLite may have rolled back already: nothing may be written behind it.
  const auto probes = add_probes(batch.probes);
  if (!probes)
    return probes.error();
  const auto gas_observed = add_observed_gas(batch.gas_observed);
  if (!gas_observed)
    return gas_observed.error();
  const auto gas_samples = add_gas_samples(batch.gas_samples);
  if (!gas_samples)
    return gas_samples.error();
  return *probes + *gas_observed + *gas_samples;
}

expected<ingest_result> archive::take(const input_batch& batch) {
  if (auto p = not_finite(batch.observations))
    return *p;
  return in_transaction([&]() -> expected<ingest_result> {
    ingest work{*this};
    auto p = work.begin();
    if (!p)
      p = work.facts(batch.facts);
    if (!p && !batch.observations.empty())
      p = work.observations(batch.observations);
    if (p)
      return *p;
    const auto measured = add_measurements(batch);
    if (!measured)
      return measured.error();
    auto result = work.finish();
    if (result)
      result->added += *measured;
    return result;
  });
}

expected<ingest_result> archive::put_universe(const engine::universe& u) {
  return in_transaction([&]() -> expected<ingest_result> {
    ingest work{*this};
    auto p = work.begin();
    if (!p)
      p = work.fact(fact_kind::dataset, "", u.dataset);
    const auto put = [&](fact_kind kind, const auto& records, auto record_of) {
      using record = std::remove_cvref_t<decltype(record_of(*records.begin()))>;
      ingest::keyed<record> next;
      next.reserve(records.size());
      for (const auto& item : records)
        next.emplace_back(key_of(record_of(item)), &record_of(item));
      if (!p)
        p = work.say(kind, std::move(next));
    };
    const auto itself = [](const auto& x) -> const auto& {
      return x;
    };
    const auto value = [](const auto& x) -> const auto& {
      return x.second;
    };
    put(fact_kind::vault, u.vaults, itself);
    put(fact_kind::protocol, u.protocols, value);
    put(fact_kind::chain, u.chains, value);
    put(fact_kind::asset, u.assets, value);
    put(fact_kind::curator, u.curators, value);
    put(fact_kind::admin, u.admins, value);
    if (p)
      return *p;
    return work.finish();
  });
}

} // namespace assay::store
