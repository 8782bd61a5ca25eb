#include "app/config/load.hpp"

#include "app/config/settings.hpp"
#include "feeds/value_limits.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <sstream>

#include <toml++/toml.h>

namespace assay::app {

namespace {

std::string place(std::string_view file, const toml::source_region& at) {
  return std::string{file} + ":" + std::to_string(at.begin.line) + ":" +
         std::to_string(at.begin.column);
}

std::string bounds_text(const integer_setting& s) {
  return "expected a whole number from " + std::to_string(s.min) + " to " + std::to_string(s.max);
}

bool is_choice(std::string_view choices, std::string_view value) {
  if (choices.empty())
    return true;
  std::size_t begin = 0;
  while (begin <= choices.size()) {
    const auto end = std::min(choices.find('|', begin), choices.size());
    if (choices.substr(begin, end - begin) == value)
      return true;
    begin = end + 1;
  }
  return false;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> result;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const auto end = std::min(text.find(',', begin), text.size());
    auto item = text.substr(begin, end - begin);
    while (!item.empty() && item.front() == ' ')
      item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ')
      item.remove_suffix(1);
    if (!item.empty())
      result.emplace_back(item);
    begin = end + 1;
  }
  return result;
}

/// Judges every item of a list.
std::optional<std::string> check_items(const list_setting& s,
                                       const std::vector<std::string>& items) {
  for (const auto& item : items)
    if (s.check != nullptr)
      if (auto wrong = s.check(item))
        return wrong;
  return std::nullopt;
}

/// Sets one member from text (an environment variable) or returns what was expected.
struct from_text {
  std::string_view text;

  std::optional<std::string> operator()(const integer_setting& s, std::int64_t& member) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < s.min || value > s.max)
      return bounds_text(s);
    member = value;
    return std::nullopt;
  }

  std::optional<std::string> operator()(const text_setting& s, std::string& member) const {
    if (!is_choice(s.choices, text))
      return "expected one of " + std::string{s.choices};
    if (s.check != nullptr && text != s.fallback)
      if (auto wrong = s.check(text))
        return wrong;
    member = text;
    return std::nullopt;
  }

  std::optional<std::string> operator()(const list_setting& s,
                                        std::vector<std::string>& member) const {
    member = split_list(text);
    return check_items(s, member);
  }
};

/// Sets one member from a TOML node or returns what was expected.
struct from_node {
  const toml::node& node;

  std::optional<std::string> operator()(const integer_setting& s, std::int64_t& member) const {
    const auto* value = node.as_integer();
    if (value == nullptr || value->get() < s.min || value->get() > s.max)
      return bounds_text(s);
    member = value->get();
    return std::nullopt;
  }

  std::optional<std::string> operator()(const text_setting& s, std::string& member) const {
    const auto* value = node.as_string();
    if (value == nullptr)
      return "expected a text in quotes";
    return from_text{value->get()}(s, member);
  }

  std::optional<std::string> operator()(const list_setting& s,
                                        std::vector<std::string>& member) const {
    const auto* list = node.as_array();
    if (list == nullptr)
      return "expected a list of texts";
    member.clear();
    for (const auto& item : *list) {
      const auto* value = item.as_string();
      if (value == nullptr)
        return "expected a list of texts";
      member.push_back(value->get());
    }
    return check_items(s, member);
  }
};

class document_reader {
public:
  document_reader(std::string_view file, std::vector<problem>& problems)
      : file_(file), problems_(problems) {}

  void read(const toml::table& root, config& c) {
    std::set<std::string, std::less<>> known;
    for_each_setting(c, [&](const auto& setting, auto& member) {
      known.emplace(setting.key);
      const auto node = root.at_path(setting.key);
      if (!node)
        return;
      if (auto expected_text = from_node{*node.node()}(setting, member))
        report(*node.node(), setting.key, std::move(*expected_text));
    });
    for (const auto& [section, node] : root)
      check_section(section, node, known, c);
  }

private:
  void report(const toml::node& node, std::string_view key, std::string what) {
    problems_.push_back({place(file_, node.source()), std::string{key} + ": " + std::move(what)});
  }

  void check_section(std::string_view section, const toml::node& node,
                     const std::set<std::string, std::less<>>& known, config& c) {
    if (section == "feeds") {
      read_feeds(node, c);
      return;
    }
    const auto* table = node.as_table();
    const std::string prefix = std::string{section} + ".";
    const auto any = known.lower_bound(prefix);
    if (table == nullptr || any == known.end() || any->compare(0, prefix.size(), prefix) != 0) {
      report(node, section, "unknown key");
      return;
    }
    for (const auto& [key, value] : *table)
      if (!known.contains(prefix + std::string{key.str()}))
        report(value, prefix + std::string{key.str()}, "unknown key");
  }

  void read_feeds(const toml::node& node, config& c) {
    const auto* list = node.as_array();
    if (list == nullptr || !list->is_array_of_tables()) {
      report(node, "feeds", "expected [[feeds]] tables");
      return;
    }
    for (const auto& item : *list) {
      feed_source source;
      const auto& table = *item.as_table();
      for (const auto& [key, value] : table)
        read_feed_key(key.str(), value, source);
      if (source.name.empty() || source.adapter.empty() || source.url.empty())
        report(item, "feeds", "expected name, adapter and url");
      c.feeds.push_back(std::move(source));
    }
  }

