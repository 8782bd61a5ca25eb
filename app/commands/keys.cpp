#include "app/commands/keys.hpp"

#include "store/keys/key_registry.hpp"

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <ostream>
#include <vector>

namespace assay::app {

namespace {

using store::key_record;
using store::key_registry;

std::optional<problem> wrong_argument(const keys_arguments& a) {
  if (a.action != "issue" && a.action != "list" && a.action != "retire")
    return problem{"keys", "expected issue, list or retire, got '" + a.action + "'"};
  if (a.output != "table" && a.output != "json")
    return problem{"--output", "expected table or json, got '" + a.output + "'"};
  if (a.data_dir.empty() == a.redis.empty())
    return problem{"keys", "expected either --data-dir DIR or --redis URL"};
  if (a.action == "issue" && a.name.empty())
    return problem{"--name", "expected the name of the partner"};
  const auto selectors = !a.name.empty() + !a.id.empty() + !a.key.empty();
  if (a.action == "retire" && selectors != 1)
    return problem{"keys retire", "expected one of --name N, --id ID and --key KEY"};
  // A mistyped directory must not look like one without keys.
  if (a.action != "issue" && !a.data_dir.empty() && !std::filesystem::is_directory(a.data_dir))
    return problem{"--data-dir", "there is no directory " + a.data_dir};
  return std::nullopt;
}

expected<std::unique_ptr<key_registry>> open(const keys_arguments& a) {
  return a.redis.empty() ? store::open_key_file(a.data_dir)
                         : store::open_key_redis(a.redis, a.redis_prefix);
}

// Names consist of characters that JSON needs no escapes for; the rest is hex and times.
std::string text(std::string_view value) {
  return "\"" + std::string{value} + "\"";
}

std::string to_json(const key_record& k) {
  return "{\"id\":" + text(store::key_id(k.digest)) + ",\"name\":" + text(k.name) +
         ",\"createdAt\":" + text(to_iso8601(k.created_at)) +
         ",\"retiredAt\":" + (k.retired_at ? text(to_iso8601(*k.retired_at)) : "null") + "}";
}

void print(const std::vector<key_record>& keys, const std::string& output, std::ostream& out) {
  if (output == "json") {
    out << '[';
    for (std::size_t i = 0; i < keys.size(); ++i)
      out << (i > 0 ? "," : "") << to_json(keys[i]);
    out << "]\n";
    return;
  }
  std::size_t width = 4;
  for (const auto& k : keys)
    width = std::max(width, k.name.size());
  const auto line = [&](std::string_view id, std::string_view name, std::string_view created,
                        std::string_view retired) {
    out << std::left << std::setw(14) << id << std::setw(static_cast<int>(width) + 2) << name
        << std::setw(26) << created << retired << '\n';
  };
  line("ID", "NAME", "CREATED", "RETIRED");
  for (const auto& k : keys)
    line(store::key_id(k.digest), k.name, to_iso8601(k.created_at),
         k.retired_at ? to_iso8601(*k.retired_at) : "-");
}

void print(const store::issued_key& k, const std::string& output, std::ostream& out) {
  if (output == "json") {
    out << "{\"key\":" << text(k.key) << ",\"id\":" << text(store::key_id(k.record.digest))
        << ",\"name\":" << text(k.record.name)
        << ",\"createdAt\":" << text(to_iso8601(k.record.created_at)) << "}\n";
    return;
  }
  out << "key   " << k.key << "\nid    " << store::key_id(k.record.digest) << "\nname  "
      << k.record.name << "\nThe key is not shown again: only its SHA-256 is kept.\n";
}

int fail(const problem& p, int code, std::ostream& err) {
  err << p.text() << '\n';
  return code;
}

} // namespace

int run_keys(const keys_arguments& a, time_point now, std::ostream& out, std::ostream& err) {
  if (const auto wrong = wrong_argument(a))
    return fail(*wrong, 2, err);
  auto registry = open(a);
  if (!registry)
    return fail(registry.error(), registry.error().where == "redis URL" ? 2 : 1, err);
  if (a.action == "issue") {
    const auto issued = (*registry)->issue(a.name, now);
    if (!issued)
      return fail(issued.error(), issued.error().where == "name" ? 2 : 1, err);
    print(*issued, a.output, out);
    return 0;
  }
  const auto keys = a.action == "list" ? (*registry)->list()
                                       : (*registry)->retire(!a.name.empty() ? a.name
                                                             : !a.id.empty() ? a.id
                                                                             : a.key,
                                                             now);
  if (!keys)
    return fail(keys.error(), keys.error().where == "retire" ? 2 : 1, err);
  print(*keys, a.output, out);
  return 0;
}

} // namespace assay::app
