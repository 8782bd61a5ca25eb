#include "feeds/own_schema/history_lines.hpp"

#include "feeds/json/json_text.hpp"
#include "feeds/json/object_reader.hpp"
#include "feeds/own_schema/field_rules.hpp"
#include "feeds/value_limits.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace assay::feeds::own_schema {

namespace {

using rapidjson::Value;

constexpr std::size_t max_envelope_bytes = std::size_t{16} * 1024;

struct column {
  std::string_view key;
  std::vector<double> history_line::*values;
  std::optional<double> observation::*figure;
  number_range range;
};

constexpr std::array<column, 6> columns{{
    {"apy", &history_line::apy, &observation::apy, value_limits::apy},
    {"apyBase", &history_line::apy_base, &observation::apy_base, value_limits::apy},
    {"apyReward", &history_line::apy_reward, &observation::apy_reward, value_limits::apy},
    {"tvlUsd", &history_line::tvl_usd, &observation::tvl_usd, value_limits::usd},
    {"utilization", &history_line::utilization, &observation::utilization, value_limits::share},
    {"availableUsd", &history_line::available_usd, &observation::available_usd, value_limits::usd},
}};

// Takes the next line, without its end, off `rest`.
std::string_view take_line(std::string_view& rest) {
  const auto end = rest.find('\n');
  const auto line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

void read_times(object_reader& read, const envelope& head, fault_list& faults,
                std::vector<time_point>& out) {
  using namespace std::chrono;
  const auto* list = read.array("at");
  if (list == nullptr)
    return;
  const auto place = read.place_of("at");
  const auto first = sys_days{year{2009} / 1 / 1}.time_since_epoch() / seconds{1};
  out.reserve(list->Size());
  for (rapidjson::SizeType i = 0; i < list->Size(); ++i) {
    const auto& v = (*list)[i];
    const bool plausible = v.IsInt64() && v.GetInt64() >= first &&
                           v.GetInt64() <= head.recorded_at.time_since_epoch() / seconds{1};
    const auto t = plausible ? time_point{seconds{v.GetInt64()}} : time_point{};
    if (plausible && (out.empty() || out.back() < t)) {
      out.push_back(t);
      continue;
    }
    faults.add(place.element(i), plausible ? "expected a later second than the one before it"
                                           : "expected whole seconds since 1970, between 2009 "
                                             "and the document's recordedAt");
    read.spoil();
    return;
  }
  if (out.empty())
    read.refuse("at", "expected at least one point");
}

void read_column(object_reader& read, const column& which, fault_list& faults, history_line& line) {
  const auto* list = read.optional_array(which.key);
  if (list == nullptr)
    return;
  const auto place = read.place_of(which.key);
  if (list->Size() != line.at.size()) {
    if (read.good())
      read.refuse(which.key, "expected as many values as `at` has");
    return;
  }
  auto& out = line.*which.values;
  out.reserve(list->Size());
  for (rapidjson::SizeType i = 0; i < list->Size(); ++i) {
    const auto& v = (*list)[i];
    const double x = v.IsNumber() ? v.GetDouble() : std::numeric_limits<double>::quiet_NaN();
    if (!v.IsNull() && !(x >= which.range.low && x <= which.range.high)) {
      faults.add(place.element(i), "expected null or a number in the range of this column");
      read.spoil();
      return;
    }
    out.push_back(x == 0 ? 0 : x);
  }
}

bool read_line(const Value& root, const envelope& head, fault_list& faults, history_line& line) {
  const json_place top;
  object_reader read(root, top, faults, unknown_fields::refused);
  line.vault_id = read_vault_id(read);
  read_times(read, head, faults, line.at);
  for (const auto& which : columns)
    read_column(read, which, faults, line);
  return read.finish();
}

} // namespace

void history_line::each(const std::function<void(observation&)>& sink) const {
  observation x;
  x.vault_id = vault_id;
  for (std::size_t i = 0; i < at.size(); ++i) {
    x.at = at[i];
    for (const auto& which : columns) {
      const auto& values = this->*which.values;
      const bool known = i < values.size() && !std::isnan(values[i]);
      x.*which.figure = known ? std::optional(values[i]) : std::nullopt;
    }
    sink(x);
  }
}

bool is_history(std::string_view text) {
  auto rest = text;
  const auto first = take_line(rest);
  if (first.size() > max_envelope_bytes)
    return false;
  rapidjson::Document root;
  if (parse_json("", first, root) || !root.IsObject() || !root.HasMember("schema"))
    return false;
  const auto& schema = root["schema"];
  // Not `value == text`: with C++20 that operator of RapidJSON 1.1 calls itself for ever.
  return schema.IsString() && std::string_view(schema.GetString(), schema.GetStringLength()) ==
                                  to_string(document_kind::history);
}

std::vector<problem> read_history(std::string_view name, std::string_view text, envelope& head,
                                  const history_sink& sink) {
  const auto next = [&](std::string_view& line) {
    if (text.empty())
      return false;
    line = take_line(text);
    return true;
  };
  return read_history(name, line_source{next}, head, sink);
}

std::vector<problem> read_history(std::string_view name, const line_source& next, envelope& head,
                                  const history_sink& sink) {
  std::unordered_set<std::string> seen;
  fault_list faults{std::string(name) + ":1"};
  const json_place top;
  std::string_view source;
  for (std::size_t number = 1; next(source); ++number) {
    if (is_blank(source) && number > 1)
      continue;
    const auto where = std::string(name) + ':' + std::to_string(number);
    faults.set_prefix(where);
    rapidjson::Document root;
    if (auto broken = parse_json(where, source, root)) {
      faults.add(top, broken->what);
      if (number == 1)
        break;
      continue;
    }
    if (number == 1) {
      const Value* none = nullptr;
      head = read_envelope(root, faults, &none);
      if (faults.count() > 0)
        break;
      continue;
    }
    history_line line;
    line.number = number;
    if (!read_line(root, head, faults, line))
      continue;
    if (seen.insert(line.vault_id).second)
      sink(std::move(line));
    else
      faults.add(top.member("vaultId"), "this vault has a line above");
  }
  return faults.take();
}

} // namespace assay::feeds::own_schema
