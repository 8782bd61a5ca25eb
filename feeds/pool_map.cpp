#include "feeds/pool_map.hpp"

#include "feeds/json/json_place.hpp"
#include "feeds/json/json_text.hpp"
#include "feeds/vault_reference.hpp"
#include "messages/types/text.hpp"

namespace assay::feeds {

expected<pool_map> read_pool_map(std::string_view name, std::string_view text) {
  rapidjson::Document root;
  if (auto broken = parse_json(name, text, root))
    return *broken;
  const auto prefix = std::string(name) + '#';
  if (!root.IsObject())
    return problem{prefix, "expected an object of vault ids by pool"};
  pool_map result;
  const json_place top;
  const rapidjson::Value& object = root;
  for (const auto& entry : object.GetObject()) {
    const std::string_view pool(entry.name.GetString(), entry.name.GetStringLength());
    const auto at = prefix + top.member(pool).pointer();
    if (!entry.value.IsString() ||
        !is_vault_id({entry.value.GetString(), entry.value.GetStringLength()}))
      return problem{at, "expected a vault id like aave-v3:1:0x98c2…"};
    if (!result.emplace(lower_case(pool), entry.value.GetString()).second)
      return problem{at, "this pool stands twice"};
  }
  return result;
}

} // namespace assay::feeds
