#include "store/keys/key_registry.hpp"

#include <algorithm>

namespace assay::store {

namespace {

bool allowed_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '_' || c == '-';
  });
}

} // namespace

expected<issued_key> key_registry::issue(std::string_view name, time_point now) {
  if (!allowed_name(name))
    return problem{"name", "expected 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-'"};
  auto key = generate_api_key();
  if (!key)
    return key.error();
  key_record record{digest_of(*key), std::string{name}, now, std::nullopt};
  if (auto p = add(record))
    return *p;
  return issued_key{std::move(*key), std::move(record)};
}

expected<std::vector<key_record>> key_registry::retire(std::string_view selector, time_point now) {
  const auto all = list();
  if (!all)
    return all.error();
  const auto digest = digest_of(selector);
  bool known = false;
  std::vector<key_record> retired;
  std::vector<key_digest> digests;
  for (const auto& k : *all) {
    if (k.name != selector && key_id(k.digest) != selector && k.digest != digest)
      continue;
    known = true;
    if (k.retired_at)
      continue;
    digests.push_back(k.digest);
    retired.push_back(k);
    retired.back().retired_at = now;
  }
  // The selector may be a key: never repeat it.
  if (!known)
    return problem{"retire", "no key has this name, id or text; see `assay keys list`"};
  if (auto p = mark_retired(digests, now))
    return *p;
  return retired;
}

} // namespace assay::store
