#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace assay {

/// A failure at a place that the reader can find: file and line, JSON pointer, or key.
struct problem {
  /// For example `conf/assay.toml:12:3`, `vaults.json#/items/3/chainId`, `--listen`.
  std::string where;
  /// What is wrong and what was expected.
  std::string what;

  /// Returns `where: what`.
  std::string text() const { return where.empty() ? what : where + ": " + what; }

  friend bool operator==(const problem&, const problem&) = default;
};

/// A value or the reason why there is none (std::expected is C++23).
template <class T, class E = problem>
class expected {
public:
  expected(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  expected(E error) : content_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const noexcept { return content_.index() == 0; }
  bool has_value() const noexcept { return content_.index() == 0; }

  T& operator*() & noexcept { return *std::get_if<0>(&content_); }
  const T& operator*() const& noexcept { return *std::get_if<0>(&content_); }
  T&& operator*() && noexcept { return std::move(*std::get_if<0>(&content_)); }
  T* operator->() noexcept { return std::get_if<0>(&content_); }
  const T* operator->() const noexcept { return std::get_if<0>(&content_); }

  const E& error() const noexcept { return *std::get_if<1>(&content_); }
  E& error() noexcept { return *std::get_if<1>(&content_); }

private:
  std::variant<T, E> content_;
};

} // namespace assay
