#pragma once

#include "feeds/source/document_source.hpp"

#include <cstdint>
#include <filesystem>

namespace assay::feeds {

/// A file, or every `*.json` and `*.ndjson` file right inside of a directory, in the order of
/// names. A change is a change of name, size or time of modification.
class file_source final : public document_source {
public:
  /// `bytes_max`: larger files are a problem. `with_histories` false: `*.ndjson` files of a
  /// directory, which can be large, are passed over.
  file_source(std::filesystem::path path, std::uint64_t bytes_max, bool with_histories = true);

  expected<std::optional<std::vector<source_document>>> fetch() override;
  void confirm() override;

  /// Counts the files as they are now as confirmed: they were read by other means.
  void confirm_current();

private:
  std::filesystem::path path_;
  std::uint64_t bytes_max_;
  bool with_histories_;
  /// What the files looked like at the last confirmed and at the last fetch.
  std::string confirmed_;
  std::string fetched_;
};

} // namespace assay::feeds
