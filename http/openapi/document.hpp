#pragma once

#include "http/openapi/captured_example.hpp"

#include <span>
#include <string>

namespace assay::http {

/// Returns the OpenAPI 3.1 document of everything under /v1, generated from the declarations of
/// endpoints, parameters and shapes that serve the requests. `examples` are real answers.
std::string openapi_document(std::span<const captured_example> examples);

/// The document with the examples of the example world.
std::string openapi_document();

} // namespace assay::http
