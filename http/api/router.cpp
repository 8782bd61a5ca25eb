#include "http/api/router.hpp"

#include <algorithm>

namespace assay::http {
namespace {

/// Takes the next segment off a path that begins with a slash.
std::string_view next_segment(std::string_view& path) noexcept {
  path.remove_prefix(1);
  const auto end = std::min(path.find('/'), path.size());
  const auto segment = path.substr(0, end);
  path.remove_prefix(end);
  return segment;
}

/// True when `path` has the segments of `pattern`; those in braces are captured.
bool matches(std::string_view pattern, std::string_view path, route_match& out) {
  std::size_t captured = 0;
  std::string decoded;
  while (!pattern.empty() && !path.empty()) {
    const auto expected = next_segment(pattern);
    const auto segment = next_segment(path);
    if (expected.starts_with('{')) {
      if (segment.empty())
        return false;
      out.fault = decode_percent(segment, false, out.captures[captured++]);
      if (out.fault != text_fault::none)
        return false;
    } else if (segment != expected) {
      if (segment.find('%') == std::string_view::npos)
        return false;
      out.fault = decode_percent(segment, false, decoded);
      if (out.fault != text_fault::none || decoded != expected)
        return false;
    }
  }
  return pattern.empty() && path.empty();
}

} // namespace

route_match find_endpoint(std::string_view path) {
  route_match result;
  if (path.size() > 1 && path.ends_with('/'))
    path.remove_suffix(1);
  if (!path.starts_with('/'))
    return result;
  for (const auto& e : endpoints()) {
    const auto fixed = std::min(e.path.find('{'), e.path.size());
    const bool plausible =
        path.find('%') != std::string_view::npos ||
        (fixed == e.path.size() ? path == e.path : path.starts_with(e.path.substr(0, fixed)));
    if (plausible && matches(e.path, path, result)) {
      result.target = &e;
      return result;
    }
    if (result.fault != text_fault::none) {
      result.target = &e;
      return result;
    }
  }
  return result;
}

std::string_view allowed_methods(const endpoint& e) noexcept {
  return e.verb == method::post ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
}

} // namespace assay::http
