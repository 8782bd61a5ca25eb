#include "http/transport/request_target.hpp"

#include "http/message/ip_address.hpp"
#include "http/transport/octet_class.hpp"

#include <algorithm>

namespace assay::http {
namespace {

constexpr std::string_view http_scheme = "http://";

bool valid_port(std::string_view port) {
  if (port.size() > 5 ||
      !std::all_of(port.begin(), port.end(), [](char c) { return octet_class::digit(c); }))
    return false;
  int value = 0;
  for (char c : port)
    value = value * 10 + (c - '0');
  return value <= 65535;
}

bool valid_name(std::string_view name) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const char lowered = octet_class::lower(c);
    if ((lowered >= 'a' && lowered <= 'z') || octet_class::digit(c) || c == '-' || c == '.' ||
        c == '_' || c == '~')
      continue;
    if (c != '%' || i + 2 >= name.size() || !octet_class::hex(name[i + 1]) ||
        !octet_class::hex(name[i + 2]))
      return false;
    i += 2;
  }
  return !name.empty();
}

void split_query(std::string_view text, target_parts& parts) {
  const auto mark = text.find('?');
  parts.path = text.substr(0, mark);
  parts.has_query = mark != std::string_view::npos;
  if (parts.has_query)
    parts.query = text.substr(mark + 1);
}

} // namespace

bool valid_authority(std::string_view authority) {
  if (authority.starts_with('[')) {
    const auto end = authority.find(']');
    if (end == std::string_view::npos)
      return false;
    const auto literal = authority.substr(1, end - 1);
    const auto rest = authority.substr(end + 1);
    return literal.find(':') != std::string_view::npos && ip_address::parse(literal) &&
           (rest.empty() || (rest.front() == ':' && valid_port(rest.substr(1))));
  }
  const auto colon = authority.find(':');
  if (colon == std::string_view::npos)
    return valid_name(authority);
  return valid_name(authority.substr(0, colon)) && valid_port(authority.substr(colon + 1));
}

std::optional<parse_failure> read_target(method verb, std::string_view target,
                                         target_parts& parts) {
  if (!std::all_of(target.begin(), target.end(),
                   [](char c) { return octet_class::visible(c) && c != '#'; }))
    return parse_failure{400, "Invalid character in the request target"};
  if (verb == method::connect) {
    const auto colon = target.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == target.size() || !valid_authority(target))
      return parse_failure{400, "CONNECT needs a host and a port as its target"};
    return parse_failure{501, "CONNECT is not implemented"};
  }
  if (target == "*") {
    if (verb != method::options)
      return parse_failure{400, "The target * belongs to OPTIONS only"};
    parts.path = target;
    return std::nullopt;
  }
  if (target.starts_with('/')) {
    split_query(target, parts);
    return std::nullopt;
  }
  if (!octet_class::equal_lower(target.substr(0, http_scheme.size()), http_scheme))
    return parse_failure{400, "The request target must be a path or an http URI"};
  const auto rest = target.substr(http_scheme.size());
  const auto end = std::min(rest.find_first_of("/?"), rest.size());
  parts.authority = rest.substr(0, end);
  if (!valid_authority(parts.authority))
    return parse_failure{400, "Invalid host in the request target"};
  split_query(rest.substr(end), parts);
  return std::nullopt;
}

} // namespace assay::http
