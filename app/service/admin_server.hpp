#pragma once

#include "http/transport/server.hpp"
#include "messages/types/expected.hpp"

#include <functional>
#include <memory>
#include <string>

namespace assay::app {

/// Serves `/metrics` as `config` says, on one thread; anything else is 404. `render` makes the page
/// anew for each request, on that thread.
expected<std::unique_ptr<http::server>> start_admin_server(http::server_config config,
                                                           std::function<std::string()> render);

} // namespace assay::app
