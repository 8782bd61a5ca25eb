#include "http/transport/head_reader.hpp"

#include "http/transport/head_fields.hpp"
#include "http/transport/octet_class.hpp"
#include "http/transport/request_target.hpp"

#include <algorithm>
#include <utility>

namespace assay::http {
namespace {

constexpr std::string_view chunked_coding = "chunked";

} // namespace

class head_reader::impl {
public:
  explicit impl(const request_limits& limits) : limits_(limits) {}

  std::size_t feed(std::string_view input);
  void reset();

  state state_ = state::incomplete;
  parse_failure failure_;
  request_framing framing_;
  request_parts parts_;
  bool started_ = false;
  bool line_read_ = false;

private:
  enum class section { before, request_line, fields };

  std::string_view text(text_span s) const {
    return std::string_view(parts_.head).substr(s.offset, s.length);
  }
  bool fail(const parse_failure& why) {
    state_ = state::failed;
    failure_ = why;
    return false;
  }
  bool fail(int status, std::string_view detail) { return fail({status, detail}); }
  bool begin_line(char first);
  bool grow_line(std::string_view part);
  bool end_line();
  bool bad_line_end(char c);
  bool parse_request_line();
  bool parse_fields();
  bool check_host();
  bool check_framing();
  bool check_transfer_encoding();
  bool check_content_length();
  bool check_expect();

