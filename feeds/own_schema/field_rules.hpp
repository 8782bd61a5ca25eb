#pragma once

#include "feeds/json/object_reader.hpp"
#include "feeds/own_schema/envelope.hpp"
#include "messages/types/vault.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace assay::feeds::own_schema {

/// Fields that several kinds of document share. Each reports its fault through `read`.

/// `vaultId`: `<protocol>:<chainId>:<address>` in lower case.
std::string read_vault_id(object_reader& read);

/// A slug: 1 to 64 of `[a-z0-9._-]`.
std::string read_slug(object_reader& read, std::string_view key);
std::optional<std::string> read_optional_slug(object_reader& read, std::string_view key);

chain_id read_chain_id(object_reader& read, std::string_view key);

/// An instant that is not later than the document was recorded.
time_point read_past_instant(object_reader& read, std::string_view key, const envelope& head);

/// `withdrawal`: `{"kind": …, "delaySeconds": …}`; absent means not known.
std::optional<withdrawal_terms> read_withdrawal(object_reader& read, fault_list& faults);

} // namespace assay::feeds::own_schema
