#include "app/service/startup.hpp"

#include "app/service/conf_directory.hpp"
#include "feeds/feed_batch.hpp"
#include "feeds/universe_directory.hpp"

#include <spdlog/spdlog.h>

#include <cmath>
#include <optional>
#include <utility>

namespace assay::app {

namespace {

using problems = std::vector<problem>;

/// The dataset whose observations are replayed, see feeds/time_shift.hpp.
constexpr std::string_view replayed_dataset = "sample";

std::optional<double> known(double x) {
  return std::isfinite(x) ? std::optional{x} : std::nullopt;
}

/// The entries of a daily history as observations again, for the archive.
void append_observations(const std::string& vault_id, const engine::daily_series& s,
                         std::vector<observation>& out) {
  for (std::size_t i = 0; i < s.size(); ++i) {
    observation x;
    x.vault_id = vault_id;
    x.at = time_point{std::chrono::milliseconds{s.at_ms[i]}};
    x.apy = known(s.apy[i]);
    x.apy_base = known(s.apy_base[i]);
    x.apy_reward = known(s.apy_reward[i]);
    x.tvl_usd = known(s.tvl_usd[i]);
    x.utilization = known(s.utilization[i]);
    x.available_usd = known(s.available_usd[i]);
    out.push_back(std::move(x));
  }
}

observation to_observation(const live_entry& e) {
  observation x;
  x.vault_id = e.vault_id;
  x.at = e.observed_at;
  x.apy = e.apy;
  x.apy_base = e.apy_base;
  x.apy_reward = e.apy_reward;
  x.tvl_usd = e.tvl_usd;
  x.utilization = e.utilization;
  x.available_usd = e.available_usd;
  return x;
}

std::vector<observation> observations_of(const feeds::loaded_universe& loaded,
                                         bool with_histories) {
  std::vector<observation> result;
  if (with_histories)
    for (const auto& [id, series] : loaded.histories)
      append_observations(id, series, result);
  for (const auto& e : loaded.live)
    result.push_back(to_observation(e));
  return result;
}

/// Writes what the universe directory says into the archive, so that every score can be computed
/// again from the archive alone. The histories of a replayed universe are written once: the next
/// start would move them to other instants.
std::optional<problem> archive_universe(store::archive& archive,
                                        const feeds::loaded_universe& loaded, bool replay) {
  const auto dataset = archive.read().setting("dataset");
  if (!dataset)
    return dataset.error();
  if (*dataset && **dataset != loaded.universe.dataset)
    return problem{"data directory", "holds the dataset `" + **dataset + "`, expected `" +
                                         loaded.universe.dataset + "`"};
  if (const auto done = archive.put_universe(loaded.universe); !done)
    return done.error();
  const bool with_histories = !replay || !*dataset;
  if (const auto done = archive.append_observations(observations_of(loaded, with_histories)); !done)
    return done.error();
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

feed_batch_ptr measurements_of(feeds::loaded_universe& loaded) {
  auto batch = std::make_shared<feeds::feed_batch>();
  batch->probes = std::move(loaded.probes);
  batch->gas_samples = std::move(loaded.gas_samples);
  batch->gas_observed = std::move(loaded.gas_observed);
  return batch;
}

/// Peeks at the dataset's name: whether to replay has to be known before reading.
bool is_replayed(const std::filesystem::path& directory, const std::filesystem::path& conf) {
  std::error_code error;
  return std::filesystem::equivalent(directory, conf / "sample", error);
}

problems one(const problem& p) {
  return {p};
}

} // namespace

expected<startup, problems> load_startup(const config& c, time_point now) {
  const auto conf = find_conf_directory();
  if (!conf)
    return one(conf.error());
  auto rules = load_assumptions(*conf);
  if (!rules)
    return rules.error();

  std::filesystem::path directory = c.data.universe;
  if (directory.empty())
    directory = *conf / replayed_dataset;
  const bool replay = is_replayed(directory, *conf);
  feeds::universe_load_options options;
  if (replay)
    options.replay_at = now;
  auto loaded = feeds::load_universe_directory(directory.string(), options);
  if (!loaded)
    return loaded.error();

  auto data = data_directory::open(c.data.dir);
  if (!data)
    return one(data.error());
  auto opened = store::archive::open(data->path());
  if (!opened)
    return one(opened.error());
  auto archive = std::make_shared<store::archive>(std::move(*opened));
  // A temporary archive cannot be looked at later, so the inputs are not copied into it.
  if (!data->temporary())
    if (const auto wrong = archive_universe(*archive, *loaded, replay))
      return one(*wrong);
  archive->put_methodology(rules->methodology.version, engine::canonical_text(rules->methodology));
  auto rows = archive->read().latest_scores();
  if (!rows)
    return one(rows.error());
  auto histories = histories_of(*archive, *loaded, data->temporary(), now);
  if (!histories)
    return one(histories.error());

  auto measurements = measurements_of(*loaded);
  auto dataset = loaded->universe.dataset;
  auto book = std::make_shared<actors::ledger>(std::move(loaded->universe), std::move(*histories),
                                               loaded->live);
  return startup{std::move(*data), std::move(directory), std::move(dataset),
                 replay,           std::move(*rules),    std::move(archive),
                 std::move(book),  std::move(*rows),     std::move(measurements)};
}

} // namespace assay::app
