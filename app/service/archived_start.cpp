#include "app/service/archived_start.hpp"

#include "app/service/start_figures.hpp"
#include "engine/gas/gas_window.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace assay::app {

namespace {

/// Setting of the archive: whose figures it holds.
constexpr std::string_view dataset_setting = "dataset";
/// Setting of the archive: which history documents it has taken whole.
constexpr std::string_view histories_setting = "universe_histories";

/// What the history documents of a directory look like from outside: names, sizes and times of
/// modification.
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

/// Live figures that `known` does not hold, and the histories.
std::vector<observation> news_of(const feeds::loaded_universe& loaded, bool with_histories,
                                 const engine::history_book& known) {
  std::vector<observation> result;
  if (with_histories)
    for (const auto& [id, series] : loaded.histories) {
      auto points = points_of(id, series, time_point::min());
      result.insert(result.end(), points.begin(), points.end());
    }
  for (const auto& e : loaded.live) {
    const auto i = known.find(e.vault_id);
    if (i == known.end() || newest_of(e.vault_id, i->second) != e)
      result.push_back(to_observation(e));
  }
  return result;
}

std::optional<problem> check_dataset(const store::archive& archive, const std::string& expected) {
  const auto dataset = archive.read().setting(dataset_setting);
  if (!dataset)
    return dataset.error();
  if (*dataset && **dataset != expected)
    return problem{"data directory",
                   "holds the dataset `" + **dataset + "`, expected `" + expected + "`"};
  return std::nullopt;
}

/// Puts what was read into `to`; false when it could not be read.
template <class T>
bool take(expected<T>&& read, T& to, std::optional<problem>& wrong) {
  if (!read)
    wrong = read.error();
  else
    to = std::move(*read);
  return !wrong;
}

} // namespace

expected<archived_start> read_archived(const std::filesystem::path& data_dir, time_point now) {
  const auto reader = store::archive_reader::open(data_dir);
  if (!reader)
    return reader.error();
  archived_start result;
  auto& measured = result.measurements;
  const auto gas_from = now - engine::gas_rules{}.window;
  std::optional<problem> wrong;
  if (take(reader->latest_scores(), result.rows, wrong) &&
      take(reader->load_history(now), result.histories, wrong) &&
      take(reader->load_universe(), result.universe, wrong) &&
      take(reader->counting_probes(), measured.probes, wrong) &&
      take(reader->gas_samples(gas_from, now), measured.gas_samples, wrong) &&
      take(reader->latest_observed_gas(), measured.gas_observed, wrong))
    return result;
  return *wrong;
}

expected<bool> lacks_histories(const store::archive& archive,
                               const std::filesystem::path& universe_directory,
                               const feeds::universe_load_options& options) {
  const auto dataset = archive.read().setting(dataset_setting);
  if (!dataset)
    return dataset.error();
  if (!*dataset)
    return true;
  if (options.replays(**dataset))
    return false;
  const auto taken = archive.read().setting(histories_setting);
  if (!taken)
    return taken.error();
  return *taken != histories_fingerprint(universe_directory);
}

std::optional<problem> settle_facts(store::archive& archive, feeds::loaded_universe& loaded,
                                    engine::universe&& archived) {
  if (auto wrong = check_dataset(archive, loaded.universe.dataset))
    return wrong;
  const auto done = archive.put_universe(loaded.universe);
  if (!done)
    return done.error();
  if (done->added + done->revised > 0) {
    auto now_known = archive.read().load_universe();
    if (!now_known)
      return now_known.error();
    archived = std::move(*now_known);
  }
  loaded.universe = std::move(archived);
  return std::nullopt;
}

std::optional<problem> archive_figures(store::archive& archive,
                                       const feeds::loaded_universe& loaded,
                                       const std::filesystem::path& universe_directory,
                                       bool with_histories, time_point now,
                                       engine::history_book& histories) {
  const auto news = news_of(loaded, with_histories, histories);
  if (const auto done = archive.append_observations(news); !done)
    return done.error();
  for (const auto& x : news)
    if (x.at <= now)
      histories[x.vault_id].add(x);
  if (auto wrong =
          archive.put_setting(histories_setting, histories_fingerprint(universe_directory)))
    return wrong;
  return archive.put_setting(dataset_setting, loaded.universe.dataset);
}

} // namespace assay::app
