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

/// What a start reads before anything is decided or written.
struct start_inputs {
  assumptions rules;
  std::filesystem::path directory;
  data_directory data;
  std::shared_ptr<store::archive> archive;
  feeds::loaded_universe loaded;
  archived_start archived;
  /// `loaded` has histories that the archive lacks.
  bool with_histories = false;
  /// Observations are replayed as if made now.
  bool replay = false;
};

expected<start_inputs, start_refusal> read_inputs(const config& c, time_point now) {
  const auto conf = find_conf_directory();
  if (!conf)
    return unusable(conf.error());
  auto rules = load_assumptions(*conf);
  if (!rules)
    return start_refusal{rules.error()};
  auto data = data_directory::open(c.data.dir);
  if (!data)
    return unusable(data.error());
  auto archive = store::archive::open(data->path());
  if (!archive)
    return archive_fails(archive.error(), *data);

  auto directory =
      c.data.universe.empty() ? *conf / "sample" : std::filesystem::path{c.data.universe};
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
  const bool replay = options.replays(loaded->universe.dataset);
  return start_inputs{std::move(*rules),  std::move(directory),
                      std::move(*data),   std::make_shared<store::archive>(std::move(*archive)),
                      std::move(*loaded), std::move(*archived),
                      *lacking,           replay};
}

/// Brings facts and figures of the inputs and the archive together; both are the same afterwards. A
/// temporary archive cannot be looked at later, so nothing is copied into it.
expected<held_back_figures, start_refusal> settle(start_inputs& in, store::live_store& live,
                                                  feeds::plausibility& judge,
                                                  const live_rules& rules, time_point now) {
  const bool kept = !in.data.temporary();
  if (kept)
    if (const auto wrong = settle_facts(*in.archive, in.loaded, std::move(in.archived.universe)))
      return archive_fails(*wrong, in.data);
  auto held_back = settle_live(in.loaded, in.archived.histories, live, judge, rules,
                               quarantine_file{in.data.path()}.read(), now);
  if (!kept)
    in.archived.histories = recorded_histories(in.loaded);
  else if (const auto wrong = archive_figures(*in.archive, in.loaded, in.directory,
                                              in.with_histories, now, in.archived.histories))
    return archive_fails(*wrong, in.data);
  const auto& m = in.rules.methodology;
  if (const auto wrong = in.archive->put_methodology(m.version, engine::canonical_text(m)))
    return archive_fails(*wrong, in.data);
  return held_back;
}

} // namespace

expected<startup, start_refusal> load_startup(const config& c, time_point now) {
  const auto quarantine = quarantine_rules(c);
  if (!quarantine)
    return unusable(quarantine.error());
  auto live = open_live_store(c);
  if (!live)
    return unusable(live.error());
  auto in = read_inputs(c, now);
  if (!in)
    return std::move(in.error());
  auto judge = std::make_shared<feeds::plausibility>(*quarantine);
  const live_rules rules{*quarantine, in->replay,
                         std::chrono::seconds{c.catalog.refresh_cadence_s}};
  auto held_back = settle(*in, **live, *judge, rules, now);
  if (!held_back)
    return std::move(held_back.error());

  auto measurements = measurements_of(in->loaded, std::move(in->archived.measurements));
  auto dataset = in->loaded.universe.dataset;
  auto book = std::make_shared<actors::ledger>(std::move(in->loaded.universe),
                                               std::move(in->archived.histories), in->loaded.live);
  startup result{std::move(in->data), std::move(in->directory),     std::move(dataset),
                 in->replay,          std::move(in->rules),         std::move(in->archive),
                 std::move(book),     std::move(in->archived.rows), std::move(measurements)};
  result.plausibility = std::move(judge);
  result.held_back = held_back->count;
  result.quarantine_reason = std::move(held_back->reason);
  result.live_store = std::move(*live);
  return result;
}

} // namespace assay::app
