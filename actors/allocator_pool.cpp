#include "actors/allocator_pool.hpp"

#include "messages/allocation_universe.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace assay::actors {

namespace {

using pool_pointer = allocator_pool_actor::stateful_pointer<allocator_pool_state>;

portfolio_key key_of(const portfolio_request& x) {
  return {x.tier, x.timeline, x.principal_usd};
}

void deliver(portfolio_job& job, const portfolio_result_ptr& result) {
  for (auto& sink : job.waiting)
    sink->deliver(result);
}

void fail(portfolio_job& job, errc reason) {
  for (auto& sink : job.waiting)
    sink->fail(reason);
}

void start_jobs(pool_pointer self);

void add_worker(pool_pointer self) {
  auto& st = self->state;
  auto handle = st.config.spawn_worker(self);
  self->monitor(handle);
  if (st.universe)
    self->send(handle, atom::publish_v, st.universe);
  st.workers.push_back({std::move(handle), std::nullopt});
}

/// Index of the worker with this address, or the number of workers.
std::size_t find_worker(const allocator_pool_state& st, const caf::actor_addr& address) {
  const auto i = std::find_if(st.workers.begin(), st.workers.end(),
                              [&](const auto& w) { return w.handle.address() == address; });
  return static_cast<std::size_t>(i - st.workers.begin());
}

/// Ends the work of a worker on `ticket` and returns the job, unless it was answered meanwhile.
std::optional<portfolio_job> release(allocator_pool_state& st, const caf::actor_addr& address,
                                     std::uint64_t ticket) {
  const auto i = find_worker(st, address);
  if (i == st.workers.size() || !st.workers[i].job || st.workers[i].job->ticket != ticket)
    return std::nullopt;
  return std::exchange(st.workers[i].job, std::nullopt);
}

void on_result(pool_pointer self, const caf::actor_addr& worker, std::uint64_t ticket,
               std::uint64_t snapshot_id, const portfolio_result_ptr& result) {
  auto& st = self->state;
  if (auto job = release(st, worker, ticket)) {
    // A result over an older universe is still what its callers asked for, but nobody else's.
    if (st.universe && st.universe->snapshot_id == snapshot_id)
      st.remember(job->request, result);
    deliver(*job, result);
  }
  start_jobs(self);
}

void on_error(pool_pointer self, const caf::actor_addr& worker, std::uint64_t ticket,
              const caf::error& error) {
  auto& st = self->state;
  // A dead worker's request goes to another one when its DOWN message comes.
  if (error == caf::sec::request_receiver_down)
    return;
  if (auto job = release(st, worker, ticket))
    fail(*job, errc::internal);
  start_jobs(self);
}

void start_on(pool_pointer self, std::size_t index, portfolio_job job) {
  auto& w = self->state.workers[index];
  const auto address = w.handle.address();
  const auto ticket = job.ticket;
  const auto snapshot_id = self->state.universe->snapshot_id;
  const auto request = job.request;
  w.job = std::move(job);
  // The pool keeps its own table and its own deadline, so this timeout is only a last resort.
  self->request(w.handle, 10 * self->state.config.deadline, atom::allocate_v, snapshot_id, request)
      .then(
          [=](const portfolio_result_ptr& result) {
            on_result(self, address, ticket, snapshot_id, result);
          },
          [=](caf::error& error) { on_error(self, address, ticket, error); });
}

void start_jobs(pool_pointer self) {
  auto& st = self->state;
  for (std::size_t i = 0; i < st.workers.size() && !st.backlog.empty(); ++i) {
    if (st.workers[i].job)
      continue;
    auto job = std::move(st.backlog.front());
    st.backlog.pop_front();
    start_on(self, i, std::move(job));
  }
}

void accept(pool_pointer self, const portfolio_request& request, portfolio_sink sink) {
  auto& st = self->state;
  if (const auto reason = st.refusal(); reason != errc::none)
    return sink->fail(reason);
  if (const auto known = st.results.find(key_of(request)); known != st.results.end())
    return sink->deliver(known->second);
  if (st.join(request, sink))
    return;
  const bool all_busy = std::all_of(st.workers.begin(), st.workers.end(),
                                    [](const auto& w) { return w.job.has_value(); });
  if (all_busy && st.backlog.size() >= st.config.backlog_max)
    return sink->fail(errc::overloaded);
  const auto ticket = st.next_ticket++;
  st.backlog.push_back({ticket, request, {std::move(sink)}});
  self->delayed_send(self, st.config.deadline, atom::deadline_v, ticket);
  start_jobs(self);
}

void on_down(pool_pointer self, const caf::down_msg& down) {
  auto& st = self->state;
  const auto i = find_worker(st, caf::actor_cast<caf::actor_addr>(down.source));
  if (i == st.workers.size())
    return;
  spdlog::warn("allocator worker died: {}", caf::to_string(down.reason));
  auto job = std::move(st.workers[i].job);
  st.workers.erase(st.workers.begin() + static_cast<std::ptrdiff_t>(i));
  if (job)
    st.backlog.push_front(std::move(*job));
  add_worker(self);
  start_jobs(self);
}

void publish(pool_pointer self, allocation_universe_ptr universe) {
  auto& st = self->state;
  st.universe = std::move(universe);
  st.results.clear();
  st.result_order.clear();
  for (const auto& w : st.workers)
    self->send(w.handle, atom::publish_v, st.universe);
}

} // namespace

