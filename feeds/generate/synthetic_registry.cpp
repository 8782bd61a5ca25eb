#include "feeds/generate/synthetic_registry.hpp"

#include "feeds/generate/document_writer.hpp"
#include "feeds/generate/random_stream.hpp"

namespace assay::feeds::generate {

namespace {

using namespace std::chrono;

// Numbers of the random streams; each document has its own, so that a change in one does not
// change the others.
enum stream : std::uint64_t { protocol_stream = 1, gas_stream = 2 };

std::string two_digits(std::size_t i) {
  return {static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10)};
}

document_writer open(const std::string& directory, const std::string& file, std::string_view kind) {
  return {directory + '/' + file, kind, synthetic_source, synthetic_recorded_at};
}

void write_audits(document_writer& out, random_stream& random) {
  out.field("audits").raw('[');
  const std::size_t count = random.below(6);
  for (std::size_t k = 0; k < count; ++k) {
    out.raw(k ? "," : "").raw(R"({"firm":"Synthetic Auditor )").number(1 + random.below(9));
    out.raw(R"(","year":)").number(2020 + random.below(6));
    out.raw(random.chance(0.15) ? R"(,"contest":true})" : "}");
  }
  out.raw(']');
}

bool write_protocols(std::uint64_t seed, const std::string& directory) {
  auto out = open(directory, "protocols.json", "protocols");
  random_stream random(seed, protocol_stream);
  for (std::size_t i = 0; i < synthetic_protocol_count; ++i) {
    const auto& category = synthetic_categories[i % synthetic_categories.size()];
    out.next_item();
    out.raw('{').field("id", true).text(synthetic_protocol_id(i));
    out.field("name").text("Synthetic Protocol " + two_digits(i));
    out.field("category").text(category.name);
    const auto age = days{60 + static_cast<int>(random.below(2400))};
    out.field("launchedAt").text(to_iso8601(day_of(synthetic_recorded_at - age)));
    if (random.chance(0.9))
      write_audits(out, random);
    out.field("incidents").raw('[');
    if (random.chance(0.15)) {
      const auto ago = days{20 + static_cast<int>(random.below(1200))};
      out.raw(R"({"date":)").text(to_iso8601(day_of(synthetic_recorded_at - ago)));
      out.field("lossUsd").number(random.uniform(1e5, 4e7), 0);
      out.field("resolved").raw(random.chance(0.8) ? "true}" : "false}");
    }
    out.raw(']');
    out.field("withdrawal").raw(category.withdrawal);
    out.field("yieldSource").text(category.yield_source).raw('}');
  }
  return out.close();
}

bool write_chains(const std::string& directory) {
  auto out = open(directory, "chains.json", "chains");
  for (const auto& chain : synthetic_chains) {
    out.next_item();
    out.raw('{').field("chainId", true).number(chain.id);
    out.field("key").text(chain.key).field("name").text(chain.name);
    out.field("evm").raw(chain.id == solana_chain_id ? "false" : "true");
    out.field("security").text(chain.security);
    out.field("launchedAt").text(chain.launched).raw('}');
  }
  return out.close();
}

bool write_assets(const std::string& directory) {
  auto out = open(directory, "assets.json", "assets");
  for (const auto& asset : synthetic_assets) {
    out.next_item();
    out.raw('{').field("symbol", true).text(asset.symbol).field("class").text(asset.cls);
    if (!asset.peg.empty())
      out.field("peg").text(asset.peg).field("pegDeviationBps").number(asset.rank / 4);
    out.field("marketCapRank").number(asset.rank).raw('}');
  }
  return out.close();
}

bool write_curators(const std::string& directory) {
  auto out = open(directory, "curators.json", "curators");
  for (std::size_t i = 0; i < synthetic_curator_count; ++i) {
    out.next_item();
    out.raw('{').field("id", true).text(synthetic_curator_id(i));
    out.field("name").text("Synthetic Curator " + two_digits(i));
    out.field("rating").text(i % 3 == 0 ? "unknown_new" : "established").raw('}');
  }
  return out.close();
}

bool write_gas(std::uint64_t seed, const std::string& directory) {
  constexpr int samples = 7 * 96;
  constexpr double native_usd = 2500;
  auto out = open(directory, "gas.json", "gas");
  for (const auto& chain : synthetic_chains) {
    if (chain.usd_per_million_gas == 0)
      continue;
    random_stream random(seed, gas_stream * 1'000'000'000'000 + chain.id);
    double level = 1;
    for (int k = samples - 1; k >= 0; --k) {
      level += 0.05 * (1 - level) + 0.08 * random.normal() * level;
      level = level < 0.2 ? 0.2 : level;
      out.next_item();
      out.raw('{').field("chainId", true).number(chain.id);
      out.field("at").text(to_iso8601(synthetic_recorded_at - minutes{15} * k));
      out.field("gwei").number(chain.usd_per_million_gas * level / (1e-3 * native_usd), 6);
      out.field("nativeUsd").number(native_usd, 2).raw('}');
    }
  }
  return out.close();
}

} // namespace

std::string synthetic_protocol_id(std::size_t i) {
  return "synthetic-" + two_digits(i);
}

std::string synthetic_curator_id(std::size_t i) {
  return "synthetic-curator-" + two_digits(i);
}

bool write_synthetic_registries(std::uint64_t seed, const std::string& directory) {
  return write_protocols(seed, directory) && write_chains(directory) && write_assets(directory) &&
         write_curators(directory) && write_gas(seed, directory);
}

} // namespace assay::feeds::generate
