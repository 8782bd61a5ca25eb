#pragma once

#include "feeds/adapter_registry.hpp"

#include <chrono>
#include <string>

namespace assay::feeds::test {

inline constexpr time_point fetched{std::chrono::sys_days{std::chrono::year{2026} / 3 / 1}};

/// Reads `text` with the adapter of this name, as a document `u`.
inline expected<feed_batch> read(std::string_view adapter, const std::string& text,
                                 std::string_view name = "u", const adapter_options& options = {}) {
  return make_adapter(adapter, options)->parse({name, text, fetched});
}

/// All faults of a readable document, one per line; or what made it unreadable.
inline std::string faults(std::string_view adapter, const std::string& text,
                          std::string_view name = "u") {
  const auto batch = read(adapter, text, name);
  if (!batch)
    return "document: " + batch.error().text();
  std::string out;
  for (const auto& x : batch->faults)
    out += (out.empty() ? "" : "\n") + x.text();
  return out;
}

} // namespace assay::feeds::test
