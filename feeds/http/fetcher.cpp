#include "feeds/http/fetcher.hpp"

#include "messages/types/text.hpp"

#include <algorithm>
#include <csignal>
#include <new>
#include <string_view>

#include <curl/curl.h>

namespace assay::feeds {

namespace {

constexpr std::size_t error_body_bytes_max = 65'536;

using handle_ptr = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using list_ptr = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

/// libcurl's process-wide state; set up once, before the first handle.
void start_library() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  static_cast<void>(code);
}

/// Returns the media type without parameters, in lower case.
std::string media_type(const char* value) {
  if (value == nullptr)
    return {};
  std::string_view text{value};
  text = text.substr(0, text.find(';'));
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  return lower_case(text);
}

bool is_header_text(std::string_view text) {
  return text.find_first_of(std::string_view{"\r\n\0", 3}) == text.npos;
}

bool has_scheme(const std::string& url, std::string_view scheme) {
  return lower_case(std::string_view{url}.substr(0, scheme.size())) == scheme;
}

fetch_failure reason_of(CURLcode code) {
  switch (code) {
  case CURLE_URL_MALFORMAT: return fetch_failure::bad_url;
  case CURLE_COULDNT_RESOLVE_HOST:
  case CURLE_COULDNT_RESOLVE_PROXY: return fetch_failure::unresolved;
  case CURLE_OPERATION_TIMEDOUT: return fetch_failure::timed_out;
  case CURLE_SSL_CONNECT_ERROR:
  case CURLE_SSL_CERTPROBLEM:
  case CURLE_SSL_CIPHER:
  case CURLE_SSL_CACERT_BADFILE:
  case CURLE_SSL_ISSUER_ERROR:
  case CURLE_PEER_FAILED_VERIFICATION: return fetch_failure::tls;
  case CURLE_FILESIZE_EXCEEDED: return fetch_failure::too_large;
  case CURLE_PARTIAL_FILE:
  case CURLE_GOT_NOTHING:
  case CURLE_RECV_ERROR: return fetch_failure::cut_off;
  case CURLE_TOO_MANY_REDIRECTS: return fetch_failure::too_many_redirects;
  case CURLE_COULDNT_CONNECT:
  case CURLE_SEND_ERROR: return fetch_failure::refused;
  default: return fetch_failure::protocol;
  }
}

/// Keeps SIGPIPE from this thread: OpenSSL writes to a socket that may be gone, and libcurl may not
/// touch the process's signal handlers once there are threads.
class sigpipe_guard {
public:
  sigpipe_guard() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~sigpipe_guard() {
    const timespec at_once{};
    if (sigismember(&before_, SIGPIPE) == 0)
      while (sigtimedwait(&pipe_, nullptr, &at_once) > 0) {
      }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  sigpipe_guard(const sigpipe_guard&) = delete;
  sigpipe_guard& operator=(const sigpipe_guard&) = delete;

private:
  sigset_t pipe_{};
  sigset_t before_{};
};

std::optional<std::string> header_of(CURL* handle, const char* name) {
  curl_header* header = nullptr;
  if (curl_easy_header(handle, name, 0, CURLH_HEADER, -1, &header) != CURLHE_OK)
    return std::nullopt;
  return std::string{header->value};
}

} // namespace

struct http_fetcher::session {
  explicit session(fetch_limits l) : limits(std::move(l)) {
    start_library();
    handle.reset(curl_easy_init());
  }
  ~session() {
    // Closing a TLS connection writes too.
    const sigpipe_guard guard;
    handle.reset();
  }
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  fetch_limits limits;
  handle_ptr handle{nullptr, &curl_easy_cleanup};

  // Of the call in progress.
  std::string body;
  /// Why the write callback stopped the transfer.
  std::optional<fetch_failure> stopped;
  bool head_seen = false;
  /// The blank line after the last head has arrived; libcurl takes a head without one for a whole
  /// answer.
  bool head_complete = false;
  long status = 0;
  /// Octets of the body so far, also those that were not kept.
  std::uint64_t received = 0;

