#pragma once

#include "app/config/config.hpp"
#include "app/service/listen_address.hpp"
#include "http/limits/rate_limit_stage.hpp"
#include "http/transport/server_config.hpp"
#include "messages/types/expected.hpp"

namespace assay::app {

/// `[server]` and `[http]` in the transport's terms, for a server on `listen`.
http::server_config transport_settings(const config& c, const listen_address& listen);

/// `[limits]` in the terms of the limiter that each process has; the shared one is the caller's to
/// add. Problems name the configuration key.
expected<http::rate_limit_config> limit_settings(const config& c);

} // namespace assay::app
