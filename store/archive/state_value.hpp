#pragma once

#include "messages/types/expected.hpp"
#include "messages/types/time.hpp"
#include "store/sqlite/database.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::store {

/// A number of the table `state`, or nothing when it was never set.
expected<std::optional<std::int64_t>> get_state(const sqlite::database& db, std::string_view name);
std::optional<problem> put_state(sqlite::database& db, std::string_view name, std::int64_t value);

/// Notes that observations from `earliest` on have come since the last thinning; does nothing for
/// times that no thinning has reached.
std::optional<problem> note_unthinned(sqlite::database& db, time_point earliest);

} // namespace assay::store