  /// Looks at the head once, before the first octet of the body is kept.
  bool accept_head() {
    head_seen = true;
    curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
    const char* type = nullptr;
    curl_easy_getinfo(handle.get(), CURLINFO_CONTENT_TYPE, &type);
    if (status != 200 || limits.content_types.empty())
      return true;
    const auto got = media_type(type);
    if (std::find(limits.content_types.begin(), limits.content_types.end(), got) !=
        limits.content_types.end())
      return true;
    stopped = fetch_failure::wrong_content_type;
    return false;
  }

  std::size_t take(const char* data, std::size_t size) {
    if (!head_seen && !accept_head())
      return 0;
    const std::uint64_t keep_max =
        status == 200 ? limits.document_bytes_max : std::uint64_t{error_body_bytes_max};
    body.append(data, std::min<std::uint64_t>(
                          size, keep_max - std::min<std::uint64_t>(keep_max, body.size())));
    received += size;
    if (received <= limits.document_bytes_max)
      return size;
    stopped = fetch_failure::too_large;
    return 0;
  }

  void reset() {
    curl_easy_reset(handle.get());
    body.clear();
    stopped.reset();
    head_seen = false;
    head_complete = false;
    status = 0;
    received = 0;
  }

  static std::size_t on_write(char* data, std::size_t, std::size_t size, void* self) {
    return static_cast<session*>(self)->take(data, size);
  }

  static std::size_t on_header(char* data, std::size_t, std::size_t size, void* self) {
    const std::string_view line{data, size};
    auto& complete = static_cast<session*>(self)->head_complete;
    // Trailers come through here too, and must not undo it.
    if (line.substr(0, 5) == "HTTP/")
      complete = false;
    else if (line == "\r\n" || line == "\n")
      complete = true;
    return size;
  }

  static int on_progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    auto& s = *static_cast<session*>(self);
    if (!s.limits.cancelled || !s.limits.cancelled())
      return 0;
    s.stopped = fetch_failure::cancelled;
    return 1;
  }

