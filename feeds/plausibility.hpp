#pragma once

#include "messages/types/expected.hpp"
#include "messages/types/observation.hpp"
#include "messages/types/time.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay::feeds {

/// When a figure is not to be believed yet. Every number is a matter of conf.
struct plausibility_config {
  /// Largest APY that is believed at all, percentage points.
  double apy_max = 1000;
  /// A jump: the APY is over `apy_median_factor` times the vault's own median of `apy_window`,
  /// and over `apy_distance_points` percentage points away from it.
  double apy_median_factor = 3;
  double apy_distance_points = 10;
  /// Also a jump, for a vault that has been calm: over the same factor, over this many points and
  /// over this many times the window's robust spread (1.4826 × median absolute deviation, at
  /// least `calm_spread_min_points`) away. Found in a recorded fault: a market's USDC read 13.1 to
  /// 13.4 % for days while it really paid 3.3 to 4.2 %, which is never 10 points away.
  double calm_distance_points = 5;
  double calm_spreads = 10;
  double calm_spread_min_points = 0.25;
  std::chrono::hours apy_window{14 * 24};
  /// Readings (of different quarter days) that make a vault's calm known; before that only the
  /// first rule holds.
  std::size_t calm_readings_min = 3;
  /// A jump: the TVL is over `tvl_factor` times its lowest of the last `tvl_window`. Smaller falls
  /// are believed at once: to show a vault larger than it is would be the worse mistake.
  double tvl_factor = 5;
  std::chrono::hours tvl_window{5};
  /// A TVL that is this many times larger or smaller than the last one, however long ago that was,
  /// looks like wrong decimals or a missing price. In a month of 627 vaults the largest true change
  /// in a day was 224-fold.
  double tvl_scale_factor = 1000;
  /// Vaults that were smaller than this, USD, may grow as they like.
  double tvl_floor_usd = 10'000;
  /// A new level is believed after this many consecutive consistent readings, over this time.
  int confirm_readings = 3;
  /// An APY; also a TVL that grew `tvl_scale_factor`-fold, and a document in other units. A vault
  /// that is known for a shorter time takes only that time, at least `confirm_young_for`.
  std::chrono::hours confirm_apy_for{7 * 24};
  std::chrono::hours confirm_young_for{24};
  /// An APY that rose by its reward part alone, as incentive programmes do.
  std::chrono::hours confirm_reward_for{24};
  std::chrono::hours confirm_tvl_for{24};
  /// A TVL that fell `tvl_scale_factor`-fold: long enough for a price that was missing, short for
  /// everybody having left.
  std::chrono::minutes confirm_fall_for{60};
  /// Readings are consistent when APYs are within this share (or one point) of each other, and
  /// TVLs within twice this share.
  double confirm_tolerance = 0.25;
  /// A vault that is back at its old level is trusted again from this plausible reading on.
  int recover_readings = 2;
  /// A reading may be this much later than the clock.
  std::chrono::minutes future_max{5};
  /// A list that is empty, or has lost more than this share of its items, is held back until
  /// `confirm_readings` lists in a row agree over `confirm_list_for`.
  double list_shrink_max = 0.5;
  std::chrono::minutes confirm_list_for{60};
  /// A document in which the vaults' APYs or TVLs are, in the median, this many times larger or
  /// smaller than before has changed its units (a fraction for a percentage).
  double units_factor = 20;
  /// Vaults that such a median needs.
  std::size_t units_vaults_min = 5;
};

/// Returns what is wrong with a configuration, named by its field.
std::optional<problem> validate(const plausibility_config& config);

/// A vault or a list that is held back.
struct quarantine_entry {
  /// Vault id, or `feed:<name>` for a whole list.
  std::string id;
  std::string reason;
  time_point since{};
};

/// What a judge knows beyond the figures it believed, so that another process can go on with it.
struct plausibility_memory {
  /// A vault that is held back.
  struct vault {
    std::string id;
    std::string reason;
    time_point since{};
    /// The level that waits to be confirmed, and its readings so far; none after a broken reading.
    std::optional<observation> level;
    int readings = 0;

