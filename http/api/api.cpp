#include "http/api/api.hpp"

#include "http/api/envelope.hpp"
#include "http/api/exchange.hpp"
#include "http/api/handlers/handlers.hpp"
#include "http/api/parameter_parser.hpp"
#include "http/api/percent.hpp"
#include "http/api/router.hpp"

namespace assay::http {
namespace {

/// RFC 9110, 15.5.2: a 401 names what it asks for.
constexpr std::string_view key_challenge =
    "WWW-Authenticate: ApiKey realm=\"partner\", header=\"x-api-key\"\r\n";

using handler = void (*)(const exchange_ptr&);

handler handler_of(endpoint_id id) noexcept {
  switch (id) {
  case endpoint_id::scores: return serve_scores;
  case endpoint_id::catalog: return serve_catalog;
  case endpoint_id::portfolio: return serve_portfolio;
  case endpoint_id::basket: return serve_basket;
  case endpoint_id::vault_route: return serve_route;
  case endpoint_id::vault_metrics: return serve_metrics;
  case endpoint_id::vault_factors: return serve_factors;
  case endpoint_id::gas_all: return serve_gas_all;
  case endpoint_id::gas_chain: return serve_gas;
  case endpoint_id::partner_factors: return serve_partner_factors;
  case endpoint_id::partner_history: return serve_partner_history;
  case endpoint_id::openapi: return serve_document;
  case endpoint_id::health_live: return serve_live;
  case endpoint_id::health_ready: return serve_ready;
  case endpoint_id::vault_page: return serve_vault_page;
  case endpoint_id::methodology_page: return serve_methodology_page;
  case endpoint_id::index_page: return serve_index_page;
  }
  return nullptr;
}

/// Whether a path is under /v1, in any spelling that the router takes for it.
bool is_limited(std::string_view path) {
  std::string decoded;
  if (path.find('%') != std::string_view::npos) {
    if (decode_percent(path, false, decoded) != text_fault::none)
      return true;
    path = decoded;
  }
  return path == "/v1" || path.starts_with("/v1/");
}

void read_path(exchange& x, const route_match& match, validation_errors& errors) {
  const auto table = x.target->path_parameters;
  x.path = parameter_values(table);
  for (std::size_t i = 0; i < table.size(); ++i)
    x.path.at(i) = read_value(*table[i], match.captures[i], errors);
}

/// Everything after the limits.
void route(const exchange_ptr& x) {
  const auto& message = x->message();
  if (message.path() == "*" && message.verb() == method::options)
    return x->answer_options("GET, HEAD, POST, OPTIONS");
  if (x->answer_known())
    return;
  const auto match = find_endpoint(message.path());
  if (match.fault != text_fault::none) {
    if (match.target != nullptr && match.target->is_page())
      x->target = match.target;
    validation_errors errors;
    errors.add_form("the path " + std::string(to_message(match.fault)));
    return x->refuse(errors);
  }
  if (match.target == nullptr)
    return x->refuse(404, "Not found");
  x->target = match.target;
  const auto& e = *match.target;
  if (message.verb() == method::options)
    return x->answer_options(allowed_methods(e));
  const bool reads = message.verb() == method::get || message.verb() == method::head;
  if (e.verb == method::get ? !reads : message.verb() != e.verb)
    return x->refuse_method(allowed_methods(e));
  if (e.partner_only && !(x->limits && x->limits->partner))
    return x->refuse_with(401, "Invalid API key", key_challenge);
  if (!e.reads_input())
    return handler_of(e.id)(x);
  validation_errors errors;
  read_path(*x, match, errors);
  auto query = parse_query(e.query_parameters, message.query(), errors);
  if (!errors.empty())
    return x->refuse(errors);
  x->query = std::move(query.values);
  x->ignored = std::move(query.ignored);
  handler_of(e.id)(x);
}

void proceed(const exchange_ptr& x, const admission& limits) {
  x->limits = limits;
  // A preflight that is refused would hide the 429 of the request behind it from the browser.
  if (!limits.allowed && x->message().verb() != method::options)
    return x->refuse(429, "Rate limit exceeded", reset_seconds(limits));
  route(x);
}

void admit(const exchange_ptr& x) {
  const auto now = x->owner().behind->admit(x->message(), [&x] {
    return make_sink<admission>(
        [x](const admission& limits) { guarded(*x, [&] { proceed(x, limits); }); },
        [x](errc reason) { guarded(*x, [&] { x->refuse(reason); }); });
  });
  if (now)
    proceed(x, *now);
}

std::string_view error_text(int status) noexcept {
  switch (status) {
  case 408: return "Request timeout";
  case 413: return "Payload too large";
  case 414: return "URI too long";
  case 417: return "Expectation failed";
  case 431: return "Request header fields too large";
  case 500: return "Internal error";
  case 501: return "Not implemented";
  case 503: return "Service overloaded";
  case 505: return "HTTP version not supported";
  default: return "Bad request";
  }
}

} // namespace

api::api(api_config config, std::shared_ptr<backend> behind, std::string document)
    : service_(std::make_shared<service>(std::move(config), std::move(behind))) {
  service_->document = std::make_shared<const rendered_body>(std::move(document));
  service_->methodology = std::make_shared<const rendered_body>(service_->config.pages.methodology);
}

void api::handle(request&& message, reply&& out) const {
  const auto x = std::make_shared<exchange>(service_, std::move(message), std::move(out));
  guarded(*x, [&] {
    if (service_->in_flight.load(std::memory_order_relaxed) > service_->config.in_flight_max)
      return x->refuse(errc::overloaded);
    if (is_limited(x->message().path()))
      return admit(x);
    route(x);
  });
}

response api::make_error(int status, std::string_view detail) {
  response answer;
  answer.status = status;
  answer.content_type = "application/json";
  append_common_headers(answer.headers, request_id_of(std::nullopt));
  answer.headers += "Cache-Control: no-store\r\n";
  if (status == 503)
    answer.headers += "Retry-After: 1\r\n";
  if (status == 400) {
    validation_errors errors;
    errors.add_form(std::string(detail));
    answer.body = std::make_shared<const std::string>(validation_body(errors));
  } else {
    answer.body = std::make_shared<const std::string>(error_body(error_text(status)));
  }
  return answer;
}

std::int64_t api::in_flight() const noexcept {
  return service_->in_flight.load(std::memory_order_relaxed);
}

} // namespace assay::http
