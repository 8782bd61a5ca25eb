#pragma once

#include "actors/status_board.hpp"
#include "messages/actors.hpp"
#include "store/keys/key_book.hpp"
#include "store/keys/key_registry.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <chrono>
#include <memory>

namespace assay::actors {

/// State of the KEY KEEPER.
struct key_keeper_state {
  static inline const char* name = "key-keeper";

  /// A key issued or retired anywhere counts here within this time.
  static constexpr std::chrono::milliseconds cadence{25};

  std::shared_ptr<store::key_registry> registry;
  std::shared_ptr<store::key_book> book;
  std::shared_ptr<status_board> status;
};

/// Keeps the key book up to date with the registry. Spawn it detached: it blocks on the registry.
key_keeper_actor::behavior_type
key_keeper(key_keeper_actor::stateful_pointer<key_keeper_state> self,
           std::shared_ptr<store::key_registry> registry, std::shared_ptr<store::key_book> book,
           std::shared_ptr<status_board> status);

} // namespace assay::actors
