#pragma once

#include "feeds/prober/prober_rules.hpp"
#include "feeds/prober/quote.hpp"
#include "messages/types/route.hpp"
#include "messages/types/time.hpp"
#include "messages/types/vault.hpp"

#include <optional>
#include <string>
#include <vector>

namespace assay::feeds::prober {

/// What is to be probed.
struct probe_task {
  std::string vault_id;
  chain_id chain = 0;
  /// Token of the vault (its shares).
  std::string vault_token;
  /// Token that the vault accepts; absent when it is not known.
  std::optional<std::string> underlying;
  funding_token usdc;

  friend bool operator==(const probe_task&, const probe_task&) = default;
};

/// Measures one vault step by step: hands out the next quote to ask for, takes its answer, and
/// ends with a probe. Pure: whoever drives it does the waiting and the network.
///
/// Paths, in this order:
/// 1. `composer`: the router itself turns USDC into the vault's token and back.
/// 2. `native`, when the composer completed no size because it does not know the vault's token or
///    quotes nothing: the router swaps USDC into the underlying and back, and the vault takes and
///    returns the underlying at par. When the underlying is USDC itself nothing is swapped: router
///    `none`, no quote, no proportional cost.
/// When the native path completes nothing either, its result stands only if it says more than that
/// the token is not known.
class vault_probe {
public:
  /// `notionals_usd`: at least one, ascending.
  vault_probe(probe_task task, std::vector<double> notionals_usd);

  /// Returns the quote to ask for, or nothing when the probe is complete.
  const std::optional<quote_query>& next() const noexcept { return next_; }

  /// Takes the answer to `next()`. `temporary` and `misconfigured` answers are not for it: the
  /// driver retries, or gives the vault up.
  void take(const quote_answer& answer);

  /// Returns the finished probe with `checked_at`. Call it when `next()` is empty.
  route_probe result(time_point checked_at) const;

private:
  void begin_path(std::string path, std::string token);
  void begin_trip();
  void end_trip(trip_outcome outcome);
  void complete_trip(const quote_answer& back);
  void add(const round_trip& trip);
  void end_path();
  void answer_same_token();

  probe_task task_;
  std::vector<double> notionals_;
  std::optional<quote_query> next_;
  /// Token that the path in progress turns USDC into.
  std::string token_;
  /// The answer of the first leg while the second is asked.
  std::optional<quote_answer> entered_;
  route_probe probe_;
  /// The composer's result while the native path is tried.
  std::optional<route_probe> composer_;
};

} // namespace assay::feeds::prober
