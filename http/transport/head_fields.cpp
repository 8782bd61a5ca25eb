#include "http/transport/head_fields.hpp"

#include "http/transport/octet_class.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace assay::http {
namespace {

namespace beast = boost::beast::http;
using beast_error = boost::beast::error_code;
using beast_text = boost::beast::string_view;

/// One allocation serves nearly every request.
constexpr std::size_t usual_fields = 24;

std::string_view to_std(beast_text s) {
  return {s.data(), s.size()};
}

/// A request line of the right shape whose version is not ours, as opposed to a malformed one.
bool has_foreign_version(std::string_view line) {
  if (std::count(line.begin(), line.end(), ' ') != 2)
    return false;
  const auto version = line.substr(line.rfind(' ') + 1);
  return version.size() == 8 && version.starts_with("HTTP/") && octet_class::digit(version[5]) &&
         version[6] == '.' && octet_class::digit(version[7]);
}

} // namespace

/// Beast's events for one head; only `basic_parser` is used, so nothing is copied or allocated.
class head_fields::line_parser final : public beast::basic_parser<true> {
public:
  explicit line_parser(request_parts& parts) : parts_(parts) {
    // Sizes are bounded by the caller, bodies are not Beast's business here.
    header_limit(0xffffffffu);
    body_limit(boost::none);
    skip(true);
  }

  bool unknown_method = false;
  deciding_fields found;

private:
  text_span span(beast_text s) const {
    return {static_cast<std::uint32_t>(s.data() - parts_.head.data()),
            static_cast<std::uint32_t>(s.size())};
  }

  void note(text_span& place, std::size_t& count, text_span value) {
    place = value;
    ++count;
  }

  void note_connection(std::string_view options) {
    octet_class::for_each_element(options, [this](std::string_view option) {
      found.says_close = found.says_close || octet_class::equal_lower(option, "close");
      found.says_keep_alive =
          found.says_keep_alive || octet_class::equal_lower(option, "keep-alive");
    });
  }

  void on_request_impl(beast::verb, beast_text name, beast_text target, int version,
                       beast_error& error) override {
    parts_.minor_version = version % 10;
    found.target = span(target);
    if (const auto known = http::parse_method(to_std(name))) {
      parts_.verb = *known;
    } else {
      unknown_method = true;
      error = beast::error::bad_method;
    }
  }

  void on_field_impl(beast::field field, beast_text name, beast_text value, beast_error&) override {
    const auto at = span(value);
    parts_.fields.push_back({span(name), at});
    switch (field) {
    case beast::field::host: return note(found.host, found.hosts, at);
    case beast::field::content_length: return note(found.content_length, found.content_lengths, at);
    case beast::field::transfer_encoding:
      return note(found.transfer_encoding, found.transfer_encodings, at);
    case beast::field::expect: return note(found.expect, found.expects, at);
    case beast::field::connection: return note_connection(to_std(value));
    default: return;
    }
  }

  void on_response_impl(int, beast_text, int, beast_error&) override {}
  void on_header_impl(beast_error&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, beast_error&) override {}
  std::size_t on_body_impl(beast_text s, beast_error&) override { return s.size(); }
  void on_chunk_header_impl(std::uint64_t, beast_text, beast_error&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, beast_text s, beast_error&) override {
    return s.size();
  }
  void on_finish_impl(beast_error&) override {}

  request_parts& parts_;
};

head_fields::head_fields(request_parts& parts)
    : parts_(parts), parser_(std::make_unique<std::optional<line_parser>>()) {
  reset();
}

head_fields::~head_fields() = default;

void head_fields::reset() {
  parser_->emplace(parts_);
  parsed_ = 0;
}

const deciding_fields& head_fields::found() const noexcept {
  return (*parser_)->found;
}

std::optional<parse_failure> head_fields::read_request_line() {
  auto& parser = **parser_;
  parts_.fields.reserve(usual_fields);
  beast_error error;
  parsed_ = parser.put(boost::asio::buffer(parts_.head), error);
  if (parser.unknown_method)
    return parse_failure{501, "Unknown method"};
  if (error == beast::error::bad_version &&
      has_foreign_version(std::string_view(parts_.head.data(), parts_.head.size() - 2)))
    return parse_failure{505, "HTTP version not supported"};
  // need_more after the whole line is Beast's way to say that it took it; after less of it, that
  // it misses something in a line that has already ended.
  if (error != beast::error::need_more || parsed_ != parts_.head.size())
    return parse_failure{400, "Malformed request line"};
  return std::nullopt;
}

std::optional<parse_failure> head_fields::read_fields() {
  // The buffer may have moved since the request line was read; spans are offsets into it.
  const auto rest = std::string_view(parts_.head).substr(parsed_);
  beast_error error;
  const auto used = (*parser_)->put(boost::asio::buffer(rest.data(), rest.size()), error);
  if (error)
    return explain_field(parsed_ + used, error.value());
  if (!(*parser_)->is_header_done() || used != rest.size())
    return parse_failure{400, "Malformed request head"};
  return std::nullopt;
}

parse_failure head_fields::explain_field(std::size_t offset, int beast_error) const {
  const auto line = std::string_view(parts_.head).substr(offset);
  const auto colon = line.find(':');
  const auto name = line.substr(0, colon);
  switch (static_cast<beast::error>(beast_error)) {
  case beast::error::bad_content_length: {
    // Beast cannot hold the number: still a well-formed length when it is digits alone.
    const auto value = octet_class::trimmed(line.substr(colon + 1, line.find('\r') - colon - 1));
    if (found().transfer_encodings == 0 && !value.empty() &&
        std::all_of(value.begin(), value.end(), [](char c) { return octet_class::digit(c); }))
      return {413, "Request body too large"};
    return {400, "Invalid Content-Length"};
  }
  case beast::error::multiple_content_length: return {400, "Content-Length given more than once"};
  case beast::error::bad_transfer_encoding: return {400, "Invalid Transfer-Encoding"};
  case beast::error::bad_value:
    if (octet_class::equal_lower(name, "connection") ||
        octet_class::equal_lower(name, "proxy-connection"))
      return {400, "Invalid Connection"};
    break;
  default: break;
  }
  return {400, "Malformed header field"};
}

} // namespace assay::http
