#include "feeds/generate/universe_generator.hpp"

#include "feeds/generate/document_writer.hpp"
#include "feeds/generate/synthetic_registry.hpp"
#include "feeds/generate/synthetic_vault.hpp"
#include "messages/types/admin_topology.hpp"

#include <array>
#include <filesystem>
#include <optional>

namespace assay::feeds::generate {

namespace {

using namespace std::chrono;

constexpr std::uint64_t vault_stream = 4'000'000'000'000;

// The documents that have an item per vault, open side by side so that every vault is drawn once.
struct vault_documents {
  explicit vault_documents(const std::string& directory)
      : vaults(open(directory, "vaults.json", "vaults")),
        admins(open(directory, "admin.json", "admin")),
        observations(open(directory, "observations.json", "observations")),
        histories(open(directory, "history.ndjson", "history")),
        probes(open(directory, "probes.json", "probes")),
        gas(open(directory, "vault-gas.json", "vault-gas")) {}

  bool close() {
    bool good = vaults.close();
    for (auto* x : {&admins, &observations, &histories, &probes, &gas})
      good = x->close() && good;
    return good;
  }

  document_writer vaults, admins, observations, histories, probes, gas;

private:
  static document_writer open(const std::string& directory, const std::string& file,
                              std::string_view kind) {
    return {directory + '/' + file, kind, synthetic_source, synthetic_recorded_at};
  }
};

void write_vault(document_writer& out, std::uint64_t i, const synthetic_vault& v) {
  const auto& asset = synthetic_assets[v.asset];
  out.next_item();
  out.raw('{').field("chainId", true).number(synthetic_chains[v.chain].id);
  out.field("protocolId").text(synthetic_protocol_id(v.protocol));
  out.field("address").text(v.address);
  out.field("name").raw("\"Synthetic ").raw(asset.symbol).raw(" vault ").number(i).raw('"');
  out.field("asset").text(asset.symbol).field("underlyingToken").text(v.token);
  out.field("launchedAt")
      .text(to_iso8601(day_of(synthetic_recorded_at) - days{v.age_days}))
      .raw('}');
}

void write_admin(document_writer& out, const synthetic_vault& v, random_stream& random) {
  constexpr std::array<std::string_view, 6> roles{
      R"([])",
      R"([{"role":"owner","kind":"safe","threshold":5,"owners":8,"delaySeconds":604800}])",
      R"([{"role":"owner","kind":"safe","threshold":2,"owners":5,"delaySeconds":86400}])",
      R"([{"role":"owner","kind":"safe","threshold":3,"owners":5}])",
      R"([{"role":"owner","kind":"eoa"}])",
      R"([{"role":"owner","kind":"unrecognised"}])"};
  constexpr std::array<int, 6> delays{0, 604'800, 86'400, 0, 0, 0};
  // Shares of the classes as in a screen of 553 vaults of October 2026.
  const double u = random.uniform();
  const std::size_t k = u < 0.01   ? 0
                        : u < 0.04 ? 1
                        : u < 0.57 ? 2
                        : u < 0.89 ? 3
                        : u < 0.96 ? 4
                                   : 5;
  const auto curator = random.below(synthetic_curator_count);
  out.next_item();
  out.raw('{').field("vaultId", true).text(v.vault_id);
  out.field("class").text(to_string(static_cast<admin_class>(k)));
  out.field("curatorId").text(synthetic_curator_id(curator));
  out.field("curatorRating").text(curator % 3 == 0 ? "unknown_new" : "established");
  out.field("timelockSeconds").number(delays[k]).field("roles").raw(roles[k]);
  out.field("checkedAt")
      .text(to_iso8601(synthetic_recorded_at - hours{static_cast<int>(random.below(24))}))
      .raw('}');
}

void write_observation(document_writer& out, const synthetic_vault& v) {
  out.next_item();
  out.raw('{').field("vaultId", true).text(v.vault_id);
  if (v.has_apy) {
    out.field("apyBase").number(v.apy_base.back(), 4);
    if (!v.apy_reward.empty())
      out.field("apyReward").number(v.apy_reward.back(), 4);
  }
  out.field("tvlUsd").number(v.tvl_usd.back(), 0);
  if (!v.utilization.empty()) {
    out.field("utilization").number(v.utilization.back(), 4);
    out.field("availableUsd").number((1 - v.utilization.back()) * v.tvl_usd.back(), 0);
  }
  out.raw('}');
}

void write_column(document_writer& out, std::string_view name, const std::vector<double>& values,
                  int decimals) {
  if (values.empty())
    return;
  out.field(name).raw('[').number(values[0], decimals);
  for (std::size_t k = 1; k < values.size(); ++k)
    out.raw(',').number(values[k], decimals);
  out.raw(']');
}

void write_history(document_writer& out, const synthetic_vault& v) {
  out.next_item();
  out.raw('{').field("vaultId", true).text(v.vault_id);
  out.field("at").raw('[').number(v.at_s[0]);
  for (std::size_t k = 1; k < v.at_s.size(); ++k)
    out.raw(',').number(v.at_s[k]);
  out.raw(']');
  if (v.has_apy) {
    write_column(out, "apyBase", v.apy_base, 4);
    write_column(out, "apyReward", v.apy_reward, 4);
  }
  write_column(out, "tvlUsd", v.tvl_usd, 0);
  write_column(out, "utilization", v.utilization, 4);
  out.raw('}');
}

void write_trip(document_writer& out, double notional, double lost_share, std::uint64_t swap_gas) {
  out.raw(R"({"notionalUsd":)").number(notional, 0).field("outcome").text("completed");
  out.field("usdIn").number(notional, 0).field("usdOut").number(notional * (1 - lost_share), 4);
  out.field("swapGas").number(swap_gas).field("routerFeeBps").number(25);
  const double proportional = 1e4 * lost_share;
  out.field("priceImpactBps").number(proportional - 25, 4);
  out.field("proportionalBps").number(proportional, 4).raw('}');
}

void write_probe(document_writer& out, const synthetic_vault& v, random_stream& random) {
  out.next_item();
  out.raw('{').field("vaultId", true).text(v.vault_id);
  out.field("checkedAt")
      .text(to_iso8601(synthetic_recorded_at - minutes{static_cast<int>(random.below(1440))}));
  out.raw(R"(,"path":"composer","router":"lifi","trips":[)");
  // Shares of the verdicts as in a screen of 570 vaults of September 2026.
  const double u = random.uniform();
  if (u < 0.78) {
    const double lost = u < 0.76 ? random.uniform(0.003, 0.02) : random.uniform(0.03, 0.4);
    const auto gas = 600'000 + random.below(3'000'000);
    write_trip(out, 100, lost * 0.8, gas);
    out.raw(',');
    write_trip(out, 5000, lost, gas);
  } else {
    const std::string_view outcome = u < 0.9    ? "no_quote"
                                     : u < 0.97 ? "protocol_refused"
                                                : "rate_limited";
    out.raw(R"({"notionalUsd":100,"outcome":)").text(outcome);
    out.raw(R"(},{"notionalUsd":5000,"outcome":)").text(outcome).raw('}');
  }
  out.raw("]}");
}

void write_gas(document_writer& out, const synthetic_vault& v, random_stream& random) {
  out.next_item();
  out.raw('{').field("vaultId", true).text(v.vault_id);
  out.field("at").text(to_iso8601(synthetic_recorded_at)).field("entryUnits").raw('[');
  for (int k = 0; k < 3; ++k)
    out.raw(k ? "," : "").number(300'000 + random.below(200'000));
  out.raw(']').field("exitUnits").raw('[');
  for (int k = 0; k < 3; ++k)
    out.raw(k ? "," : "").number(200'000 + random.below(300'000));
  out.raw("]}");
}

