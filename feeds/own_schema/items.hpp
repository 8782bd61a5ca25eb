#pragma once

#include "feeds/feed_batch.hpp"
#include "feeds/own_schema/envelope.hpp"

#include <rapidjson/document.h>

namespace assay::feeds::own_schema {

/// Reads one item of a document of kind `head.kind` (any but history) and appends it to the list
/// of `out` that it belongs to; an item with a fault is left out whole, with the faults in
/// `faults`.
void read_item(const envelope& head, const rapidjson::Value& item, const json_place& at,
               fault_list& faults, feed_batch& out);

/// One function per kind, as `read_item`.
void read_protocol(const envelope& head, const rapidjson::Value& item, const json_place& at,
                   fault_list& faults, feed_batch& out);
void read_chain(const envelope& head, const rapidjson::Value& item, const json_place& at,
                fault_list& faults, feed_batch& out);
void read_asset(const envelope& head, const rapidjson::Value& item, const json_place& at,
                fault_list& faults, feed_batch& out);
void read_curator(const envelope& head, const rapidjson::Value& item, const json_place& at,
                  fault_list& faults, feed_batch& out);
void read_vault(const envelope& head, const rapidjson::Value& item, const json_place& at,
                fault_list& faults, feed_batch& out);
void read_admin(const envelope& head, const rapidjson::Value& item, const json_place& at,
                fault_list& faults, feed_batch& out);
void read_observation(const envelope& head, const rapidjson::Value& item, const json_place& at,
                      fault_list& faults, feed_batch& out);
void read_probe(const envelope& head, const rapidjson::Value& item, const json_place& at,
                fault_list& faults, feed_batch& out);
void read_gas_sample(const envelope& head, const rapidjson::Value& item, const json_place& at,
                     fault_list& faults, feed_batch& out);
void read_observed_gas(const envelope& head, const rapidjson::Value& item, const json_place& at,
                       fault_list& faults, feed_batch& out);

} // namespace assay::feeds::own_schema
