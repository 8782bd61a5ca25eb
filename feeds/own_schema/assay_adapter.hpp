#pragma once

#include "feeds/adapter.hpp"
#include "feeds/own_schema/envelope.hpp"

namespace assay::feeds {

/// The project's own feed schema (docs/data.md): any of its kinds of document, told apart by the
/// document's `schema` field. A history becomes observations. Unknown fields are faults.
class assay_adapter final : public adapter {
public:
  std::string_view name() const noexcept override { return "assay"; }
  expected<feed_batch> parse(const document& doc) const override;
};

namespace own_schema {

/// Reads any document but a history. Items with a fault, and items whose key stood already, are
/// left out and reported in `feed_batch::faults`. A document without a readable envelope is a
/// problem as a whole. `head` receives the envelope.
expected<feed_batch> read_document(const document& doc, envelope& head);

} // namespace own_schema

} // namespace assay::feeds
