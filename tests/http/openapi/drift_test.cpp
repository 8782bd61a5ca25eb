#include "http/openapi/captured_example.hpp"

#include "http/api/endpoint.hpp"
#include "http/openapi/answer_schemas.hpp"
#include "tests/http/api/json_shape.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace assay::http {
namespace {

using ::testing::IsEmpty;

const schema& shape_of(const captured_example& x) {
  if (x.status == 200)
    return *endpoint_of(x.target).answer;
  return x.status == 400 ? schemas::validation_answer : schemas::error_answer;
}

rapidjson::Document parse(const std::string& body) {
  rapidjson::Document document;
  document.Parse(body.data(), body.size());
  EXPECT_FALSE(document.HasParseError()) << body;
  return document;
}

TEST(Drift, EveryAnswerHasTheDeclaredMembersAndNoOthers) {
  for (const auto& x : capture_examples()) {
    std::set<std::string> seen;
    EXPECT_THAT(testing::shape_faults(parse(x.body), shape_of(x), seen), IsEmpty())
        << endpoint_of(x.target).path << ' ' << x.name;
  }
}

TEST(Drift, EveryDeclaredMemberIsSentBySomeAnswer) {
  std::set<std::string> declared;
  std::set<std::string> seen;
  for (const auto& e : endpoints())
    if (e.answer != nullptr)
      testing::declared_members(*e.answer, declared);
  testing::declared_members(schemas::validation_answer, declared);
  testing::declared_members(schemas::error_answer, declared);
  for (const auto& x : capture_examples())
    testing::shape_faults(parse(x.body), shape_of(x), seen);
  std::set<std::string> unsent;
  for (const auto& member : declared)
    if (!seen.contains(member))
      unsent.insert(member);
  EXPECT_THAT(unsent, IsEmpty());
}

TEST(Drift, TheCheckSeesAnExtraAMissingAndAWrongMember) {
  auto body = parse(R"({"success":true,"status":"live","disclaimer":"x","extra":1})");
  std::set<std::string> seen;
  EXPECT_EQ(testing::shape_faults(body, schemas::live_answer, seen).size(), 2U);
  body = parse(R"({"success":true,"disclaimer":"x"})");
  EXPECT_EQ(testing::shape_faults(body, schemas::live_answer, seen).size(), 1U);
  body = parse(R"({"success":1,"status":null,"disclaimer":"x"})");
  EXPECT_EQ(testing::shape_faults(body, schemas::live_answer, seen).size(), 2U);
}

TEST(Drift, EveryEndpointHasAnExample) {
  std::set<endpoint_id> shown;
  for (const auto& x : capture_examples())
    shown.insert(x.target);
  for (const auto& e : endpoints())
    if (e.answer != nullptr && e.id != endpoint_id::openapi) {
      EXPECT_TRUE(shown.contains(e.id)) << e.path;
    }
}

} // namespace
} // namespace assay::http
