#pragma once

#include "http/api/endpoint.hpp"
#include "http/api/percent.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::http {

/// Where a path leads.
struct route_match {
  static constexpr std::size_t captures_max = 2;

  /// Any endpoint at this path (its method may be another); nullptr when there is none.
  const endpoint* target = nullptr;
  /// The decoded segments that stand for the endpoint's path parameters.
  std::array<std::string, captures_max> captures;
  /// The path cannot be decoded.
  text_fault fault = text_fault::none;
};

/// Finds the endpoint of a path as sent. Segments are compared after percent-decoding, so an
/// encoded slash never separates segments; one slash at the end is passed over.
route_match find_endpoint(std::string_view path);

/// Methods that an endpoint answers, for `Allow`.
std::string_view allowed_methods(const endpoint& e) noexcept;

} // namespace assay::http
