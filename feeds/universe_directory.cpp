#include "feeds/universe_directory.hpp"

#include "feeds/own_schema/assay_adapter.hpp"
#include "feeds/own_schema/history_lines.hpp"
#include "feeds/time_shift.hpp"
#include "feeds/universe_checks.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <tuple>

namespace assay::feeds {

namespace {

namespace fs = std::filesystem;
using own_schema::envelope;

bool read_file(const fs::path& path, std::string& out) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    return false;
  std::error_code failed;
  const auto size = fs::file_size(path, failed);
  if (failed)
    return false;
  out.resize(size);
  in.read(out.data(), static_cast<std::streamsize>(size));
  return in.gcount() == static_cast<std::streamsize>(size);
}

expected<std::vector<fs::path>> documents_in(const std::string& directory) {
  std::error_code failed;
  std::vector<fs::path> out;
  for (fs::directory_iterator it(directory, failed), end; !failed && it != end;
       it.increment(failed)) {
    const auto suffix = it->path().extension();
    if (suffix == ".json" || suffix == ".ndjson")
      out.push_back(it->path());
  }
  if (failed)
    return problem{directory, "cannot be read as a directory: " + failed.message()};
  if (out.empty())
    return problem{directory,
                   "expected documents of the feed schema (*.json, *.ndjson), found none"};
  std::sort(out.begin(), out.end());
  return out;
}

live_entry live_of(const observation& x) {
  return {x.vault_id, x.total_apy(), x.apy_base,      x.apy_reward,
          x.tvl_usd,  x.utilization, x.available_usd, x.at};
}

// Collects the documents of one directory.
class universe_builder {
public:
  explicit universe_builder(const universe_load_options& options) : options_(options) {}

  void read(const fs::path& path) {
    std::string text;
    const auto name = path.string();
    if (!read_file(path, text)) {
      problems_.push_back({name, "cannot be read"});
      return;
    }
    if (own_schema::is_history(text))
      read_history(name, text);
    else
      read_document(name, text);
  }

  expected<loaded_universe, std::vector<problem>> finish() {
    // References are only looked at in documents that were read whole: a missing vault would be
    // reported once more for everything that names it.
    if (problems_.empty())
      problems_ = checks_.finish();
    if (!problems_.empty())
      return std::move(problems_);
    std::sort(out_.universe.vaults.begin(), out_.universe.vaults.end(),
              [](const auto& a, const auto& b) { return a.vault_id < b.vault_id; });
    for (auto& [id, x] : live_)
      out_.live.push_back(live_of(x));
    const auto by_vault = [](const auto& a, const auto& b) { return a.vault_id < b.vault_id; };
    std::sort(out_.live.begin(), out_.live.end(), by_vault);
    std::sort(out_.probes.begin(), out_.probes.end(), [](const auto& a, const auto& b) {
      return std::tie(a.vault_id, a.checked_at) < std::tie(b.vault_id, b.checked_at);
    });
    std::sort(out_.gas_samples.begin(), out_.gas_samples.end(), [](const auto& a, const auto& b) {
      return std::tie(a.chain, a.at) < std::tie(b.chain, b.at);
    });
    std::sort(out_.gas_observed.begin(), out_.gas_observed.end(), [](const auto& a, const auto& b) {
      return std::tie(a.vault_id, a.at) < std::tie(b.vault_id, b.at);
    });
    return std::move(out_);
  }

private:
  std::chrono::milliseconds delta(const envelope& head) const {
    return options_.replays(head.dataset) ? *options_.replay_at - head.recorded_at
                                          : std::chrono::milliseconds{0};
  }

  void read_history(const std::string& name, const std::string& text) {
    envelope head;
    auto faults = own_schema::read_history(name, text, head, [&](own_schema::history_line&& line) {
      checks_.vault_named(name + ':' + std::to_string(line.number), line.vault_id);
      auto& series = out_.histories[line.vault_id];
      line.each([&](observation& x) {
        x.at += delta(head);
        series.add(x);
        out_.newest_observation = std::max(out_.newest_observation, x.at);
      });
    });
    take_faults(std::move(faults));
    checks_.dataset_named(name + ":1", head.dataset);
    out_.universe.dataset = head.dataset;
  }

  void read_document(const std::string& name, const std::string& text) {
    envelope head;
    auto batch = own_schema::read_document({name, text, {}}, head);
    if (!batch) {
      problems_.push_back(batch.error());
      return;
    }
    take_faults(std::move(batch->faults));
    checks_.dataset_named(name + '#', head.dataset);
    checks_.document(name, *batch);
    shift_measurements(*batch, delta(head));
    out_.universe.dataset = head.dataset;
    take(std::move(*batch));
  }

  void take_faults(std::vector<problem>&& faults) {
    problems_.insert(problems_.end(), std::make_move_iterator(faults.begin()),
                     std::make_move_iterator(faults.end()));
  }

  void take(feed_batch&& batch) {
    auto& u = out_.universe;
    for (auto& x : batch.protocols)
      u.protocols.emplace(x.id, std::move(x));
    for (auto& x : batch.chains)
      u.chains.emplace(x.id, std::move(x));
    for (auto& x : batch.assets)
      u.assets.emplace(asset_key(x.symbol), std::move(x));
    for (auto& x : batch.curators)
      u.curators.emplace(x.id, std::move(x));
    for (auto& x : batch.admins)
      u.admins.emplace(x.vault_id, std::move(x));
    for (auto& x : batch.observations) {
      out_.newest_observation = std::max(out_.newest_observation, x.at);
      auto& newest = live_[x.vault_id];
      if (newest.vault_id.empty() || newest.at < x.at)
        newest = std::move(x);
    }
    const auto append = [](auto& to, auto& from) {
      to.insert(to.end(), std::make_move_iterator(from.begin()),
                std::make_move_iterator(from.end()));
    };
    append(u.vaults, batch.vaults);
    append(out_.probes, batch.probes);
    append(out_.gas_samples, batch.gas_samples);
    append(out_.gas_observed, batch.gas_observed);
  }

  universe_load_options options_;
  loaded_universe out_;
  std::unordered_map<std::string, observation> live_;
  universe_checks checks_;
  std::vector<problem> problems_;
};

} // namespace

bool universe_load_options::replays(std::string_view dataset) const noexcept {
  if (!replay_at)
    return false;
  return replay_datasets.empty() || std::find(replay_datasets.begin(), replay_datasets.end(),
                                              dataset) != replay_datasets.end();
}

expected<loaded_universe, std::vector<problem>>
load_universe_directory(const std::string& directory, const universe_load_options& options) {
  const auto files = documents_in(directory);
  if (!files)
    return std::vector<problem>{files.error()};
  universe_builder builder(options);
  for (const auto& path : *files)
    if (options.with_histories || path.extension() != ".ndjson")
      builder.read(path);
  return builder.finish();
}

} // namespace assay::feeds
