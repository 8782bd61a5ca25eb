#pragma once

#include "http/transport/memory_file.hpp"

#include <memory>
#include <mutex>
#include <string>

namespace assay::http {

/// A body that is complete, with its validators and, once somebody asked for it, its gzip variant.
/// Immutable to its users; any thread. Shared by all requests that it answers.
class rendered_body {
public:
  /// `with_tag`: false for bodies that no cache may keep.
  explicit rendered_body(std::string text, bool with_tag = true);

  const std::shared_ptr<const std::string>& text() const noexcept { return text_; }
  /// The gzip variant, made on the first call; null when it cannot be made.
  const std::shared_ptr<const std::string>& gzip() const;

  /// The text in a file for bodies that are sent again and again, made on the first call; null for
  /// small ones, and when it cannot be made.
  const std::shared_ptr<const memory_file>& file() const;

  /// Strong entity tags, quotes included: 128 bits of the text's XXH3; those of the gzip variant
  /// differ from those of the text. Empty without tag.
  const std::string& tag() const noexcept { return tag_; }
  const std::string& gzip_tag() const noexcept { return gzip_tag_; }

  /// Octets of the text, for bounds on memory; gzip variant and file add at most as many each.
  std::size_t bytes() const noexcept { return text_->size(); }

private:
  std::shared_ptr<const std::string> text_;
  std::string tag_;
  std::string gzip_tag_;
  mutable std::once_flag gzip_once_;
  mutable std::shared_ptr<const std::string> gzip_;
  mutable std::once_flag file_once_;
  mutable std::shared_ptr<const memory_file> file_;
};

using body_ptr = std::shared_ptr<const rendered_body>;

} // namespace assay::http
