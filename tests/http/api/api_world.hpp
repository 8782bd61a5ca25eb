#pragma once

#include "http/api/api.hpp"
#include "http/api/backend.hpp"
#include "http/message/request.hpp"
#include "http/message/response.hpp"

#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <rapidjson/document.h>

namespace assay::http::testing {

using field_list = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// A response with its header lines taken apart.
struct seen_response {
  int status = 0;
  std::string type;
  /// Names in lower case; a repeated name fails the test.
  std::map<std::string, std::string> headers;
  std::string body;

  /// The body as JSON; fails the test when it is none.
  rapidjson::Document json() const;
  std::string header(const std::string& lower_name) const;
};

/// Takes a raw response apart.
seen_response take_apart(const response& raw);

/// The API over a backend that answers in place.
class api_world {
public:
  /// Over the example world of the OpenAPI document.
  api_world();
  explicit api_world(std::shared_ptr<backend> behind, api_config config = {});

  seen_response get(std::string_view target, field_list fields = {}) const {
    return send(method::get, target, fields);
  }
  seen_response send(method verb, std::string_view target, field_list fields = {},
                     std::string body = {}) const;
  seen_response post_basket(std::string body) const;

  const api& service() const { return service_; }

private:
  api service_;
};

} // namespace assay::http::testing
