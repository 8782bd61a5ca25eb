#pragma once

#include "feeds/feed_batch.hpp"
#include "feeds/json/object_reader.hpp"

#include <rapidjson/document.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace assay::feeds {

/// What one fraction or percentage of an upstream is in percentage points.
enum class apy_unit : std::uint8_t { percent, fraction };

/// Reads an optional APY (a JSON number) and returns it in percentage points; null stays absent.
/// Out of `value_limits::apy` is a fault.
std::optional<double> read_apy(object_reader& read, std::string_view key, apy_unit unit);

/// Reads an optional number that the upstream writes as a JSON number or as a decimal text
/// (GraphQL's BigDecimal). `NaN`, an empty text or trailing characters are faults.
std::optional<double> read_decimal(object_reader& read, std::string_view key, number_range range);

/// Reads the first of `keys` that is there, as `read_apy`.
std::optional<double> read_first_apy(object_reader& read,
                                     std::initializer_list<std::string_view> keys, apy_unit unit);

/// Reads a chain id that is a JSON integer or its decimal digits as a text.
chain_id read_chain(object_reader& read, std::string_view key);

/// Sets the base part to what the reward part leaves of the total, where both are known.
void split_off_reward(observation& x);

/// An object inside of an item of an upstream; absent, null and faulty ones look empty.
class nested_reader {
public:
  nested_reader(object_reader& parent, std::string_view key, fault_list& faults)
      : place_(parent.place_of(key)),
        parent_(&parent),
        reader_(value_or_empty(parent.optional_object(key)), place_, faults,
                unknown_fields::passed_over) {}
  nested_reader(const nested_reader&) = delete;
  nested_reader& operator=(const nested_reader&) = delete;
  /// A fault inside is one of the item.
  ~nested_reader() {
    if (!reader_.good())
      parent_->spoil();
  }

  object_reader& operator*() noexcept { return reader_; }
  object_reader* operator->() noexcept { return &reader_; }

private:
  static const rapidjson::Value& value_or_empty(const rapidjson::Value* value);

  json_place place_;
  object_reader* parent_;
  object_reader reader_;
};

/// Collects what an upstream document says, one vault after the other. Items of chains that are
/// not known are left out and counted, one fault per chain. The same vault twice is a fault: where
/// the figures differ nobody knows which are right, and none are taken. An item without any figure
/// is no observation, one without an asset no vault.
class upstream_batch {
public:
  explicit upstream_batch(std::string_view document) : faults(std::string(document) + '#') {}

  /// Checks the address against the chain, derives the vault id, and takes vault and observation.
  /// `read` is the reader of the item: nothing is taken when it is not good.
  void take(object_reader& read, const json_place& at, vault_record vault, observation seen);

  /// Takes an observation of a vault that is known by its id already.
  void take(object_reader& read, const json_place& at, const std::string& vault_id,
            observation seen);

  /// Leaves an item out for a reason that many share, which is one fault with their number.
  void leave_out(const std::string& reason);
  /// For items of a chain that is not known.
  void leave_out_chain(const std::string& chain) {
    leave_out("chain `" + chain + "` is not known");
  }

  /// Moves everything out, faults included.
  feed_batch finish();

  fault_list faults;

private:
  // False, with the fault noted, when the vault was seen before.
  bool is_new(const json_place& at, const observation& seen);

  feed_batch batch_;
  std::unordered_map<std::string, observation> seen_;
  std::unordered_set<std::string> contradicted_;
  std::map<std::string, int> left_out_;
};

/// Returns the member of an object, or nullptr for anything else.
const rapidjson::Value* member(const rapidjson::Value* object, std::string_view key);

} // namespace assay::feeds
