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
  const auto replies = client_.run({{"MULTI"},
                                    {"HVALS", key("live")},
                                    {"MGET", key("live:epoch"), key("live:changes")},
                                    {"EXEC"}});
  if (!replies)
    return replies.error();
  const auto& done = replies->back();
  if (done.items.size() != 2 || done.items[0].is_error() || done.items[1].items.size() != 2)
    return problem{client_.url().display(),
                   done.is_error() ? done.text : "unexpected reply to the live entries"};
  live_state result;
  for (const auto& item : done.items[0].items) {
    auto entry = decode<live_entry>(item.text);
    if (!entry)
      return problem{client_.url().display(), "damaged entry under " + key("live")};
    result.entries.push_back(std::move(*entry));
  }
  std::sort(result.entries.begin(), result.entries.end(),
            [](const auto& a, const auto& b) { return a.vault_id < b.vault_id; });
  result.revision = done.items[1].items[0].text + ":" + done.items[1].items[1].text;
  return result;
}

expected<std::string> redis_live_store::revision() {
  const auto r = client_.run_one({"MGET", key("live:epoch"), key("live:changes")});
  if (!r)
    return r.error();
  if (r->items.size() != 2)
    return problem{client_.url().display(), "unexpected reply to the revision"};
  return r->items[0].text + ":" + r->items[1].text;
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

expected<std::optional<std::string>> redis_live_store::newest_snapshot_id() {
  auto r = client_.run_one({"GET", key("snapshot:newest")});
  if (!r)
    return r.error();
  return r->what == redis_reply::kind::nil ? std::nullopt : std::optional{std::move(r->text)};
}

expected<std::optional<std::string>> redis_live_store::snapshot(std::string_view id) {
  auto r = client_.run_one({"GET", key("snapshot:" + std::string{id})});
  if (!r)
    return r.error();
  return r->what == redis_reply::kind::nil ? std::nullopt : std::optional{std::move(r->text)};
}

} // namespace assay::store
