#include "feeds/own_schema/field_rules.hpp"

#include "feeds/value_limits.hpp"
#include "feeds/vault_reference.hpp"

namespace assay::feeds::own_schema {

namespace {

constexpr std::size_t max_vault_id_bytes = 64 + 1 + 20 + 1 + 128;

void check_slug(object_reader& read, std::string_view key, const std::string& text) {
  if (!text.empty() && !is_protocol_id(text))
    read.refuse(key, "expected 1 to 64 of a-z, 0-9, dot, underscore and hyphen");
}

} // namespace

std::string read_vault_id(object_reader& read) {
  auto id = read.text("vaultId", max_vault_id_bytes);
  if (!id.empty() && !is_vault_id(id))
    read.refuse("vaultId", "expected <protocol>:<chainId>:<address> in lower case");
  return id;
}

std::string read_slug(object_reader& read, std::string_view key) {
  auto text = read.text(key);
  check_slug(read, key, text);
  return text;
}

std::optional<std::string> read_optional_slug(object_reader& read, std::string_view key) {
  auto text = read.optional_text(key);
  if (text)
    check_slug(read, key, *text);
  return text;
}

chain_id read_chain_id(object_reader& read, std::string_view key) {
  return static_cast<chain_id>(read.integer(key, 1, value_limits::chain_id_max));
}

time_point read_past_instant(object_reader& read, std::string_view key, const envelope& head) {
  const auto t = read.instant(key);
  if (t > head.recorded_at)
    read.refuse(key, "later than the document's recordedAt, " + to_iso8601(head.recorded_at));
  return t;
}

std::optional<withdrawal_terms> read_withdrawal(object_reader& read, fault_list& faults) {
  const auto* value = read.optional_object("withdrawal");
  if (value == nullptr)
    return std::nullopt;
  const auto at = read.place_of("withdrawal");
  object_reader inner(*value, at, faults, unknown_fields::refused);
  withdrawal_terms terms;
  terms.kind = inner.enumeration<withdrawal_kind>("kind");
  const auto delay = inner.optional_number("delaySeconds", value_limits::delay_seconds);
  if (inner.good() && delay.has_value() != (terms.kind == withdrawal_kind::delayed))
    inner.refuse("delaySeconds", "belongs to the kind `delayed`, and to it only");
  terms.delay_seconds = delay.value_or(0);
  if (!inner.finish())
    read.spoil();
  return terms;
}

} // namespace assay::feeds::own_schema
