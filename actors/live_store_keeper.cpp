#include "actors/live_store_keeper.hpp"

#include <spdlog/spdlog.h>

#include <utility>

namespace assay::actors {

namespace {

using keeper_pointer = live_store_keeper_actor::stateful_pointer<live_store_keeper_state>;

constexpr const char* part = "redis";

void note(live_store_keeper_state& st, const problem& wrong) {
  if (!std::exchange(st.failing, true))
    spdlog::warn("live store: {}", wrong.text());
  st.config.status->update([&](service_status& s) { s.problems[part] = wrong.text(); });
}

void note_well(live_store_keeper_state& st) {
  if (!std::exchange(st.failing, false))
    return;
  spdlog::info("live store is back");
  st.config.status->update([](service_status& s) { s.problems.erase(part); });
}

/// Adds an entry unless a newer one is known.
void take(live_store_keeper_state& st, const live_entry& entry) {
  const auto [i, fresh] = st.newest.try_emplace(entry.vault_id, entry);
  if (!fresh && entry.observed_at < i->second.observed_at)
    return;
  i->second = entry;
  st.unwritten.insert_or_assign(entry.vault_id, entry);
}

/// Looks for entries that the store lacks or holds older: Redis may have lost its data, or another
/// process may have written. True when the store answered.
bool compare(live_store_keeper_state& st) {
  const auto there = st.config.store->all();
  if (!there) {
    note(st, there.error());
    return false;
  }
  std::unordered_map<std::string_view, time_point> held;
  for (const auto& entry : there->entries)
    held.emplace(entry.vault_id, entry.observed_at);
  for (const auto& [id, entry] : st.newest) {
    const auto i = held.find(id);
    if (i == held.end() || i->second < entry.observed_at)
      st.unwritten.insert_or_assign(id, entry);
    else if (i->second > entry.observed_at)
      st.unwritten.erase(id);
  }
  st.revision = there->revision;
  return true;
}

/// Writes what is not written yet; true when the store took it.
bool write(live_store_keeper_state& st) {
  if (st.unwritten.empty())
    return true;
  std::vector<live_entry> entries;
  entries.reserve(st.unwritten.size());
  for (const auto& [id, entry] : st.unwritten)
    entries.push_back(entry);
  if (const auto wrong = st.config.store->put(entries)) {
    note(st, *wrong);
    return false;
  }
  st.unwritten.clear();
  return true;
}

/// Brings the store up to date; what does not succeed now is tried again with the next tick.
void look(live_store_keeper_state& st) {
  const auto revision = st.config.store->revision();
  if (!revision)
    return note(st, revision.error());
  if (*revision != st.revision && !compare(st))
    return;
  const bool wrote = !st.unwritten.empty();
  if (!write(st))
    return;
  // A foreign change between the write and this is found out because it changes it again, or is
  // newer anyway.
  if (wrote)
    if (auto after = st.config.store->revision())
      st.revision = std::move(*after);
  note_well(st);
}

void flush(live_store_keeper_state& st) {
  st.flush_sent = false;
  // While the store is away the ticks alone ask for it: a burst of news must not queue up behind
  // its timeouts.
  if (!st.failing)
    look(st);
}

} // namespace

live_store_keeper_actor::behavior_type live_store_keeper(keeper_pointer self,
                                                         live_store_keeper_config config) {
  auto& st = self->state;
  st.config = std::move(config);
  for (const auto& entry : std::exchange(st.config.entries, {}))
    take(st, entry);
  self->send(self, atom::tick_v);
  return {
      [self](atom::learn, const live_entries_ptr& entries) {
        auto& state = self->state;
        for (const auto& entry : *entries)
          take(state, entry);
        // To the end of the mailbox: whatever is already there goes into the same write.
        if (!std::exchange(state.flush_sent, true))
          self->send(self, atom::flush_v);
      },
      [self](atom::flush) { flush(self->state); },
      [self](atom::tick) {
        look(self->state);
        self->delayed_send(self, self->state.config.cadence, atom::tick_v);
      },
  };
}

} // namespace assay::actors
