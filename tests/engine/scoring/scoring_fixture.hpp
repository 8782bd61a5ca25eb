#pragma once

#include "engine/history.hpp"
#include "engine/scoring/history_facts.hpp"
#include "engine/scoring/methodology.hpp"
#include "engine/universe.hpp"
#include "messages/types/registry.hpp"
#include "messages/types/score.hpp"
#include "messages/types/time.hpp"
#include "messages/types/vault.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace assay::engine::test {

/// The text of conf/methodology.toml, and what the loader makes of it.
const std::string& shipped_text();
const methodology& shipped();

/// Reads an ISO 8601 instant or day; fails the test on anything else.
time_point at(std::string_view text);
day_point day(std::string_view text);

/// The instant that most tests score at: 2026-11-21T12:00:00Z.
time_point noon();

/// An observation at 06:00 UTC, `age` days before the day of `noon()`.
observation seen(int age, double apy, double tvl_usd);

/// `days` daily observations up to the day of `noon()`; `fill` completes each (age in days).
daily_series series(int days, const std::function<void(observation&, int)>& fill);

/// Facts of the series at `noon()`.
history_facts facts(const daily_series& s);

/// A universe of `n` vaults of three protocols on three chains with all kinds of gaps, and
/// histories of up to `days` days; the same for the same `seed`.
struct world {
  universe known;
  history_book histories;
};
world make_world(int n, int days, unsigned seed);

const factor_result& of(const score_row& row, factor f);

} // namespace assay::engine::test
