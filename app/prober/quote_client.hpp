#pragma once

#include "feeds/http/fetcher.hpp"
#include "feeds/prober/prober_rules.hpp"
#include "feeds/prober/quote.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace assay::app {

/// One try of one quote.
struct quote_try {
  feeds::prober::quote_answer answer;
  /// How long the server asked to be left alone.
  std::optional<std::chrono::seconds> retry_after;
};

/// Where quotes come from. Blocking; one owner thread.
class quote_client {
public:
  virtual ~quote_client() = default;

  /// Asks once. Failures of the network are `temporary` answers.
  virtual quote_try ask(const feeds::prober::quote_query& query) = 0;
};

/// Asks over HTTP.
class http_quote_client final : public quote_client {
public:
  /// `api_key` goes into the header `x-lifi-api-key` unless it is empty.
  http_quote_client(const feeds::prober::prober_rules& rules, std::string api_key,
                    std::function<bool()> cancelled);

  quote_try ask(const feeds::prober::quote_query& query) override;

private:
  feeds::prober::prober_rules rules_;
  std::string api_key_;
  feeds::http_fetcher fetcher_;
};

} // namespace assay::app
