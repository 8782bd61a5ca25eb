#pragma once

#include "messages/types/expected.hpp"
#include "messages/types/route.hpp"
#include "messages/types/time.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay::feeds::prober {

/// The output of the prober and its memory: an `assay.probes/1` document with one probe per vault.
struct probe_document {
  /// Name of the universe that it belongs to.
  std::string dataset;
  /// Where the figures come from, one line.
  std::string source;
  /// Sorted by vault id.
  std::vector<route_probe> probes;

  /// Puts a probe in the place of the vault's older one.
  void put(route_probe probe);
};

/// Returns the JSON text, `recordedAt` being `now`, or the newest probe's time if that is later.
/// The same document gives the same text.
std::string write_probes(const probe_document& document, time_point now);

/// Reads what `write_probes` wrote. Any fault is a problem: a state that cannot be read in full
/// must not be overwritten.
expected<probe_document> read_probes(std::string_view name, std::string_view text);

} // namespace assay::feeds::prober
