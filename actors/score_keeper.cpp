#include "actors/score_keeper.hpp"

#include "actors/daily_thinning.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace assay::actors {

namespace {

using keeper_pointer = score_keeper_actor::stateful_pointer<score_keeper_state>;
using steady = std::chrono::steady_clock;

double seconds_since(steady::time_point start) {
  return std::chrono::duration<double>(steady::now() - start).count();
}

store::input_batch inputs_of(const feeds::feed_batch& x) {
  return {.facts = {x.vaults, x.protocols, x.chains, x.assets, x.curators, x.admins},
          .observations = x.observations,
          .probes = x.probes,
          .gas_observed = x.gas_observed,
          .gas_samples = x.gas_samples};
}

/// Shows or clears the archive's problem.
void note_archive(const score_keeper_state& st, const std::string& what) {
  st.config.status->update([&](service_status& s) {
    if (what.empty())
      s.problems.erase("archive");
    else
      s.problems["archive"] = what;
  });
}

/// Writes a batch to the archive, then to the ledger; what the archive refuses is not learned
/// either, because a score must be computable again from the archive alone.
bool learn(score_keeper_state& st, const feeds::feed_batch& batch) {
  const auto done = st.config.archive->take(inputs_of(batch));
  if (!done) {
    spdlog::error("archive refused a batch of {} observations: {}", batch.observations.size(),
                  done.error().text());
    note_archive(st, done.error().text());
    return false;
  }
  // Where nothing had to be written nothing is known about the archive.
  if (done->added + done->revised > 0)
    note_archive(st, {});
  auto changes = st.book->apply(batch, st.config.clock());
  if (!changes.live.empty() && st.config.share_live)
    st.config.share_live(std::make_shared<const std::vector<live_entry>>(std::move(changes.live)));
  return true;
}

std::vector<std::shared_ptr<const score_row>> share(std::vector<score_row> rows) {
  std::vector<std::shared_ptr<const score_row>> result;
  result.reserve(rows.size());
  for (auto& row : rows)
    result.push_back(std::make_shared<const score_row>(std::move(row)));
  return result;
}

/// Time of the next row: a clock that went back must not make a run older than the one before.
time_point scoring_time(const score_keeper_state& st) {
  const auto now = st.config.clock();
  if (!st.scored_at)
    return now;
  return std::max(now, *st.scored_at + std::chrono::milliseconds{1});
}

/// Shows which scores are served, whoever computed them.
void show_scores(const score_keeper_state& st) {
  st.config.status->update([&](service_status& s) {
    s.scored_at = st.scored_at;
    s.score_rows = st.rows.size();
  });
}

/// Scores the universe and commits the rows; true when they are safely stored.
bool score_now(score_keeper_state& st) {
  const auto start = steady::now();
  auto run = compute_run(st.config.scoring, *st.book, st.config.archive->read(), scoring_time(st));
  if (!run) {
    spdlog::error("not scored, the scores before stay: {}", run.error().text());
    note_archive(st, run.error().text());
    return false;
  }
  if (const auto done = st.config.archive->append_scores(*run); !done) {
    spdlog::error("scores not committed, the ones before stay: {}", done.error().text());
    note_archive(st, done.error().text());
    return false;
  }
  note_archive(st, {});
  st.rows = share(std::move(run->rows));
  st.scored_at = run->scored_at;
  const double took_s = seconds_since(start);
  show_scores(st);
  st.config.status->update([&](service_status& s) {
    s.scoring_seconds = took_s;
    ++s.scoring_runs;
  });
  spdlog::info("scored {} vaults in {:.3f} s as of {}", st.rows.size(), took_s,
               to_iso8601(run->scored_at));
  return true;
}

/// Writes the metrics of the day unless they are stored; what failed is tried with every snapshot.
void archive_metrics(score_keeper_state& st) {
  if (st.metrics_archived)
    return;
  std::vector<store::metrics_row> rows;
  rows.reserve(st.metrics->size());
  for (const auto& [id, m] : *st.metrics)
    rows.push_back({id, m.scorer_run_date, m.yield_quality, m.yield_quality_reason, m.exit_safety,
                    m.exit_safety_reason});
  if (const auto done = st.config.archive->put_metrics(rows); !done) {
    spdlog::error("metrics not archived: {}", done.error().text());
    note_archive(st, done.error().text());
    return;
  }
  st.metrics_archived = true;
}

/// By the wall clock as it is set now.
time_point next_scoring(keeper_pointer self) {
  const auto& st = self->state;
  const auto wait = st.scoring_due - self->clock().now();
  return st.config.clock() +
         std::max(std::chrono::ceil<std::chrono::milliseconds>(wait), std::chrono::milliseconds{0});
}

/// Computes the live metrics when the UTC day is a new one.
void renew_metrics(score_keeper_state& st, snapshot_material& material) {
  const auto today = day_of(material.now);
  if (st.metrics_day != today) {
    st.metrics = st.config.compute_metrics(material, today);
    st.metrics_day = today;
    st.metrics_archived = false;
  }
  material.metrics = st.metrics;
}

void build_and_publish(keeper_pointer self) {
  auto& st = self->state;
  const auto start = steady::now();
  // Whatever asked for a snapshot is in this one.
  st.rebuild_sent = false;
  snapshot_material material;
  material.universe = st.book->universe();
  material.rows = st.rows;
  material.live = &st.book->live();
  material.histories = &st.book->histories();
  material.routes = st.routes;
  material.now = st.config.clock();
  material.next_refresh = std::min(material.now + st.config.refresh_cadence, next_scoring(self));
  renew_metrics(st, material);
  const auto built = st.config.build_snapshot(material);
  st.config.publish(built);
  st.config.status->update([&](service_status& s) {
    s.vaults = st.book->universe()->vaults.size();
    s.live_vaults = st.book->live().size();
    s.snapshot_seconds = seconds_since(start);
    ++s.snapshots;
    s.ready = true;
  });
  archive_metrics(st);
  // A row that becomes stale changes what is shown although nothing new came in.
  const auto wait = std::max(built.valid_until - material.now, std::chrono::milliseconds{1});
  self->delayed_send(self, wait, atom::rebuild_v, ++st.rebuild_timer);
}

void want_rebuild(keeper_pointer self) {
  // The first snapshot is the start's: nothing is shown before what is due is scored.
  if (!self->state.started)
    return;
  // To the end of the mailbox: whatever is already there goes into the same snapshot.
  if (!std::exchange(self->state.rebuild_sent, true))
    self->send(self, atom::rebuild_v, std::uint64_t{0});
}

void show_next_scoring(keeper_pointer self) {
  const auto at = next_scoring(self);
  self->state.config.status->update([&](service_status& s) { s.next_scoring_at = at; });
}

void schedule_scoring(keeper_pointer self, bool committed) {
  const auto& st = self->state;
  std::chrono::milliseconds wait = st.config.retry_delay;
  if (committed && st.scored_at)
    wait = *st.scored_at + st.config.cadence - st.config.clock();
  wait =
      std::clamp(wait, std::chrono::milliseconds{1}, std::chrono::milliseconds{st.config.cadence});
  self->delayed_send(self, wait, atom::score_v);
  self->state.scoring_due = self->clock().now() + wait;
  show_next_scoring(self);
}

/// More is no drift and no correction by degrees: somebody has set the clock.
constexpr std::chrono::seconds clock_was_set{2};

std::chrono::milliseconds clock_ahead(keeper_pointer self) {
  return std::chrono::floor<std::chrono::milliseconds>(
      self->state.config.clock().time_since_epoch() - self->clock().now().time_since_epoch());
}

/// Staleness, ages and times to come were computed from the wall clock as it was.
void look_at_clock(keeper_pointer self) {
  auto& st = self->state;
  const auto ahead = clock_ahead(self);
  const auto by = ahead - std::exchange(st.clock_ahead, ahead);
  if (std::chrono::abs(by) > clock_was_set) {
    spdlog::warn("the clock was set by {} s", std::chrono::duration<double>(by).count());
    show_next_scoring(self);
    build_and_publish(self);
  }
  self->delayed_send(self, st.config.clock_look, atom::tick_v);
}

bool scoring_is_due(const score_keeper_state& st) {
  return !st.scored_at || st.config.clock() - *st.scored_at >= st.config.cadence ||
         st.rows.empty() ||
         st.rows.front()->scorer_version != st.config.scoring.methodology->version;
}

void thin(keeper_pointer self) {
  auto& st = self->state;
  const bool done =
      thin_archive(*st.config.archive, st.config.clock(), st.config.observation_horizon);
  self->delayed_send(self, done ? thinning_cadence : st.config.thinning_retry_delay, atom::thin_v);
}

void schedule_first_thinning(keeper_pointer self) {
  const auto& st = self->state;
  const auto due = until_thinning(st.config.archive->read(), st.config.clock());
  self->delayed_send(self, std::max<std::chrono::milliseconds>(due, st.config.thinning_start_delay),
                     atom::thin_v);
}

bool start(keeper_pointer self) {
  auto& st = self->state;
  st.started = true;
  show_scores(st);
  const bool due = scoring_is_due(st);
  const bool committed = due ? score_now(st) : true;
  schedule_scoring(self, committed);
  schedule_first_thinning(self);
  build_and_publish(self);
  st.clock_ahead = clock_ahead(self);
  self->delayed_send(self, st.config.clock_look, atom::tick_v);
  return committed;
}

} // namespace

