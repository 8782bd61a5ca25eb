#include "app/service/admin_server.hpp"

#include "http/api/envelope.hpp"

#include <optional>
#include <string_view>
#include <utility>

namespace assay::app {

namespace {

http::response plain_text(int status, std::string body) {
  std::string headers;
  http::append_common_headers(headers, http::request_id_of(std::nullopt));
  headers += "Cache-Control: no-store\r\n";
  return {status, "text/plain; version=0.0.4; charset=utf-8", std::move(headers),
          std::make_shared<const std::string>(std::move(body)), false};
}

} // namespace

expected<std::unique_ptr<http::server>> start_admin_server(http::server_config config,
                                                           std::function<std::string()> render) {
  config.threads = 1;
  return http::server::start(
      config,
      [render = std::move(render)](http::request&& r, http::reply&& out) {
        if (r.path() != "/metrics")
          return out.send(plain_text(404, "only /metrics is here\n"));
        out.send(plain_text(200, render()));
      },
      [](int status, std::string_view detail) {
        return plain_text(status, std::string{detail} + "\n");
      });
}

} // namespace assay::app
