#include "http/message/method.hpp"

#include <array>

namespace assay::http {
namespace {

constexpr std::array<std::string_view, 9> names{"GET",     "HEAD",  "POST",  "PUT",    "DELETE",
                                                "OPTIONS", "PATCH", "TRACE", "CONNECT"};

} // namespace

std::string_view to_string(method m) noexcept {
  return names[static_cast<std::size_t>(m)];
}

std::optional<method> parse_method(std::string_view name) noexcept {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name)
      return static_cast<method>(i);
  return std::nullopt;
}

} // namespace assay::http