  template <class Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(handle.get(), option, value);
  }

  void set_limits(bool secure, bool redirects) {
    const char* protocols = secure ? "https" : "http,https";
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, protocols);
    set(CURLOPT_FOLLOWLOCATION, redirects && limits.redirects_max > 0 ? 1L : 0L);
    set(CURLOPT_MAXREDIRS, static_cast<long>(limits.redirects_max));
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits.connect_timeout.count()));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(limits.total_timeout.count()));
    set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    if (!limits.ca_file.empty())
      set(CURLOPT_CAINFO, limits.ca_file.c_str());
    if (!limits.proxy_from_environment)
      set(CURLOPT_PROXY, "");
    set(CURLOPT_USERAGENT, limits.user_agent.c_str());
    set(CURLOPT_WRITEFUNCTION, &session::on_write);
    set(CURLOPT_WRITEDATA, static_cast<void*>(this));
    set(CURLOPT_HEADERFUNCTION, &session::on_header);
    set(CURLOPT_HEADERDATA, static_cast<void*>(this));
    set(CURLOPT_XFERINFOFUNCTION, &session::on_progress);
    set(CURLOPT_XFERINFODATA, static_cast<void*>(this));
    set(CURLOPT_NOPROGRESS, 0L);
  }

  /// Returns false when a header could smuggle another one.
  bool add_header(list_ptr& list, const std::string& name, const std::string& value) {
    if (name.empty() || name.find(':') != name.npos || !is_header_text(name) ||
        !is_header_text(value))
      return false;
    auto* grown = curl_slist_append(list.get(), (name + ": " + value).c_str());
    if (grown == nullptr)
      throw std::bad_alloc{};
    static_cast<void>(list.release());
    list.reset(grown);
    return true;
  }

  bool add_headers(list_ptr& list, const fetch_request& request) {
    bool good = true;
    if (request.etag)
      good = add_header(list, "If-None-Match", *request.etag) && good;
    if (request.last_modified)
      good = add_header(list, "If-Modified-Since", *request.last_modified) && good;
    if (request.json_body)
      good = add_header(list, "Content-Type", "application/json") && good;
    for (const auto& [name, value] : request.headers)
      good = add_header(list, name, value) && good;
    return good;
  }

  fetch_error failure(CURLcode code, const char* detail) {
    fetch_error error;
    error.reason = stopped.value_or(reason_of(code));
    curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
    error.status = static_cast<int>(status);
    switch (error.reason) {
    case fetch_failure::too_large:
      error.what = "expected at most " + std::to_string(limits.document_bytes_max) + " bytes";
      break;
    case fetch_failure::wrong_content_type: {
      const char* type = nullptr;
      curl_easy_getinfo(handle.get(), CURLINFO_CONTENT_TYPE, &type);
      error.what = "expected " + limits.content_types.front() + ", got content type '" +
                   media_type(type) + "'";
      break;
    }
    case fetch_failure::cancelled: error.what = "cancelled"; break;
    default: error.what = *detail != '\0' ? detail : curl_easy_strerror(code);
    }
    return error;
  }

  fetch_error status_failure() {
    fetch_error error;
    error.reason = fetch_failure::http_status;
    error.status = static_cast<int>(status);
    error.what = "expected status 200, got " + std::to_string(status);
    curl_off_t seconds = 0;
    if (header_of(handle.get(), "Retry-After") &&
        curl_easy_getinfo(handle.get(), CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK)
      error.retry_after = std::chrono::seconds{seconds};
    error.body = std::move(body);
    return error;
  }

  expected<fetched, fetch_error> run(const fetch_request& request) {
    const bool secure = has_scheme(request.url, "https://");
    if (!secure && !has_scheme(request.url, "http://"))
      return fetch_error{fetch_failure::bad_url, "expected an absolute http or https URL"};
    if (request.url.find('\0') != std::string::npos)
      return fetch_error{fetch_failure::bad_url, "expected a URL without NUL"};
    reset();
    // libcurl would hand the headers (an API key, perhaps) and the body on to any host.
    set_limits(secure, request.headers.empty() && !request.json_body);
    set(CURLOPT_URL, request.url.c_str());
    list_ptr headers{nullptr, &curl_slist_free_all};
    if (!add_headers(headers, request))
      return fetch_error{fetch_failure::protocol, "expected headers without CR, LF and NUL"};
    set(CURLOPT_HTTPHEADER, headers.get());
    if (request.json_body) {
      set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.json_body->size()));
      set(CURLOPT_POSTFIELDS, request.json_body->c_str());
    }
    char detail[CURL_ERROR_SIZE] = "";
    set(CURLOPT_ERRORBUFFER, static_cast<char*>(detail));
    const sigpipe_guard guard;
    const CURLcode code = curl_easy_perform(handle.get());
    // The handle outlives these: it must not keep pointing at them.
    set(CURLOPT_ERRORBUFFER, static_cast<char*>(nullptr));
    set(CURLOPT_HTTPHEADER, static_cast<curl_slist*>(nullptr));
    if (code != CURLE_OK)
      return failure(code, detail);
    return finish();
  }

  expected<fetched, fetch_error> finish() {
    if (!head_complete)
      return fetch_error{fetch_failure::cut_off, "the head of the answer ends too early"};
    // An empty body never reaches the write callback.
    if (!head_seen && !accept_head())
      return failure(CURLE_OK, "");
    if (status != 200 && status != 304)
      return status_failure();
    fetched result;
    result.status = static_cast<int>(status);
    result.body = status == 304 ? std::string{} : std::move(body);
    result.etag = header_of(handle.get(), "ETag");
    result.last_modified = header_of(handle.get(), "Last-Modified");
    return result;
  }
};

http_fetcher::http_fetcher(fetch_limits limits)
    : session_(std::make_unique<session>(std::move(limits))) {}
http_fetcher::~http_fetcher() = default;
http_fetcher::http_fetcher(http_fetcher&&) noexcept = default;
http_fetcher& http_fetcher::operator=(http_fetcher&&) noexcept = default;

expected<fetched, fetch_error> http_fetcher::get(const fetch_request& request) {
  if (!session_->handle)
    return fetch_error{fetch_failure::protocol, "libcurl could not be set up"};
  return session_->run(request);
}

} // namespace assay::feeds
