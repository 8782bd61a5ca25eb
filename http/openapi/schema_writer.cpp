#include "http/openapi/schema_writer.hpp"

#include <algorithm>
#include <cmath>

namespace assay::http {
namespace {

std::string_view type_name(json_kind kind) noexcept {
  switch (kind) {
  case json_kind::string: return "string";
  case json_kind::number: return "number";
  case json_kind::integer: return "integer";
  case json_kind::boolean: return "boolean";
  case json_kind::array: return "array";
  case json_kind::object:
  case json_kind::map: return "object";
  case json_kind::any_of: break;
  }
  return "";
}

void write_bound(json_writer& w, std::string_view key, const std::optional<double>& x) {
  if (!x)
    return;
  w.key(key);
  if (*x == std::floor(*x))
    w.value(static_cast<std::int64_t>(*x));
  else
    w.value(*x);
}

void write_body(json_writer& w, const schema& x, bool nullable, std::string_view description);

void write_fields(json_writer& w, const schema& x) {
  w.key("required").begin_array();
  for (const auto& f : x.fields)
    if (f.required)
      w.value(f.name);
  w.end_array().key("properties").begin_object();
  for (const auto& f : x.fields) {
    w.key(f.name).begin_object();
    write_body(w, *f.type, f.nullable, f.description);
    w.end_object();
  }
  w.end_object();
}

/// Writes the members of a schema into the open object.
void write_members(json_writer& w, const schema& x, bool nullable) {
  if (x.kind == json_kind::any_of) {
    w.key("anyOf").begin_array();
    for (const auto* variant : x.variants)
      write_schema(w, *variant);
    w.end_array();
    return;
  }
  w.key("type");
  if (nullable)
    w.begin_array().value(type_name(x.kind)).value("null").end_array();
  else
    w.value(type_name(x.kind));
  if (x.constant)
    w.member("const", *x.constant);
  if (!x.values.empty()) {
    w.key("enum").begin_array();
    for (const auto value : x.values)
      w.value(value);
    if (nullable)
      w.null();
    w.end_array();
  }
  if (x.kind == json_kind::integer)
    w.member("format", "int64");
  if (!x.format.empty())
    w.member("format", x.format);
  if (!x.pattern.empty())
    w.member("pattern", x.pattern);
  write_bound(w, "minimum", x.minimum);
  write_bound(w, "maximum", x.maximum);
  write_bound(w, "exclusiveMinimum", x.exclusive_minimum);
  if (x.items_min)
    w.member("minItems", *x.items_min);
  if (x.items_max)
    w.member("maxItems", *x.items_max);
  if (x.kind == json_kind::object)
    write_fields(w, x);
  if (x.items != nullptr) {
    w.key(x.kind == json_kind::map ? "additionalProperties" : "items");
    write_schema(w, *x.items);
  } else if (x.kind == json_kind::map) {
    w.member("additionalProperties", true);
  }
}

void write_reference(json_writer& w, const schema& x) {
  w.member("$ref", "#/components/schemas/" + std::string(x.name));
}

void write_body(json_writer& w, const schema& x, bool nullable, std::string_view description) {
  if (!description.empty())
    w.member("description", description);
  if (x.name.empty())
    return write_members(w, x, nullable);
  if (!nullable)
    return write_reference(w, x);
  w.key("anyOf").begin_array().begin_object();
  write_reference(w, x);
  w.end_object().begin_object().member("type", "null").end_object().end_array();
}

void write_text_rule(json_writer& w, const parameter& p) {
  switch (p.kind) {
  case parameter_kind::address: w.member("pattern", patterns::address); break;
  case parameter_kind::slug: w.member("pattern", "^[A-Za-z0-9._-]{1,64}$"); break;
  case parameter_kind::vault_id:
    w.member("pattern", "^[A-Za-z0-9._-]{1,64}:(0|[1-9][0-9]{0,14}):" +
                            std::string(patterns::address.substr(1)));
    break;
  case parameter_kind::token:
    w.member("pattern", "^[!-~]+$").member("minLength", 1).member("maxLength", p.length_max);
    break;
  default: break;
  }
}

} // namespace

void write_schema(json_writer& w, const schema& x) {
  w.begin_object();
  if (x.name.empty())
    write_members(w, x, false);
  else
    write_reference(w, x);
  w.end_object();
}

void write_component(json_writer& w, const schema& x) {
  w.begin_object().member("description", x.description);
  write_members(w, x, false);
  w.end_object();
}

void write_parameter_schema(json_writer& w, const parameter& p) {
  w.begin_object();
  switch (p.kind) {
  case parameter_kind::integer: w.member("type", "integer").member("format", "int64"); break;
  case parameter_kind::number: w.member("type", "number"); break;
  case parameter_kind::symbols:
    w.member("type", "array").member("minItems", 1).member("maxItems", p.items_max);
    w.key("items").begin_object().member("type", "string");
    w.member("minLength", 1).member("maxLength", 64);
    // No control characters, and no blanks around.
    w.member("pattern", "^[^\\u0000-\\u0020\\u007f,]"
                        "([^\\u0000-\\u001f\\u007f,]*[^\\u0000-\\u0020\\u007f,])?$");
    w.end_object();
    break;
  case parameter_kind::only_true:
    w.member("type", "string").key("enum").begin_array().value("true").end_array();
    break;
  case parameter_kind::instant:
    w.key("anyOf").begin_array();
    for (const auto* format : {"date", "date-time"})
      w.begin_object().member("type", "string").member("format", format).end_object();
    w.end_array();
    break;
  default: w.member("type", "string"); write_text_rule(w, p);
  }
  if (!p.choices.empty()) {
    w.key("enum").begin_array();
    for (const auto choice : p.choices)
      w.value(choice);
    w.end_array();
  }
  write_bound(w, "minimum", p.minimum);
  write_bound(w, "maximum", p.maximum);
  if (!p.fallback.empty())
    w.key("default").raw(p.fallback);
  w.end_object();
}

void collect_components(const schema& x, std::vector<const schema*>& found) {
  if (!x.name.empty()) {
    if (std::find(found.begin(), found.end(), &x) != found.end())
      return;
    found.push_back(&x);
  }
  for (const auto& f : x.fields)
    collect_components(*f.type, found);
  for (const auto* variant : x.variants)
    collect_components(*variant, found);
  if (x.items != nullptr)
    collect_components(*x.items, found);
}

} // namespace assay::http
