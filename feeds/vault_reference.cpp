#include "feeds/vault_reference.hpp"

#include "feeds/keccak256.hpp"
#include "messages/types/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace assay::feeds {

namespace {

constexpr std::size_t max_address_chars = 128;
constexpr std::size_t max_protocol_chars = 64;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
char upper(char c) {
  return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}

bool is_hex_address(std::string_view text) {
  return text.size() == 42 && text[0] == '0' && text[1] == 'x' &&
         std::all_of(text.begin() + 2, text.end(), [](char c) {
           return is_digit(c) || (lower_case(c) >= 'a' && lower_case(c) <= 'f');
         });
}

bool is_alphanumeric(std::string_view text) {
  return !text.empty() && text.size() <= max_address_chars &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_digit(c) || is_lower(c) || is_upper(c); });
}

// Returns true when `text` is base58 (the alphabet of Bitcoin) of exactly 32 bytes.
bool is_solana_address(std::string_view text) {
  constexpr std::string_view alphabet =
      "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  constexpr std::size_t bytes = 32;
  if (text.size() < bytes || text.size() > 44)
    return false;
  std::array<unsigned, bytes> number{};
  for (const char c : text) {
    const auto digit = alphabet.find(c);
    if (digit == std::string_view::npos)
      return false;
    unsigned carry = static_cast<unsigned>(digit);
    for (auto it = number.rbegin(); it != number.rend(); ++it) {
      carry += *it * 58;
      *it = carry & 0xff;
      carry >>= 8;
    }
    if (carry != 0)
      return false;
  }
  // A leading zero byte is written as one leading `1`, no more and no fewer.
  const auto zeros = std::find_if(number.begin(), number.end(), [](unsigned b) { return b != 0; }) -
                     number.begin();
  const auto ones = text.find_first_not_of('1');
  return static_cast<std::size_t>(zeros) == (ones == std::string_view::npos ? text.size() : ones);
}

} // namespace

std::optional<std::string> to_eip55(std::string_view text) {
  if (!is_hex_address(text))
    return std::nullopt;
  std::string out = lower_case(text);
  const auto digest = keccak256(std::string_view(out).substr(2));
  for (std::size_t i = 0; i < 40; ++i) {
    const unsigned nibble = i % 2 == 0 ? digest[i / 2] >> 4U : digest[i / 2] & 0xfU;
    if (nibble >= 8)
      out[i + 2] = upper(out[i + 2]);
  }
  return out;
}

expected<std::string> read_address(chain_id chain, std::string_view text) {
  if (chain == solana_chain_id) {
    if (is_solana_address(text))
      return std::string(text);
    return problem{{}, "expected a Solana address (base58 of 32 bytes)"};
  }
  if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") {
    auto checksummed = to_eip55(text);
    if (!checksummed)
      return problem{{}, "expected 0x and 40 hexadecimal digits"};
    const auto digits = text.substr(2);
    const bool one_case = std::none_of(digits.begin(), digits.end(), is_upper) ||
                          std::none_of(digits.begin(), digits.end(), is_lower);
    if (one_case || *checksummed == text)
      return std::move(*checksummed);
    return problem{{}, "the letters' case is not its EIP-55 checksum, expected " + *checksummed};
  }
  if (is_alphanumeric(text))
    return std::string(text);
  return problem{{}, "expected 1 to 128 letters and digits"};
}

bool is_protocol_id(std::string_view text) noexcept {
  return !text.empty() && text.size() <= max_protocol_chars &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_digit(c) || is_lower(c) || c == '.' || c == '_' || c == '-';
         });
}

bool is_vault_id(std::string_view text) noexcept {
  const auto first = text.find(':');
  const auto second = first == std::string_view::npos ? first : text.find(':', first + 1);
  if (second == std::string_view::npos || !is_protocol_id(text.substr(0, first)))
    return false;
  const auto chain = text.substr(first + 1, second - first - 1);
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(chain.data(), chain.data() + chain.size(), id);
  if (error != std::errc{} || end != chain.data() + chain.size() || id == 0 || chain[0] == '0')
    return false;
  const auto address = text.substr(second + 1);
  return is_alphanumeric(address) && std::none_of(address.begin(), address.end(), is_upper);
}

} // namespace assay::feeds
