#include "http/transport/chunked_body.hpp"

#include "http/transport/octet_class.hpp"

#include <algorithm>
#include <array>

namespace assay::http {
namespace {

/// 16 digits hold any 64-bit size; more, even leading zeros, serve nobody but a smuggler.
constexpr std::size_t size_digits_max = 16;

constexpr std::array<std::string_view, 9> forbidden_trailers{
    "transfer-encoding", "content-length", "host",
    "content-encoding",  "content-type",   "content-range",
    "connection",        "trailer",        "expect"};

/// Skips SP and HTAB.
std::string_view skip_blanks(std::string_view s) {
  while (!s.empty() && octet_class::blank(s.front()))
    s.remove_prefix(1);
  return s;
}

std::string_view skip_token(std::string_view s) {
  while (!s.empty() && octet_class::token(s.front()))
    s.remove_prefix(1);
  return s;
}

/// Skips a quoted-string whose opening quote is the first character; false when it does not end.
bool skip_quoted(std::string_view& s) {
  s.remove_prefix(1);
  while (!s.empty() && s.front() != '"') {
    if (s.front() == '\\' && s.size() < 2)
      return false;
    s.remove_prefix(s.front() == '\\' ? 2 : 1);
  }
  if (s.empty())
    return false;
  s.remove_prefix(1);
  return true;
}

/// chunk-ext = *( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )
bool valid_extensions(std::string_view s) {
  while (!s.empty()) {
    s = skip_blanks(s);
    if (s.empty() || s.front() != ';')
      return false;
    const auto name = skip_blanks(s.substr(1));
    s = skip_token(name);
    if (s.size() == name.size())
      return false;
    const auto mark = skip_blanks(s);
    if (mark.empty() || mark.front() != '=')
      continue;
    s = skip_blanks(mark.substr(1));
    if (!s.empty() && s.front() == '"') {
      if (!skip_quoted(s))
        return false;
    } else {
      const auto value = s;
      s = skip_token(value);
      if (s.size() == value.size())
        return false;
    }
  }
  return true;
}

} // namespace

void chunked_body::fail(int status, std::string_view detail) noexcept {
  state_ = state::failed;
  failure_ = {status, detail};
}

void chunked_body::reset() noexcept {
  state_ = state::incomplete;
  part_ = part::size_line;
  line_.clear();
  line_done_ = false;
  data_left_ = data_end_seen_ = 0;
  extension_bytes_ = trailer_bytes_ = trailer_fields_ = 0;
}

std::size_t chunked_body::feed(std::string_view input, std::string& body) {
  std::size_t used = 0;
  while (used < input.size() && state_ == state::incomplete) {
    const auto rest = input.substr(used);
    switch (part_) {
    case part::size_line:
      // Refused at the first octet, not at the end of a line that may never come.
      if (line_.empty() && !octet_class::hex(rest.front())) {
        fail(400, "Invalid chunk size");
        break;
      }
      used += feed_line(rest, size_digits_max + limits_.chunk_extension_bytes,
                        {400, "Chunk extensions too long"});
      if (line_done_)
        end_size_line(body.size());
      break;
    case part::data: {
      const auto n = std::min(rest.size(), data_left_);
      body.append(rest.substr(0, n));
      used += n;
      data_left_ -= n;
      if (data_left_ == 0)
        part_ = part::data_end;
      break;
    }
    case part::data_end: used += feed_data_end(rest); break;
    case part::trailer_line:
      used += feed_line(rest, limits_.trailer_bytes - trailer_bytes_, {431, "Trailers too large"});
      if (line_done_)
        end_trailer_line();
      break;
    }
  }
  return used;
}

std::size_t chunked_body::feed_line(std::string_view input, std::size_t limit,
                                    parse_failure too_long) {
  std::size_t i = 0;
  for (; i < input.size(); ++i) {
    const char c = input[i];
    const bool after_cr = !line_.empty() && line_.back() == '\r';
    if (after_cr && c == '\n') {
      line_.pop_back();
      line_done_ = true;
      return i + 1;
    }
    if (after_cr || (c != '\r' && !octet_class::text(c))) {
      fail(400, "Invalid character in a chunked body");
      return i;
    }
    if (c != '\r' && line_.size() >= limit) {
      fail(too_long.status, too_long.detail);
      return i;
    }
    line_ += c;
  }
  return i;
}

void chunked_body::end_size_line(std::size_t body_size) {
  const auto digits_end =
      std::find_if_not(line_.begin(), line_.end(), [](char c) { return octet_class::hex(c); });
  const auto digits = static_cast<std::size_t>(digits_end - line_.begin());
  if (digits > size_digits_max)
    return fail(400, "Chunk size has too many digits");
  std::uint64_t size = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const char c = octet_class::lower(line_[i]);
    size = size * 16 + static_cast<std::uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
  }
  if (!valid_extensions(std::string_view(line_).substr(digits)))
    return fail(400, "Invalid chunk size or extension");
  extension_bytes_ += line_.size() - digits;
  if (extension_bytes_ > limits_.chunk_extension_bytes)
    return fail(400, "Chunk extensions too long");
  if (size > limits_.body_bytes - body_size)
    return fail(413, "Request body too large");
  line_.clear();
  line_done_ = false;
  data_left_ = static_cast<std::size_t>(size);
  part_ = size == 0 ? part::trailer_line : part::data;
}

std::size_t chunked_body::feed_data_end(std::string_view input) {
  constexpr std::string_view crlf = "\r\n";
  if (input.front() != crlf[data_end_seen_]) {
    fail(400, "Chunk data does not end where its size says");
    return 0;
  }
  if (++data_end_seen_ == crlf.size()) {
    data_end_seen_ = 0;
    part_ = part::size_line;
  }
  return 1;
}

void chunked_body::end_trailer_line() {
  if (line_.empty()) {
    state_ = state::complete;
    return;
  }
  trailer_bytes_ += std::min(line_.size(), limits_.trailer_bytes - trailer_bytes_);
  const std::string_view line(line_);
  const auto name = line.substr(0, line.find(':'));
  if (name.size() == line.size() || !octet_class::token(name))
    return fail(400, "Invalid trailer field");
  for (const auto forbidden : forbidden_trailers)
    if (octet_class::equal_lower(name, forbidden))
      return fail(400, "Trailer field not allowed");
  if (++trailer_fields_ > limits_.header_fields)
    return fail(431, "Too many trailer fields");
  line_.clear();
  line_done_ = false;
}

} // namespace assay::http
