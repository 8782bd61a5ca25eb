#pragma once

#include "messages/types/expected.hpp"
#include "store/keys/key_registry.hpp"
#include "store/rate_limit/bucket_key.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace assay::store {

/// A good key as the request path needs it.
struct key_holder {
  /// Of the partner, for logs.
  std::string name;
  /// The first 12 hex digits of the digest, for logs.
  std::string id;
  bucket_key bucket;
};

/// The keys that are good now. `find` is thread-safe and takes about a microsecond (a SHA-256 and
/// a look-up); digests are compared in constant time, and nothing about the text but its digest
/// decides how long it takes. `refresh` is called by one thread (every few hundredths of a second):
/// a key issued or retired anywhere counts here within that time.
class key_book {
public:
  /// Returns the holder of `key`, or nothing for an unknown, retired or malformed one.
  std::optional<key_holder> find(std::string_view key) const;

  /// Loads from `source` when its revision changed. On a problem the keys known so far stay.
  std::optional<problem> refresh(key_registry& source);

  /// Number of good keys.
  std::size_t size() const;

private:
  struct digest_hash {
    std::size_t operator()(const key_digest& d) const noexcept;
  };
  struct equal_digest {
    bool operator()(const key_digest& a, const key_digest& b) const noexcept;
  };
  using table = std::unordered_map<key_digest, key_holder, digest_hash, equal_digest>;

  std::shared_ptr<const table> current() const;

  mutable std::mutex mutex_;
  std::shared_ptr<const table> table_ = std::make_shared<const table>();
  // Owned by the refreshing thread.
  std::string revision_;
};

} // namespace assay::store
