#pragma once

#include "messages/types/enum_text.hpp"
#include "messages/types/time.hpp"

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace assay::store {

// The encoding of stored records: fields in their order, without names.
//   bool, enumeration   one byte
//   other integers      LEB128 of the zigzag of the 64-bit value
//   double              its 8 bytes, little endian: every bit comes back
//   time, day           its count of milliseconds or days as an integer
//   text, list          the number of bytes or items, then those
//   optional            0, or 1 and the value
// A record begins with one byte that numbers the encoding (records.cpp).

static_assert(std::endian::native == std::endian::little, "doubles are copied as they are");

template <class T>
concept enumeration = std::is_enum_v<T>;

template <class T>
concept whole_number = std::integral<T> && !std::same_as<T, bool>;

/// Appends values to a text of bytes.
class binary_writer {
public:
  std::string bytes;

  template <class... Ts>
  void operator()(const Ts&... xs) {
    (put(xs), ...);
  }

private:
  void put_unsigned(std::uint64_t x) {
    for (; x >= 0x80; x >>= 7)
      bytes += static_cast<char>(x | 0x80);
    bytes += static_cast<char>(x);
  }
  void put(bool x) { bytes += static_cast<char>(x); }
  void put(double x) {
    char raw[sizeof x];
    std::memcpy(raw, &x, sizeof x);
    bytes.append(raw, sizeof x);
  }
  template <enumeration Enum>
  void put(Enum x) {
    bytes += static_cast<char>(x);
  }
  template <whole_number Int>
  void put(Int x) {
    const auto wide = static_cast<std::int64_t>(x);
    put_unsigned((static_cast<std::uint64_t>(wide) << 1) ^ static_cast<std::uint64_t>(wide >> 63));
  }
  void put(time_point x) { put(std::int64_t{x.time_since_epoch().count()}); }
  void put(day_point x) { put(std::int64_t{x.time_since_epoch().count()}); }
  void put(const std::string& x) {
    put_unsigned(x.size());
    bytes += x;
  }
  template <class T>
  void put(const std::optional<T>& x) {
    put(x.has_value());
    if (x)
      put(*x);
  }
  template <class T>
  void put(const std::vector<T>& xs) {
    put_unsigned(xs.size());
    for (const auto& x : xs)
      put(x);
  }
  template <class T, std::size_t N>
  void put(const std::array<T, N>& xs) {
    for (const auto& x : xs)
      put(x);
  }
  template <class Record>
  requires std::is_class_v<Record>
  void put(const Record& x) { fields(*this, x); }
};

/// Reads values back; after the first that does not fit, `ok` is false and nothing more is read.
class binary_reader {
public:
  explicit binary_reader(std::string_view bytes) : rest_(bytes) {}

  template <class... Ts>
  void operator()(Ts&... xs) {
    (get(xs), ...);
  }
  /// True when everything was read and nothing is left.
  bool complete() const noexcept { return ok_ && rest_.empty(); }

private:
  bool take(std::size_t n) {
    ok_ = ok_ && rest_.size() >= n;
    return ok_;
  }
  std::uint64_t get_unsigned() {
    std::uint64_t x = 0;
    for (unsigned shift = 0; shift < 64 && take(1); shift += 7) {
      const auto byte = static_cast<std::uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      x |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80)
        return x;
    }
    ok_ = false;
    return 0;
  }
  void get(bool& x) {
    if (!take(1))
      return;
    ok_ = rest_.front() == 0 || rest_.front() == 1;
    x = rest_.front() == 1;
    rest_.remove_prefix(1);
  }
  void get(double& x) {
    if (!take(sizeof x))
      return;
    std::memcpy(&x, rest_.data(), sizeof x);
    rest_.remove_prefix(sizeof x);
  }
  template <enumeration Enum>
  void get(Enum& x) {
    if (!take(1))
      return;
    const auto value = static_cast<std::uint8_t>(rest_.front());
    ok_ = value < enum_size<Enum>;
    x = static_cast<Enum>(value);
    rest_.remove_prefix(1);
  }
  template <whole_number Int>
  void get(Int& x) {
    const auto raw = get_unsigned();
    const auto wide = static_cast<std::int64_t>((raw >> 1) ^ (~(raw & 1) + 1));
    x = static_cast<Int>(wide);
    ok_ = ok_ && static_cast<std::int64_t>(x) == wide;
  }
  void get(time_point& x) {
    std::int64_t count = 0;
    get(count);
    x = time_point{time_point::duration{count}};
  }
  void get(day_point& x) {
    std::int32_t count = 0;
    get(count);
    x = day_point{day_point::duration{count}};
  }
  void get(std::string& x) {
    const auto n = get_unsigned();
    if (!take(n))
      return;
    x.assign(rest_.substr(0, n));
    rest_.remove_prefix(n);
  }
  template <class T>
  void get(std::optional<T>& x) {
    bool present = false;
    get(present);
    if (ok_ && present)
      get(x.emplace());
  }
  template <class T>
  void get(std::vector<T>& xs) {
    // Every item takes a byte at least, so a damaged count cannot ask for the moon.
    const auto n = get_unsigned();
    if (!take(n))
      return;
    xs.resize(n);
    for (auto& x : xs)
      get(x);
  }
  template <class T, std::size_t N>
  void get(std::array<T, N>& xs) {
    for (auto& x : xs)
      get(x);
  }
  template <class Record>
  requires std::is_class_v<Record>
  void get(Record& x) { fields(*this, x); }

  std::string_view rest_;
  bool ok_ = true;
};

} // namespace assay::store
