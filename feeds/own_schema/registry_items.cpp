#include "feeds/own_schema/field_rules.hpp"
#include "feeds/own_schema/items.hpp"
#include "feeds/value_limits.hpp"

namespace assay::feeds::own_schema {

namespace {

using rapidjson::Value;

int year_of(time_point t) {
  return static_cast<int>(std::chrono::year_month_day{day_of(t)}.year());
}

std::vector<audit_record> read_audits(object_reader& read, const Value& list, const envelope& head,
                                      fault_list& faults) {
  std::vector<audit_record> out;
  const auto place = read.place_of("audits");
  for (rapidjson::SizeType i = 0; i < list.Size(); ++i) {
    const auto at = place.element(i);
    object_reader inner(list[i], at, faults, unknown_fields::refused);
    audit_record audit;
    audit.firm = inner.text("firm");
    audit.year = static_cast<int>(inner.integer("year", 2014, year_of(head.recorded_at)));
    audit.contest = inner.optional_boolean("contest").value_or(false);
    if (!inner.finish())
      read.spoil();
    out.push_back(std::move(audit));
  }
  return out;
}

std::vector<incident_record> read_incidents(object_reader& read, const Value& list,
                                            const envelope& head, fault_list& faults) {
  std::vector<incident_record> out;
  const auto place = read.place_of("incidents");
  for (rapidjson::SizeType i = 0; i < list.Size(); ++i) {
    const auto at = place.element(i);
    object_reader inner(list[i], at, faults, unknown_fields::refused);
    incident_record incident;
    incident.date = inner.day("date");
    if (incident.date > day_of(head.recorded_at))
      inner.refuse("date", "later than the document's recordedAt");
    incident.loss_usd = inner.optional_number("lossUsd", value_limits::usd);
    incident.returned_usd = inner.optional_number("returnedUsd", value_limits::usd);
    incident.resolved = inner.optional_boolean("resolved").value_or(true);
    incident.description = inner.optional_text("description", 500).value_or("");
    if (!inner.finish())
      read.spoil();
    out.push_back(std::move(incident));
  }
  return out;
}

} // namespace

void read_protocol(const envelope& head, const Value& item, const json_place& at,
                   fault_list& faults, feed_batch& out) {
  object_reader read(item, at, faults, unknown_fields::refused);
  protocol_record x;
  x.id = read_slug(read, "id");
  x.name = read.text("name");
  x.category = read_slug(read, "category");
  x.launched_at = read.optional_day("launchedAt");
  if (const auto* list = read.optional_array("audits"))
    x.audits = read_audits(read, *list, head, faults);
  if (const auto* list = read.optional_array("incidents"))
    x.incidents = read_incidents(read, *list, head, faults);
  x.withdrawal = read_withdrawal(read, faults);
  x.yield_source = read_optional_slug(read, "yieldSource");
  if (read.finish())
    out.protocols.push_back(std::move(x));
}

void read_chain(const envelope&, const Value& item, const json_place& at, fault_list& faults,
                feed_batch& out) {
  object_reader read(item, at, faults, unknown_fields::refused);
  chain_record x;
  x.id = read_chain_id(read, "chainId");
  x.key = read_slug(read, "key");
  x.name = read.text("name");
  const auto evm = read.optional_boolean("evm");
  if (!evm && read.good())
    read.refuse("evm", "missing, expected a boolean");
  x.evm = evm.value_or(true);
  x.security = read_optional_slug(read, "security");
  x.launched_at = read.optional_day("launchedAt");
  if (read.finish())
    out.chains.push_back(std::move(x));
}

void read_asset(const envelope&, const Value& item, const json_place& at, fault_list& faults,
                feed_batch& out) {
  object_reader read(item, at, faults, unknown_fields::refused);
  asset_record x;
  x.symbol = read.text("symbol", 64);
  x.cls = read.optional_enumeration<asset_class>("class");
  x.peg = read.optional_text("peg", 8);
  x.peg_deviation_bps =
      read.optional_number("pegDeviationBps", value_limits::positive_basis_points);
  if (const auto rank = read.optional_integer("marketCapRank", 1, 100'000))
    x.market_cap_rank = static_cast<int>(*rank);
  if (read.finish())
    out.assets.push_back(std::move(x));
}

void read_curator(const envelope&, const Value& item, const json_place& at, fault_list& faults,
                  feed_batch& out) {
  object_reader read(item, at, faults, unknown_fields::refused);
  curator_record x;
  x.id = read_slug(read, "id");
  x.name = read.text("name");
  x.established = read.enumeration<curator_rating>("rating") == curator_rating::established;
  if (read.finish())
    out.curators.push_back(std::move(x));
}

} // namespace assay::feeds::own_schema
