#include "engine/allocation/snapshot_candidates.hpp"

#include "engine/allocation/make_candidate.hpp"

#include <utility>

namespace assay::engine {

namespace {

template <class Book>
auto find_in(const Book& book, const std::string& vault_id) {
  const auto i = book.find(vault_id);
  return i == book.end() ? nullptr : &i->second;
}

} // namespace

std::vector<candidate> snapshot_candidates(const snapshot& s,
                                           const std::unordered_map<std::string, live_entry>& live,
                                           const history_book& histories,
                                           const allocation_policy& policy, time_point now) {
  std::vector<candidate> result;
  result.reserve(s.size());
  for (row_number i = 0; i < s.size(); ++i) {
    const auto& x = s.at(i);
    const auto& row = *x.row;
    auto c = make_candidate({.row = row,
                             .vault = x.vault,
                             .protocol = s.universe().find_protocol(row.protocol_id),
                             .chain = s.universe().find_chain(row.chain),
                             .history = find_in(histories, row.vault_id),
                             .live = find_in(live, row.vault_id),
                             .routable = x.routable,
                             .stale = x.flags.has(row_flag::stale_score),
                             .at = now},
                            policy);
    // The snapshot decides what is listed, and its figures are those that are served.
    c.live = x.live;
    c.apy = x.apy;
    c.tvl_usd = x.tvl_usd;
    result.push_back(std::move(c));
  }
  return result;
}

} // namespace assay::engine
