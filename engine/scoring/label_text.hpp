#pragma once

#include <string>

namespace assay::engine {

/// Numbers as they stand in factor labels: the same text under every locale.

/// Returns `x` with `digits` decimals; in scientific form from 1e15 on.
std::string decimal(double x, int digits);

/// Returns `share` (0.123) as `12.3 %`.
std::string percent(double share);

/// Returns `USD 950`, `USD 12.3 thousand`, `USD 4.56 million`, `USD 1.20 billion`.
std::string usd(double amount);

/// Returns `1 audit`, `3 audits`.
std::string counted(int n, const std::string& thing);

} // namespace assay::engine
