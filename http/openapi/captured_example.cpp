#include "http/openapi/captured_example.hpp"

#include "http/api/api.hpp"
#include "http/openapi/example_world.hpp"

#include <memory>
#include <string_view>

namespace assay::http {
namespace {

/// Takes the one answer that comes.
class collector final : public reply_sink {
public:
  void deliver(const reply_address&, const response& answer) noexcept override { taken = answer; }
  void deliver_unanswered(const reply_address&) noexcept override { taken.status = 0; }

  response taken;
};

constexpr std::string_view lend = "/v1/vaults/1/0x92B5C229aa75348eaC861A5755e4c2E0B94D3010/";
constexpr std::string_view nowhere = "/v1/vaults/1/0x00000000000000000000000000000000000000aa/";
constexpr std::string_view solana =
    "/v1/vaults/792703809/ExampLe111111111111111111111111111111111111/";

std::string target_of(std::string_view path, std::string_view rest) {
  return std::string(path).append(rest);
}

response ask(const api& service, method verb, const std::string& target, std::string body,
             bool limited = false) {
  auto sink = std::make_shared<collector>();
  std::initializer_list<std::pair<std::string_view, std::string_view>> fields{
      {"host", "assay.example"},
      {"content-type", "application/json"},
      {"x-request-id", "example"},
      {"x-api-key", "example"},
      {limited ? "x-example-limited" : "x-example", "1"}};
  service.handle(request::make(verb, target, fields, std::move(body)), reply(sink, {}));
  return sink->taken;
}

} // namespace

std::string example_basket() {
  return R"({"positions":[{"chainId":1,"address":"0x92B5C229aa75348eaC861A5755e4c2E0B94D3010",)"
         R"("weight":3},{"chainId":1,"address":"0x00000000000000000000000000000000000000aa",)"
         R"("weight":1}]})";
}

std::vector<captured_example> capture_examples() {
  const api service({.clock = example_now}, make_example_backend(), "{}");
  std::vector<captured_example> result;
  const auto take = [&](endpoint_id target, const char* name, const char* summary,
                        const std::string& path, std::string body = {}, bool limited = false) {
    const auto verb = endpoint_of(target).verb;
    const auto answer = ask(service, verb, path, std::move(body), limited);
    result.push_back(
        {target, answer.status, name, summary, answer.body ? *answer.body : std::string()});
  };
  using id = endpoint_id;
  take(id::scores, "full", "Full rows", "/v1/scores?limit=2&sort=composite");
  take(id::scores, "compact", "Compact rows", "/v1/scores?fields=compact&limit=2");
  take(id::scores, "explained", "With the explain block",
       "/v1/scores?asset=USDC&minApy=4.5&routable=true&explain=true&fields=compact&colour=blue");
  take(id::scores, "filtered", "Every filter at once",
       "/v1/scores?chainId=1&protocolId=example-lend&minScore=99&minTvl=1e6&excludeFallback=true&"
       "explain=true&address=0x92B5C229aa75348eaC861A5755e4c2E0B94D3010");
  take(id::scores, "invalid", "All faults at once", "/v1/scores?limit=0&sort=name&minScore=+1");
  take(id::scores, "limited", "Too many requests", "/v1/scores", {}, true);
  take(id::catalog, "chain", "One chain", "/v1/catalog?chainId=1");
  take(id::portfolio, "balanced", "An allocation",
       "/v1/portfolio?riskTier=balanced&principal=10000&explain=true");
  take(id::portfolio, "invalid", "A missing parameter", "/v1/portfolio?riskTier=balanced");
  take(id::basket, "scored", "One position is not scored", "/v1/basket", example_basket());
  take(id::basket, "invalid", "A wrong weight", "/v1/basket",
       R"({"positions":[{"chainId":1,"address":"0x1","weight":0}]})");
  take(id::vault_route, "measured", "A measured route", target_of(lend, "route?sizeUsd=1000"));
  take(id::vault_route, "unscreened", "Never screened", target_of(nowhere, "route"));
  take(id::vault_route, "untracked", "A chain without a probe", target_of(solana, "route"));
  take(id::vault_metrics, "metrics", "Live metrics", target_of(lend, "metrics"));
  take(id::vault_metrics, "unknown", "No metrics", target_of(nowhere, "metrics"));
  take(id::vault_factors, "factors", "The breakdown", target_of(lend, "factors"));
  take(id::vault_factors, "unknown", "No score", target_of(nowhere, "factors"));
  take(id::gas_all, "all", "Every chain", "/v1/gas");
  take(id::gas_chain, "ethereum", "One chain", "/v1/gas/1");
  take(id::gas_chain, "unknown", "No data", "/v1/gas/999");
  take(id::partner_factors, "all", "Every breakdown", "/v1/partner/factors");
  take(id::partner_history, "page", "One page",
       "/v1/partner/history?vaultId=example-lend:1:0x92b5c229aa75348eac861a5755e4c2e0b94d3010");
  take(id::health_live, "live", "Live", "/health/live");
  take(id::health_ready, "ready", "Ready", "/health/ready");
  return result;
}

} // namespace assay::http
