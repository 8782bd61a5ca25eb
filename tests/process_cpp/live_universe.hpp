#pragma once

#include "messages/types/time.hpp"

#include <filesystem>
#include <string>

namespace assay::test {

/// A small generated universe that the service takes for live data (not for a recording that is
/// replayed), with two vaults that an upstream can tell something about.
class live_universe {
public:
  /// Writes it to `directory`/universe; throws when that fails.
  explicit live_universe(std::filesystem::path directory);

  /// Ids of two of its vaults.
  static const std::string one;
  static const std::string two;

  /// Gives both three weeks of history that end now, so that there is something to judge a jump
  /// by: APY 5.2 and 5.3 in turn, TVL 1234567.
  void write_history() const;
  /// Writes a configuration with one feed, `up`, that is polled every second; returns its path.
  std::string write_config(const std::string& feed_url) const;

  std::string path() const { return (directory_ / "universe").string(); }

private:
  void rename_dataset() const;

  std::filesystem::path directory_;
};

time_point wall_clock();

/// A document of the project's own schema for such a feed: observations, or of another `kind`
/// (`vaults`, `admin` …), recorded now.
std::string feed_document(const std::string& items, time_point recorded_at = wall_clock());
std::string feed_document_of(const std::string& kind, const std::string& items,
                             time_point recorded_at = wall_clock());
/// One item of it; the figures as JSON texts.
std::string feed_item(const std::string& vault_id, const std::string& apy, const std::string& tvl);

} // namespace assay::test