bool allocator_pool_state::join(const portfolio_request& request, const portfolio_sink& sink) {
  for (auto& job : backlog) {
    if (job.request == request) {
      job.waiting.push_back(sink);
      return true;
    }
  }
  for (auto& w : workers) {
    if (w.job && w.job->request == request) {
      w.job->waiting.push_back(sink);
      return true;
    }
  }
  return false;
}

errc allocator_pool_state::refusal() const {
  if (!universe)
    return errc::not_ready;
  if (!universe->scored_at || config.clock() - *universe->scored_at > config.scores_age_max)
    return errc::stale_scores;
  return errc::none;
}

void allocator_pool_state::remember(const portfolio_request& request,
                                    const portfolio_result_ptr& result) {
  if (config.results_kept_max == 0 || !results.emplace(key_of(request), result).second)
    return;
  result_order.push_back(key_of(request));
  if (result_order.size() > config.results_kept_max) {
    results.erase(result_order.front());
    result_order.pop_front();
  }
}

std::optional<portfolio_job> allocator_pool_state::take(std::uint64_t ticket) {
  for (auto i = backlog.begin(); i != backlog.end(); ++i) {
    if (i->ticket == ticket) {
      auto job = std::move(*i);
      backlog.erase(i);
      return job;
    }
  }
  for (auto& w : workers) {
    // The worker stays busy until it answers; only its callers stop waiting.
    if (w.job && w.job->ticket == ticket)
      return portfolio_job{ticket, w.job->request, std::exchange(w.job->waiting, {})};
  }
  return std::nullopt;
}

allocator_pool_actor::behavior_type allocator_pool(pool_pointer self,
                                                   allocator_pool_config config) {
  self->state.config = std::move(config);
  for (std::size_t i = 0; i < self->state.config.workers; ++i)
    add_worker(self);
  self->set_down_handler([self](const caf::down_msg& down) { on_down(self, down); });
  return {
      [self](atom::publish, allocation_universe_ptr universe) {
        publish(self, std::move(universe));
      },
      [self](atom::allocate, const portfolio_request& request, portfolio_sink sink) {
        accept(self, request, std::move(sink));
      },
      [self](atom::deadline, std::uint64_t ticket) {
        if (auto job = self->state.take(ticket))
          fail(*job, errc::timed_out);
      },
  };
}

} // namespace assay::actors
