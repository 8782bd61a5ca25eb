#pragma once

#include "messages/types/time.hpp"
#include "store/keys/api_key.hpp"

#include <optional>
#include <string>

namespace assay::store {

/// One partner key as it is stored: never the key itself.
struct key_record {
  key_digest digest{};
  /// Of the partner; 1 to 64 characters of `[A-Za-z0-9._-]`. Several keys may share it.
  std::string name;
  time_point created_at{};
  /// Absent while the key is good.
  std::optional<time_point> retired_at;

  friend bool operator==(const key_record&, const key_record&) = default;
};

/// A key just issued: the only moment at which its text exists.
struct issued_key {
  std::string key;
  key_record record;
};

} // namespace assay::store
