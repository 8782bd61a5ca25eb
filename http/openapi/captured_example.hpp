#pragma once

#include "http/api/endpoint.hpp"

#include <string>
#include <vector>

namespace assay::http {

/// One answer of the example world.
struct captured_example {
  endpoint_id target = endpoint_id::scores;
  int status = 200;
  /// Key of the example in the document.
  std::string name;
  std::string summary;
  std::string body;
};

/// Sends one request per shape of every endpoint through the API over the example world, and
/// returns the answers. Deterministic.
std::vector<captured_example> capture_examples();

/// A request body for POST /basket that the example world can score in part.
std::string example_basket();

} // namespace assay::http
