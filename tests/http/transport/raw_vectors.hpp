#pragma once

#include <string>
#include <vector>

namespace assay::http::test {

/// One connection's worth of octets and what RFC 9110 and RFC 9112 make of it.
struct raw_vector {
  std::string name;
  std::string octets;
  /// Statuses of the responses in order, from a handler that answers every request 200. `any_4xx`
  /// stands for any refusal: 4xx, 501 or 505. An unfinished request adds nothing.
  std::vector<int> statuses;
};

inline constexpr int any_4xx = 4;

/// Several hundred, from the grammar and from the known tricks of request smuggling.
const std::vector<raw_vector>& raw_vectors();

} // namespace assay::http::test
