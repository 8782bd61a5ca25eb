#pragma once

#include "store/live/live_store.hpp"
#include "store/redis/redis_client.hpp"

#include <chrono>
#include <string>

namespace assay::store {

/// The live store in Redis. Keys, all under the prefix:
/// `live` (hash: vault id to encoded entry), `live:epoch` (random, set once per data set),
/// `live:changes` (counter), `snapshot:newest` (id), `snapshot:<id>` (bytes; the one before the
/// newest expires after ten minutes).
class redis_live_store final : public live_store {
public:
  struct options {
    std::string prefix = "assay:";
    /// Over one call, connecting included.
    std::chrono::milliseconds timeout{2000};
  };

  redis_live_store(redis_url url, options o);

  std::optional<problem> put(std::span<const live_entry> entries) override;
  std::optional<problem> erase(std::span<const std::string> vault_ids) override;
  expected<live_state> all() override;
  expected<std::string> revision() override;
  std::optional<problem> publish_snapshot(std::string_view id, std::string_view bytes) override;
  expected<std::optional<std::string>> newest_snapshot_id() override;
  expected<std::optional<std::string>> snapshot(std::string_view id) override;

private:
  std::string key(std::string_view name) const;
  std::optional<problem> change(std::vector<redis_client::command> commands);
  expected<std::optional<std::string>> text_at(const std::string& name);
  expected<std::string> read_revision(const redis_reply& r) const;
  problem unexpected(const redis_reply& r) const;

  redis_client client_;
  std::string prefix_;
};

} // namespace assay::store
