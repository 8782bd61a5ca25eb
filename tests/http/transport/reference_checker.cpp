#include "tests/http/transport/reference_checker.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <optional>

namespace assay::http::test {
namespace {

// Every predicate below is one rule of the collected ABNF.

bool alpha(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}
bool digit(char c) {
  return c >= '0' && c <= '9';
}
bool hexdig(char c) {
  return digit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}
bool vchar(char c) {
  return c >= 0x21 && c <= 0x7e;
}
bool obs_text(char c) {
  return static_cast<unsigned char>(c) >= 0x80;
}
bool tchar(char c) {
  return alpha(c) || digit(c) || (c != 0 && std::strchr("!#$%&'*+-.^_`|~", c));
}
bool unreserved(char c) {
  return alpha(c) || digit(c) || (c != 0 && std::strchr("-._~", c));
}
bool sub_delim(char c) {
  return c != 0 && std::strchr("!$&'()*+,;=", c);
}

bool is_token(const std::string& s) {
  return !s.empty() && std::all_of(s.begin(), s.end(), tchar);
}

bool same(const std::string& a, const char* b) {
  return strcasecmp(a.c_str(), b) == 0;
}

std::string strip(std::string s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t'))
    s.erase(0, 1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t'))
    s.pop_back();
  return s;
}

std::vector<std::string> split(const std::string& s, char separator) {
  std::vector<std::string> parts(1);
  for (char c : s)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

/// uri-host [ ":" port ], with the reg-name of RFC 3986 in full.
bool is_host(const std::string& s) {
  std::size_t i = 0;
  if (!s.empty() && s[0] == '[') {
    i = s.find(']');
    if (i == std::string::npos)
      return false;
    for (std::size_t k = 1; k < i; ++k)
      if (!hexdig(s[k]) && s[k] != ':' && s[k] != '.')
        return false;
    ++i;
  } else {
    for (; i < s.size() && s[i] != ':'; ++i) {
      if (s[i] == '%' && i + 2 < s.size() && hexdig(s[i + 1]) && hexdig(s[i + 2]))
        i += 2;
      else if (!unreserved(s[i]) && !sub_delim(s[i]))
        return false;
    }
  }
  if (i < s.size() && s[i++] != ':')
    return false;
  return std::all_of(s.begin() + static_cast<std::ptrdiff_t>(i), s.end(), digit);
}

bool is_target(const std::string& method, const std::string& target) {
  if (target.empty() || !std::all_of(target.begin(), target.end(), vchar) ||
      target.find('#') != std::string::npos)
    return false;
  if (method == "CONNECT")
    return is_host(target);
  if (target == "*")
    return method == "OPTIONS";
  if (target[0] == '/')
    return true;
  if (target.size() < 7 || !same(target.substr(0, 7), "http://"))
    return false;
  const auto authority = target.substr(7, target.find_first_of("/?", 7) - 7);
  return !authority.empty() && authority[0] != ':' && is_host(authority);
}

struct field {
  std::string name;
  std::string value;
};

std::optional<field> read_field(const std::string& line) {
  const auto colon = line.find(':');
  if (colon == std::string::npos || !is_token(line.substr(0, colon)))
    return std::nullopt;
  const auto value = strip(line.substr(colon + 1));
  for (char c : value)
    if (!vchar(c) && !obs_text(c) && c != ' ' && c != '\t')
      return std::nullopt;
  return field{line.substr(0, colon), value};
}

/// Takes the line up to CRLF at `at`, or nothing when there is none. A CR or LF by itself stays in
/// the line, where no rule matches it.
std::optional<std::string> take_line(std::string_view octets, std::size_t& at) {
  const auto end = octets.find("\r\n", at);
  if (end == std::string_view::npos)
    return std::nullopt;
  const std::string line(octets.substr(at, end - at));
  at = end + 2;
  return line;
}

enum class outcome { complete, unfinished, malformed };

/// chunk-ext = *( BWS ";" BWS token [ BWS "=" BWS ( token / quoted-string ) ] )
bool is_extensions(const std::string& s) {
  std::size_t i = 0;
  const auto blanks = [&] {
    while (i < s.size() && (s[i] == ' ' || s[i] == '\t'))
      ++i;
  };
  const auto token = [&] {
    const auto from = i;
    while (i < s.size() && tchar(s[i]))
      ++i;
    return i > from;
  };
  while (i < s.size()) {
    blanks();
    if (i >= s.size() || s[i++] != ';')
      return false;
    blanks();
    if (!token())
      return false;
    const auto before = i;
    blanks();
    if (i >= s.size() || s[i] != '=') {
      i = before;
      continue;
    }
    ++i;
    blanks();
    if (i < s.size() && s[i] == '"') {
      for (++i; i < s.size() && s[i] != '"'; ++i)
        if (s[i] == '\\')
          ++i;
      if (i >= s.size())
        return false;
      ++i;
    } else if (!token()) {
      return false;
    }
  }
  return true;
}

outcome read_chunked(std::string_view octets, std::size_t& at, std::string& body) {
  for (;;) {
    const auto line = take_line(octets, at);
    if (!line)
      return outcome::unfinished;
    std::size_t digits = 0;
    while (digits < line->size() && hexdig((*line)[digits]))
      ++digits;
    const auto number = line->substr(std::min(line->find_first_not_of('0'), digits),
                                     digits - std::min(line->find_first_not_of('0'), digits));
    for (char c : *line)
      if (!vchar(c) && !obs_text(c) && c != ' ' && c != '\t')
        return outcome::malformed;
    if (digits == 0 || !is_extensions(line->substr(digits)))
      return outcome::malformed;
    if (number.empty())
      break;
    const auto size = number.size() > 8 ? octets.size() : std::stoul(number, nullptr, 16);
    if (octets.size() - at < size + 2)
      return outcome::unfinished;
    body += octets.substr(at, size);
    at += size;
    if (octets.substr(at, 2) != "\r\n")
      return outcome::malformed;
    at += 2;
  }
  for (;;) {
    const auto line = take_line(octets, at);
    if (!line)
      return outcome::unfinished;
    if (line->empty())
      return outcome::complete;
    if (!read_field(*line))
      return outcome::malformed;
  }
}

outcome read_request(std::string_view octets, std::size_t& at, reference_request& request) {
  while (octets.substr(at, 2) == "\r\n")
    at += 2;
  const auto line = take_line(octets, at);
  if (!line)
    return outcome::unfinished;
  const auto parts = split(*line, ' ');
  if (parts.size() != 3 || !is_token(parts[0]) || !is_target(parts[0], parts[1]) ||
      (parts[2] != "HTTP/1.1" && parts[2] != "HTTP/1.0"))
    return outcome::malformed;
  request.method = parts[0];
  request.target = parts[1];
  const bool one_one = parts[2] == "HTTP/1.1";

  std::vector<field> fields;
  for (;;) {
    const auto field_line = take_line(octets, at);
    if (!field_line)
      return outcome::unfinished;
    if (field_line->empty())
      break;
    const auto parsed = read_field(*field_line);
    if (!parsed)
      return outcome::malformed;
    fields.push_back(*parsed);
  }

  std::vector<std::string> hosts, lengths, codings;
  bool close = false, keep = false;
  for (const auto& f : fields) {
    if (same(f.name, "host"))
      hosts.push_back(f.value);
    if (same(f.name, "content-length"))
      lengths.push_back(f.value);
    if (same(f.name, "transfer-encoding"))
      codings.push_back(f.value);
    if (same(f.name, "connection"))
      for (const auto& option : split(f.value, ',')) {
        close = close || same(strip(option), "close");
        keep = keep || same(strip(option), "keep-alive");
      }
  }
  request.last = close || (!one_one && !keep);
  if (hosts.size() > 1 || (one_one && hosts.empty()) || (!hosts.empty() && !is_host(hosts[0])))
    return outcome::malformed;
  if (codings.size() + lengths.size() > 1)
    return outcome::malformed;
  if (!codings.empty())
    return one_one && same(codings[0], "chunked") ? read_chunked(octets, at, request.body)
                                                  : outcome::malformed;
  if (lengths.empty())
    return outcome::complete;
  if (lengths[0].empty() || !std::all_of(lengths[0].begin(), lengths[0].end(), digit))
    return outcome::malformed;
  const auto first = std::min(lengths[0].find_first_not_of('0'), lengths[0].size() - 1);
  const auto number = lengths[0].substr(first);
  const auto size = number.size() > 9 ? octets.size() + 1 : std::stoul(number);
  if (octets.size() - at < size)
    return outcome::unfinished;
  request.body = octets.substr(at, size);
  at += size;
  return outcome::complete;
}

} // namespace

reference_result read_by_the_rfc(std::string_view octets) {
  reference_result result;
  std::size_t at = 0;
  while (at < octets.size()) {
    reference_request request;
    const auto got = read_request(octets, at, request);
    if (got != outcome::complete) {
      result.malformed = got == outcome::malformed;
      break;
    }
    result.requests.push_back(request);
    if (request.last)
      break;
  }
  return result;
}

} // namespace assay::http::test
