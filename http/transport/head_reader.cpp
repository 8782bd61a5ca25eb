#include "http/transport/head_reader.hpp"

#include "http/transport/octet_class.hpp"
#include "http/transport/request_target.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>

#include <algorithm>
#include <utility>

namespace assay::http {
namespace {

namespace beast = boost::beast::http;
using beast_error = boost::beast::error_code;

constexpr std::string_view chunked_coding = "chunked";

/// One allocation serves nearly every request.
constexpr std::size_t usual_fields = 24;

std::string_view to_std(boost::beast::string_view s) {
  return {s.data(), s.size()};
}

/// Calls `visit` with every non-empty element of a comma list.
template <class Visit>
void for_each_element(std::string_view list, Visit visit) {
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    if (const auto element = octet_class::trimmed(list.substr(0, comma)); !element.empty())
      visit(element);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

/// A request line of the right shape whose version is not ours, as opposed to a malformed one.
bool has_foreign_version(std::string_view line) {
  if (std::count(line.begin(), line.end(), ' ') != 2)
    return false;
  const auto version = line.substr(line.rfind(' ') + 1);
  return version.size() == 8 && version.starts_with("HTTP/") && octet_class::digit(version[5]) &&
         version[6] == '.' && octet_class::digit(version[7]);
}

/// Receives Beast's events for one head, stores spans into the buffer being parsed, and counts the
/// fields that decide about framing.
class field_collector final : public beast::basic_parser<true> {
public:
  explicit field_collector(std::string& head, request_parts& parts) : head_(head), parts_(parts) {
    // Sizes are bounded by the caller, bodies are not Beast's business here.
    header_limit(0xffffffffu);
    body_limit(boost::none);
    skip(true);
  }

  std::optional<parse_failure> failure;
  text_span target;
  text_span transfer_encoding, content_length, host, expect;
  std::size_t transfer_encodings = 0, content_lengths = 0, hosts = 0, expects = 0;
  bool says_close = false, says_keep_alive = false;

private:
  text_span span(boost::beast::string_view s) const {
    return {static_cast<std::uint32_t>(s.data() - head_.data()),
            static_cast<std::uint32_t>(s.size())};
  }

  void on_request_impl(beast::verb, boost::beast::string_view name,
                       boost::beast::string_view request_target, int version,
                       beast_error& error) override {
    parts_.minor_version = version % 10;
    target = span(request_target);
    if (const auto known = http::parse_method(to_std(name))) {
      parts_.verb = *known;
    } else {
      failure = parse_failure{501, "Unknown method"};
      error = beast::error::bad_method;
    }
  }

  void on_field_impl(beast::field field, boost::beast::string_view name,
                     boost::beast::string_view value, beast_error&) override {
    const auto value_span = span(value);
    parts_.fields.push_back({span(name), value_span});
    switch (field) {
    case beast::field::host:
      host = value_span;
      ++hosts;
      break;
    case beast::field::content_length:
      content_length = value_span;
      ++content_lengths;
      break;
    case beast::field::transfer_encoding:
      transfer_encoding = value_span;
      ++transfer_encodings;
      break;
    case beast::field::expect:
      expect = value_span;
      ++expects;
      break;
    case beast::field::connection:
      for_each_element(to_std(value), [this](std::string_view token) {
        says_close = says_close || octet_class::equal_lower(token, "close");
        says_keep_alive = says_keep_alive || octet_class::equal_lower(token, "keep-alive");
      });
      break;
    default: break;
    }
  }

  void on_response_impl(int, boost::beast::string_view, int, beast_error&) override {}
  void on_header_impl(beast_error&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, beast_error&) override {}
  std::size_t on_body_impl(boost::beast::string_view s, beast_error&) override { return s.size(); }
  void on_chunk_header_impl(std::uint64_t, boost::beast::string_view, beast_error&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, boost::beast::string_view s,
                                 beast_error&) override {
    return s.size();
  }
  void on_finish_impl(beast_error&) override {}

  std::string& head_;
  request_parts& parts_;
};

} // namespace

class head_reader::impl {
public:
  explicit impl(const request_limits& limits) : limits_(limits) { reset(); }

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
  bool fail(int status, std::string_view detail) {
    state_ = state::failed;
    failure_ = {status, detail};
    return false;
  }
  bool begin_line(char first);
  bool grow_line(std::string_view part);
  bool end_line();
  bool bad_line_end(char c);
  bool parse_request_line();
  bool parse_fields();
  bool fail_field(std::size_t offset, const beast_error& error);
  bool check_host();
  bool check_framing();
  bool check_transfer_encoding();
  bool check_content_length();
  bool check_expect();

