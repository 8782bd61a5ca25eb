#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::engine {

/// Many short texts in one allocation, by number, with a comma between neighbours: a run of
/// neighbours is a list that is copied in one piece.
class text_arena {
public:
  /// Calls `write(std::string&)`, which appends the next text.
  template <class Write>
  void add(Write&& write) {
    if (!ends_.empty())
      text_ += ',';
    write(text_);
    ends_.push_back(text_.size());
  }

  std::string_view operator[](std::size_t i) const noexcept { return list(i, i); }

  /// The texts `first` to `last`, both included, with their commas.
  std::string_view list(std::size_t first, std::size_t last) const noexcept {
    const auto begin = first == 0 ? 0 : ends_[first - 1] + 1;
    return std::string_view(text_).substr(begin, ends_[last] - begin);
  }

  std::size_t size() const noexcept { return ends_.size(); }
  /// Octets of all texts and commas together.
  std::size_t bytes() const noexcept { return text_.size(); }

  void reserve(std::size_t texts, std::size_t bytes) {
    ends_.reserve(texts);
    text_.reserve(bytes);
  }

private:
  std::string text_;
  std::vector<std::size_t> ends_;
};

} // namespace assay::engine
