#include "http/api/envelope.hpp"

#include <algorithm>
#include <random>

namespace assay::http {
namespace {

constexpr std::string_view common_headers =
    "X-Service-Disclaimer: Research and information only, not investment advice.\r\n"
    "Access-Control-Allow-Origin: *\r\n"
    "Access-Control-Expose-Headers: RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, "
    "Retry-After, ETag, X-Service-Disclaimer, X-Request-Id\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "X-Request-Id: ";
/// Nothing but the document itself.
constexpr std::string_view policy_of_data = "default-src 'none'";
static_assert(common_headers.find(disclaimer_text) != std::string_view::npos);

constexpr std::size_t request_id_max = 64;

bool is_id_character(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
         c == '_' || c == '-';
}

std::string random_id() {
  thread_local std::mt19937_64 generator{[] {
    std::random_device device;
    std::seed_seq seed{device(), device(), device(), device()};
    return std::mt19937_64{seed};
  }()};
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr int length = 16;
  std::string id;
  auto bits = generator();
  for (int i = 0; i < length; ++i, bits >>= 4U)
    id += digits[bits & 0xFU];
  return id;
}

} // namespace

void append_common_headers(std::string& out, std::string_view request_id,
                           std::string_view content_policy) {
  out.append(common_headers).append(request_id).append("\r\nContent-Security-Policy: ");
  out.append(content_policy.empty() ? policy_of_data : content_policy).append("\r\n");
}

std::int64_t reset_seconds(const admission& x) noexcept {
  return std::max<std::int64_t>(0, (x.reset_ms + 999) / 1000);
}

void append_limit_headers(std::string& out, const admission& x) {
  out.append("RateLimit-Limit: ").append(std::to_string(x.limit));
  out.append("\r\nRateLimit-Remaining: ").append(std::to_string(x.remaining));
  out.append("\r\nRateLimit-Reset: ").append(std::to_string(reset_seconds(x))).append("\r\n");
}

std::string request_id_of(std::optional<std::string_view> sent) {
  if (sent && !sent->empty() && sent->size() <= request_id_max &&
      std::all_of(sent->begin(), sent->end(), is_id_character))
    return std::string(*sent);
  return random_id();
}

std::string error_body(std::string_view error) {
  std::string body;
  json_writer w(body);
  w.begin_object().member("success", false).member("error", error);
  write_disclaimer(w);
  w.end_object();
  return body;
}

std::string validation_body(const validation_errors& errors) {
  std::string body;
  json_writer w(body);
  w.begin_object().member("success", false).member("error", "Validation error");
  write_disclaimer(w);
  w.key("details").begin_object().key("formErrors").begin_array();
  for (const auto& message : errors.form())
    w.value(message);
  w.end_array().key("fieldErrors").begin_object();
  for (const auto& [name, messages] : errors.fields()) {
    w.any_key(name).begin_array();
    for (const auto& message : messages)
      w.value(message);
    w.end_array();
  }
  w.end_object().end_object().end_object();
  return body;
}

} // namespace assay::http
