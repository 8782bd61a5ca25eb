#pragma once

#include "messages/types/expected.hpp"
#include "store/sqlite/database.hpp"

#include <optional>

namespace assay::store {

/// The newest schema that this program knows.
int archive_schema_version() noexcept;

/// Version of the schema in the file; 0 for an empty file.
expected<int> schema_version_of(const sqlite::database& db);

/// Prepares a connection that writes and brings the schema up to date, each step in one
/// transaction. A newer schema than this program knows is a problem; nothing is touched then.
std::optional<problem> migrate_archive(sqlite::database& db);

} // namespace assay::store
