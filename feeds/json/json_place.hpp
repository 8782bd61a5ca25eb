#pragma once

#include "messages/types/expected.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::feeds {

/// A step of the way from a document's root to one of its values. Lives on the stack of whoever
/// walks the document; the text of the way is only made when something is wrong.
struct json_place {
  /// The place that this one is inside of; nullptr for the root.
  const json_place* up = nullptr;
  /// Member name; empty for an element of an array.
  std::string_view key;
  /// Index of the element; meaningless where `key` is set.
  std::size_t index = 0;

  json_place member(std::string_view name) const noexcept { return {this, name, 0}; }
  json_place element(std::size_t i) const noexcept { return {this, {}, i}; }

  /// Returns the JSON pointer (RFC 6901), for example `/items/3/chainId`; empty for the root.
  std::string pointer() const;
};

/// Collects what is wrong with one document. At most `max_faults` are kept, so that a document
/// that is wrong everywhere costs no more than one that is wrong often; all are counted.
class fault_list {
public:
  /// `prefix` begins every place: `file#` for a document, `file:12` for a line of one.
  explicit fault_list(std::string prefix) : prefix_(std::move(prefix)) {}

  static constexpr std::size_t max_faults = 1000;

  /// Adds a fault; `what` says what was found and what was expected.
  void add(const json_place& at, std::string_view what);

  /// Number of faults added, those that were not kept included.
  std::size_t count() const noexcept { return count_; }
  const std::vector<problem>& kept() const noexcept { return kept_; }
  /// Moves the kept faults out; when some were not kept, the last one says how many.
  std::vector<problem> take();

  void set_prefix(std::string prefix) { prefix_ = std::move(prefix); }

private:
  std::string prefix_;
  std::vector<problem> kept_;
  std::size_t count_ = 0;
};

} // namespace assay::feeds
