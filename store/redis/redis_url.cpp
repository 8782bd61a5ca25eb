#include "store/redis/redis_url.hpp"

#include <charconv>
#include <optional>

namespace assay::store {

namespace {

constexpr std::string_view shape = "expected redis://[[user]:password@]host[:port][/db] or "
                                   "unix://[[user]:password@]/path/to.sock[?db=N]";

problem fault(std::string_view what) {
  return {"redis URL", std::string{what} + "; " + std::string{shape}};
}

std::optional<std::string> percent_decoded(std::string_view in) {
  const auto hex = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i] != '%') {
      out += in[i];
      continue;
    }
    if (in.size() - i < 3)
      return std::nullopt;
    const int high = hex(in[i + 1]);
    const int low = hex(in[i + 2]);
    if (high < 0 || low < 0)
      return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

std::optional<int> whole_number(std::string_view text, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || text.front() == '-' || error != std::errc{} ||
      end != text.data() + text.size() || value > most)
    return std::nullopt;
  return value;
}

/// Takes `user:password@` off the front of `rest`.
std::optional<problem> take_credentials(std::string_view& rest, redis_url& out) {
  const auto at = rest.rfind('@', rest.find('/'));
  if (at == std::string_view::npos)
    return std::nullopt;
  const auto credentials = rest.substr(0, at);
  rest.remove_prefix(at + 1);
  const auto colon = credentials.find(':');
  if (colon == std::string_view::npos)
    return fault("no ':' between user and password");
  const auto user = percent_decoded(credentials.substr(0, colon));
  const auto password = percent_decoded(credentials.substr(colon + 1));
  if (!user || !password)
    return fault("bad percent-escape in user or password");
  if (password->empty())
    return fault("empty password");
  out.user = *user;
  out.password = *password;
  return std::nullopt;
}

std::optional<problem> take_database(std::string_view text, redis_url& out) {
  const auto db = whole_number(text, 1'000'000);
  if (!db)
    return fault("the database must be a whole number from 0 to 1000000");
  out.database = *db;
  return std::nullopt;
}

std::optional<problem> read_socket(std::string_view rest, redis_url& out) {
  const auto query = rest.find('?');
  out.socket_path = rest.substr(0, query);
  if (out.socket_path.size() < 2 || out.socket_path.front() != '/')
    return fault("the socket must be an absolute path");
  // sun_path of sockaddr_un, with its NUL.
  if (out.socket_path.size() > 107)
    return fault("the socket path is longer than 107 bytes");
  if (query == std::string_view::npos)
    return std::nullopt;
  const auto parameter = rest.substr(query + 1);
  if (!parameter.starts_with("db="))
    return fault("unknown parameter after '?'");
  return take_database(parameter.substr(3), out);
}

std::optional<problem> read_host(std::string_view rest, redis_url& out) {
  const auto slash = rest.find('/');
  std::string_view place = rest.substr(0, slash);
  std::string_view port;
  bool has_port = false;
  if (place.starts_with('[')) {
    const auto end = place.find(']');
    if (end == std::string_view::npos)
      return fault("no ']' after the IPv6 address");
    out.host = place.substr(1, end - 1);
    const auto after = place.substr(end + 1);
    if (!after.empty() && after.front() != ':')
      return fault("unexpected text after ']'");
    has_port = !after.empty();
    port = has_port ? after.substr(1) : after;
  } else {
    const auto colon = place.find(':');
    out.host = place.substr(0, colon);
    has_port = colon != std::string_view::npos;
    port = has_port ? place.substr(colon + 1) : std::string_view{};
  }
  if (out.host.empty() || out.host.find_first_of(" \t\r\n?#@") != std::string::npos)
    return fault("no usable host");
  if (has_port) {
    const auto number = whole_number(port, 65'535);
    if (!number || *number == 0)
      return fault("the port must be a whole number from 1 to 65535");
    out.port = static_cast<std::uint16_t>(*number);
  }
  if (slash == std::string_view::npos || slash + 1 == rest.size())
    return std::nullopt;
  return take_database(rest.substr(slash + 1), out);
}

} // namespace

std::string redis_url::display() const {
  const std::string who = password.empty() ? "" : user + ":***@";
  if (!socket_path.empty())
    return "unix://" + who + socket_path +
           (database != 0 ? "?db=" + std::to_string(database) : std::string{});
  const bool v6 = host.find(':') != std::string::npos;
  return "redis://" + who + (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port) + "/" +
         std::to_string(database);
}

expected<redis_url> parse_redis_url(std::string_view text) {
  if (text.find('\0') != std::string_view::npos)
    return fault("NUL byte");
  redis_url result;
  const bool unix_socket = text.starts_with("unix://");
  if (!unix_socket && !text.starts_with("redis://"))
    return fault("unknown scheme");
  std::string_view rest = text.substr(unix_socket ? 7 : 8);
  if (auto p = take_credentials(rest, result))
    return *p;
  if (auto p = unix_socket ? read_socket(rest, result) : read_host(rest, result))
    return *p;
  return result;
}

} // namespace assay::store
