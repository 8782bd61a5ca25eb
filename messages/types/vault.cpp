#include "messages/types/vault.hpp"

namespace assay {

std::string make_vault_id(std::string_view protocol_id, chain_id chain, std::string_view address) {
  std::string result{protocol_id};
  result.append(":").append(std::to_string(chain)).append(":").append(address);
  // Not std::tolower: a locale must not change an identifier.
  for (char& c : result)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return result;
}

} // namespace assay
