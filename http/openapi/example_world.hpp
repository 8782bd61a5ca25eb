#pragma once

#include "http/api/backend.hpp"
#include "messages/types/time.hpp"

#include <memory>

namespace assay::http {

/// A backend over a handful of fictional vaults, answering in place and always the same: the
/// examples of the OpenAPI document are its answers, given by the code that serves requests.
std::shared_ptr<backend> make_example_backend();

/// The instant at which the example world stands still.
time_point example_now();

} // namespace assay::http