    friend bool operator==(const vault&, const vault&) = default;
  };
  struct feed {
    std::string name;
    std::size_t items = 0;

    friend bool operator==(const feed&, const feed&) = default;
  };

  /// Both sorted by name.
  std::vector<vault> vaults;
  std::vector<feed> feeds;
  /// Whatever the archive has until then was judged; what was imported since was not.
  time_point judged_until{};

  friend bool operator==(const plausibility_memory&, const plausibility_memory&) = default;
};

/// Judges readings against what was believed before, one state machine per vault and per feed.
/// Nothing possible is held back for longer than `apy_window`: by then there is nothing believed
/// left in it to compare with. Pure: time comes with the readings. Not thread-safe; one owner.
/// Memory: about 1 KiB per vault, twice that for those judged since the last `settle`.
class plausibility {
public:
  /// The configuration must be valid.
  explicit plausibility(const plausibility_config& config = {}) : config_(config) {}

  /// Takes a reading that was believed earlier (from the archive) without judging it.
  void learn(const observation& x);

  /// Returns nothing when the reading may be served, else why it is held back. `now` is when it
  /// arrived. A reading that is older than the last believed one changes nothing and is only held
  /// to what is possible at all (histories); one of the same instant is judged, and changes
  /// nothing either.
  std::optional<std::string> judge(const observation& x, time_point now);

  /// The same for the number of items in the whole document of a feed.
  std::optional<std::string> judge_list(std::string_view feed, std::size_t items, time_point now);

  /// The same for the units of a document: its readings beside the last believed ones.
  std::optional<std::string> judge_units(std::string_view feed,
                                         const std::vector<observation>& readings, time_point now);

  /// Judgements stand on each other, so one that came to nothing must be forgotten: `settle` keeps
  /// what the judgements changed since the last call of either, `revert` takes it back.
  void settle();
  void revert();

  /// What is held back now, sorted by id.
  std::vector<quarantine_entry> quarantine() const;

  plausibility_memory memory() const;
  /// Goes on with what an earlier judge knew. Call it after `learn`.
  void recall(const plausibility_memory& memory);

private:
  struct reading {
    time_point at{};
    double value = 0;
  };

  /// A level that is not believed yet.
  struct trial {
    observation level;
    int readings = 0;
  };

  struct vault_state {
    /// Believed APYs, one per quarter day, oldest first; and TVLs, the lowest of each hour.
    std::vector<reading> apy;
    std::vector<reading> tvl;
    time_point newest{};
    std::optional<trial> doubted;
    int plausible_again = 0;
    std::string reason;
    time_point since{};
  };

  struct list_state {
    std::size_t items = 0;
    std::size_t doubted_items = 0;
    int readings = 0;
    time_point first{};
    std::string reason;
    /// Documents in a row in other units, and the first of them.
    int other_units = 0;
    time_point units_since{};
  };

  struct doubt {
    std::string reason;
    std::chrono::minutes confirm_for{};
  };

  std::optional<std::string> impossible(const observation& x, time_point now) const;
  std::optional<doubt> jump(const vault_state& state, const observation& x) const;
  std::optional<std::string> apy_jump(const vault_state& state, double apy) const;
  std::optional<doubt> doubt_apy(const vault_state& state, const observation& x) const;
  std::optional<doubt> doubt_tvl(const vault_state& state, const observation& x) const;
  std::optional<std::string> change_of_units(const std::vector<observation>& readings) const;
  bool consistent(const observation& level, const observation& x) const;
  /// True when the doubted level was confirmed by this reading.
  bool confirm(vault_state& state, const observation& x, std::chrono::minutes confirm_for) const;
  void believe(vault_state& state, const observation& x) const;
  /// Takes out what was stamped by a clock that has been put right since.
  void forget_future(vault_state& state, time_point now) const;

  plausibility_config config_;
  time_point judged_until_{};
  std::unordered_map<std::string, vault_state> vaults_;
  std::unordered_map<std::string, list_state> lists_;
  // What `revert` brings back.
  std::unordered_map<std::string, vault_state> vaults_before_;
  std::unordered_map<std::string, list_state> lists_before_;
};

} // namespace assay::feeds
