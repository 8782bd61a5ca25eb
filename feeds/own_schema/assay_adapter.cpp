#include "feeds/own_schema/assay_adapter.hpp"

#include "feeds/json/json_text.hpp"
#include "feeds/own_schema/history_lines.hpp"
#include "feeds/own_schema/items.hpp"

#include <algorithm>
#include <unordered_set>

namespace assay::feeds {

namespace own_schema {

namespace {

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return text;
}

std::string at_second(const std::string& id, time_point t) {
  return id + '@' + std::to_string(t.time_since_epoch().count());
}

// What no two items of a document may share. Vaults: chain and address, since one address is one
// vault whatever protocol claims it.
std::string key_of(const vault_record& x) {
  return make_vault_id("", x.chain, x.address);
}
std::string key_of(const protocol_record& x) {
  return x.id;
}
std::string key_of(const chain_record& x) {
  return std::to_string(x.id);
}
std::string key_of(const asset_record& x) {
  return upper(x.symbol);
}
std::string key_of(const curator_record& x) {
  return x.id;
}
std::string key_of(const admin_topology& x) {
  return x.vault_id;
}
std::string key_of(const observation& x) {
  return at_second(x.vault_id, x.at);
}
std::string key_of(const route_probe& x) {
  return at_second(x.vault_id, x.checked_at);
}
std::string key_of(const gas_sample& x) {
  return at_second(std::to_string(x.chain), x.at);
}
std::string key_of(const observed_gas& x) {
  return at_second(x.vault_id, x.at);
}

using key_set = std::unordered_set<std::string>;

// Takes the item just read back out of `list` when its key stood already.
template <class T>
void refuse_twin(std::vector<T>& list, key_set& seen, const json_place& at, fault_list& faults) {
  if (seen.size() == list.size() || seen.insert(key_of(list.back())).second)
    return;
  list.pop_back();
  faults.add(at, "an item above has the same key");
}

void refuse_twins(feed_batch& batch, document_kind kind, key_set& seen, const json_place& at,
                  fault_list& faults) {
  switch (kind) {
  case document_kind::protocols: return refuse_twin(batch.protocols, seen, at, faults);
  case document_kind::chains: return refuse_twin(batch.chains, seen, at, faults);
  case document_kind::assets: return refuse_twin(batch.assets, seen, at, faults);
  case document_kind::curators: return refuse_twin(batch.curators, seen, at, faults);
  case document_kind::vaults: return refuse_twin(batch.vaults, seen, at, faults);
  case document_kind::admin: return refuse_twin(batch.admins, seen, at, faults);
  case document_kind::observations: return refuse_twin(batch.observations, seen, at, faults);
  case document_kind::probes: return refuse_twin(batch.probes, seen, at, faults);
  case document_kind::gas: return refuse_twin(batch.gas_samples, seen, at, faults);
  case document_kind::vault_gas: return refuse_twin(batch.gas_observed, seen, at, faults);
  case document_kind::history: break;
  }
}

expected<feed_batch> read_history_batch(const document& doc) {
  feed_batch batch;
  envelope head;
  batch.faults = read_history(doc.name, doc.text, head, [&](history_line&& line) {
    line.each([&](const observation& x) { batch.observations.push_back(x); });
  });
  if (head.dataset.empty())
    return batch.faults.front();
  return batch;
}

} // namespace

expected<feed_batch> read_document(const document& doc, envelope& head) {
  rapidjson::Document root;
  if (auto broken = parse_json(doc.name, doc.text, root))
    return *broken;
  fault_list faults{std::string(doc.name) + '#'};
  const rapidjson::Value* items = nullptr;
  head = read_envelope(root, faults, &items);
  if (faults.count() > 0)
    return faults.take().front();
  if (items == nullptr)
    return problem{std::string(doc.name) + '#', "a history is NDJSON: its envelope is one line"};
  feed_batch batch;
  key_set seen;
  const json_place top;
  const auto place = top.member("items");
  for (rapidjson::SizeType i = 0; i < items->Size(); ++i) {
    const auto at = place.element(i);
    read_item(head, (*items)[i], at, faults, batch);
    refuse_twins(batch, head.kind, seen, at, faults);
  }
  batch.faults = faults.take();
  return batch;
}

} // namespace own_schema

expected<feed_batch> assay_adapter::parse(const document& doc) const {
  if (own_schema::is_history(doc.text))
    return own_schema::read_history_batch(doc);
  own_schema::envelope head;
  return own_schema::read_document(doc, head);
}

} // namespace assay::feeds
