#pragma once

#include "engine/gas/gas_regime.hpp"
#include "engine/metrics/vault_metrics.hpp"
#include "engine/route/route_book.hpp"
#include "http/codec/json_writer.hpp"

namespace assay::http {

/// Writes a VaultMetrics object.
void write_metrics(json_writer& w, const engine::vault_metrics& x);

/// Writes one of the three shapes of VaultRoute.
void write_route(json_writer& w, const engine::vault_route& x,
                 const engine::probe_description& probe);

/// Writes a GasRegime object.
void write_gas(json_writer& w, const engine::gas_regime& x);

} // namespace assay::http
