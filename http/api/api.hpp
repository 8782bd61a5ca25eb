#pragma once

#include "http/api/service.hpp"
#include "http/message/request.hpp"
#include "http/message/response.hpp"
#include "http/transport/reply.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace assay::http {

/// The whole HTTP API above the transport: request limits, routing, parameter checks, asking the
/// backend, rendering, caching headers. Thread-safe; requests keep alive what they need, so it may
/// be destroyed before the last answer.
class api {
public:
  /// `document`: body of /v1/openapi.json, see `http/openapi/document.hpp`.
  api(api_config config, std::shared_ptr<backend> behind, std::string document);

  /// Takes a request and answers it exactly once, at once or later. Does not block.
  void handle(request&& message, reply&& out) const;

  /// The `error_factory` of the transport: the common body and headers for what it refuses.
  static response make_error(int status, std::string_view detail);

  /// Requests that are not answered yet.
  std::int64_t in_flight() const noexcept;

private:
  std::shared_ptr<service> service_;
};

} // namespace assay::http
