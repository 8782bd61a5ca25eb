#pragma once

#include "http/api/endpoint.hpp"
#include "http/api/parameter.hpp"
#include "http/api/rendered_body.hpp"
#include "http/api/service.hpp"
#include "http/api/validation_errors.hpp"
#include "http/message/request.hpp"
#include "http/transport/reply.hpp"
#include "messages/types/errc.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::http {

/// One request on its way to its one answer. Held by the sinks that will answer it; used by one
/// thread at a time.
class exchange {
public:
  exchange(std::shared_ptr<service> owner, request&& message, reply&& out);
  ~exchange();
  exchange(const exchange&) = delete;
  exchange& operator=(const exchange&) = delete;

  service& owner() const noexcept { return *owner_; }
  const request& message() const noexcept { return message_; }

  const endpoint* target = nullptr;
  std::optional<admission> limits;
  parameter_values path;
  parameter_values query;
  /// Query keys that the endpoint does not know.
  std::vector<std::string> ignored;

  /// Answers 200, or 304, or the gzip variant, as the request's headers ask. `fresh_until`: when
  /// the content is expected to change; counts for endpoints that may be cached.
  void answer(const body_ptr& body, time_point fresh_until = {}, int status = 200);

  /// Answers with the body that is remembered under `key` of the snapshot, else with what `make`
  /// makes; from then on the same target is answered where it arrives, see `answer_known`.
  void answer_remembered(const engine::snapshot& s, std::string_view key,
                         const std::function<body_ptr()>& make);
  /// Answers a target that was asked before on the newest snapshot, without parsing it or asking
  /// anybody; false when it is not known.
  bool answer_known();

  /// Answers an error with the common body. `retry_after_s`: header of that name.
  void refuse(int status, std::string_view error,
              std::optional<std::int64_t> retry_after_s = std::nullopt);
  /// Answers 400 with every fault.
  void refuse(const validation_errors& errors);
  /// Answers what the error code stands for on the way to a read: 503 or 500.
  void refuse(errc reason);
  /// The same with one more header line, its CRLF included.
  void refuse_with(int status, std::string_view error, std::string_view header_line);
  /// Answers 405 or, for `OPTIONS`, 204; `allow` lists the methods.
  void refuse_method(std::string_view allow);
  void answer_options(std::string_view allow);

private:
  /// As `answer`; `kept`: the body will be sent again.
  void give(const body_ptr& body, time_point fresh_until, int status, bool kept);
  /// Sends the error as JSON, or as a page where one was asked for.
  void send_error(int status, std::string_view error, std::string&& headers,
                  const validation_errors& errors = {});
  void send(int status, std::string_view content_type, std::string&& headers,
            std::shared_ptr<const std::string> body,
            std::shared_ptr<const memory_file> file = nullptr);
  std::string headers_for(std::size_t extra) const;

  std::shared_ptr<service> owner_;
  request message_;
  reply out_;
  std::string id_;
};

using exchange_ptr = std::shared_ptr<exchange>;

/// Runs `f()`; an exception (no memory) answers 500 instead of ending the process.
template <class F>
void guarded(exchange& x, F&& f) noexcept {
  try {
    f();
  } catch (...) {
    try {
      x.refuse(errc::internal);
    } catch (...) { // Nothing left to answer with: the reply's destructor answers 500.
    }
  }
}

} // namespace assay::http
