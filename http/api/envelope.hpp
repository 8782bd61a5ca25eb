#pragma once

#include "http/api/backend.hpp"
#include "http/api/validation_errors.hpp"
#include "http/codec/json_writer.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace assay::http {

/// Value of `X-Service-Disclaimer` and of every body's `disclaimer`.
inline constexpr std::string_view disclaimer_text =
    "Research and information only, not investment advice.";

/// Methods and headers of the CORS preflight; also documented in the OpenAPI document.
inline constexpr std::string_view cors_allow_headers = "x-api-key, content-type, if-none-match";

/// Appends the headers that every answer carries: disclaimer, CORS, security, `X-Request-Id`.
/// `content_policy`: of a page; without it nothing may be loaded.
void append_common_headers(std::string& out, std::string_view request_id,
                           std::string_view content_policy = {});

/// Appends `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset`.
void append_limit_headers(std::string& out, const admission& x);

/// Returns the seconds of `RateLimit-Reset`, rounded up.
std::int64_t reset_seconds(const admission& x) noexcept;

/// Returns the client's `X-Request-Id` when it is 1 to 64 of `[A-Za-z0-9._-]`, else a random one.
std::string request_id_of(std::optional<std::string_view> sent);

/// Returns `{"success":false,"error":…,"disclaimer":…}`.
std::string error_body(std::string_view error);

/// Returns the body of a 400 with `details`.
std::string validation_body(const validation_errors& errors);

/// Starts a body: `{"success":true`.
inline void begin_answer(json_writer& w) {
  w.begin_object().member("success", true);
}

/// Writes the `disclaimer` member.
inline void write_disclaimer(json_writer& w) {
  w.member("disclaimer", disclaimer_text);
}

} // namespace assay::http
