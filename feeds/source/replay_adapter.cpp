#include "feeds/source/replay_adapter.hpp"

#include "feeds/own_schema/assay_adapter.hpp"
#include "feeds/time_shift.hpp"

#include <utility>

namespace assay::feeds {

expected<feed_batch> replay_adapter::parse(const document& doc) const {
  // Lines of JSON are histories.
  if (doc.name.ends_with(".ndjson"))
    return feed_batch{};
  own_schema::envelope head;
  auto all = own_schema::read_document(doc, head);
  if (!all)
    return all.error();
  feed_batch result;
  if (head.kind == own_schema::document_kind::observations) {
    result.observations = std::move(all->observations);
    result.faults = std::move(all->faults);
    shift_measurements(result, doc.fetched_at - head.recorded_at);
  }
  return result;
}

} // namespace assay::feeds
