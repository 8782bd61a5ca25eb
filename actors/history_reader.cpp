#include "actors/history_reader.hpp"

#include "messages/history_question.hpp"

#include <spdlog/spdlog.h>

#include <utility>

namespace assay::actors {

namespace {

/// Opens the archive if need be; false when it cannot be had now.
bool open(history_reader_state& st) {
  if (st.archive)
    return true;
  auto archive = store::archive_reader::open(st.data_dir);
  if (!archive) {
    spdlog::error("history: {}", archive.error().text());
    return false;
  }
  st.archive.emplace(std::move(*archive));
  return true;
}

void answer(history_reader_state& st, const history_question& question) {
  if (!open(st))
    return question.sink->fail(errc::store_unavailable);
  const auto& r = question.request;
  auto page = st.archive->history(r.vault_id, r.from, r.to, r.limit, r.cursor);
  if (page)
    return question.sink->deliver(
        {std::move(page->rows), std::move(page->next_cursor), /*bad_cursor=*/false});
  if (page.error().where == "cursor")
    return question.sink->deliver({{}, std::nullopt, /*bad_cursor=*/true});
  spdlog::error("history of {}: {}", r.vault_id, page.error().text());
  st.archive.reset();
  question.sink->fail(errc::store_unavailable);
}

} // namespace

history_reader_actor::behavior_type
history_reader(history_reader_actor::stateful_pointer<history_reader_state> self,
               std::filesystem::path data_dir) {
  self->state.data_dir = std::move(data_dir);
  return {
      [self](atom::history, const history_question_ptr& question) {
        answer(self->state, *question);
      },
  };
}

} // namespace assay::actors
