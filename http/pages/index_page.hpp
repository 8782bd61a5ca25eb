#pragma once

#include "messages/types/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::http::pages {

struct index_facts {
  bool ready = false;
  /// `sample`, `live`, …
  std::string_view dataset;
  std::uint64_t vaults = 0;
  std::uint64_t live_vaults = 0;
  std::uint64_t score_rows = 0;
  std::optional<time_point> scored_at;
  std::string_view public_url;
  std::string_view disclaimer;
};

/// Returns the first page: what this is, what it is fed with, where to go on.
std::string index_page(const index_facts& x);

} // namespace assay::http::pages
