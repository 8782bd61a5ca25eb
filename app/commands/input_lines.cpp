#include "app/commands/input_lines.hpp"

#include <algorithm>

namespace assay::app {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

} // namespace

/// Finds the end of the line that begins at `begin_`, reading on as needed; false when there is no
/// further line.
bool input_lines::find_end(std::size_t& end) {
  std::size_t searched = begin_;
  while (!broken_) {
    end = buffer_.find('\n', searched);
    if (end != std::string::npos)
      return true;
    if (buffer_.size() - begin_ > line_bytes_max) {
      broken_ = "a line is longer than " + std::to_string(line_bytes_max >> 20) + " MiB";
      return false;
    }
    buffer_.erase(0, begin_);
    begin_ = 0;
    searched = buffer_.size();
    buffer_.resize(searched + piece_bytes);
    in_.read(buffer_.data() + searched, static_cast<std::streamsize>(piece_bytes));
    buffer_.resize(searched + static_cast<std::size_t>(in_.gcount()));
    if (in_.bad())
      broken_ = "cannot be read to its end";
    else if (in_.gcount() == 0) {
      end = buffer_.size();
      return !buffer_.empty();
    }
  }
  return false;
}

bool input_lines::peek(std::string_view& line) {
  std::size_t end = 0;
  if (!find_end(end))
    return false;
  line = std::string_view{buffer_}.substr(begin_, end - begin_);
  return true;
}

bool input_lines::next(std::string_view& line) {
  if (!peek(line))
    return false;
  const auto with_end = std::min(begin_ + line.size() + 1, buffer_.size());
  taken_ += static_cast<std::int64_t>(with_end - begin_);
  begin_ = with_end;
  return true;
}

} // namespace assay::app
