#pragma once

#include "messages/types/admin_topology.hpp"
#include "messages/types/registry.hpp"
#include "messages/types/vault.hpp"

#include <cstdint>
#include <string>

namespace assay::store {

/// What a row of the table `facts` is about. The values are in files: never change one.
enum class fact_kind : std::uint8_t {
  dataset = 1,
  vault = 2,
  protocol = 3,
  chain = 4,
  asset = 5,
  curator = 6,
  admin = 7,
};

inline fact_kind kind_of(const vault_record&) {
  return fact_kind::vault;
}
inline fact_kind kind_of(const protocol_record&) {
  return fact_kind::protocol;
}
inline fact_kind kind_of(const chain_record&) {
  return fact_kind::chain;
}
inline fact_kind kind_of(const asset_record&) {
  return fact_kind::asset;
}
inline fact_kind kind_of(const curator_record&) {
  return fact_kind::curator;
}
inline fact_kind kind_of(const admin_topology&) {
  return fact_kind::admin;
}

/// Symbols that differ in case alone name the same asset (ASCII).
inline std::string upper_case(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z')
      c = static_cast<char>(c - 'a' + 'A');
  return text;
}

inline std::string key_of(const vault_record& x) {
  return x.vault_id;
}
inline std::string key_of(const protocol_record& x) {
  return x.id;
}
inline std::string key_of(const chain_record& x) {
  return std::to_string(x.id);
}
inline std::string key_of(const asset_record& x) {
  return upper_case(x.symbol);
}
inline std::string key_of(const curator_record& x) {
  return x.id;
}
inline std::string key_of(const admin_topology& x) {
  return x.vault_id;
}

} // namespace assay::store
