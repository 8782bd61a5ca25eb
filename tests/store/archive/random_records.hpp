#pragma once

#include "messages/types/observation.hpp"
#include "messages/types/score.hpp"
#include "store/archive/archive_records.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>

namespace assay::test {

/// Draws records whose every field takes odd values: denormals, negative zero, empty and foreign
/// texts, absent optionals.
class random_records {
public:
  explicit random_records(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool coin() { return below(2) == 0; }

  /// Any finite double, every bit pattern as likely as the next.
  double number() {
    for (;;) {
      if (below(8) == 0)
        return coin() ? 0.0 : -0.0;
      if (const auto x = std::bit_cast<double>(random_()); std::isfinite(x))
        return x;
    }
  }
  std::string text() {
    std::string s;
    for (auto n = below(40); n > 0; --n)
      s += static_cast<char>(below(256));
    return s;
  }
  template <class Make>
  auto maybe(Make make) -> std::optional<decltype(make())> {
    return coin() ? std::optional{make()} : std::nullopt;
  }
  std::optional<double> maybe_number() {
    return maybe([&] { return number(); });
  }
  time_point time() {
    return time_point{std::chrono::milliseconds{static_cast<std::int64_t>(below(1ull << 42))}};
  }

  admin_topology admin() {
    admin_topology a;
    a.vault_id = text();
    a.cls = static_cast<admin_class>(below(6));
    a.curator_id = maybe([&] { return text(); });
    a.rating = maybe([&] { return static_cast<curator_rating>(below(2)); });
    a.timelock_seconds = maybe_number();
    for (auto n = below(4); n > 0; --n) {
      admin_role role;
      role.role = text();
      role.kind = static_cast<role_kind>(below(5));
      role.threshold = maybe([&] { return static_cast<int>(random_()); });
      role.owners = maybe([&] { return static_cast<int>(random_()); });
      role.delay_seconds = maybe_number();
      role.unverified_governance = maybe([&] { return coin(); });
      a.roles.push_back(std::move(role));
    }
    a.checked_at = time();
    return a;
  }

  score_row row(std::string vault_id, time_point scored_at, std::string version) {
    score_row r;
    r.vault_id = std::move(vault_id);
    r.chain = random_();
    r.protocol_id = text();
    r.asset = text();
    r.asset_class = maybe([&] { return static_cast<asset_class>(below(7)); });
    r.composite = number();
    r.label = static_cast<posture>(below(3));
    for (auto& p : r.pillar_scores)
      p = number();
    for (auto& f : r.factors)
      f = {number(), number(), number(), text(), static_cast<pillar>(below(4))};
    r.admin = maybe([&] { return admin(); });
    r.quality = static_cast<data_quality>(below(3));
    r.history_days = static_cast<int>(random_());
    r.scored_at = scored_at;
    r.scorer_version = std::move(version);
    return r;
  }

  observation observed(std::string vault_id, time_point at) {
    return {std::move(vault_id), at,
            maybe_number(),      maybe_number(),
            maybe_number(),      maybe_number(),
            maybe_number(),      maybe_number()};
  }

  /// A scoring of `n` vaults `v0` … at `scored_at`.
  store::scoring_batch batch(int n, time_point scored_at, store::inputs_revision inputs = 0) {
    store::scoring_batch b{scored_at, "1.0.0+0badcafe", inputs, {}};
    for (int i = 0; i < n; ++i)
      b.rows.push_back(row("v" + std::to_string(i), scored_at, b.scorer_version));
    return b;
  }

private:
  std::mt19937_64 random_;
};

} // namespace assay::test