  void read_feed_key(std::string_view key, const toml::node& value, feed_source& source) {
    const std::map<std::string_view, std::string*> texts{
        {"name", &source.name},         {"adapter", &source.adapter},
        {"url", &source.url},           {"body", &source.body},
        {"pool_map", &source.pool_map}, {"headers_file", &source.headers_file}};
    const std::map<std::string_view, std::pair<integer_setting, std::int64_t*>> numbers{
        {"cadence_s", {{"feeds.cadence_s", 300, 1, 7 * 86'400, ""}, &source.cadence_s}},
        {"pages", {{"feeds.pages", 1, 1, 1000, ""}, &source.pages}},
        {"page_size", {{"feeds.page_size", 1000, 1, 1'000'000, ""}, &source.page_size}},
        {"chain", {{"feeds.chain", 0, 1, feeds::value_limits::chain_id_max, ""}, &source.chain}}};
    std::optional<std::string> wrong;
    if (const auto text = texts.find(key); text != texts.end())
      wrong = from_node{value}(
          text_setting{key, "", "", "", key == "adapter" ? check_adapter : nullptr}, *text->second);
    else if (const auto number = numbers.find(key); number != numbers.end())
      wrong = from_node{value}(number->second.first, *number->second.second);
    else
      wrong = "unknown key";
    if (wrong)
      report(value, "feeds." + std::string{key}, std::move(*wrong));
  }

  std::string_view file_;
  std::vector<problem>& problems_;
};

void read_environment(const environment& env, config& c, std::vector<problem>& problems) {
  for_each_setting(c, [&](const auto& setting, auto& member) {
    const auto name = environment_name(setting.key);
    const auto text = env(name);
    if (!text)
      return;
    if (auto expected_text = from_text{*text}(setting, member))
      problems.push_back({name, std::move(*expected_text)});
  });
}

struct set_default {
  void operator()(const integer_setting& s, std::int64_t& member) const { member = s.fallback; }
  void operator()(const text_setting& s, std::string& member) const { member = s.fallback; }
  void operator()(const list_setting&, std::vector<std::string>& member) const { member.clear(); }
};

/// Prints one key as it stands in conf/assay.toml.
struct print_setting {
  std::ostream& out;

  void operator()(const integer_setting& s, std::string_view key) const {
    out << "# " << s.doc << " " << s.min << " to " << s.max << ".\n"
        << key << " = " << s.fallback << "\n";
  }

  void operator()(const text_setting& s, std::string_view key) const {
    out << "# " << s.doc;
    if (!s.choices.empty())
      out << " " << s.choices << ".";
    out << "\n" << key << " = \"" << s.fallback << "\"\n";
  }

  void operator()(const list_setting& s, std::string_view key) const {
    out << "# " << s.doc << "\n" << key << " = []\n";
  }
};

} // namespace

std::string environment_name(std::string_view key) {
  std::string result = "ASSAY_";
  for (const char c : key)
    result += c == '.' ? '_' : (c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
  return result;
}

config default_config() {
  config result;
  for_each_setting(result, set_default{});
  return result;
}

expected<config, std::vector<problem>>
load_config(std::string_view toml_text, std::string_view file_name, const environment& env) {
  config result = default_config();
  std::vector<problem> problems;
  try {
    const auto parsed = toml::parse(toml_text, file_name);
    document_reader{file_name, problems}.read(parsed, result);
  } catch (const toml::parse_error& error) {
    problems.push_back({place(file_name, error.source()), std::string{error.description()}});
    return problems;
  }
  read_environment(env, result, problems);
  if (!problems.empty())
    return problems;
  return result;
}

std::string default_config_text() {
  std::ostringstream out;
  out << "# Configuration of assay. Every key stands here with its default; a key may also be set\n"
         "# by an environment variable: limits.keys_max is ASSAY_LIMITS_KEYS_MAX, lists by comma.\n"
         "# Command line before environment before this file.\n";
  config defaults;
  std::string_view current;
  for_each_setting(defaults, [&](const auto& setting, auto&) {
    const auto dot = setting.key.find('.');
    const auto section = setting.key.substr(0, dot);
    if (section != current)
      out << "\n[" << section << "]\n";
    current = section;
    print_setting{out}(setting, setting.key.substr(dot + 1));
  });
  out << "\n# Upstreams of the catalog refresher; none by default, the universe directory is "
         "read.\n"
         "# [[feeds]]\n"
         "# name = \"defillama\"           # unique, shown in /health/ready and /metrics\n"
         "# adapter = \"defillama\"        # see docs/adapters.md\n"
         "# url = \"https://example.org/pools\"  # or file:///path\n"
         "# body = '{\"query\": \"…\"}'     # sent with POST as JSON (GraphQL); default: a GET\n"
         "# cadence_s = 300              # 1 to 604800\n"
         "# pages = 1                    # documents of one answer; {skip} in url and body stands\n"
         "# page_size = 1000             # for the items of the pages before\n"
         "# headers_file = \"/etc/assay/feed.headers\"  # lines `Name: value`, never logged\n"
         "# pool_map = \"/etc/assay/pools.json\"  # for defillama: vault ids by pool UUID\n"
         "# chain = 1                    # of documents that do not name theirs\n";
  return out.str();
}

} // namespace assay::app
