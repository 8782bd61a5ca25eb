#include "actors/allocator_worker.hpp"

#include "messages/allocation_universe.hpp"

#include <spdlog/spdlog.h>

#include <exception>

namespace assay::actors {

namespace {

caf::result<portfolio_result_ptr> solve(const allocation_universe& universe,
                                        const portfolio_request& request, time_point now) {
  try {
    return portfolio_result_ptr{
        std::make_shared<const portfolio_result>(universe.allocate(request, now))};
  } catch (const std::exception& error) {
    // An exception would end the actor: the caller gets an error, the log the cause.
    spdlog::error("allocation failed tier={} timeline={} principal={}: {}", to_string(request.tier),
                  to_string(request.timeline), request.principal_usd, error.what());
    return caf::make_error(errc::internal);
  }
}

} // namespace

allocator_worker_actor::behavior_type
allocator_worker(allocator_worker_actor::stateful_pointer<allocator_worker_state> self,
                 std::function<time_point()> clock) {
  return {
      [self](atom::publish, allocation_universe_ptr universe) {
        self->state.universe = std::move(universe);
      },
      [self, clock = std::move(clock)](
          atom::allocate, std::uint64_t snapshot_id,
          const portfolio_request& request) -> caf::result<portfolio_result_ptr> {
        const auto& universe = self->state.universe;
        if (!universe || universe->snapshot_id != snapshot_id)
          return caf::make_error(errc::not_ready);
        return solve(*universe, request, clock());
      },
  };
}

} // namespace assay::actors
