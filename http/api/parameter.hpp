#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace assay::http {

/// How a parameter is read. The type of its value stands behind it.
enum class parameter_kind : std::uint8_t {
  /// Digits without leading zeros: `std::uint64_t`.
  integer,
  /// A JSON number in full, finite: `double`.
  number,
  /// One of `choices`, case-sensitive: `std::string`.
  choice,
  /// Only the word `true`: `bool`.
  only_true,
  /// Comma list of asset symbols: `std::vector<std::string>`.
  symbols,
  /// 1 to 128 of `[0-9A-Za-z]`; after `0x` exactly 40 hexadecimal digits: `std::string`.
  address,
  /// Protocol slug, lowered: `std::string`.
  slug,
  /// `<protocol>:<chainId>:<address>`, lowered: `std::string`.
  vault_id,
  /// Date or date-time of ISO 8601, as sent: `std::string`.
  instant,
  /// 1 to `length_max` visible ASCII characters: `std::string`.
  token,
};

/// One parameter of a path or query. The one declaration of it: parsing, validation, messages,
/// `applied` and the OpenAPI document come from here.
struct parameter {
  std::string_view name;
  parameter_kind kind = parameter_kind::token;
  std::string_view description;
  bool required = false;
  /// Inclusive bounds of an integer or a number.
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::span<const std::string_view> choices;
  /// Most items of `symbols`.
  std::size_t items_max = 0;
  std::size_t length_max = 0;
  /// What holds when it is not sent, as JSON text; empty: nothing.
  std::string_view fallback;
  /// A value that works, as JSON text.
  std::string_view example;
};

using parameter_value = std::variant<std::monostate, std::uint64_t, double, bool, std::string,
                                     std::vector<std::string>>;

/// Parameters of one endpoint; at most `parameter_values::capacity`.
using parameter_table = std::span<const parameter* const>;

/// The values that a request gave for a table.
class parameter_values {
public:
  static constexpr std::size_t capacity = 16;

  parameter_values() = default;
  explicit parameter_values(parameter_table table) noexcept : table_(table) {}

  parameter_table table() const noexcept { return table_; }
  parameter_value& at(std::size_t i) noexcept { return values_[i]; }
  const parameter_value& at(std::size_t i) const noexcept { return values_[i]; }

  /// Returns the value of a parameter of the table, or nothing when it was not sent.
  template <class T>
  std::optional<T> get(const parameter& p) const {
    for (std::size_t i = 0; i < table_.size(); ++i)
      if (table_[i] == &p)
        if (const auto* x = std::get_if<T>(&values_[i]))
          return *x;
    return std::nullopt;
  }

private:
  parameter_table table_;
  std::array<parameter_value, capacity> values_;
};

} // namespace assay::http
