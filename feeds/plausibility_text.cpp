#include "feeds/plausibility_text.hpp"

#include "feeds/json/json_text.hpp"
#include "feeds/json/object_reader.hpp"
#include "feeds/value_limits.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <limits>

namespace assay::feeds {

namespace {

using writer = rapidjson::Writer<rapidjson::StringBuffer>;

constexpr const char* schema = "assay.quarantine/1";
constexpr std::size_t text_bytes_max = 1000;
constexpr std::int64_t count_max = std::numeric_limits<int>::max();

void write(writer& out, const char* key, const std::string& text) {
  out.Key(key);
  out.String(text.c_str(), static_cast<rapidjson::SizeType>(text.size()));
}

void write(writer& out, const char* key, const std::optional<double>& x) {
  if (!x)
    return;
  out.Key(key);
  out.Double(*x);
}

void write(writer& out, const plausibility_memory::vault& x) {
  out.StartObject();
  write(out, "vaultId", x.id);
  write(out, "reason", x.reason);
  write(out, "since", to_iso8601(x.since));
  if (x.level) {
    write(out, "at", to_iso8601(x.level->at));
    write(out, "apy", x.level->total_apy());
    write(out, "tvlUsd", x.level->tvl_usd);
    out.Key("readings");
    out.Int(x.readings);
  }
  out.EndObject();
}

template <class Read>
void each_item(object_reader& of, std::string_view key, fault_list& faults, Read read) {
  const auto* list = of.array(key);
  if (list == nullptr)
    return;
  const auto place = of.place_of(key);
  for (rapidjson::SizeType i = 0; i < list->Size(); ++i) {
    const auto at = place.element(i);
    object_reader item((*list)[i], at, faults, unknown_fields::passed_over);
    read(item);
  }
}

void read_vault(object_reader& item, plausibility_memory& to) {
  plausibility_memory::vault held;
  held.id = item.text("vaultId");
  held.reason = item.text("reason", text_bytes_max);
  held.since = item.instant("since");
  if (const auto at = item.optional_instant("at")) {
    held.level.emplace();
    held.level->vault_id = held.id;
    held.level->at = *at;
    held.level->apy = item.optional_number("apy", value_limits::apy);
    held.level->tvl_usd = item.optional_number("tvlUsd", value_limits::usd);
    held.readings = static_cast<int>(item.integer("readings", 0, count_max));
  }
  if (item.good())
    to.vaults.push_back(std::move(held));
}

void read_feed(object_reader& item, plausibility_memory& to) {
  plausibility_memory::feed feed;
  feed.name = item.text("name");
  feed.items = static_cast<std::size_t>(item.integer("items", 1, count_max));
  if (item.good())
    to.feeds.push_back(std::move(feed));
}

} // namespace

std::string to_json(const plausibility_memory& memory) {
  rapidjson::StringBuffer buffer;
  writer out(buffer);
  out.StartObject();
  write(out, "schema", std::string(schema));
  write(out, "judgedUntil", to_iso8601(memory.judged_until));
  out.Key("vaults");
  out.StartArray();
  for (const auto& x : memory.vaults)
    write(out, x);
  out.EndArray();
  out.Key("feeds");
  out.StartArray();
  for (const auto& x : memory.feeds) {
    out.StartObject();
    write(out, "name", x.name);
    out.Key("items");
    out.Uint64(x.items);
    out.EndObject();
  }
  out.EndArray();
  out.EndObject();
  return {buffer.GetString(), buffer.GetSize()};
}

expected<plausibility_memory> read_plausibility_memory(std::string_view name,
                                                       std::string_view text) {
  rapidjson::Document root;
  if (auto broken = parse_json(name, text, root))
    return *broken;
  fault_list faults{std::string(name) + '#'};
  const json_place top;
  object_reader read(root, top, faults, unknown_fields::passed_over);
  read.one_of("schema", {schema});
  plausibility_memory result;
  result.judged_until = read.instant("judgedUntil");
  each_item(read, "vaults", faults, [&](object_reader& item) { read_vault(item, result); });
  each_item(read, "feeds", faults, [&](object_reader& item) { read_feed(item, result); });
  if (!read.good())
    return faults.take().front();
  return result;
}

} // namespace assay::feeds
