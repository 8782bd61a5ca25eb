#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

namespace assay::app {

/// The lines of a file, read piece by piece: needs memory for one line and one piece. Not
/// thread-safe.
class input_lines {
public:
  /// Octets of a line at most; a longer one ends the reading and is `broken`.
  static constexpr std::size_t line_bytes_max = std::size_t{64} << 20;

  /// `in` must outlive this.
  explicit input_lines(std::istream& in) : in_(in) {}

  /// Gives the next line without its end; false after the last one. The view holds until the next
  /// call.
  bool next(std::string_view& line);
  /// The same without taking it.
  bool peek(std::string_view& line);

  /// Octets of the lines taken so far, their ends included.
  std::int64_t taken() const noexcept { return taken_; }
  /// Why the reading ended before the end of the file, if it did.
  const std::optional<std::string>& broken() const noexcept { return broken_; }

private:
  bool find_end(std::size_t& end);

  std::istream& in_;
  // What was read; the lines before `begin_` are taken.
  std::string buffer_;
  std::size_t begin_ = 0;
  std::int64_t taken_ = 0;
  std::optional<std::string> broken_;
};

} // namespace assay::app
