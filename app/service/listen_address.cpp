#include "app/service/listen_address.hpp"

#include <charconv>

namespace assay::app {

std::string listen_address::text() const {
  const bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

expected<listen_address> parse_listen_address(std::string_view text, std::string_view key) {
  const problem wrong{std::string{key},
                      "`" + std::string{text} +
                          "`: expected HOST:PORT or [IPv6]:PORT, port 0 to 65535"};
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0)
    return wrong;
  auto host = text.substr(0, colon);
  const auto port_text = text.substr(colon + 1);
  if (host.front() == '[' && host.back() == ']' && host.size() > 2)
    host = host.substr(1, host.size() - 2);
  else if (host.find_first_of(":[]") != std::string_view::npos)
    return wrong;
  listen_address result{std::string{host}, 0};
  const auto* last = port_text.data() + port_text.size();
  const auto [end, error] = std::from_chars(port_text.data(), last, result.port);
  if (error != std::errc{} || end != last)
    return wrong;
  return result;
}

} // namespace assay::app