void write_one(vault_documents& to, std::uint64_t i, const synthetic_vault& v,
               random_stream& random, generated_universe& made) {
  const bool evm = synthetic_chains[v.chain].id != solana_chain_id;
  write_vault(to.vaults, i, v);
  if (v.has_admin && evm)
    write_admin(to.admins, v, random);
  if (v.has_live)
    write_observation(to.observations, v);
  if (v.has_history)
    write_history(to.histories, v);
  if (evm && random.chance(0.6))
    write_probe(to.probes, v, random);
  if (evm && random.chance(0.2))
    write_gas(to.gas, v, random);
  ++made.vaults;
  made.live += v.has_live;
  made.histories += v.has_history;
  made.points += v.has_history ? v.at_s.size() : 0;
}

// The directory, created and empty, or why not.
std::optional<problem> prepare(const std::string& directory) {
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  if (failed)
    return problem{directory, "cannot be created: " + failed.message()};
  const bool empty = std::filesystem::is_empty(directory, failed);
  if (failed)
    return problem{directory, "cannot be read: " + failed.message()};
  if (!empty)
    return problem{directory, "expected an empty directory or a new one"};
  return std::nullopt;
}

} // namespace

expected<generated_universe> generate_universe(const generator_options& options,
                                               const std::string& directory,
                                               const generator_progress& progress) {
  constexpr std::uint64_t vaults_max = 10'000'000;
  constexpr std::uint32_t days_max = 3650;
  if (options.vaults < 1 || options.vaults > vaults_max)
    return problem{"vaults", "expected 1 to 10000000"};
  if (options.days < 1 || options.days > days_max)
    return problem{"days", "expected 1 to 3650"};
  if (auto refused = prepare(directory))
    return *refused;
  const problem unwritten{directory, "a document could not be written (disk full?)"};
  if (!write_synthetic_registries(options.seed, directory))
    return unwritten;
  const asset_paths paths(options.seed, options.days);
  vault_documents to(directory);
  generated_universe made;
  synthetic_vault vault;
  for (std::uint64_t i = 0; i < options.vaults; ++i) {
    random_stream random(options.seed, vault_stream + i);
    draw_vault(i, options.days, paths, random, vault);
    write_one(to, i, vault, random, made);
    if (progress && (i % 1000 == 999 || i + 1 == options.vaults))
      progress(i + 1);
  }
  if (!to.close())
    return unwritten;
  return made;
}

} // namespace assay::feeds::generate
