#include "app/service/startup.hpp"

#include "app/service/conf_directory.hpp"
#include "app/service/quarantine_file.hpp"
#include "app/service/start_figures.hpp"
#include "engine/gas/gas_window.hpp"
#include "feeds/feed_batch.hpp"
#include "feeds/universe_directory.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

namespace assay::app {

namespace {

/// Recordings: their observations are replayed as if made now (feeds/time_shift.hpp). What
/// `assay generate` writes is one too: its figures end on a fixed day.
const std::vector<std::string> replayed_datasets{"sample", "synthetic"};

std::vector<observation> observations_of(const feeds::loaded_universe& loaded,
                                         bool with_histories) {
  std::vector<observation> result;
  if (with_histories)
    for (const auto& [id, series] : loaded.histories) {
      auto points = points_of(id, series, time_point::min());
      result.insert(result.end(), points.begin(), points.end());
    }
  for (const auto& e : loaded.live)
    result.push_back(to_observation(e));
  return result;
}

/// Setting of the archive: which history documents it has taken whole.
constexpr std::string_view histories_setting = "universe_histories";

/// What the history documents of a directory look like from outside: names, sizes and times of
/// modification. A million points that the archive holds already need not be read against it again.
std::string histories_fingerprint(const std::filesystem::path& directory) {
  std::vector<std::string> lines;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator{directory, error})
    if (entry.path().extension() == ".ndjson")
      lines.push_back(
          entry.path().filename().string() + ' ' + std::to_string(entry.file_size(error)) + ' ' +
          std::to_string(entry.last_write_time(error).time_since_epoch().count()) + '\n');
  std::sort(lines.begin(), lines.end());
  std::string result;
  for (const auto& line : lines)
    result += line;
  return result;
}

/// Writes the facts of the universe directory into the archive, so that every score can be computed
/// again from the archive alone, and takes from there what feeds have added or revised since.
std::optional<problem> settle_facts(store::archive& archive, feeds::loaded_universe& loaded) {
  const auto dataset = archive.read().setting("dataset");
  if (!dataset)
    return dataset.error();
  if (*dataset && **dataset != loaded.universe.dataset)
    return problem{"data directory", "holds the dataset `" + **dataset + "`, expected `" +
                                         loaded.universe.dataset + "`"};
  if (const auto done = archive.put_universe(loaded.universe); !done)
    return done.error();
  auto known = archive.read().load_universe();
  if (!known)
    return known.error();
  loaded.universe = std::move(*known);
  return std::nullopt;
}

/// Writes the figures of the universe directory into the archive. The histories of a replayed
/// universe are written once: the next start would move them to other instants.
std::optional<problem> archive_figures(store::archive& archive,
                                       const feeds::loaded_universe& loaded,
                                       const std::filesystem::path& directory, bool replay) {
  const auto dataset = archive.read().setting("dataset");
  if (!dataset)
    return dataset.error();
  const auto fingerprint = histories_fingerprint(directory);
  const auto taken = archive.read().setting(histories_setting);
  if (!taken)
    return taken.error();
  const bool with_histories = replay ? !*dataset : *taken != fingerprint;
  if (const auto done = archive.append_observations(observations_of(loaded, with_histories)); !done)
    return done.error();
  if (auto wrong = archive.put_setting(histories_setting, fingerprint))
    return wrong;
  return archive.put_setting("dataset", loaded.universe.dataset);
}

expected<engine::history_book> histories_of(const store::archive& archive,
                                            feeds::loaded_universe& loaded, bool temporary,
                                            time_point now) {
  if (!temporary)
    return archive.read().load_history(now);
  for (const auto& e : loaded.live)
    loaded.histories[e.vault_id].add(to_observation(e));
  return std::move(loaded.histories);
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// What the directory says, and what feeds told an earlier process.
expected<feed_batch_ptr> measurements_of(feeds::loaded_universe& loaded,
                                         const store::archive& archive, time_point now) {
  auto batch = std::make_shared<feeds::feed_batch>();
  batch->probes = std::move(loaded.probes);
  batch->gas_samples = std::move(loaded.gas_samples);
  batch->gas_observed = std::move(loaded.gas_observed);
  const auto probes = archive.read().counting_probes();
  const auto samples = archive.read().gas_samples(now - engine::gas_rules{}.window, now);
  const auto observed = archive.read().latest_observed_gas();
  if (!probes || !samples || !observed)
    return !probes ? probes.error() : !samples ? samples.error() : observed.error();
  append(batch->probes, *probes);
  append(batch->gas_samples, *samples);
  append(batch->gas_observed, *observed);
  return feed_batch_ptr{std::move(batch)};
}

/// Live figures that the archive and the live store hold, which may be newer than what the
/// directory says: feeds have told them to an earlier process. A live store that does not answer is
/// no reason not to start.
void adopt_stored(feeds::loaded_universe& loaded, const store::archive& archive,
                  store::live_store& live, feeds::plausibility& judge, const believed_until& until,
                  time_point now) {
  std::vector<live_entry> stored;
  if (const auto newest = archive.read().latest_observations())
    for (const auto& x : *newest)
      stored.push_back(actors::to_live_entry(x));
  auto adopted = adopt_newer(loaded, stored, judge, until, now);
  if (const auto shared = live.all())
    adopted += adopt_newer(loaded, shared->entries, judge, believed_until::always(), now);
  else
    spdlog::warn("live store not read: {}", shared.error().text());
  if (adopted > 0)
    spdlog::info("{} live figures were stored by an earlier process and are newer", adopted);
}

/// Decides which live figures the service starts with.
expected<held_back_figures>
settle_live(feeds::loaded_universe& loaded, const store::archive& archive, store::live_store& live,
            feeds::plausibility& judge, const feeds::plausibility_config& rules,
            const feeds::plausibility_memory& memory, bool replay, time_point now) {
  const believed_until until{memory};
  const auto since = now - rules.apy_window;
  const auto archived = archive.read().load_history(now, store::newest_inputs, day_of(since));
  if (!archived)
    return archived.error();
  held_back_figures held_back;
  if (replay) {
    for (const auto& entry : loaded.live)
      judge.learn(to_observation(entry));
  } else {
    held_back = judge_start(judge, loaded, *archived, since, until, now);
  }
  learn_untracked(judge, loaded, *archived, since, until, now);
  adopt_stored(loaded, archive, live, judge, until, now);
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
  const feeds::universe_load_options options{now, replayed_datasets};
  auto loaded = feeds::load_universe_directory(directory.string(), options);
  if (!loaded)
    return start_refusal{loaded.error()};
  const bool replay = options.replays(loaded->universe.dataset);

  auto data = data_directory::open(c.data.dir);
  if (!data)
    return unusable(data.error());
  auto opened = store::archive::open(data->path());
  if (!opened)
    return archive_fails(opened.error(), *data);
  auto archive = std::make_shared<store::archive>(std::move(*opened));
  const auto quarantine = quarantine_rules(c);
  if (!quarantine)
    return unusable(quarantine.error());
  auto judge = std::make_shared<feeds::plausibility>(*quarantine);
  auto live = open_live_store(c);
  if (!live)
    return unusable(live.error());
  if (!data->temporary())
    if (const auto wrong = settle_facts(*archive, *loaded))
      return archive_fails(*wrong, *data);
  const auto memory = quarantine_file{data->path()}.read();
  auto held_back = settle_live(*loaded, *archive, **live, *judge, *quarantine, memory, replay, now);
  if (!held_back)
    return archive_fails(held_back.error(), *data);
  // A temporary archive cannot be looked at later, so the inputs are not copied into it.
  if (!data->temporary())
    if (const auto wrong = archive_figures(*archive, *loaded, directory, replay))
      return archive_fails(*wrong, *data);
  archive->put_methodology(rules->methodology.version, engine::canonical_text(rules->methodology));
  auto rows = archive->read().latest_scores();
  if (!rows)
    return archive_fails(rows.error(), *data);
  auto histories = histories_of(*archive, *loaded, data->temporary(), now);
  if (!histories)
    return archive_fails(histories.error(), *data);

  auto measurements = measurements_of(*loaded, *archive, now);
  if (!measurements)
    return archive_fails(measurements.error(), *data);
  auto dataset = loaded->universe.dataset;
  auto book = std::make_shared<actors::ledger>(std::move(loaded->universe), std::move(*histories),
                                               loaded->live);
  startup result{std::move(*data), std::move(directory), std::move(dataset),
                 replay,           std::move(*rules),    std::move(archive),
                 std::move(book),  std::move(*rows),     std::move(*measurements)};
  result.plausibility = std::move(judge);
  result.held_back = held_back->count;
  result.quarantine_reason = std::move(held_back->reason);
  result.live_store = std::move(*live);
  return result;
}

} // namespace assay::app
