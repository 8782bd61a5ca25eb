#pragma once

#include "app/prober/prober_clock.hpp"
#include "app/prober/quote_client.hpp"
#include "feeds/prober/probe_plan.hpp"
#include "feeds/prober/token_bucket.hpp"
#include "messages/types/route.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace assay::app {

/// How a run ended.
struct probe_run_result {
  /// Vaults with a new probe.
  std::size_t probed = 0;
  /// Vaults left out because a quote was not answered; the next run tries them again.
  std::size_t unanswered = 0;
  /// Quotes asked for, retries included.
  std::size_t requests = 0;
  /// The run was stopped before its end.
  bool cancelled = false;
  /// Set when the API refuses our requests as such (wrong key, wrong parameters): the run ends at
  /// the first one, since the answer says nothing of any vault.
  std::string misconfigured;
  /// Set when `save` failed: the run ends, because what it measures would be lost.
  std::string save_failed;
};

/// Drives a plan: asks for one quote after the other within the rate, retries what is worth it
/// with doubled pauses, and hands out every finished vault at once, so that a run can be stopped
/// at any time and resumed.
///
/// A quote that stays rate limited after all tries is recorded as such (verdict SKIPPED). One that
/// stays unanswered otherwise leaves its vault out: it says nothing of it.
class probe_run {
public:
  /// Called after every finished vault; false stops the run.
  using save = std::function<bool(route_probe probe)>;
  /// Called with (done, total) after every vault, finished or left out; may be empty.
  using progress = std::function<void(std::size_t, std::size_t)>;

  probe_run(const feeds::prober::prober_rules& rules, std::vector<double> notionals_usd,
            quote_client& client, prober_clock& clock);

  probe_run_result run(const std::vector<feeds::prober::probe_task>& tasks, const save& keep,
                       const progress& report);

private:
  enum class step { done, unanswered, stop };

  step probe_vault(feeds::prober::vault_probe& probe);
  /// Asks until there is an answer that counts, or the tries are used up.
  std::optional<feeds::prober::quote_answer> ask(const feeds::prober::quote_query& query);
  bool wait_for_token();
  std::chrono::milliseconds pause_after(int tries, const quote_try& last) const;

  feeds::prober::prober_rules rules_;
  std::vector<double> notionals_;
  quote_client& client_;
  prober_clock& clock_;
  feeds::prober::token_bucket bucket_;
  probe_run_result result_;
};

} // namespace assay::app
