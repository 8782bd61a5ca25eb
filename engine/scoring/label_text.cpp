#include "engine/scoring/label_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace assay::engine {

std::string decimal(double x, int digits) {
  std::array<char, 64> buffer;
  const auto format = std::abs(x) < 1e15 ? std::chars_format::fixed : std::chars_format::scientific;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, format, digits).ptr;
  std::string text{buffer.data(), end};
  // -0.004 with two digits is -0.00.
  if (text.front() == '-' && text.find_first_not_of("-0.") == std::string::npos)
    text.erase(0, 1);
  return text;
}

std::string percent(double share) {
  return decimal(100.0 * share, 1) + " %";
}

std::string usd(double amount) {
  if (amount < 1e3)
    return "USD " + decimal(amount, 0);
  if (amount < 1e6)
    return "USD " + decimal(amount / 1e3, 1) + " thousand";
  if (amount < 1e9)
    return "USD " + decimal(amount / 1e6, 2) + " million";
  return "USD " + decimal(amount / 1e9, 2) + " billion";
}

std::string counted(int n, const std::string& thing) {
  return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

} // namespace assay::engine
