#pragma once

#include "feeds/adapter.hpp"

namespace assay::feeds {

/// Reads the live observations of a recorded universe as if they had just been made: each is moved
/// in time by the distance from its document's `recordedAt` to `document::fetched_at`. Everything
/// else in the universe (histories, facts, probes, gas) was read at the start and is left out.
/// This is how the sample stays live without an upstream.
class replay_adapter final : public adapter {
public:
  std::string_view name() const noexcept override { return "replay"; }
  expected<feed_batch> parse(const document& doc) const override;
};

} // namespace assay::feeds
