#pragma once

namespace assay::engine {

/// The functions of libm that scores need, from additions, multiplications and divisions alone: the
/// C library may choose other instructions on another processor and then differs in the last bit,
/// while a stored row must be recomputable byte for byte anywhere.

/// Returns ln x for finite x > 0; relative error under 1e-15.
double natural_log(double x) noexcept;

/// Returns ln(1 + x) for x > -1; keeps its precision near 0.
double natural_log_1p(double x) noexcept;

/// Returns e^x - 1 for |x| ≤ 0.1; relative error under 1e-15.
double small_exp_m1(double x) noexcept;

} // namespace assay::engine
