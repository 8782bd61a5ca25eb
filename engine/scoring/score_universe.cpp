#include "engine/scoring/score_universe.hpp"

#include "engine/scoring/history_window.hpp"
#include "engine/scoring/peers.hpp"
#include "engine/scoring/score_vault.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <thread>

namespace assay::engine {

namespace {

/// Vaults that a thread takes at a time: enough to make the counter cheap, few enough to end
/// evenly.
constexpr std::size_t batch_size = 256;

/// Calls `work(i)` for every i below `n`, on `threads` threads. What one call throws is thrown
/// again after all threads have ended.
template <class Work>
void for_each_index(std::size_t n, unsigned threads, Work work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> failures(std::max(threads, 1U));
  const auto run = [&](unsigned id) {
    try {
      for (auto begin = next.fetch_add(batch_size); begin < n; begin = next.fetch_add(batch_size))
        for (auto i = begin; i < std::min(begin + batch_size, n); ++i)
          work(i);
    } catch (...) {
      failures[id] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (unsigned id = 1; id < threads; ++id)
      helpers.emplace_back(run, id);
    run(0);
  }
  for (const auto& failure : failures)
    if (failure)
      std::rethrow_exception(failure);
}

const curator_record* find_curator(const universe& u, const vault_record& vault,
                                   const admin_topology* admin) {
  const auto& id = admin != nullptr && admin->curator_id ? admin->curator_id : vault.curator_id;
  if (!id)
    return nullptr;
  const auto found = u.curators.find(*id);
  return found == u.curators.end() ? nullptr : &found->second;
}

} // namespace

std::vector<score_row> score_universe(const universe& u, const history_book& histories,
                                      const methodology& m, time_point scored_at,
                                      unsigned threads) {
  const auto n = u.vaults.size();
  std::vector<history_window> windows(n);
  std::vector<std::optional<double>> current_apy(n);
  for_each_index(n, threads, [&](std::size_t i) {
    const auto found = histories.find(u.vaults[i].vault_id);
    const auto* series = found == histories.end() ? nullptr : &found->second;
    windows[i] = window_at(series, scored_at, m.history.window_days);
    if (series != nullptr)
      current_apy[i] = current_value(windows[i], series->apy, apy_range, m.history.fresh_days);
  });
  const auto peers = peer_groups(u, current_apy, m.yield_level.peers_min);
  std::vector<score_row> rows(n);
  for_each_index(n, threads, [&](std::size_t i) {
    const auto& vault = u.vaults[i];
    const auto* admin = u.find_admin(vault.vault_id);
    rows[i] = score_vault({vault, u.find_protocol(vault.protocol_id), u.find_chain(vault.chain),
                           u.find_asset(vault.asset), admin, find_curator(u, vault, admin),
                           windows[i], peers[i]},
                          m, scored_at);
  });
  const auto by_id = [](const score_row& a, const score_row& b) { return a.vault_id < b.vault_id; };
  if (!std::is_sorted(rows.begin(), rows.end(), by_id))
    std::sort(rows.begin(), rows.end(), by_id);
  return rows;
}

} // namespace assay::engine
