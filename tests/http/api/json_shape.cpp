#include "tests/http/api/json_shape.hpp"

#include "messages/types/time.hpp"

#include <algorithm>

namespace assay::http::testing {
namespace {

class checker {
public:
  explicit checker(std::set<std::string>& seen) : seen_(seen) {}

  void check(const rapidjson::Value& v, const schema& x, bool nullable, const std::string& path) {
    if (v.IsNull()) {
      if (!nullable)
        fault(path, "is null");
      return;
    }
    switch (x.kind) {
    case json_kind::string: return check_text(v, x, path);
    case json_kind::integer:
    case json_kind::number: return check_number(v, x, path);
    case json_kind::boolean:
      return expect(v.IsBool() && (!x.constant || v.GetBool() == *x.constant), path,
                    "is not the boolean");
    case json_kind::array: return check_array(v, x, path);
    case json_kind::map: return check_map(v, x, path);
    case json_kind::object: return check_object(v, x, path);
    case json_kind::any_of: return check_variants(v, x, path);
    }
  }

  std::vector<std::string> faults;

private:
  void fault(const std::string& path, const std::string& what) {
    faults.push_back(path + " " + what);
  }
  void expect(bool holds, const std::string& path, const std::string& what) {
    if (!holds)
      fault(path, what);
  }

  void check_text(const rapidjson::Value& v, const schema& x, const std::string& path) {
    if (!v.IsString())
      return fault(path, "is not a string");
    const std::string_view text(v.GetString(), v.GetStringLength());
    if (!x.values.empty())
      expect(std::find(x.values.begin(), x.values.end(), text) != x.values.end(), path,
             "is none of its values: " + std::string(text));
    if (x.format == "date-time" || x.format == "date")
      expect(parse_iso8601(text).has_value() && (text.size() == 10) == (x.format == "date"), path,
             "is not a " + std::string(x.format));
  }

  void check_number(const rapidjson::Value& v, const schema& x, const std::string& path) {
    if (!v.IsNumber())
      return fault(path, "is not a number");
    if (x.kind == json_kind::integer)
      expect(v.IsInt64() || v.IsUint64(), path, "is not an integer");
    const double number = v.GetDouble();
    expect(!x.minimum || number >= *x.minimum, path, "is below its minimum");
    expect(!x.maximum || number <= *x.maximum, path, "is above its maximum");
    expect(!x.exclusive_minimum || number > *x.exclusive_minimum, path, "is too small");
  }

  void check_array(const rapidjson::Value& v, const schema& x, const std::string& path) {
    if (!v.IsArray())
      return fault(path, "is not an array");
    expect(!x.items_min || v.Size() >= *x.items_min, path, "has too few items");
    expect(!x.items_max || v.Size() <= *x.items_max, path, "has too many items");
    for (const auto& item : v.GetArray())
      check(item, *x.items, false, path + "[]");
  }

  void check_map(const rapidjson::Value& v, const schema& x, const std::string& path) {
    if (!v.IsObject())
      return fault(path, "is not an object");
    if (x.items != nullptr)
      for (const auto& member : v.GetObject())
        check(member.value, *x.items, false, path + ".*");
  }

  void check_object(const rapidjson::Value& v, const schema& x, const std::string& path) {
    if (!v.IsObject())
      return fault(path, "is not an object");
    for (const auto& f : x.fields) {
      const auto i = v.FindMember(rapidjson::StringRef(f.name.data(), f.name.size()));
      const auto at = path + '.' + std::string(f.name);
      if (i == v.MemberEnd()) {
        expect(!f.required, at, "is missing");
        continue;
      }
      if (!x.name.empty())
        seen_.insert(std::string(x.name) + '.' + std::string(f.name));
      check(i->value, *f.type, f.nullable, at);
    }
    for (const auto& member : v.GetObject()) {
      const std::string_view name(member.name.GetString(), member.name.GetStringLength());
      expect(std::any_of(x.fields.begin(), x.fields.end(),
                         [&](const field& f) { return f.name == name; }),
             path + '.' + std::string(name), "is not declared");
    }
    expect(in_declared_order(v, x), path, "has its members in another order than declared");
  }

  static bool in_declared_order(const rapidjson::Value& v, const schema& x) {
    std::size_t at = 0;
    for (const auto& member : v.GetObject()) {
      const std::string_view name(member.name.GetString(), member.name.GetStringLength());
      while (at < x.fields.size() && x.fields[at].name != name)
        ++at;
      if (at == x.fields.size())
        return false;
    }
    return true;
  }

  void check_variants(const rapidjson::Value& v, const schema& x, const std::string& path) {
    std::vector<std::string> all;
    for (const auto* variant : x.variants) {
      std::set<std::string> seen;
      checker inner(seen);
      inner.check(v, *variant, false, path);
      if (inner.faults.empty()) {
        seen_.merge(seen);
        return;
      }
      all.insert(all.end(), inner.faults.begin(), inner.faults.end());
    }
    faults.insert(faults.end(), all.begin(), all.end());
  }

  std::set<std::string>& seen_;
};

} // namespace

std::vector<std::string> shape_faults(const rapidjson::Value& value, const schema& shape,
                                      std::set<std::string>& seen) {
  checker c(seen);
  c.check(value, shape, false, "$");
  return c.faults;
}

void declared_members(const schema& shape, std::set<std::string>& declared) {
  for (const auto& f : shape.fields) {
    if (!shape.name.empty())
      declared.insert(std::string(shape.name) + '.' + std::string(f.name));
    declared_members(*f.type, declared);
  }
  for (const auto* variant : shape.variants)
    declared_members(*variant, declared);
  if (shape.items != nullptr)
    declared_members(*shape.items, declared);
}

} // namespace assay::http::testing
