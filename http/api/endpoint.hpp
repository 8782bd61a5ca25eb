#pragma once

#include "http/api/parameter.hpp"
#include "http/message/method.hpp"
#include "http/openapi/schema.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace assay::http {

/// Every endpoint of the service.
enum class endpoint_id : std::uint8_t {
  scores,
  catalog,
  portfolio,
  basket,
  vault_route,
  vault_metrics,
  vault_factors,
  gas_all,
  gas_chain,
  partner_factors,
  partner_history,
  openapi,
  health_live,
  health_ready,
  vault_page,
  methodology_page,
  index_page,
};

/// How answers may be kept by caches.
enum class caching : std::uint8_t {
  /// `no-store`: the answer belongs to its request alone.
  none,
  /// `public`, until the next refresh; strong ETag, 304.
  until_refresh,
  /// `private`: the answer needs a partner key; strong ETag, 304.
  partner,
};

/// A status other than 200 that an endpoint may answer with, beside those of every endpoint.
struct status_note {
  int status = 0;
  /// Text of `error`.
  std::string_view error;
  std::string_view description;
};

/// One endpoint, declared once: the router, the parameter checks, the caching headers and the
/// OpenAPI document come from here.
struct endpoint {
  endpoint_id id = endpoint_id::scores;
  method verb = method::get;
  /// Segments in braces are parameters of `path_parameters`, in this order.
  std::string_view path;
  std::string_view operation_id;
  std::string_view tag;
  std::string_view summary;
  std::string_view description;
  parameter_table path_parameters;
  parameter_table query_parameters;
  /// Shape of the request body; nullptr when none is read.
  const schema* body = nullptr;
  /// Shape of the answer with status 200; nullptr for pages.
  const schema* answer = nullptr;
  std::string_view media_type = "application/json";
  std::span<const status_note> statuses;
  caching cache = caching::none;
  /// Under /v1 requests are limited.
  bool limited = true;
  /// 401 without a valid key.
  bool partner_only = false;

  /// True for what people read: answers, refusals too, are HTML.
  bool is_page() const noexcept { return answer == nullptr; }

  /// Everything under /v1 reads its query, if only to refuse one that cannot be decoded.
  bool reads_input() const noexcept {
    return limited || body != nullptr || !path_parameters.empty() || !query_parameters.empty();
  }
};

/// All endpoints, in the order of the document.
std::span<const endpoint> endpoints() noexcept;

/// Returns the declaration of an endpoint.
const endpoint& endpoint_of(endpoint_id id) noexcept;

} // namespace assay::http
