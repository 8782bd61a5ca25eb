#include "actors/key_keeper.hpp"

#include <spdlog/spdlog.h>

#include <utility>

namespace assay::actors {

namespace {

void refresh(key_keeper_state& st) {
  const auto wrong = st.book->refresh(*st.registry);
  bool changed = false;
  st.status->update([&](service_status& s) {
    const bool was_wrong = s.problems.erase("keys") > 0;
    changed = was_wrong != wrong.has_value();
    if (wrong)
      s.problems["keys"] = wrong->text();
  });
  if (changed && wrong)
    spdlog::error("partner keys not refreshed, those known stay: {}", wrong->text());
}

} // namespace

key_keeper_actor::behavior_type
key_keeper(key_keeper_actor::stateful_pointer<key_keeper_state> self,
           std::shared_ptr<store::key_registry> registry, std::shared_ptr<store::key_book> book,
           std::shared_ptr<status_board> status) {
  self->state.registry = std::move(registry);
  self->state.book = std::move(book);
  self->state.status = std::move(status);
  self->send(self, atom::tick_v);
  return {
      [self](atom::tick) {
        refresh(self->state);
        self->delayed_send(self, key_keeper_state::cadence, atom::tick_v);
      },
  };
}

} // namespace assay::actors
