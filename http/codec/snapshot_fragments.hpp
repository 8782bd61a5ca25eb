#pragma once

#include "engine/snapshot/fragment_renderer.hpp"

#include <string>

namespace assay::http {

/// Writes Score, CompactScore and CatalogEntry objects (declared in http/openapi/score_schemas.hpp
/// and catalog_schemas.hpp).
class snapshot_fragments final : public engine::fragment_renderer {
public:
  /// `public_url`: where vault pages are served, for example `https://assay.example`; a slash at
  /// the end is dropped.
  explicit snapshot_fragments(std::string public_url);

  void full(const engine::row_facts& x, std::string& out) const override;
  void compact(const engine::row_facts& x, std::string& out) const override;
  void catalog(const engine::catalog_facts& x, std::string& out) const override;

private:
  std::string public_url_;
};

} // namespace assay::http
