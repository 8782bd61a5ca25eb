#pragma once

#include "http/api/endpoint.hpp"
#include "http/api/service.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace assay::app {

/// Answers counted by endpoint, class of status and duration. Written by whoever answers, readable
/// at any time; thread-safe.
class request_stats {
public:
  using counter = std::atomic<std::uint64_t>;

  /// 1xx to 5xx.
  static constexpr std::size_t status_classes = 5;
  /// Upper bounds of the duration buckets, seconds; one more bucket holds the rest.
  static constexpr std::array<double, 8> bounds_s{0.0001, 0.00025, 0.001, 0.0025,
                                                  0.01,   0.05,    0.25,  1.0};

  struct row {
    std::array<counter, status_classes> by_class{};
    std::array<counter, bounds_s.size() + 1> by_duration{};
    counter duration_ns{0};
  };

  /// Counts one answer.
  void count(const http::answered_request& x) noexcept;

  /// Of an endpoint; the last row counts requests that led to none.
  const row& at(std::size_t i) const noexcept { return rows_[i]; }
  /// Number of endpoints and one.
  std::size_t size() const noexcept { return rows_.size(); }
  /// Its operation id (`listScores`, …), its path when it has none, or `none`.
  std::string_view name(std::size_t i) const noexcept;

private:
  static constexpr std::size_t rows_max = 32;

  std::array<row, rows_max> storage_{};
  std::span<row> rows_{storage_.data(), http::endpoints().size() + 1};
};

} // namespace assay::app
