#pragma once

#include "http/transport/request_parser.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay::http::test {

/// What one connection's octets came to.
struct parsed_connection {
  std::vector<request> requests;
  /// 200 per request, then the status of the failure if there was one.
  std::vector<int> statuses;
  std::string failure;
  /// Octets of an unfinished request at the end.
  bool unfinished = false;
};

/// Feeds `pieces` as one connection and stops where the server would close.
inline parsed_connection parse_connection(const std::vector<std::string_view>& pieces,
                                          const request_limits& limits = {}) {
  parsed_connection result;
  request_parser parser(limits);
  for (auto piece : pieces) {
    while (!piece.empty()) {
      piece.remove_prefix(parser.feed(piece));
      if (parser.status() == request_parser::state::failed) {
        result.statuses.push_back(parser.failure().status);
        result.failure = parser.failure().detail;
        return result;
      }
      if (parser.status() == request_parser::state::complete) {
        const bool last = !parser.keep_alive();
        result.requests.push_back(parser.take());
        result.statuses.push_back(200);
        if (last)
          return result;
      }
    }
  }
  result.unfinished = parser.status() != request_parser::state::idle;
  return result;
}

inline parsed_connection parse_connection(std::string_view octets,
                                          const request_limits& limits = {}) {
  return parse_connection(std::vector<std::string_view>{octets}, limits);
}

/// Printable text of raw octets, for messages.
inline std::string escaped(std::string_view octets) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  for (const char c : octets.substr(0, 600)) {
    if (c == '\r')
      result += "\\r";
    else if (c == '\n')
      result += "\\n";
    else if (c >= 0x20 && c < 0x7f)
      result += c;
    else
      result.append("\\x")
          .append(1, digits[static_cast<unsigned char>(c) / 16])
          .append(1, digits[static_cast<unsigned char>(c) % 16]);
  }
  return result;
}

} // namespace assay::http::test
