#include "http/transport/response_head.hpp"

#include <array>
#include <charconv>
#include <cstdio>

namespace assay::http {
namespace {

/// The text of the current second, made once per second and thread.
const std::string& current_date() {
  thread_local std::time_t second = -1;
  thread_local std::string text;
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
  if (now.tv_sec != second) {
    second = now.tv_sec;
    text = http_date(second);
  }
  return text;
}

void append_number(std::string& out, std::size_t value) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

} // namespace

bool has_content(int status) noexcept {
  return status >= 200 && status != 204 && status != 304;
}

std::string_view reason_phrase(int status) noexcept {
  switch (status) {
  case 200: return "OK";
  case 201: return "Created";
  case 202: return "Accepted";
  case 204: return "No Content";
  case 301: return "Moved Permanently";
  case 302: return "Found";
  case 303: return "See Other";
  case 304: return "Not Modified";
  case 307: return "Temporary Redirect";
  case 308: return "Permanent Redirect";
  case 400: return "Bad Request";
  case 401: return "Unauthorized";
  case 403: return "Forbidden";
  case 404: return "Not Found";
  case 405: return "Method Not Allowed";
  case 406: return "Not Acceptable";
  case 408: return "Request Timeout";
  case 409: return "Conflict";
  case 410: return "Gone";
  case 412: return "Precondition Failed";
  case 413: return "Content Too Large";
  case 414: return "URI Too Long";
  case 415: return "Unsupported Media Type";
  case 417: return "Expectation Failed";
  case 421: return "Misdirected Request";
  case 422: return "Unprocessable Content";
  case 429: return "Too Many Requests";
  case 431: return "Request Header Fields Too Large";
  case 500: return "Internal Server Error";
  case 501: return "Not Implemented";
  case 502: return "Bad Gateway";
  case 503: return "Service Unavailable";
  case 504: return "Gateway Timeout";
  case 505: return "HTTP Version Not Supported";
  default: break;
  }
  return status < 300   ? "Success"
         : status < 400 ? "Redirection"
         : status < 500 ? "Client Error"
                        : "Server Error";
}

std::string http_date(std::time_t seconds) {
  // Not strftime: day and month names must not follow the locale.
  constexpr std::array<const char*, 7> days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<const char*, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::tm t{};
  ::gmtime_r(&seconds, &t);
  std::array<char, 64> text;
  const int n = std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                              days[static_cast<std::size_t>(t.tm_wday)], t.tm_mday,
                              months[static_cast<std::size_t>(t.tm_mon)], t.tm_year + 1900,
                              t.tm_hour, t.tm_min, t.tm_sec);
  return std::string(text.data(), static_cast<std::size_t>(n));
}

std::string make_response_head(const response& answer, head_options options) {
  std::string head;
  head.reserve(192 + answer.content_type.size() + answer.headers.size());
  head += "HTTP/1.1 ";
  append_number(head, static_cast<std::size_t>(answer.status));
  head += ' ';
  head += reason_phrase(answer.status);
  head += "\r\nDate: ";
  head += current_date();
  if (!answer.content_type.empty()) {
    head += "\r\nContent-Type: ";
    head += answer.content_type;
  }
  if (has_content(answer.status)) {
    head += "\r\nContent-Length: ";
    append_number(head, answer.body ? answer.body->size() : 0);
  }
  if (options.close)
    head += "\r\nConnection: close";
  else if (options.http_1_0)
    head += "\r\nConnection: keep-alive";
  head += "\r\n";
  head += answer.headers;
  head += "\r\n";
  return head;
}

} // namespace assay::http
