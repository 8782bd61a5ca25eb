#pragma once

#include "feeds/json/json_place.hpp"
#include "messages/types/enum_text.hpp"
#include "messages/types/expected.hpp"
#include "messages/types/time.hpp"

#include <rapidjson/document.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::feeds::own_schema {

/// The kinds of document of the project's own feed schema (docs/data.md, conf/schema/).
enum class document_kind : std::uint8_t {
  protocols,
  chains,
  assets,
  curators,
  vaults,
  admin,
  observations,
  probes,
  gas,
  vault_gas,
  history,
};

/// What every document says of itself. A history has it as its first line.
struct envelope {
  document_kind kind = document_kind::vaults;
  /// Name of the universe that the document belongs to, for example `sample`.
  std::string dataset;
  /// Where the figures come from, one line for people.
  std::string source;
  /// When the figures were recorded. No time stamp inside the document is later.
  time_point recorded_at{};
};

/// Reads the envelope of `root`; every field but `items` is checked. A fault ends up in `faults`
/// and makes the result meaningless. `items` (absent in a history's first line) is left to the
/// caller in `*items`, nullptr when it is missing.
envelope read_envelope(const rapidjson::Value& root, fault_list& faults,
                       const rapidjson::Value** items);

} // namespace assay::feeds::own_schema

template <>
struct assay::enum_text<assay::feeds::own_schema::document_kind> {
  static constexpr std::array<std::string_view, 11> names{
      "assay.protocols/1", "assay.chains/1",    "assay.assets/1",       "assay.curators/1",
      "assay.vaults/1",    "assay.admin/1",     "assay.observations/1", "assay.probes/1",
      "assay.gas/1",       "assay.vault-gas/1", "assay.history/1"};
};
