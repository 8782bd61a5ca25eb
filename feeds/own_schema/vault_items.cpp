#include "feeds/own_schema/field_rules.hpp"
#include "feeds/own_schema/items.hpp"
#include "feeds/value_limits.hpp"
#include "feeds/vault_reference.hpp"

namespace assay::feeds::own_schema {

namespace {

using rapidjson::Value;

std::string read_address_field(object_reader& read, std::string_view key, chain_id chain,
                               std::string text) {
  if (text.empty() || !read.good())
    return text;
  auto address = read_address(chain, text);
  if (address)
    return std::move(*address);
  read.refuse(key, address.error().what);
  return {};
}

admin_role read_role(const Value& value, const json_place& at, fault_list& faults, bool& good) {
  constexpr std::int64_t most_signers = 1000;
  object_reader read(value, at, faults, unknown_fields::refused);
  admin_role role;
  role.role = read.text("role", 64);
  role.kind = read.enumeration<role_kind>("kind");
  if (const auto n = read.optional_integer("threshold", 1, most_signers))
    role.threshold = static_cast<int>(*n);
  if (const auto n = read.optional_integer("owners", 1, most_signers))
    role.owners = static_cast<int>(*n);
  role.delay_seconds = read.optional_number("delaySeconds", value_limits::delay_seconds);
  role.unverified_governance = read.optional_boolean("unverifiedGovernance");
  if (read.good() && role.kind != role_kind::safe && (role.threshold || role.owners))
    read.refuse("threshold and owners belong to the kind `safe` only");
  if (read.good() && role.kind != role_kind::dao && role.unverified_governance)
    read.refuse("unverifiedGovernance", "belongs to the kind `dao` only");
  if (role.threshold && role.owners && *role.threshold > *role.owners)
    read.refuse("threshold", "more signatures than there are owners");
  good = read.finish() && good;
  return role;
}

} // namespace

void read_vault(const envelope&, const Value& item, const json_place& at, fault_list& faults,
                feed_batch& out) {
  object_reader read(item, at, faults, unknown_fields::refused);
  vault_record x;
  x.chain = read_chain_id(read, "chainId");
  x.protocol_id = read_slug(read, "protocolId");
  x.address = read_address_field(read, "address", x.chain, read.text("address", 128));
  x.name = read.text("name");
  x.asset = read.text("asset", 64);
  if (auto token = read.optional_text("underlyingToken", 128))
    x.underlying_token = read_address_field(read, "underlyingToken", x.chain, std::move(*token));
  x.launched_at = read.optional_day("launchedAt");
  x.withdrawal = read_withdrawal(read, faults);
  x.yield_source = read_optional_slug(read, "yieldSource");
  x.curator_id = read_optional_slug(read, "curatorId");
  x.listed = read.optional_boolean("listed").value_or(true);
  if (!read.finish())
    return;
  x.vault_id = make_vault_id(x.protocol_id, x.chain, x.address);
  out.vaults.push_back(std::move(x));
}

void read_admin(const envelope& head, const Value& item, const json_place& at, fault_list& faults,
                feed_batch& out) {
  object_reader read(item, at, faults, unknown_fields::refused);
  admin_topology x;
  x.vault_id = read_vault_id(read);
  x.cls = read.enumeration<admin_class>("class");
  x.curator_id = read_optional_slug(read, "curatorId");
  x.rating = read.optional_enumeration<curator_rating>("curatorRating");
  x.timelock_seconds = read.optional_number("timelockSeconds", value_limits::delay_seconds);
  x.checked_at = read_past_instant(read, "checkedAt", head);
  if (const auto* roles = read.array("roles")) {
    const auto place = read.place_of("roles");
    bool good = true;
    for (rapidjson::SizeType i = 0; i < roles->Size(); ++i)
      x.roles.push_back(read_role((*roles)[i], place.element(i), faults, good));
    if (!good)
      read.spoil();
  }
  if (read.finish())
    out.admins.push_back(std::move(x));
}

} // namespace assay::feeds::own_schema
