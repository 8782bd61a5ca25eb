#include "store/keys/key_book.hpp"

#include <algorithm>
#include <cstring>
#include <openssl/crypto.h>

namespace assay::store {

std::size_t key_book::digest_hash::operator()(const key_digest& d) const noexcept {
  // The digest is uniform already.
  std::size_t h = 0;
  std::memcpy(&h, d.data(), sizeof h);
  return h;
}

bool key_book::equal_digest::operator()(const key_digest& a, const key_digest& b) const noexcept {
  return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::shared_ptr<const key_book::table> key_book::current() const {
  const std::lock_guard lock{mutex_};
  return table_;
}

std::optional<key_holder> key_book::find(std::string_view key) const {
  const auto keys = current();
  // No caller gains from a longer text than a key has; hashing megabytes would be a gift.
  if (keys->empty() || key.size() > 128)
    return std::nullopt;
  const auto i = keys->find(digest_of(key));
  return i == keys->end() ? std::nullopt : std::optional{i->second};
}

std::optional<problem> key_book::refresh(key_registry& source) {
  auto revision = source.revision();
  if (!revision)
    return revision.error();
  if (*revision == revision_)
    return std::nullopt;
  // The revision is read first: a change in between shows up as another revision next time.
  const auto records = source.list();
  if (!records)
    return records.error();
  auto next = std::make_shared<table>();
  for (const auto& k : *records) {
    if (k.retired_at)
      continue;
    bucket_key bucket;
    bucket.kind = bucket_kind::api_key;
    std::copy_n(k.digest.begin(), bucket.id.size(), bucket.id.begin());
    next->emplace(k.digest, key_holder{k.name, key_id(k.digest), bucket});
  }
  {
    const std::lock_guard lock{mutex_};
    table_ = std::move(next);
  }
  revision_ = std::move(*revision);
  return std::nullopt;
}

std::size_t key_book::size() const {
  return current()->size();
}

} // namespace assay::store
