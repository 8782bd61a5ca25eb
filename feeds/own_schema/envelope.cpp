#include "feeds/own_schema/envelope.hpp"

#include "feeds/json/object_reader.hpp"

namespace assay::feeds::own_schema {

envelope read_envelope(const rapidjson::Value& root, fault_list& faults,
                       const rapidjson::Value** items) {
  const json_place top;
  object_reader read(root, top, faults, unknown_fields::refused);
  envelope out;
  out.kind = read.enumeration<document_kind>("schema");
  if (!read.good())
    return out; // not a document of this schema: nothing else that is said of it would help
  out.dataset = read.text("dataset", 64);
  out.source = read.text("source", 1000);
  out.recorded_at = read.instant("recordedAt");
  *items = out.kind == document_kind::history ? nullptr : read.array("items");
  read.finish();
  return out;
}

} // namespace assay::feeds::own_schema
