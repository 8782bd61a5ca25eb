#include "tests/http/api/api_world.hpp"

#include "engine/snapshot/snapshot.hpp"
#include "http/openapi/example_world.hpp"

#include <gtest/gtest.h>

namespace assay::http::testing {
namespace {

/// Takes the one answer; a second one, or none, shows in `count`.
class collector final : public reply_sink {
public:
  void deliver(const reply_address&, const response& answer) noexcept override {
    taken = answer;
    ++count;
  }
  void deliver_unanswered(const reply_address&) noexcept override { ++unanswered; }

  response taken;
  int count = 0;
  int unanswered = 0;
};

api_config with_clock(api_config config) {
  if (!config.clock)
    config.clock = example_now;
  return config;
}

} // namespace

rapidjson::Document seen_response::json() const {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag>(
      body.data(), body.size());
  EXPECT_FALSE(document.HasParseError()) << body;
  return document;
}

std::string seen_response::header(const std::string& lower_name) const {
  const auto i = headers.find(lower_name);
  return i == headers.end() ? std::string() : i->second;
}

seen_response take_apart(const response& raw) {
  seen_response result;
  result.status = raw.status;
  result.type = raw.content_type;
  if (raw.body)
    result.body = *raw.body;
  std::string_view rest = raw.headers;
  while (!rest.empty()) {
    const auto end = rest.find("\r\n");
    const auto line = rest.substr(0, end);
    const auto mark = line.find(": ");
    EXPECT_NE(end, std::string_view::npos) << raw.headers;
    EXPECT_NE(mark, std::string_view::npos) << line;
    if (end == std::string_view::npos || mark == std::string_view::npos)
      break;
    const bool is_new =
        result.headers
            .emplace(engine::lower_ascii(line.substr(0, mark)), std::string(line.substr(mark + 2)))
            .second;
    EXPECT_TRUE(is_new) << "sent twice: " << line;
    rest.remove_prefix(end + 2);
  }
  return result;
}

api_world::api_world() : api_world(make_example_backend()) {}

api_world::api_world(std::shared_ptr<backend> behind, api_config config)
    : service_(with_clock(std::move(config)), std::move(behind), R"({"openapi":"3.1.0"})") {}

seen_response api_world::send(method verb, std::string_view target, field_list fields,
                              std::string body) const {
  const auto sink = std::make_shared<collector>();
  service_.handle(request::make(verb, target, fields, std::move(body)), reply(sink, {}));
  EXPECT_EQ(sink->count, 1) << target;
  EXPECT_EQ(sink->unanswered, 0) << target;
  return take_apart(sink->taken);
}

seen_response api_world::post_basket(std::string body) const {
  return send(method::post, "/v1/basket", {{"content-type", "application/json"}}, std::move(body));
}

} // namespace assay::http::testing
