#include "store/live/redis_live_store.hpp"

#include "store/codec/records.hpp"

#include <algorithm>
#include <random>

namespace assay::store {

namespace {

constexpr std::string_view seconds_after_newest = "600";
/// Entries per command: keeps a single command from blocking the server for long.
constexpr std::size_t entries_per_command = 500;

std::string random_word() {
  std::random_device source;
  std::string word;
  for (int i = 0; i < 16; ++i)
    word += "0123456789abcdef"[source() % 16];
  return word;
}

} // namespace

redis_live_store::redis_live_store(redis_url url, options o)
    : client_(std::move(url), o.timeout), prefix_(std::move(o.prefix)) {}

std::string redis_live_store::key(std::string_view name) const {
  return prefix_ + std::string{name};
}

/// Runs the commands and the new revision in one MULTI: readers see all of it or nothing.
std::optional<problem> redis_live_store::change(std::vector<redis_client::command> commands) {
  commands.insert(commands.begin(), {"MULTI"});
  // Redis that lost its data counts from one again; the new epoch tells the revisions apart.
  commands.push_back({"SET", key("live:epoch"), random_word(), "NX"});
  commands.push_back({"INCR", key("live:changes")});
  commands.push_back({"EXEC"});
  const auto replies = client_.run(commands);
  if (!replies)
    return replies.error();
  for (const auto& r : *replies)
    if (r.is_error())
      return problem{client_.url().display(), r.text};
  for (const auto& r : replies->back().items)
    if (r.is_error())
      return problem{client_.url().display(), r.text};
  return std::nullopt;
}

std::optional<problem> redis_live_store::put(std::span<const live_entry> entries) {
  if (entries.empty())
    return std::nullopt;
  std::vector<redis_client::command> commands;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i % entries_per_command == 0)
      commands.push_back({"HSET", key("live")});
    commands.back().push_back(entries[i].vault_id);
    commands.back().push_back(encode(entries[i]));
  }
  return change(std::move(commands));
}

std::optional<problem> redis_live_store::erase(std::span<const std::string> vault_ids) {
  if (vault_ids.empty())
    return std::nullopt;
  redis_client::command c{"HDEL", key("live")};
  c.insert(c.end(), vault_ids.begin(), vault_ids.end());
  return change({std::move(c)});
}

expected<live_state> redis_live_store::all() {
  // No transaction: a full Redis refuses to queue one. With the revision read first, a change
  // in between shows up as another revision next time.
  const auto replies =
      client_.run({{"MGET", key("live:epoch"), key("live:changes")}, {"HVALS", key("live")}});
  if (!replies)
    return replies.error();
  const auto revision = read_revision(replies->front());
  if (!revision)
    return revision.error();
  const auto& values = replies->back();
  if (values.what != redis_reply::kind::array)
    return unexpected(values);
  live_state result;
  result.revision = *revision;
  for (const auto& item : values.items) {
    auto entry = decode<live_entry>(item.text);
    if (!entry)
      return problem{client_.url().display(), "damaged entry under " + key("live")};
    result.entries.push_back(std::move(*entry));
  }
  std::sort(result.entries.begin(), result.entries.end(),
            [](const auto& a, const auto& b) { return a.vault_id < b.vault_id; });
  return result;
}

expected<std::string> redis_live_store::revision() {
  const auto r = client_.run_one({"MGET", key("live:epoch"), key("live:changes")});
  return r ? read_revision(*r) : r.error();
}

expected<std::string> redis_live_store::read_revision(const redis_reply& r) const {
  if (r.items.size() != 2)
    return unexpected(r);
  return r.items[0].text + ":" + r.items[1].text;
}

problem redis_live_store::unexpected(const redis_reply& r) const {
  return {client_.url().display(), r.is_error() ? r.text : "unexpected reply"};
}

std::optional<problem> redis_live_store::publish_snapshot(std::string_view id,
                                                          std::string_view bytes) {
  if (auto p = check_snapshot_id(id))
    return p;
  const auto before = newest_snapshot_id();
  if (!before)
    return before.error();
  // The bytes before the id: whoever learns the id finds them.
  std::vector<redis_client::command> commands{
      {"MULTI"},
      {"SET", key("snapshot:" + std::string{id}), std::string{bytes}},
      {"SET", key("snapshot:newest"), std::string{id}}};
  if (*before && **before != id)
    commands.push_back({"EXPIRE", key("snapshot:" + **before), std::string{seconds_after_newest}});
  commands.push_back({"EXEC"});
  const auto replies = client_.run(commands);
  if (!replies)
    return replies.error();
  for (const auto& r : *replies)
    if (r.is_error())
      return problem{client_.url().display(), r.text};
  return std::nullopt;
}

expected<std::optional<std::string>> redis_live_store::text_at(const std::string& name) {
  auto r = client_.run_one({"GET", name});
  if (!r)
    return r.error();
  switch (r->what) {
  case redis_reply::kind::nil: return std::optional<std::string>{};
  case redis_reply::kind::text: return std::optional{std::move(r->text)};
  default: return unexpected(*r);
  }
}

expected<std::optional<std::string>> redis_live_store::newest_snapshot_id() {
  return text_at(key("snapshot:newest"));
}

expected<std::optional<std::string>> redis_live_store::snapshot(std::string_view id) {
  return text_at(key("snapshot:" + std::string{id}));
}

} // namespace assay::store
