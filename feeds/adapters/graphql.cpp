#include "feeds/adapters/graphql.hpp"

#include "feeds/adapters/upstream_batch.hpp"

namespace assay::feeds {

namespace {

// A message of a stranger, made fit for one line of a log.
std::string tame(std::string_view text) {
  constexpr std::size_t longest = 200;
  std::string out(text.substr(0, longest));
  for (auto& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f)
      c = '?';
  return out;
}

std::string message_of(const rapidjson::Value& error) {
  const auto* message = member(&error, "message");
  return "the server answered: " + (message && message->IsString()
                                        ? tame(message->GetString())
                                        : std::string("an error without a text"));
}

} // namespace

expected<const rapidjson::Value*> graphql_data(std::string_view document,
                                               const rapidjson::Value& root, fault_list& faults) {
  const auto* data = member(&root, "data");
  const auto* errors = member(&root, "errors");
  const bool any_error = errors && errors->IsArray() && !errors->Empty();
  if (!data || !data->IsObject())
    return any_error
               ? problem{std::string(document) + "#/errors/0", message_of((*errors)[0])}
               : problem{std::string(document) + "#/data", "expected the data of a GraphQL answer"};
  if (any_error) {
    const json_place top;
    const auto place = top.member("errors");
    for (rapidjson::SizeType i = 0; i < errors->Size(); ++i)
      faults.add(place.element(i), message_of((*errors)[i]));
  }
  return data;
}

} // namespace assay::feeds
