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

} // namespace

expected<const rapidjson::Value*> graphql_data(std::string_view document,
                                               const rapidjson::Value& root) {
  const auto* data = member(&root, "data");
  if (data && data->IsObject())
    return data;
  const auto* errors = member(&root, "errors");
  if (errors && errors->IsArray() && !errors->Empty()) {
    const auto* message = member(&(*errors)[0], "message");
    return problem{std::string(document) + "#/errors/0",
                   "the server answered: " + (message && message->IsString()
                                                  ? tame(message->GetString())
                                                  : std::string("an error without a text"))};
  }
  return problem{std::string(document) + "#/data", "expected the data of a GraphQL answer"};
}

} // namespace assay::feeds
