#include "feeds/prober/prober_rules.hpp"

#include "engine/rules/rule_reader.hpp"

#include <charconv>

namespace assay::feeds::prober {

namespace {

bool is_evm_address(std::string_view text) {
  return text.size() == 42 && text.substr(0, 2) == "0x" &&
         text.find_first_not_of("0123456789abcdefABCDEF", 2) == text.npos;
}

std::chrono::milliseconds read_ms(engine::rule_reader& read, const std::string& key,
                                  std::int64_t min, std::int64_t max) {
  return std::chrono::milliseconds{read.integer(key, min, max)};
}

void read_funding(engine::rule_reader& read, prober_rules& rules) {
  for (const auto& name : read.keys("usdc")) {
    const auto key = "usdc." + name;
    chain_id chain = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), chain);
    read.require(error == std::errc{} && end == name.data() + name.size() && chain > 0, key,
                 "expected a chain id");
    funding_token token;
    token.address = read.text(key + ".address");
    token.decimals = static_cast<int>(read.integer(key + ".decimals", 0, 36));
    read.require(is_evm_address(token.address), key + ".address",
                 "expected 0x and 40 hexadecimal digits");
    rules.usdc.emplace(chain, std::move(token));
  }
}

} // namespace

expected<prober_rules> load_prober_rules(std::string_view toml_text, std::string_view file_name) {
  auto parsed = engine::rule_reader::parse(toml_text, file_name);
  if (!parsed)
    return std::move(parsed.error());
  auto& read = *parsed;
  prober_rules rules;
  rules.url = read.text("api.url");
  read.require((rules.url.starts_with("https://") || rules.url.starts_with("http://")) &&
                   rules.url.find_first_of("?# ") == std::string::npos,
               "api.url", "expected an http or https URL without a query");
  rules.from_address = read.text("api.from_address");
  read.require(is_evm_address(rules.from_address), "api.from_address",
               "expected 0x and 40 hexadecimal digits");
  rules.integrator = read.text("api.integrator");
  rules.requests_per_minute = read.number("rate.requests_per_minute", 0.01, 1e6);
  rules.burst = read.number("rate.burst", 1, 1e6);
  rules.attempts_max = static_cast<int>(read.integer("retry.attempts_max", 1, 100));
  rules.backoff = read_ms(read, "retry.backoff_ms", 1, 3'600'000);
  rules.backoff_max = read_ms(read, "retry.backoff_max_ms", 1, 3'600'000);
  read.require(rules.backoff <= rules.backoff_max, "retry.backoff_max_ms",
               "expected at least retry.backoff_ms");
  rules.request_timeout = read_ms(read, "retry.request_timeout_ms", 10, 600'000);
  rules.fresh_for = std::chrono::seconds{read.integer("probe.fresh_for_s", 0, 31'536'000)};
  read_funding(read, rules);
  if (auto found = read.first_problem())
    return std::move(*found);
  return rules;
}

} // namespace assay::feeds::prober
