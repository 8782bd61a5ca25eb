#pragma once

#include "messages/types/time.hpp"

#include <charconv>
#include <concepts>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace assay::feeds::generate {

/// Writes one document of the own feed schema through a large buffer. A failed write is remembered
/// and told by `close`; nothing throws.
class document_writer {
public:
  /// Creates the file `path` and writes the envelope; `kind` is `vaults`, `history`, …
  document_writer(const std::string& path, std::string_view kind, std::string_view source,
                  time_point recorded_at);

  /// Begins the next item: an element of `items`, or a line of a history.
  void next_item();

  /// JSON as it stands.
  document_writer& raw(std::string_view text) {
    room(text.size());
    buffer_.append(text);
    return *this;
  }
  document_writer& raw(char c) {
    buffer_.push_back(c);
    return *this;
  }

  /// A text in quotes; it must not need escaping.
  document_writer& text(std::string_view value) { return raw('"').raw(value).raw('"'); }

  document_writer& number(std::integral auto value) {
    char digits[24];
    return raw({digits, std::to_chars(digits, digits + sizeof digits, value).ptr});
  }

  /// `value` with at most this many decimals, or `null` when it is not finite.
  document_writer& number(double value, int decimals);

  /// `,"name":` with the comma left out when `first`.
  document_writer& field(std::string_view name, bool first = false);

  /// Ends and closes the document. Returns false when anything could not be written.
  bool close();

private:
  void room(std::size_t bytes);

  struct closer {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };

  std::unique_ptr<std::FILE, closer> file_;
  std::string buffer_;
  bool lines_ = false;
  bool first_ = true;
  bool failed_ = false;
};

} // namespace assay::feeds::generate
