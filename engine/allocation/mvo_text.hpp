#pragma once

#include "engine/allocation/mvo_problem.hpp"

#include <string>
#include <string_view>

namespace assay::engine {

/// The most variables, factors or sets that a text may announce.
inline constexpr std::size_t mvo_count_max = 1'000'000;

/// Reads a problem in the text format MVO1. Lines that begin with `#` and blank lines are skipped;
/// the others hold tokens separated by blanks:
///
///   MVO1 n k m gamma
///   i mu d u c f1 v1 … fc vc      n lines, i = 0 … n−1: one variable with c factor loadings
///   j name b c i1 … ic            m lines, j = 0 … m−1: the sum over c variables is at most b
///
/// `name` is the file's name for messages. On failure `where` is `name:line` (lines count from 1)
/// and `what` says what was expected. Numbers are plain decimal texts, finite and in range.
expected<mvo_problem> read_mvo(std::string_view text, std::string_view name);

/// Returns the text of `p` such that `read_mvo` gives the same numbers, bit by bit.
std::string write_mvo(const mvo_problem& p);

} // namespace assay::engine
