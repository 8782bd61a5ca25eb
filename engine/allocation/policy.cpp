#include "engine/allocation/policy.hpp"

#include <toml++/toml.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <set>
#include <sstream>

namespace assay::engine {

const loss_event& event_table::find(std::string_view key) const noexcept {
  const auto i = by_key.find(key);
  return i == by_key.end() ? fallback : i->second;
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Collects the first fault of a file.
class fault_sink {
public:
  explicit fault_sink(std::string_view name) : name_(name) {}

  void report(const toml::source_region& at, std::string what) {
    if (!fault_)
      fault_ = problem{name_ + ":" + std::to_string(at.begin.line), std::move(what)};
  }
  const std::optional<problem>& fault() const noexcept { return fault_; }

private:
  std::string name_;
  std::optional<problem> fault_;
};

std::string number_text(double x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

std::string range_text(double low, double high) {
  if (high == infinity)
    return "expected a number of at least " + number_text(low);
  return "expected a number from " + number_text(low) + " to " + number_text(high);
}

/// One table of the file; every key that is asked for must be there, no other may be.
class section {
public:
  section(const toml::table& table, std::string path, fault_sink& sink)
      : table_(table), path_(std::move(path)), sink_(sink) {}

  double number(std::string_view key, double low, double high) {
    const toml::node* node = find(key);
    if (!node)
      return low;
    const auto value = node->value<double>();
    if (!node->is_number() || !value || !(*value >= low && *value <= high)) {
      sink_.report(node->source(), full(key) + ": " + range_text(low, high));
      return low;
    }
    return *value;
  }

  int whole(std::string_view key, int low, int high) {
    const toml::node* node = find(key);
    if (!node)
      return low;
    const auto value = node->value<std::int64_t>();
    if (!node->is_integer() || !value || *value < low || *value > high) {
      sink_.report(node->source(), full(key) + ": expected a whole number from " +
                                       std::to_string(low) + " to " + std::to_string(high));
      return low;
    }
    return static_cast<int>(*value);
  }

  std::string text(std::string_view key) {
    const toml::node* node = find(key);
    if (!node)
      return {};
    const auto value = node->value<std::string>();
    if (!node->is_string() || value->empty())
      sink_.report(node->source(), full(key) + ": expected a text that is not empty");
    return value.value_or("");
  }

  /// Calls `read` with the table `key`, then refuses its unknown keys.
  template <class Read>
  void table(std::string_view key, Read read) {
    const toml::node* node = find(key);
    if (!node)
      return;
    if (!node->is_table()) {
      sink_.report(node->source(), full(key) + ": expected a table");
      return;
    }
    section inner{*node->as_table(), full(key), sink_};
    read(inner);
    inner.finish();
  }

  /// Keys that were not asked for yet.
  std::vector<std::string> others() const {
    std::vector<std::string> keys;
    for (const auto& [key, node] : table_)
      if (!used_.contains(std::string{key.str()}))
        keys.emplace_back(key.str());
    return keys;
  }

  void finish() {
    for (const std::string& key : others())
      sink_.report(table_.get(key)->source(), full(key) + ": unknown key");
  }

  void report(std::string what) { sink_.report(table_.source(), std::move(what)); }

private:
  const toml::node* find(std::string_view key) {
    used_.emplace(key);
    const toml::node* node = table_.get(key);
    if (!node)
      sink_.report(table_.source(), full(key) + ": missing");
    return node;
  }

  std::string full(std::string_view key) const {
    return path_.empty() ? std::string{key} : path_ + "." + std::string{key};
  }

  const toml::table& table_;
  std::string path_;
  fault_sink& sink_;
  std::set<std::string> used_;
};

loss_event read_event(section& s) {
  loss_event e;
  e.p = s.number("p", 0, 1);
  e.loss = s.number("loss", 0, 1);
  return e;
}

event_table read_events(section& s) {
  event_table t;
  t.source = s.text("source");
  s.table("default", [&](section& e) { t.fallback = read_event(e); });
  for (const std::string& key : s.others())
    s.table(key, [&](section& e) { t.by_key.emplace(key, read_event(e)); });
  return t;
}

tier_policy read_tier(section& s) {
  tier_policy t;
  t.vault = s.number("vault", 0, 1);
  t.protocol = s.number("protocol", 0, 1);
  t.chain = s.number("chain", 0, 1);
  t.asset_class = s.number("asset_class", 0, 1);
  t.low_history = s.number("low_history", 0, 1);
  t.composite_min = s.number("composite_min", 0, 100);
  t.gamma = s.number("gamma", 1e-3, 1e6);
  return t;
}

timeline_policy read_timeline(section& s) {
  timeline_policy t;
  t.gamma_factor = s.number("gamma_factor", 1e-3, 1e3);
  t.low_history_factor = s.number("low_history_factor", 0, 1);
  t.reward_kept = s.number("reward_kept", 0, 1);
  t.shrinkage = s.number("shrinkage", 0, infinity);
  return t;
}

/// Risk can only rise with the tier and the timeline when nothing that they allow tightens.
void check_order(const allocation_policy& p, section& root) {
  for (std::size_t i = 1; i < p.tiers.size(); ++i) {
    const tier_policy& a = p.tiers[i - 1];
    const tier_policy& b = p.tiers[i];
    if (b.vault < a.vault || b.protocol < a.protocol || b.chain < a.chain ||
        b.asset_class < a.asset_class || b.low_history < a.low_history ||
        b.composite_min > a.composite_min || b.gamma >= a.gamma)
      root.report("tier." + std::string{to_string(static_cast<risk_tier>(i))} +
                  ": expected looser caps and a smaller gamma than the tier before");
  }
  for (std::size_t i = 1; i < p.timelines.size(); ++i) {
    const timeline_policy& a = p.timelines[i - 1];
    const timeline_policy& b = p.timelines[i];
    if (b.gamma_factor >= a.gamma_factor || b.low_history_factor < a.low_history_factor)
      root.report("timeline." + std::string{to_string(static_cast<timeline>(i))} +
                  ": expected a smaller gamma_factor and no smaller low_history_factor than the "
                  "timeline before");
  }
}

void read_limits(section& s, allocation_policy& p) {
  s.text("source");
  p.tvl_share_max = s.number("tvl_share_max", 0, 1);
  p.position_min_usd = s.number("position_min_usd", 0.01, 1e6);
  p.positions_max = s.whole("positions_max", 1, 100);
  p.low_history_days = s.whole("low_history_days", 0, 10'000);
}

void read_volatility(section& s, allocation_policy& p) {
  s.text("source");
  p.volatility_half_life_days = s.number("half_life_days", 0.1, 10'000);
  p.volatility_unknown_share = s.number("unknown_share", 0, 100);
  p.volatility_least_share = s.number("least_share", 0.001, 100);
  p.volatility_common_share = s.number("common_share", 0, 1);
}

void read_all(section& root, allocation_policy& p) {
  p.version = root.text("version");
  p.risk_free_apy = root.number("risk_free_apy", -100, 1000);
  root.table("limits", [&](section& s) { read_limits(s, p); });
  root.table("tier", [&](section& tiers) {
    for (std::size_t i = 0; i < p.tiers.size(); ++i)
      tiers.table(to_string(static_cast<risk_tier>(i)),
                  [&](section& s) { p.tiers[i] = read_tier(s); });
  });
  root.table("timeline", [&](section& timelines) {
    for (std::size_t i = 0; i < p.timelines.size(); ++i)
      timelines.table(to_string(static_cast<timeline>(i)),
                      [&](section& s) { p.timelines[i] = read_timeline(s); });
  });
  root.table("yield", [&](section& s) {
    s.text("source");
    p.yield_fence_iqr = s.number("fence_iqr", 0, 1000);
    p.yield_peers_min = s.whole("peers_min", 2, 10'000);
  });
  root.table("volatility", [&](section& s) { read_volatility(s, p); });
  root.table("composite", [&](section& s) {
    s.text("source");
    p.composite_reference = s.number("reference", 0, 100);
    p.composite_halving_points = s.number("halving_points", 1, 1000);
  });
  root.table("exploits", [&](section& s) {
    s.text("source");
    p.exploit_unresolved_factor = s.number("unresolved_factor", 1, 1000);
    p.exploit_recent_factor = s.number("recent_factor", 1, 1000);
    p.exploit_half_life_years = s.number("half_life_years", 0.01, 100);
  });
  root.table("vault_event", [&](section& s) {
    s.text("source");
    p.vault_event = read_event(s);
  });
  root.table("protocol_event", [&](section& s) { p.protocol_events = read_events(s); });
  root.table("chain_event", [&](section& s) { p.chain_events = read_events(s); });
  root.table("class_event", [&](section& s) { p.class_events = read_events(s); });
  root.finish();
  check_order(p, root);
}

} // namespace

expected<allocation_policy> read_policy(std::string_view text, std::string_view name) {
  fault_sink sink{name};
  allocation_policy policy;
  try {
    const toml::table document = toml::parse(text);
    section root{document, "", sink};
    read_all(root, policy);
  } catch (const toml::parse_error& e) {
    sink.report(e.source(), std::string{e.description()});
  }
  if (sink.fault())
    return *sink.fault();
  return policy;
}

expected<allocation_policy> load_policy(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream text;
  // Fails for a directory and for an empty file, where iterators over the file would throw.
  if (!file.is_open() || !(text << file.rdbuf()))
    return problem{path, "expected a readable file with the allocation policy"};
  return read_policy(text.str(), path);
}

} // namespace assay::engine
