#include "app/service/startup.hpp"

#include "app/service/archived_start.hpp"
#include "app/service/conf_directory.hpp"
#include "app/service/quarantine_file.hpp"
#include "app/service/start_figures.hpp"
#include "feeds/feed_batch.hpp"
#include "feeds/universe_directory.hpp"

#include <spdlog/spdlog.h>

#include <chrono>
#include <future>
#include <optional>
#include <system_error>
#include <utility>

namespace assay::app {

namespace {

/// Recordings: their observations are replayed as if made now (feeds/time_shift.hpp). What
/// `assay generate` writes is one too: its figures end on a fixed day.
const std::vector<std::string> replayed_datasets{"sample", "synthetic"};

/// The histories of a universe with the live figures as their newest points.
engine::history_book recorded_histories(feeds::loaded_universe& loaded) {
  for (const auto& e : loaded.live)
    loaded.histories[e.vault_id].add(to_observation(e));
  return std::move(loaded.histories);
}

/// What the directory says, and what feeds told an earlier process.
feed_batch_ptr measurements_of(feeds::loaded_universe& loaded, feeds::feed_batch&& archived) {
  auto batch = std::make_shared<feeds::feed_batch>();
  batch->probes = std::move(loaded.probes);
  batch->gas_samples = std::move(loaded.gas_samples);
  batch->gas_observed = std::move(loaded.gas_observed);
  batch->merge(std::move(archived));
  return batch;
}

/// Takes over live figures that the archive and the live store hold and that are newer than what
/// the directory says: feeds have told them to an earlier process. A live store that does not
/// answer is no reason not to start.
void adopt_stored(feeds::loaded_universe& loaded, const engine::history_book& archived,
                  store::live_store& live, feeds::plausibility& judge, const believed_until& until,
                  time_point now) {
  std::vector<live_entry> stored;
  for (const auto& [id, series] : archived)
    stored.push_back(newest_of(id, series));
  auto adopted = adopt_newer(loaded, stored, judge, until, now);
  if (const auto shared = live.all())
    adopted += adopt_newer(loaded, shared->entries, judge, believed_until::always(), now);
  else
    spdlog::warn("live store not read: {}", shared.error().text());
  if (adopted > 0)
    spdlog::info("{} live figures were stored by an earlier process and are newer", adopted);
}

/// What the live figures of the start are decided by.
struct live_rules {
  feeds::plausibility_config plausibility;
  /// Observations are replayed as if made now.
  bool replay = false;
  /// Between two readings of the universe directory.
  std::chrono::seconds refresh_cadence{};
};

/// Decides which live figures the service starts with.
held_back_figures settle_live(feeds::loaded_universe& loaded, const engine::history_book& archived,
                              store::live_store& live, feeds::plausibility& judge,
                              const live_rules& rules, const feeds::plausibility_memory& memory,
                              time_point now) {
  const believed_until until{memory};
  const auto since = now - rules.plausibility.apy_window;
  held_back_figures held_back;
  if (rules.replay) {
    leave_fresh(loaded, archived, now - rules.refresh_cadence);
    for (const auto& entry : loaded.live)
      judge.learn(to_observation(entry));
  } else {
    held_back = judge_start(judge, loaded, archived, since, until, now);
  }
  learn_untracked(judge, loaded, archived, since, until, now);
  adopt_stored(loaded, archived, live, judge, until, now);
  judge.recall(memory);
  return held_back;
}

start_refusal unusable(const problem& p) {
  return {{p}, false};
}

/// The archive has a problem: one that passes when its disk is full, whatever SQLite calls that.
start_refusal archive_fails(const problem& p, const data_directory& data) {
  constexpr std::uintmax_t room_for_a_start = 1 << 20;
  std::error_code error;
  const auto space = std::filesystem::space(data.path(), error);
  return {{p}, !error && space.available < room_for_a_start};
}

} // namespace

expected<startup, start_refusal> load_startup(const config& c, time_point now) {
  const auto conf = find_conf_directory();
  if (!conf)
    return unusable(conf.error());
  auto rules = load_assumptions(*conf);
  if (!rules)
    return start_refusal{rules.error()};

  std::filesystem::path directory = c.data.universe;
  if (directory.empty())
    directory = *conf / "sample";
  auto data = data_directory::open(c.data.dir);
  if (!data)
    return unusable(data.error());
  auto opened = store::archive::open(data->path());
  if (!opened)
    return archive_fails(opened.error(), *data);
  auto archive = std::make_shared<store::archive>(std::move(*opened));

  feeds::universe_load_options options{now, replayed_datasets};
  const auto lacking = lacks_histories(*archive, directory, options);
  if (!lacking)
    return archive_fails(lacking.error(), *data);
  options.with_histories = *lacking;
  // Beside the documents, which take as long.
  auto reading = std::async(std::launch::async, read_archived, data->path(), now);
  auto loaded = feeds::load_universe_directory(directory.string(), options);
  auto archived = reading.get();
  if (!loaded)
    return start_refusal{loaded.error()};
  if (!archived)
    return archive_fails(archived.error(), *data);

  const auto quarantine = quarantine_rules(c);
  if (!quarantine)
    return unusable(quarantine.error());
  auto judge = std::make_shared<feeds::plausibility>(*quarantine);
  auto live = open_live_store(c);
  if (!live)
    return unusable(live.error());
  // A temporary archive cannot be looked at later, so the inputs are not copied into it.
  const bool kept = !data->temporary();
  if (kept)
    if (const auto wrong = settle_facts(*archive, *loaded, std::move(archived->universe)))
      return archive_fails(*wrong, *data);
  const live_rules rules_of_live{*quarantine, options.replays(loaded->universe.dataset),
                                 std::chrono::seconds{c.catalog.refresh_cadence_s}};
  auto held_back = settle_live(*loaded, archived->histories, **live, *judge, rules_of_live,
                               quarantine_file{data->path()}.read(), now);
  if (!kept)
    archived->histories = recorded_histories(*loaded);
  else if (const auto wrong =
               archive_figures(*archive, *loaded, directory, *lacking, now, archived->histories))
    return archive_fails(*wrong, *data);
  archive->put_methodology(rules->methodology.version, engine::canonical_text(rules->methodology));

  auto measurements = measurements_of(*loaded, std::move(archived->measurements));
  auto dataset = loaded->universe.dataset;
  auto book = std::make_shared<actors::ledger>(std::move(loaded->universe),
                                               std::move(archived->histories), loaded->live);
  startup result{std::move(*data),     std::move(directory),      std::move(dataset),
                 rules_of_live.replay, std::move(*rules),         std::move(archive),
                 std::move(book),      std::move(archived->rows), std::move(measurements)};
  result.plausibility = std::move(judge);
  result.held_back = held_back.count;
  result.quarantine_reason = std::move(held_back.reason);
  result.live_store = std::move(*live);
  return result;
}

} // namespace assay::app
