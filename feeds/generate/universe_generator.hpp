#pragma once

#include "messages/types/expected.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace assay::feeds::generate {

/// What universe to make. The same options give the same bytes on every machine.
struct generator_options {
  /// 1 to 10,000,000.
  std::uint64_t vaults = 1000;
  /// Daily points of a full history, 1 to 3,650.
  std::uint32_t days = 90;
  std::uint64_t seed = 1;
};

/// What was made.
struct generated_universe {
  std::uint64_t vaults = 0;
  std::uint64_t live = 0;
  std::uint64_t histories = 0;
  std::uint64_t points = 0;
};

/// Called now and then with the number of vaults done.
using generator_progress = std::function<void(std::uint64_t done)>;

/// Writes a synthetic universe in the own feed schema (dataset `synthetic`) into `directory`, which
/// is created and must be empty: registries, vaults, admin records, live observations, histories,
/// probes, gas samples and observed gas. Nothing in it is real but chain ids and chain names.
///
/// APYs of one asset move together (a mean-reverting path of the asset, a beta and a path of the
/// vault's own); TVL is log-normal across vaults and a random walk in time; some vaults lack a
/// history, a live entry, an admin record, an APY or single days.
expected<generated_universe> generate_universe(const generator_options& options,
                                               const std::string& directory,
                                               const generator_progress& progress = {});

} // namespace assay::feeds::generate
