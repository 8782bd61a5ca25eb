#include "app/prober/probe_run.hpp"

#include <algorithm>
#include <utility>

namespace assay::app {

using feeds::prober::quote_answer;
using feeds::prober::quote_outcome;

probe_run::probe_run(const feeds::prober::prober_rules& rules, std::vector<double> notionals_usd,
                     quote_client& client, prober_clock& clock)
    : rules_(rules),
      notionals_(std::move(notionals_usd)),
      client_(client),
      clock_(clock),
      bucket_(rules.requests_per_minute, rules.burst, clock.now()) {}

probe_run_result probe_run::run(const std::vector<feeds::prober::probe_task>& tasks,
                                const save& keep, const progress& report) {
  result_ = {};
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    feeds::prober::vault_probe probe{tasks[i], notionals_};
    const auto outcome = probe_vault(probe);
    if (outcome == step::stop)
      break;
    if (outcome == step::unanswered) {
      ++result_.unanswered;
    } else if (keep(probe.result(clock_.utc()))) {
      ++result_.probed;
    } else {
      result_.save_failed = "the probe of " + tasks[i].vault_id + " could not be saved";
      break;
    }
    if (report)
      report(i + 1, tasks.size());
  }
  return result_;
}

probe_run::step probe_run::probe_vault(feeds::prober::vault_probe& probe) {
  while (const auto query = probe.next()) {
    const auto answer = ask(*query);
    if (!answer)
      return step::stop;
    if (answer->outcome == quote_outcome::misconfigured) {
      result_.misconfigured = answer->what;
      return step::stop;
    }
    if (answer->outcome == quote_outcome::temporary)
      return step::unanswered;
    probe.take(*answer);
  }
  return step::done;
}

std::optional<quote_answer> probe_run::ask(const feeds::prober::quote_query& query) {
  for (int tries = 1;; ++tries) {
    if (!wait_for_token())
      return std::nullopt;
    ++result_.requests;
    auto got = client_.ask(query);
    const bool again = got.answer.outcome == quote_outcome::temporary ||
                       got.answer.outcome == quote_outcome::rate_limited;
    if (!again)
      return std::move(got.answer);
    // The pause holds for the next vault too: it is the server that needs it.
    bucket_.pause_until(clock_.now() + pause_after(tries, got));
    if (tries >= rules_.attempts_max)
      return std::move(got.answer);
  }
}

bool probe_run::wait_for_token() {
  while (true) {
    const auto pause = bucket_.take(clock_.now());
    // A wait of zero still asks whether the run was cancelled.
    if (!clock_.wait(pause)) {
      result_.cancelled = true;
      return false;
    }
    if (pause.count() == 0)
      return true;
  }
}

std::chrono::milliseconds probe_run::pause_after(int tries, const quote_try& last) const {
  auto pause = rules_.backoff;
  for (int i = 1; i < tries && pause < rules_.backoff_max; ++i)
    pause *= 2;
  if (last.retry_after)
    pause = std::max<std::chrono::milliseconds>(
        pause, std::min<std::chrono::milliseconds>(*last.retry_after, rules_.backoff_max));
  return std::min(pause, rules_.backoff_max);
}

} // namespace assay::app
