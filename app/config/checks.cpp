#include "app/config/settings.hpp"
#include "app/service/listen_address.hpp"
#include "feeds/adapter_registry.hpp"
#include "store/rate_limit/client_address.hpp"
#include "store/redis/redis_url.hpp"

namespace assay::app {

std::optional<std::string> check_listen_address(std::string_view text) {
  const auto address = parse_listen_address(text, "");
  return address ? std::nullopt : std::optional{address.error().what};
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
