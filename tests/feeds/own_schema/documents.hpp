#pragma once

#include "feeds/own_schema/assay_adapter.hpp"

#include <string>
#include <vector>

namespace assay::feeds::test {

/// An own-schema document of one kind around the given items (JSON, comma separated).
inline std::string wrap(std::string_view kind, std::string_view items) {
  return R"({"schema":"assay.)" + std::string(kind) +
         R"(/1","dataset":"test","source":"written for a test",)"
         R"("recordedAt":"2026-03-01T00:00:00Z","items":[)" +
         std::string(items) + "]}";
}

/// Reads a document under the name `t`.
inline expected<feed_batch> read(const std::string& text) {
  return assay_adapter{}.parse({"t", text, {}});
}

/// The one fault of a document that has exactly one, as text; else all of them, or what happened.
inline std::string only_fault(const std::string& text) {
  const auto batch = read(text);
  if (!batch)
    return "document: " + batch.error().text();
  if (batch->faults.size() == 1)
    return batch->faults[0].text();
  std::string all = std::to_string(batch->faults.size()) + " faults";
  for (const auto& x : batch->faults)
    all += "; " + x.text();
  return all;
}

} // namespace assay::feeds::test