score_keeper_actor::behavior_type score_keeper(keeper_pointer self, score_keeper_config config,
                                               std::shared_ptr<ledger> book,
                                               std::vector<score_row> rows) {
  auto& st = self->state;
  st.config = std::move(config);
  st.book = std::move(book);
  for (const auto& row : rows)
    st.scored_at = std::max(st.scored_at.value_or(row.scored_at), row.scored_at);
  st.rows = share(std::move(rows));
  return {
      [self](atom::start) -> bool { return start(self); },
      [self](atom::learn, const feed_batch_ptr& batch) {
        const bool learned = learn(self->state, *batch);
        if (learned)
          want_rebuild(self);
        return learned;
      },
      [self](atom::publish, route_readings_ptr routes) {
        self->state.routes = std::move(routes);
        want_rebuild(self);
      },
      [self](atom::score) {
        const bool committed = score_now(self->state);
        schedule_scoring(self, committed);
        if (committed)
          want_rebuild(self);
      },
      [self](atom::rebuild, std::uint64_t timer) {
        auto& state = self->state;
        // One built meanwhile has shown the change, or set another timer.
        if (timer == 0 ? state.rebuild_sent : timer == state.rebuild_timer)
          build_and_publish(self);
      },
      [self](atom::thin) { thin(self); },
      [self](atom::tick) { look_at_clock(self); },
  };
}

} // namespace assay::actors
