#pragma once

#include "messages/types/enum_text.hpp"

#include <cstdint>

namespace assay {

/// Why a request could not be answered. Values are stable: they appear in metrics and logs.
enum class errc : std::uint8_t {
  /// Nothing went wrong; never sent.
  none,
  /// No vault with the requested identifier.
  unknown_vault,
  /// No snapshot has been published yet.
  not_ready,
  /// The newest scoring run is older than allowed.
  stale_scores,
  /// The queue in front of the actor is full.
  overloaded,
  /// The answer did not come within its deadline.
  timed_out,
  /// The actor that should have answered died.
  actor_down,
  /// Redis or the archive did not answer within its budget.
  store_unavailable,
  /// A bug: the log has the cause.
  internal,
};

template <>
struct enum_text<errc> {
  static constexpr std::array<std::string_view, 9> names{
      "none",      "unknown_vault", "not_ready",         "stale_scores", "overloaded",
      "timed_out", "actor_down",    "store_unavailable", "internal"};
};

} // namespace assay