  request_limits limits_;
  section section_ = section::before;
  head_fields fields_{parts_};
  std::size_t line_bytes_ = 0;
  std::size_t header_bytes_ = 0;
  std::size_t field_count_ = 0;
  std::size_t empty_lines_ = 0;
  bool after_cr_ = false;
};

void head_reader::impl::reset() {
  state_ = state::incomplete;
  framing_ = {};
  parts_ = {};
  started_ = line_read_ = after_cr_ = false;
  section_ = section::before;
  line_bytes_ = header_bytes_ = field_count_ = empty_lines_ = 0;
  fields_.reset();
}

std::size_t head_reader::impl::feed(std::string_view input) {
  if (!started_ && !input.empty()) {
    started_ = true;
    parts_.head.reserve(std::min(input.size(), limits_.request_line_bytes + limits_.header_bytes));
  }
  std::size_t kept = 0;
  std::size_t i = 0;
  while (i < input.size() && state_ == state::incomplete) {
    const char c = input[i];
    if (after_cr_) {
      if (c != '\n') {
        bad_line_end(c);
        break;
      }
      after_cr_ = false;
      ++i;
      if (section_ != section::before)
        parts_.head.append(input.substr(kept, i - kept));
      kept = i;
      end_line();
      continue;
    }
    if (c == '\r') {
      after_cr_ = true;
      ++i;
      continue;
    }
    if (line_bytes_ == 0 && !begin_line(c))
      break;
    auto end = i;
    while (end < input.size() && octet_class::text(input[end]))
      ++end;
    if (!grow_line(input.substr(i, end - i)))
      break;
    i = end;
    if (i < input.size() && input[i] != '\r')
      bad_line_end(input[i]);
  }
  if (state_ == state::incomplete && section_ != section::before)
    parts_.head.append(input.substr(kept));
  return i;
}

bool head_reader::impl::begin_line(char first) {
  if (section_ == section::before)
    section_ = section::request_line;
  if (octet_class::blank(first))
    return fail(400, section_ == section::fields ? "Folded header lines are not allowed"
                                                 : "Blank in front of the request line");
  return true;
}

bool head_reader::impl::grow_line(std::string_view part) {
  line_bytes_ += part.size();
  if (section_ == section::fields) {
    header_bytes_ += part.size();
    if (header_bytes_ > limits_.header_bytes)
      return fail(431, "Request header fields too large");
  } else if (line_bytes_ > limits_.request_line_bytes) {
    return fail(414, "Request line too long");
  }
  return true;
}

bool head_reader::impl::bad_line_end(char c) {
  if (after_cr_)
    return fail(400, "CR without LF");
  return fail(400, c == '\n' ? "LF without CR" : "Control character in the request head");
}

bool head_reader::impl::end_line() {
  const bool empty = std::exchange(line_bytes_, 0) == 0;
  switch (section_) {
  case section::before:
    if (++empty_lines_ > limits_.leading_empty_lines)
      return fail(400, "Too many empty lines in front of the request line");
    return true;
  case section::request_line: section_ = section::fields; return parse_request_line();
  case section::fields:
    header_bytes_ += 2;
    if (empty)
      return parse_fields();
    if (++field_count_ > limits_.header_fields)
      return fail(431, "Too many request header fields");
    if (header_bytes_ > limits_.header_bytes)
      return fail(431, "Request header fields too large");
    return true;
  }
  return true;
}

bool head_reader::impl::parse_request_line() {
  if (const auto bad = fields_.read_request_line())
    return fail(*bad);
  line_read_ = true;
  target_parts target;
  if (const auto bad = read_target(parts_.verb, text(fields_.found().target), target))
    return fail(*bad);
  const auto span = [this](std::string_view s) {
    return s.empty() ? text_span{}
                     : text_span{static_cast<std::uint32_t>(s.data() - parts_.head.data()),
                                 static_cast<std::uint32_t>(s.size())};
  };
  parts_.path = span(target.path);
  parts_.query = span(target.query);
  parts_.has_query = target.has_query;
  parts_.authority = span(target.authority);
  return true;
}

bool head_reader::impl::parse_fields() {
  if (const auto bad = fields_.read_fields())
    return fail(*bad);
  if (!check_host() || !check_framing() || !check_expect())
    return false;
  for (const auto& field : parts_.fields)
    for (auto i = field.name.offset; i < field.name.offset + field.name.length; ++i)
      parts_.head[i] = octet_class::lower(parts_.head[i]);
  framing_.keep_alive =
      !fields_.found().says_close && (parts_.minor_version == 1 || fields_.found().says_keep_alive);
  state_ = state::complete;
  return true;
}

bool head_reader::impl::check_host() {
  if (fields_.found().hosts > 1)
    return fail(400, "Host given more than once");
  if (fields_.found().hosts == 0 && parts_.minor_version == 1)
    return fail(400, "Host is missing");
  if (fields_.found().hosts == 1 && !valid_authority(text(fields_.found().host)))
    return fail(400, "Invalid Host");
  // RFC 9112, 3.2.2: the authority of an absolute-form target stands above Host.
  if (parts_.authority.length == 0)
    parts_.authority = fields_.found().host;
  return true;
}

bool head_reader::impl::check_framing() {
  if (fields_.found().transfer_encodings > 0 && fields_.found().content_lengths > 0)
    return fail(400, "Both Transfer-Encoding and Content-Length");
  return check_transfer_encoding() && check_content_length();
}

bool head_reader::impl::check_transfer_encoding() {
  if (fields_.found().transfer_encodings == 0)
    return true;
  if (fields_.found().transfer_encodings > 1)
    return fail(400, "Transfer-Encoding given more than once");
  if (parts_.minor_version == 0)
    return fail(400, "Transfer-Encoding on HTTP/1.0");
  const auto value = text(fields_.found().transfer_encoding);
  if (octet_class::equal_lower(value, chunked_coding)) {
    framing_.chunked = true;
    return true;
  }
  // RFC 9112, 6.3: without chunked as the last coding the length is unknown (400); behind a coding
  // that this server does not have (501), it is known but useless.
  std::size_t codings = 0;
  std::size_t chunked = 0;
  bool well_formed = true;
  bool ends_chunked = false;
  octet_class::for_each_element(value, [&](std::string_view coding) {
    ++codings;
    well_formed = well_formed && octet_class::token(coding);
    ends_chunked = octet_class::equal_lower(coding, chunked_coding);
    chunked += ends_chunked ? 1 : 0;
  });
  if (well_formed && codings > 1 && chunked == 1 && ends_chunked)
    return fail(501, "Transfer coding not implemented");
  return fail(400, "Invalid Transfer-Encoding");
}

bool head_reader::impl::check_content_length() {
  if (fields_.found().content_lengths == 0)
    return true;
  if (fields_.found().content_lengths > 1)
    return fail(400, "Content-Length given more than once");
  const auto value = text(fields_.found().content_length);
  std::size_t length = 0;
  for (char c : value) {
    if (!octet_class::digit(c))
      return fail(400, "Invalid Content-Length");
    // Saturates above the limit, so no number of digits overflows.
    length = std::min(length * 10 + static_cast<std::size_t>(c - '0'), limits_.body_bytes + 1);
  }
  if (value.empty())
    return fail(400, "Invalid Content-Length");
  if (length > limits_.body_bytes)
    return fail(413, "Request body too large");
  framing_.content_length = length;
  return true;
}

bool head_reader::impl::check_expect() {
  if (fields_.found().expects == 0)
    return true;
  if (fields_.found().expects > 1 ||
      !octet_class::equal_lower(text(fields_.found().expect), "100-continue"))
    return fail(417, "Expectation not supported");
  // RFC 9110, 10.1.1: the expectation of an HTTP/1.0 request must be ignored.
  framing_.expects_continue = parts_.minor_version == 1;
  return true;
}

head_reader::head_reader(const request_limits& limits) : impl_(std::make_unique<impl>(limits)) {}
head_reader::~head_reader() = default;
head_reader::head_reader(head_reader&&) noexcept = default;
head_reader& head_reader::operator=(head_reader&&) noexcept = default;

std::size_t head_reader::feed(std::string_view input) {
  return impl_->feed(input);
}
head_reader::state head_reader::status() const noexcept {
  return impl_->state_;
}
const parse_failure& head_reader::failure() const noexcept {
  return impl_->failure_;
}
bool head_reader::started() const noexcept {
  return impl_->started_;
}
bool head_reader::head_method() const noexcept {
  return impl_->line_read_ && impl_->parts_.verb == method::head;
}
int head_reader::minor_version() const noexcept {
  return impl_->parts_.minor_version;
}
const request_framing& head_reader::framing() const noexcept {
  return impl_->framing_;
}
request_parts head_reader::take() {
  return std::move(impl_->parts_);
}
void head_reader::reset() {
  impl_->reset();
}

} // namespace assay::http
