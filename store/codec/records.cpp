#include "store/codec/records.hpp"

#include "store/codec/binary_codec.hpp"
#include "store/codec/record_fields.hpp"

namespace assay::store {

namespace {

// Raise it whenever a field is added or changed, and keep reading the old one.
constexpr char encoding = 1;

} // namespace

template <class Record>
std::string encode(const Record& record) {
  binary_writer out;
  out.bytes += encoding;
  out(record);
  return std::move(out.bytes);
}

template <class Record>
bool decode_into(std::string_view bytes, Record& record) {
  if (bytes.empty() || bytes.front() != encoding)
    return false;
  binary_reader in{bytes.substr(1)};
  in(record);
  return in.complete();
}

template <class Record>
std::optional<Record> decode(std::string_view bytes) {
  std::optional<Record> result{std::in_place};
  if (!decode_into(bytes, *result))
    result.reset();
  return result;
}

// A type cannot stand in parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define ASSAY_STORED(Record)                                                                       \
  template std::string encode<Record>(const Record&);                                              \
  template bool decode_into<Record>(std::string_view, Record&);                                    \
  template std::optional<Record> decode<Record>(std::string_view)

ASSAY_STORED(score_row);
ASSAY_STORED(vault_record);
ASSAY_STORED(protocol_record);
ASSAY_STORED(chain_record);
ASSAY_STORED(asset_record);
ASSAY_STORED(curator_record);
ASSAY_STORED(admin_topology);
ASSAY_STORED(route_probe);
ASSAY_STORED(observed_gas);
ASSAY_STORED(live_entry);

#undef ASSAY_STORED
// NOLINTEND(bugprone-macro-parentheses)

} // namespace assay::store
