#include "actors/score_cache.hpp"

#include "actors/score_reader.hpp"

#include <spdlog/spdlog.h>

#include <utility>

namespace assay::actors {

namespace {

using cache_pointer = score_cache_actor::stateful_pointer<score_cache_state>;

void add_reader(cache_pointer self) {
  auto reader = self->spawn(score_reader);
  self->monitor(reader);
  if (self->state.newest)
    self->send(reader, atom::publish_v, self->state.newest);
  self->state.readers.push_back(std::move(reader));
}

} // namespace

score_cache_actor::behavior_type score_cache(cache_pointer self,
                                             std::shared_ptr<reader_directory> directory,
                                             std::size_t reader_count) {
  auto& st = self->state;
  st.directory = std::move(directory);
  for (std::size_t i = 0; i < reader_count; ++i)
    add_reader(self);
  st.directory->replace(st.readers);
  self->set_down_handler([self](const caf::down_msg& down) {
    spdlog::warn("score reader died: {}", caf::to_string(down.reason));
    auto& state = self->state;
    std::erase_if(state.readers, [&](const auto& r) { return r.address() == down.source; });
    add_reader(self);
    state.directory->replace(state.readers);
  });
  self->set_exit_handler([self](const caf::exit_msg& exit) {
    // The readers go with the cache, and nobody may keep handles to them.
    self->state.directory->replace({});
    for (const auto& reader : self->state.readers)
      self->send_exit(reader, exit.reason);
    self->quit(exit.reason);
  });
  return {
      [self](atom::publish, readings_ptr next) {
        auto& state = self->state;
        state.newest = std::move(next);
        for (const auto& reader : state.readers)
          self->send(reader, atom::publish_v, state.newest);
      },
  };
}

} // namespace assay::actors
