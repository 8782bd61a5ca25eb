#pragma once

#include "messages/types/enum_text.hpp"
#include "messages/types/expected.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay::feeds {

/// Why a document could not be had. Values are stable: they appear in metrics and logs.
enum class fetch_failure : std::uint8_t {
  /// Not an absolute http or https URL.
  bad_url,
  unresolved,
  /// No connection: refused or unreachable.
  refused,
  timed_out,
  /// Handshake or certificate verification failed.
  tls,
  /// The document is larger than allowed; the transfer was stopped at the limit.
  too_large,
  wrong_content_type,
  /// A status other than 200 and 304; `fetch_error::status` says which.
  http_status,
  /// The connection ended before the document did.
  cut_off,
  too_many_redirects,
  /// The answer is not valid HTTP, or its content coding is broken.
  protocol,
  cancelled,
};

} // namespace assay::feeds

namespace assay {

template <>
struct enum_text<feeds::fetch_failure> {
  static constexpr std::array<std::string_view, 12> names{
      "bad_url",   "unresolved",         "refused",     "timed_out", "tls",
      "too_large", "wrong_content_type", "http_status", "cut_off",   "too_many_redirects",
      "protocol",  "cancelled"};
};

} // namespace assay

namespace assay::feeds {

/// What a fetcher allows. Every limit holds for one call, redirects included.
struct fetch_limits {
  std::chrono::milliseconds connect_timeout{5'000};
  std::chrono::milliseconds total_timeout{20'000};
  /// Bytes of the document after content decoding; enforced while it streams in.
  std::uint64_t document_bytes_max = 268'435'456;
  /// 0: a redirect is an `http_status` failure. Redirects never leave https for http, and are not
  /// followed for requests with headers of their own or with a body.
  int redirects_max = 3;
  /// Media types that are taken, in lower case, without parameters (`application/json`). Empty:
  /// any. Checked before the body of a 200 is read.
  std::vector<std::string> content_types;
  std::string user_agent = "assay";
  /// False: the proxy variables of the environment are ignored.
  bool proxy_from_environment = true;
  /// PEM file to verify servers with; empty: the system's store. Verification is never off.
  std::string ca_file;
  /// Asked about once a second and after every chunk; true stops the transfer. May be empty.
  std::function<bool()> cancelled;
};

struct fetch_request {
  std::string url;
  /// Sent as If-None-Match and If-Modified-Since.
  std::optional<std::string> etag;
  std::optional<std::string> last_modified;
  /// Further headers, names and values without CR, LF and NUL.
  std::vector<std::pair<std::string, std::string>> headers;
  /// Present: a POST of this JSON document instead of a GET (GraphQL upstreams).
  std::optional<std::string> json_body;
};

/// A document, or the news that the one at hand is still good.
struct fetched {
  /// 200 or 304.
  int status = 0;
  /// Empty on 304.
  std::string body;
  /// Validators for the next conditional request.
  std::optional<std::string> etag;
  std::optional<std::string> last_modified;

  bool not_modified() const noexcept { return status == 304; }
};

struct fetch_error {
  fetch_failure reason = fetch_failure::refused;
  /// One line for people. Never has the URL's query or a header's value.
  std::string what;
  /// HTTP status when there was one, else 0.
  int status = 0;
  /// From Retry-After (seconds or a date), when the server sent one.
  std::optional<std::chrono::seconds> retry_after;
  /// Beginning of the answer's body for `http_status`, at most 64 KiB.
  std::string body;
};

/// Fetches documents over HTTP with limits on everything. Blocks its thread, so it belongs into a
/// detached actor or a command. One per thread; keeps connections open between calls. No exception
/// but bad_alloc leaves it.
class http_fetcher {
public:
  explicit http_fetcher(fetch_limits limits);
  ~http_fetcher();
  http_fetcher(http_fetcher&&) noexcept;
  http_fetcher& operator=(http_fetcher&&) noexcept;

  /// Returns a 200 or 304 answer; anything else is an error.
  expected<fetched, fetch_error> get(const fetch_request& request);

private:
  struct session;
  std::unique_ptr<session> session_;
};

} // namespace assay::feeds
