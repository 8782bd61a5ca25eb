#include "feeds/adapters/upstream_batch.hpp"

#include "feeds/value_limits.hpp"
#include "feeds/vault_reference.hpp"

#include <charconv>

namespace assay::feeds {

std::optional<double> read_decimal(object_reader& read, std::string_view key, number_range range) {
  if (!read.is_text(key))
    return read.optional_number(key, range);
  constexpr std::size_t longest = 400;
  const auto text = read.text(key, longest);
  if (text.empty())
    return std::nullopt; // reported by text()
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  // from_chars knows "nan" and "inf", which are no decimal numbers.
  const bool decimal = error == std::errc{} && end == text.data() + text.size() &&
                       text.find_first_not_of("0123456789.eE+-") == std::string::npos;
  if (!decimal)
    read.refuse(key, "expected a decimal number");
  else if (x < range.low || x > range.high)
    read.refuse(key, "a number out of range");
  else
    return x == 0 ? 0 : x;
  return std::nullopt;
}

std::optional<double> read_apy(object_reader& read, std::string_view key, apy_unit unit) {
  const double scale = unit == apy_unit::fraction ? 100 : 1;
  const auto x =
      read.optional_number(key, {value_limits::apy.low / scale, value_limits::apy.high / scale});
  return x ? std::optional(*x * scale) : std::nullopt;
}

std::optional<double> read_first_apy(object_reader& read,
                                     std::initializer_list<std::string_view> keys, apy_unit unit) {
  for (const auto key : keys)
    if (read.has(key))
      return read_apy(read, key, unit);
  return std::nullopt;
}

chain_id read_chain(object_reader& read, std::string_view key) {
  if (!read.is_text(key))
    return static_cast<chain_id>(read.integer(key, 1, value_limits::chain_id_max));
  const auto text = read.text(key, 20);
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc{} || end != text.data() + text.size() || id < 1 ||
      id > value_limits::chain_id_max)
    read.refuse(key, "expected the id of a chain");
  return static_cast<chain_id>(id);
}

void split_off_reward(observation& x) {
  if (x.apy && x.apy_reward)
    x.apy_base = *x.apy - *x.apy_reward;
}

const rapidjson::Value& nested_reader::value_or_empty(const rapidjson::Value* value) {
  static const rapidjson::Value empty(rapidjson::kObjectType);
  return value ? *value : empty;
}

namespace {

// Upstreams write addresses in any case (a machine wrote them, so that a wrong checksum is no
// typing error): the case is put right instead of being checked.
expected<std::string> read_any_case(chain_id chain, const std::string& text) {
  if (auto address = to_eip55(text); address && chain != solana_chain_id)
    return std::move(*address);
  return read_address(chain, text);
}

bool has_figures(const observation& x) {
  return x.apy || x.apy_base || x.apy_reward || x.tvl_usd || x.utilization || x.available_usd;
}

} // namespace

void upstream_batch::take(object_reader& read, const json_place& at, vault_record vault,
                          observation seen) {
  if (!read.good())
    return;
  auto address = read_any_case(vault.chain, vault.address);
  if (!address) {
    faults.add(at, "address: " + address.error().what);
    return;
  }
  if (!is_protocol_id(vault.protocol_id)) {
    faults.add(at, "the protocol's name is not a slug");
    return;
  }
  vault.address = std::move(*address);
  vault.vault_id = make_vault_id(vault.protocol_id, vault.chain, vault.address);
  seen.vault_id = vault.vault_id;
  if (!is_new(at, seen))
    return;
  if (vault.underlying_token) {
    auto token = read_any_case(vault.chain, *vault.underlying_token);
    vault.underlying_token = token ? std::optional(std::move(*token)) : std::nullopt;
  }
  if (!vault.asset.empty())
    batch_.vaults.push_back(std::move(vault));
  if (has_figures(seen))
    batch_.observations.push_back(std::move(seen));
}

void upstream_batch::take(object_reader& read, const json_place& at, const std::string& vault_id,
                          observation seen) {
  if (!read.good())
    return;
  seen.vault_id = vault_id;
  if (is_new(at, seen) && has_figures(seen))
    batch_.observations.push_back(std::move(seen));
}

bool upstream_batch::is_new(const json_place& at, const observation& seen) {
  const auto [known, inserted] = seen_.try_emplace(seen.vault_id, seen);
  if (inserted)
    return true;
  const bool same = known->second == seen || !has_figures(seen);
  if (!same)
    contradicted_.insert(seen.vault_id);
  faults.add(at, "an item above is the same vault, " + seen.vault_id +
                     (same ? "" : ", with other figures: neither is taken"));
  return false;
}

void upstream_batch::leave_out(const std::string& reason) {
  ++left_out_[reason];
}

feed_batch upstream_batch::finish() {
  const json_place top;
  for (const auto& [reason, count] : left_out_)
    faults.add(top, reason + ", items left out: " + std::to_string(count));
  std::erase_if(batch_.observations,
                [&](const observation& x) { return contradicted_.contains(x.vault_id); });
  batch_.faults = faults.take();
  return std::move(batch_);
}

const rapidjson::Value* member(const rapidjson::Value* object, std::string_view key) {
  if (object == nullptr || !object->IsObject())
    return nullptr;
  for (auto it = object->MemberBegin(); it != object->MemberEnd(); ++it)
    if (std::string_view(it->name.GetString(), it->name.GetStringLength()) == key)
      return &it->value;
  return nullptr;
}

} // namespace assay::feeds
