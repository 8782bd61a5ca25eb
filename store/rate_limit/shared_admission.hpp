#pragma once

#include "messages/response_sink.hpp"
#include "store/rate_limit/bucket_key.hpp"
#include "store/rate_limit/rate_policy.hpp"

#include <chrono>
#include <memory>
#include <optional>

namespace assay::store {

/// One question to the shared buckets, on its way from an I/O thread to the actor that asks Redis.
struct shared_admission {
  bucket_key key;
  rate_policy policy;
  /// When the I/O thread asked.
  std::chrono::steady_clock::time_point asked_at{};
  /// Gets the shared decision, or nothing when Redis did not make one in time.
  std::shared_ptr<response_sink<std::optional<rate_decision>>> sink;
};

} // namespace assay::store
