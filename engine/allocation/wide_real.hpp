#pragma once

namespace assay::engine {

/// A floating-point type with about twice the digits of double, for the few problems whose
/// multipliers lie below the rounding of their returns. Software arithmetic on most machines.
#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 wide_real;
#else
typedef long double wide_real;
#endif

} // namespace assay::engine
