#include "engine/snapshot/snapshot.hpp"

#include <algorithm>

namespace assay::engine {

std::string lower_ascii(std::string_view text) {
  std::string result(text);
  for (auto& c : result)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c + ('a' - 'A'));
  return result;
}

std::string_view address_of(std::string_view vault_id) noexcept {
  const auto first = vault_id.find(':');
  if (first == std::string_view::npos)
    return {};
  const auto second = vault_id.find(':', first + 1);
  return second == std::string_view::npos ? std::string_view{} : vault_id.substr(second + 1);
}

std::uint32_t text_numbers::number_of(std::string_view text) {
  if (const auto i = numbers.find(text); i != numbers.end())
    return i->second;
  const auto number = static_cast<std::uint32_t>(texts.size());
  texts.emplace_back(text);
  numbers.emplace(texts.back(), number);
  return number;
}

std::optional<std::uint32_t> text_numbers::find(std::string_view text) const {
  const auto i = numbers.find(text);
  return i == numbers.end() ? std::nullopt : std::optional{i->second};
}

std::optional<row_number> snapshot::find(std::string_view vault_id) const noexcept {
  const auto& v = parts_.vaults;
  const auto i = std::lower_bound(
      v.begin(), v.end(), vault_id,
      [](const scored_vault& x, std::string_view id) { return x.row->vault_id < id; });
  if (i == v.end() || i->row->vault_id != vault_id)
    return std::nullopt;
  return static_cast<row_number>(i - v.begin());
}

std::optional<row_number> snapshot::find(chain_id chain, std::string_view address) const {
  for (const auto i : find_address(address))
    if (at(i).row->chain == chain)
      return i;
  return std::nullopt;
}

std::span<const row_number> snapshot::find_address(std::string_view address) const {
  const auto i = parts_.by_address.find(lower_ascii(address));
  return i == parts_.by_address.end() ? std::span<const row_number>{} : i->second;
}

std::optional<std::uint32_t> snapshot::chain_number(chain_id chain) const noexcept {
  const auto i = parts_.chain_numbers.find(chain);
  return i == parts_.chain_numbers.end() ? std::nullopt : std::optional{i->second};
}

std::optional<std::uint32_t> snapshot::protocol_number(std::string_view slug) const {
  return parts_.protocols.find(slug);
}

} // namespace assay::engine
