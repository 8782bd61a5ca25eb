#pragma once

#include "messages/actors.hpp"
#include "messages/types/portfolio.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace assay::actors {

/// Starts one worker for the pool. `self` is the pool; the worker must not outlive the system.
using worker_factory = std::function<allocator_worker_actor(allocator_pool_actor::pointer self)>;

struct allocator_pool_config {
  /// Workers kept alive; a dead one is replaced at once.
  std::size_t workers = 2;
  /// Requests that may wait for a worker; the next one is answered errc::overloaded.
  std::size_t backlog_max = 64;
  /// From arrival to answer; then errc::timed_out.
  std::chrono::milliseconds deadline{5000};
  /// Results remembered per universe; beyond it the oldest is forgotten.
  std::size_t results_kept_max = 1024;
  /// A universe whose scores are older is answered errc::stale_scores.
  std::chrono::seconds scores_age_max{43'200};
  std::function<time_point()> clock;
  worker_factory spawn_worker;
};

/// A request makes the same portfolio as another one with an equal key.
using portfolio_key = std::tuple<risk_tier, timeline, double>;

/// One distinct portfolio being waited for; further requests for the same one join it.
struct portfolio_job {
  std::uint64_t ticket = 0;
  portfolio_request request;
  std::vector<portfolio_sink> waiting;
};

/// State of the ALLOCATOR POOL.
struct allocator_pool_state {
  static inline const char* name = "allocator-pool";

  struct worker {
    allocator_worker_actor handle;
    /// The job it works on.
    std::optional<portfolio_job> job;
  };

  allocator_pool_config config;
  allocation_universe_ptr universe;
  std::vector<worker> workers;
  std::deque<portfolio_job> backlog;
  /// Results over `universe`, and their keys in order of arrival.
  std::map<portfolio_key, portfolio_result_ptr> results;
  std::deque<portfolio_key> result_order;
  std::uint64_t next_ticket = 1;

  /// Joins a job for the same portfolio that is waited for already.
  bool join(const portfolio_request& request, const portfolio_sink& sink);

  /// Returns the reason why nothing can be allocated now, or errc::none.
  errc refusal() const;

  void remember(const portfolio_request& request, const portfolio_result_ptr& result);

  /// Takes the job with this ticket out of wherever it is; nothing when it was answered.
  std::optional<portfolio_job> take(std::uint64_t ticket);
};

/// Answers from remembered results, else hands requests to idle workers. A worker that dies is
/// replaced and its request given to another one; an answer that comes too late is dropped.
allocator_pool_actor::behavior_type
allocator_pool(allocator_pool_actor::stateful_pointer<allocator_pool_state> self,
               allocator_pool_config config);

} // namespace assay::actors
