#include "http/openapi/document.hpp"

#include "http/api/endpoint.hpp"
#include "http/api/value_syntax.hpp"
#include "http/openapi/schema.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>

#include <rapidjson/document.h>

namespace assay::http {
namespace {

class document_test : public ::testing::Test {
protected:
  void SetUp() override {
    text_ = openapi_document();
    document_.Parse(text_.data(), text_.size());
    ASSERT_FALSE(document_.HasParseError());
  }

  const rapidjson::Value& operation(const endpoint& e) {
    const std::string path(e.path.substr(3));
    return document_["paths"][path.c_str()][e.verb == method::post ? "post" : "get"];
  }

  std::string text_;
  rapidjson::Document document_;
};

TEST_F(document_test, DescribesEveryEndpointUnderItsPrefix) {
  EXPECT_STREQ(document_["openapi"].GetString(), "3.1.0");
  std::set<std::string> ids;
  for (const auto& e : endpoints()) {
    if (!e.path.starts_with("/v1") || e.id == endpoint_id::openapi)
      continue;
    const auto& op = operation(e);
    ASSERT_TRUE(op.IsObject()) << e.path;
    EXPECT_TRUE(ids.insert(op["operationId"].GetString()).second);
    const auto parameters = op.FindMember("parameters");
    EXPECT_EQ(parameters == op.MemberEnd() ? 0 : parameters->value.Size(),
              e.path_parameters.size() + e.query_parameters.size());
  }
  EXPECT_EQ(document_["paths"].MemberCount(), ids.size());
}

TEST_F(document_test, StatesBoundsAndChoicesOfParameters) {
  const auto& parameters = operation(endpoint_of(endpoint_id::portfolio))["parameters"];
  EXPECT_STREQ(parameters[0]["name"].GetString(), "riskTier");
  EXPECT_TRUE(parameters[0]["required"].GetBool());
  EXPECT_EQ(parameters[0]["schema"]["enum"].Size(), 3U);
  EXPECT_EQ(parameters[1]["schema"]["minimum"].GetDouble(), 100);
  EXPECT_EQ(parameters[1]["schema"]["maximum"].GetDouble(), 1e6);
  EXPECT_STREQ(parameters[2]["schema"]["default"].GetString(), "medium");
}

TEST_F(document_test, AllowsTheAddressesThatAreTaken) {
  const std::regex pattern(std::string(patterns::address));
  const std::string hex(40, 'a');
  for (const auto& text :
       {std::string(), std::string("0"), std::string("x"), std::string("0x"), std::string("0X1"),
        "0x" + hex, "0X" + hex, "0x" + hex + "a", "0y" + hex, "0x" + std::string(40, 'g'),
        std::string("00x"), std::string("a-b"), std::string(128, 'z'), std::string(129, 'z'),
        std::string(128, '0'), std::string(129, '0')})
    EXPECT_EQ(std::regex_match(text, pattern), is_address(text)) << text;
  const auto& schemas = document_["components"]["schemas"];
  const auto& position = schemas["BasketPosition"]["properties"];
  EXPECT_EQ(position["address"]["pattern"].GetString(), patterns::address);
  EXPECT_EQ(position["chainId"]["maximum"].GetDouble(), 9'007'199'254'740'991);
}

/// Collects every `$ref` under `value`.
void collect_references(const rapidjson::Value& value, std::set<std::string>& found) {
  if (value.IsArray())
    for (const auto& item : value.GetArray())
      collect_references(item, found);
  if (!value.IsObject())
    return;
  for (const auto& member : value.GetObject()) {
    if (std::string_view(member.name.GetString()) == "$ref")
      found.insert(member.value.GetString());
    collect_references(member.value, found);
  }
}

TEST_F(document_test, RefersToEveryComponentAndToNothingElse) {
  std::set<std::string> used;
  collect_references(document_, used);
  std::set<std::string> defined;
  for (const auto* kind : {"schemas", "headers"})
    for (const auto& member : document_["components"][kind].GetObject())
      defined.insert(std::string("#/components/") + kind + '/' + member.name.GetString());
  EXPECT_EQ(used, defined);
}

TEST_F(document_test, IsTheSameEveryTime) {
  EXPECT_EQ(text_, openapi_document());
}

} // namespace
} // namespace assay::http
