#include "store/keys/key_registry.hpp"
#include "store/redis/redis_client.hpp"

#include <algorithm>
#include <charconv>
#include <random>
#include <tuple>

namespace assay::store {

namespace {

using namespace std::chrono_literals;

// The hash <prefix>keys holds digest -> "<created_at_ms> <retired_at_ms or -> <name>". Beside it
// <prefix>keys:changes holds a word drawn anew with every change: a counter would come back to an
// old value after Redis lost its data.

constexpr std::string_view add_script = R"(
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
redis.call('SET', KEYS[2], ARGV[3])
return 1
)";

// Reads and writes in one step, so that a key retired twice at once keeps its first time. HDEL
// comes first because a full Redis refuses a script's first write if that needs memory, and later
// ones never: a key can be retired whatever happens.
constexpr std::string_view retire_script = R"(
local changed = 0
for i = 3, #ARGV do
  local record = redis.call('HGET', KEYS[1], ARGV[i])
  if record then
    local created, retired, name = string.match(record, '^(%S+) (%S+) (.*)$')
    if retired == '-' then
      redis.call('HDEL', KEYS[1], ARGV[i])
      redis.call('HSET', KEYS[1], ARGV[i], created .. ' ' .. ARGV[1] .. ' ' .. name)
      changed = changed + 1
    end
  end
end
if changed > 0 then redis.call('SET', KEYS[2], ARGV[2]) end
return changed
)";

std::optional<time_point> read_time(std::string_view text) {
  std::int64_t ms = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ms);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return time_point{time_point::duration{ms}};
}

std::optional<key_record> read_record(std::string_view digest_hex, std::string_view text) {
  const auto first = text.find(' ');
  const auto second = text.find(' ', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos)
    return std::nullopt;
  const auto digest = digest_from_hex(digest_hex);
  const auto created = read_time(text.substr(0, first));
  const auto retired_text = text.substr(first + 1, second - first - 1);
  const auto retired = read_time(retired_text);
  if (!digest || !created || (!retired && retired_text != "-"))
    return std::nullopt;
  return key_record{*digest, std::string{text.substr(second + 1)}, *created, retired};
}

std::string random_word() {
  std::random_device source;
  return std::to_string(source()) + "-" + std::to_string(source());
}

std::string ms_text(time_point t) {
  return std::to_string(t.time_since_epoch().count());
}

class key_redis final : public key_registry {
public:
  key_redis(redis_url url, std::string_view prefix)
      : client_(std::move(url), 2000ms),
        keys_(std::string{prefix} + "keys"),
        changes_(std::string{prefix} + "keys:changes") {}

  expected<std::vector<key_record>> list() override {
    const auto r = client_.run_one({"HGETALL", keys_});
    if (!r)
      return r.error();
    // An answer of another kind must not read as "no keys": everybody would lose his.
    if (r->what != redis_reply::kind::array || r->items.size() % 2 != 0)
      return unexpected();
    std::vector<key_record> result;
    for (std::size_t i = 0; i < r->items.size(); i += 2) {
      auto record = read_record(r->items[i].text, r->items[i + 1].text);
      if (!record)
        return problem{client_.url().display(), "damaged record under " + keys_};
      result.push_back(std::move(*record));
    }
    std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
      return std::tie(a.created_at, a.digest) < std::tie(b.created_at, b.digest);
    });
    return result;
  }

  expected<std::string> revision() override {
    const auto r = client_.run_one({"GET", changes_});
    if (!r)
      return r.error();
    if (r->what != redis_reply::kind::text && r->what != redis_reply::kind::nil)
      return unexpected();
    return "redis:" + r->text;
  }

protected:
  std::optional<problem> add(const key_record& k) override {
    const auto retired = k.retired_at ? ms_text(*k.retired_at) : std::string{"-"};
    const auto r =
        client_.run_one({"EVAL", std::string{add_script}, "2", keys_, changes_, to_hex(k.digest),
                         ms_text(k.created_at) + " " + retired + " " + k.name, random_word()});
    if (!r)
      return r.error();
    if (r->integer != 1)
      return problem{client_.url().display(), "this key is there already"};
    return std::nullopt;
  }

  std::optional<problem> mark_retired(const std::vector<key_digest>& digests,
                                      time_point now) override {
    redis_client::command c{
        "EVAL", std::string{retire_script}, "2", keys_, changes_, ms_text(now), random_word()};
    for (const auto& d : digests)
      c.push_back(to_hex(d));
    const auto r = client_.run_one(c);
    return r ? std::nullopt : std::optional{r.error()};
  }

private:
  problem unexpected() const { return {client_.url().display(), "unexpected reply"}; }

  redis_client client_;
  std::string keys_;
  std::string changes_;
};

} // namespace

expected<std::unique_ptr<key_registry>> open_key_redis(std::string_view url,
                                                       std::string_view prefix) {
  auto parsed = parse_redis_url(url);
  if (!parsed)
    return parsed.error();
  return std::unique_ptr<key_registry>{std::make_unique<key_redis>(std::move(*parsed), prefix)};
}

} // namespace assay::store