  request_limits limits_;
  section section_ = section::before;
  std::optional<field_collector> parser_;
  std::size_t line_bytes_ = 0;
  std::size_t header_bytes_ = 0;
  std::size_t fields_ = 0;
  std::size_t empty_lines_ = 0;
  std::size_t parsed_ = 0;
  bool after_cr_ = false;
};

void head_reader::impl::reset() {
  state_ = state::incomplete;
  framing_ = {};
  parts_ = {};
  started_ = line_read_ = after_cr_ = false;
  section_ = section::before;
  line_bytes_ = header_bytes_ = fields_ = empty_lines_ = parsed_ = 0;
  parser_.emplace(parts_.head, parts_);
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
    if (++fields_ > limits_.header_fields)
      return fail(431, "Too many request header fields");
    if (header_bytes_ > limits_.header_bytes)
      return fail(431, "Request header fields too large");
    return true;
  }
  return true;
}

bool head_reader::impl::parse_request_line() {
  const std::string_view line(parts_.head.data(), parts_.head.size() - 2);
  parts_.fields.reserve(usual_fields);
  beast_error error;
  parsed_ = parser_->put(boost::asio::buffer(parts_.head), error);
  if (parser_->failure)
    return fail(parser_->failure->status, parser_->failure->detail);
  if (error == beast::error::bad_version && has_foreign_version(line))
    return fail(505, "HTTP version not supported");
  // need_more is Beast's way to say that it took the line; otherwise it wants more of a line that
  // has already ended.
  if (error != beast::error::need_more || parsed_ != parts_.head.size())
    return fail(400, "Malformed request line");
  line_read_ = true;
  target_parts target;
  if (const auto bad = read_target(parts_.verb, text(parser_->target), target))
    return fail(bad->status, bad->detail);
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
  // The buffer may have moved since the request line was read; spans are offsets into it.
  const auto rest = std::string_view(parts_.head).substr(parsed_);
  beast_error error;
  const auto used = parser_->put(boost::asio::buffer(rest.data(), rest.size()), error);
  if (error)
    return fail_field(parsed_ + used, error);
  if (!parser_->is_header_done() || used != rest.size())
    return fail(400, "Malformed request head");
  if (!check_host() || !check_framing() || !check_expect())
    return false;
  for (const auto& field : parts_.fields)
    for (auto i = field.name.offset; i < field.name.offset + field.name.length; ++i)
      parts_.head[i] = octet_class::lower(parts_.head[i]);
  framing_.keep_alive =
      !parser_->says_close && (parts_.minor_version == 1 || parser_->says_keep_alive);
  state_ = state::complete;
  return true;
}

bool head_reader::impl::fail_field(std::size_t offset, const beast_error& error) {
  const auto line = std::string_view(parts_.head).substr(offset);
  const auto colon = line.find(':');
  if (error == beast::error::bad_content_length) {
    // Beast cannot hold the number: still a well-formed length when it is digits alone.
    const auto value = octet_class::trimmed(line.substr(colon + 1, line.find('\r') - colon - 1));
    if (!value.empty() && parser_->transfer_encodings == 0 &&
        std::all_of(value.begin(), value.end(), [](char c) { return octet_class::digit(c); }))
      return fail(413, "Request body too large");
    return fail(400, "Invalid Content-Length");
  }
  if (error == beast::error::multiple_content_length)
    return fail(400, "Content-Length given more than once");
  if (error == beast::error::bad_transfer_encoding)
    return fail(400, "Invalid Transfer-Encoding");
  const auto name = line.substr(0, colon);
  if (error == beast::error::bad_value && (octet_class::equal_lower(name, "connection") ||
                                           octet_class::equal_lower(name, "proxy-connection")))
    return fail(400, "Invalid Connection");
  return fail(400, "Malformed header field");
}

bool head_reader::impl::check_host() {
  if (parser_->hosts > 1)
    return fail(400, "Host given more than once");
  if (parser_->hosts == 0 && parts_.minor_version == 1)
    return fail(400, "Host is missing");
  if (parser_->hosts == 1 && !valid_authority(text(parser_->host)))
    return fail(400, "Invalid Host");
  // RFC 9112, 3.2.2: the authority of an absolute-form target stands above Host.
  if (parts_.authority.length == 0)
    parts_.authority = parser_->host;
  return true;
}

bool head_reader::impl::check_framing() {
  if (parser_->transfer_encodings > 0 && parser_->content_lengths > 0)
    return fail(400, "Both Transfer-Encoding and Content-Length");
  return check_transfer_encoding() && check_content_length();
}

bool head_reader::impl::check_transfer_encoding() {
  if (parser_->transfer_encodings == 0)
    return true;
  if (parser_->transfer_encodings > 1)
    return fail(400, "Transfer-Encoding given more than once");
  if (parts_.minor_version == 0)
    return fail(400, "Transfer-Encoding on HTTP/1.0");
  const auto value = text(parser_->transfer_encoding);
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
  for_each_element(value, [&](std::string_view coding) {
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
  if (parser_->content_lengths == 0)
    return true;
  if (parser_->content_lengths > 1)
    return fail(400, "Content-Length given more than once");
  const auto value = text(parser_->content_length);
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
  if (parser_->expects == 0)
    return true;
  if (parser_->expects > 1 || !octet_class::equal_lower(text(parser_->expect), "100-continue"))
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
