#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::store {

/// Returns the bytes under which a record is stored. Equal records have equal bytes, so comparing
/// the bytes of two `score_row`s says whether they are identical to the last bit.
/// For: score_row, vault_record, protocol_record, chain_record, asset_record, curator_record,
/// admin_topology, route_probe, observed_gas, live_entry.
template <class Record>
std::string encode(const Record& record);

/// Reads such bytes back, bit for bit; nothing when they are damaged or of another encoding.
template <class Record>
std::optional<Record> decode(std::string_view bytes);

/// The same into a fresh record, without moving it about; false when the bytes are damaged, and
/// `record` is then of no use.
template <class Record>
bool decode_into(std::string_view bytes, Record& record);

} // namespace assay::store
