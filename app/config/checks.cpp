#include "app/config/settings.hpp"
#include "app/service/listen_address.hpp"
#include "feeds/adapter_registry.hpp"
#include "store/rate_limit/client_address.hpp"
#include "store/redis/redis_url.hpp"

#include <algorithm>

namespace assay::app {

std::optional<std::string> check_listen_address(std::string_view text) {
  const auto address = parse_listen_address(text, "");
  return address ? std::nullopt : std::optional{address.error().what};
}

std::optional<std::string> check_public_url(std::string_view text) {
  // What may stand in a URI as it is, less the marks of a query and a fragment.
  constexpr std::string_view marks = "-._~:/[]@!$&'()*+,;=%";
  const auto in_uri = [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           marks.find(c) != std::string_view::npos;
  };
  for (const std::string_view scheme : {"http://", "https://"})
    if (text.starts_with(scheme) && text.size() > scheme.size() && text[scheme.size()] != '/' &&
        text.back() != '/' && std::all_of(text.begin(), text.end(), in_uri))
      return std::nullopt;
  return "expected http://HOST or https://HOST, with a port and a path if need be, without a slash "
         "at the end";
}

std::optional<std::string> check_redis_url(std::string_view text) {
  const auto url = store::parse_redis_url(text);
  return url ? std::nullopt : std::optional{url.error().what};
}

std::optional<std::string> check_network(std::string_view text) {
  const auto network = store::parse_network(text);
  return network ? std::nullopt : std::optional{network.error().what};
}

std::optional<std::string> check_adapter(std::string_view text) {
  if (feeds::make_adapter(text))
    return std::nullopt;
  std::string names;
  for (const auto name : feeds::adapter_names())
    names.append(names.empty() ? "" : ", ").append(name);
  return "`" + std::string{text} + "`: expected one of " + names;
}

} // namespace assay::app
