#include "feeds/prober/probe_document.hpp"

#include "feeds/own_schema/assay_adapter.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace assay::feeds::prober {

namespace {

using json_writer = rapidjson::Writer<rapidjson::StringBuffer>;

void put_text(json_writer& out, const char* key, std::string_view value) {
  out.Key(key);
  out.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
}

/// The shortest text that reads back to the same double, in any locale.
void put_number(json_writer& out, const char* key, double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  out.Key(key);
  out.RawValue(buffer, static_cast<std::size_t>(end - buffer), rapidjson::kNumberType);
}

void put_number(json_writer& out, const char* key, const std::optional<double>& value) {
  if (value)
    put_number(out, key, *value);
}

void put_trip(json_writer& out, const round_trip& trip) {
  out.StartObject();
  put_number(out, "notionalUsd", trip.notional_usd);
  put_text(out, "outcome", to_string(trip.outcome));
  put_number(out, "usdIn", trip.usd_in);
  put_number(out, "usdOut", trip.usd_out);
  if (trip.swap_gas) {
    out.Key("swapGas");
    out.Int64(*trip.swap_gas);
  }
  put_number(out, "routerFeeBps", trip.router_fee_bps);
  put_number(out, "priceImpactBps", trip.price_impact_bps);
  put_number(out, "proportionalBps", trip.proportional_bps);
  out.EndObject();
}

bool by_vault(const route_probe& a, const route_probe& b) {
  return a.vault_id < b.vault_id;
}

} // namespace

void probe_document::put(route_probe probe) {
  const auto at = std::lower_bound(probes.begin(), probes.end(), probe, by_vault);
  if (at != probes.end() && at->vault_id == probe.vault_id)
    *at = std::move(probe);
  else
    probes.insert(at, std::move(probe));
}

std::string write_probes(const probe_document& document, time_point now) {
  // The clock may have gone back; nothing in a document is later than the document.
  for (const auto& probe : document.probes)
    now = std::max(now, probe.checked_at);
  rapidjson::StringBuffer buffer;
  json_writer out{buffer};
  out.StartObject();
  put_text(out, "schema", "assay.probes/1");
  put_text(out, "dataset", document.dataset);
  put_text(out, "source", document.source);
  put_text(out, "recordedAt", to_iso8601(now));
  out.Key("items");
  out.StartArray();
  for (const auto& probe : document.probes) {
    out.StartObject();
    put_text(out, "vaultId", probe.vault_id);
    put_text(out, "checkedAt", to_iso8601(probe.checked_at));
    put_text(out, "path", probe.path);
    put_text(out, "router", probe.router);
    out.Key("trips");
    out.StartArray();
    for (const auto& trip : probe.trips)
      put_trip(out, trip);
    out.EndArray();
    out.EndObject();
  }
  out.EndArray();
  out.EndObject();
  return std::string{buffer.GetString(), buffer.GetSize()} + "\n";
}

expected<probe_document> read_probes(std::string_view name, std::string_view text) {
  own_schema::envelope head;
  auto batch = own_schema::read_document({name, text, {}}, head);
  if (!batch)
    return std::move(batch.error());
  if (head.kind != own_schema::document_kind::probes)
    return problem{std::string{name}, "expected a document of the schema assay.probes/1"};
  if (!batch->faults.empty())
    return std::move(batch->faults.front());
  probe_document document{head.dataset, head.source, {}};
  for (auto& probe : batch->probes)
    document.put(std::move(probe));
  return document;
}

} // namespace assay::feeds::prober
