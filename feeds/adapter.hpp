#pragma once

#include "feeds/feed_batch.hpp"
#include "messages/types/expected.hpp"
#include "messages/types/time.hpp"

#include <string>
#include <string_view>

namespace assay::feeds {

/// One document as an upstream sent it. The views must outlive the call that gets it.
struct document {
  /// File name or URL; begins the place in every fault.
  std::string_view name;
  /// The bytes, not yet known to be valid in any way.
  std::string_view text;
  /// When it was fetched; the time of observations that carry none of their own.
  time_point fetched_at{};
};

/// Translates one upstream format into the project's own terms. Adapters are pure: no I/O, no
/// clock, no state; the same document always gives the same batch. Thread-safe.
class adapter {
public:
  virtual ~adapter() = default;

  /// Short lower-case name by which conf/ and `assay import` choose it, for example `defillama`.
  virtual std::string_view name() const noexcept = 0;

  /// Returns what the document says, or a problem when it is not a document of this format at
  /// all. Broken items inside a readable document become `feed_batch::faults`.
  virtual expected<feed_batch> parse(const document& doc) const = 0;
};

} // namespace assay::feeds
