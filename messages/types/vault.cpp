#include "messages/types/vault.hpp"

#include "messages/types/text.hpp"

namespace assay {

std::string make_vault_id(std::string_view protocol_id, chain_id chain, std::string_view address) {
  std::string result{protocol_id};
  result.append(":").append(std::to_string(chain)).append(":").append(address);
  return lower_case(result);
}

} // namespace assay
