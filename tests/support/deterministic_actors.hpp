#pragma once

#include "messages/actors.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <gtest/gtest.h>

namespace assay::test {

/// An actor system whose messages and clock move only when the test says so. Actors must not be
/// spawned detached in it.
class deterministic_actors : public ::testing::Test {
protected:
  deterministic_actors()
      : sys(cfg),
        self(sys),
        sched(dynamic_cast<caf::scheduler::test_coordinator&>(sys.scheduler())) {}

  /// Delivers every message in flight; does not move the clock.
  void run() { sched.run(); }

  /// Moves the clock, firing every timeout on the way, and delivers what follows from it.
  void advance(caf::timespan by) {
    sched.advance_time(by);
    run();
  }

  /// Ends `actor` and delivers what follows from it.
  template <class Handle>
  void stop(const Handle& actor) {
    caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
    run();
  }

private:
  struct testing_config : caf::actor_system_config {
    testing_config() {
      add_message_types<caf::id_block::assay>();
      set("scheduler.policy", caf::atom("testing"));
    }
  } cfg;

protected:
  caf::actor_system sys;
  caf::scoped_actor self;
  caf::scheduler::test_coordinator& sched;
};

} // namespace assay::test
