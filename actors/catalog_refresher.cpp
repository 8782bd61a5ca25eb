#include "actors/catalog_refresher.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace assay::actors {

namespace {

using refresher_pointer = catalog_refresher_actor::stateful_pointer<catalog_refresher_state>;

void note_failure(catalog_refresher_state& st, const feed_upstream& upstream, const problem& why) {
  spdlog::warn("feed {}: {}", upstream.name, why.text());
  st.config.status->update([&](service_status& s) {
    auto& f = s.feeds[upstream.name];
    f.last_attempt = st.config.clock();
    f.last_problem = why.text();
    ++f.failures;
  });
}

void note_success(catalog_refresher_state& st, const feed_upstream& upstream,
                  const std::function<void(feed_status&)>& details) {
  st.config.status->update([&](service_status& s) {
    auto& f = s.feeds[upstream.name];
    f.last_attempt = f.last_success = st.config.clock();
    f.last_problem.clear();
    details(f);
  });
}

/// Takes out what is not to be believed and says why of the last one; empty when all was believed.
std::string hold_back(catalog_refresher_state& st, std::size_t index,
                      std::vector<observation>& observations, std::uint64_t& count) {
  const auto& upstream = st.config.upstreams[index];
  if (!upstream.judged)
    return {};
  const auto now = st.config.clock();
  std::set<std::string> held;
  std::string reason;
  std::erase_if(observations, [&](const observation& x) {
    const auto why = st.config.plausibility->judge(x, now);
    if (!why)
      return false;
    ++count;
    reason = x.vault_id + ": " + *why;
    if (held.insert(x.vault_id).second && !st.held_back[index].contains(x.vault_id))
      spdlog::warn("feed {}: quarantined {}", upstream.name, reason);
    return true;
  });
  for (const auto& id : st.held_back[index])
    if (!held.contains(id))
      spdlog::info("feed {}: {} is trusted again or gone", upstream.name, id);
  st.held_back[index] = std::move(held);
  return reason;
}

std::size_t items_of(const feeds::feed_batch& b) {
  return b.vaults.size() + b.protocols.size() + b.chains.size() + b.assets.size() +
         b.curators.size() + b.admins.size() + b.observations.size() + b.probes.size() +
         b.gas_samples.size() + b.gas_observed.size();
}

/// Reads every document or says which one is not readable at all.
expected<feeds::feed_batch> read_all(const feed_upstream& upstream,
                                     const std::vector<feeds::source_document>& documents,
                                     time_point now) {
  feeds::feed_batch result;
  for (const auto& document : documents) {
    auto batch = upstream.adapter->parse({document.name, document.text, now});
    if (!batch)
      return batch.error();
    result.merge(std::move(*batch));
  }
  if (items_of(result) == 0)
    return problem{upstream.name, "the document says nothing that can be used"};
  return result;
}

void take(catalog_refresher_state& st, std::size_t index, feeds::feed_batch batch,
          std::size_t documents) {
  const auto& upstream = st.config.upstreams[index];
  for (const auto& fault : batch.faults)
    spdlog::warn("feed {}: {}", upstream.name, fault.text());
  std::uint64_t held_back = 0;
  const auto reason = hold_back(st, index, batch.observations, held_back);
  note_success(st, upstream, [&](feed_status& f) {
    f.documents += documents;
    f.faults = batch.faults.size();
    f.quarantined += held_back;
    f.held_back = held_back;
    f.quarantine_reason = reason;
  });
  st.config.hand_on(std::make_shared<const feeds::feed_batch>(std::move(batch)));
}

/// Says why a whole document is held back, or nothing.
std::optional<problem> doubt(catalog_refresher_state& st, const feed_upstream& upstream,
                             const feeds::feed_batch& batch) {
  if (!upstream.judged)
    return std::nullopt;
  const auto why =
      st.config.plausibility->judge_list(upstream.name, items_of(batch), st.config.clock());
  if (!why)
    return std::nullopt;
  st.config.status->update([&](service_status& s) {
    s.feeds[upstream.name].quarantine_reason = "the whole document: " + *why;
  });
  return problem{upstream.name, "quarantined, " + *why};
}

/// One poll; true when the upstream answered with something usable, or with "not modified".
bool poll(catalog_refresher_state& st, std::size_t index) {
  const auto& upstream = st.config.upstreams[index];
  const auto documents = upstream.source->fetch();
  if (!documents) {
    note_failure(st, upstream, documents.error());
    return false;
  }
  if (!*documents) {
    note_success(st, upstream, [](feed_status&) {});
    return true;
  }
  auto batch = read_all(upstream, **documents, st.config.clock());
  if (!batch) {
    note_failure(st, upstream, batch.error());
    return false;
  }
  if (const auto wrong = doubt(st, upstream, *batch)) {
    note_failure(st, upstream, *wrong);
    return false;
  }
  upstream.source->confirm();
  take(st, index, std::move(*batch), (*documents)->size());
  return true;
}

} // namespace

std::chrono::milliseconds catalog_refresher_state::next_delay(std::size_t upstream) {
  const auto cadence = config.upstreams[upstream].cadence;
  const int failed = failures[upstream];
  if (failed == 0 || failed > config.retries) {
    failures[upstream] = 0;
    return cadence;
  }
  const auto base = config.retry_delay * (std::int64_t{1} << std::min(failed - 1, 20));
  const auto jitter = std::uniform_int_distribution<std::int64_t>{0, base.count() / 2}(random);
  return std::min(cadence, base + std::chrono::milliseconds{jitter});
}

catalog_refresher_actor::behavior_type catalog_refresher(refresher_pointer self,
                                                         catalog_refresher_config config) {
  auto& st = self->state;
  st.random.seed(config.jitter_seed);
  st.failures.resize(config.upstreams.size());
  st.held_back.resize(config.upstreams.size());
  st.config = std::move(config);
  for (std::uint64_t i = 0; i < st.config.upstreams.size(); ++i) {
    const auto& upstream = st.config.upstreams[i];
    if (upstream.poll_at_once)
      self->send(self, atom::poll_v, i);
    else
      self->delayed_send(self, upstream.cadence, atom::poll_v, i);
  }
  return {
      [self](atom::poll, std::uint64_t index) {
        auto& state = self->state;
        const auto i = static_cast<std::size_t>(index);
        if (poll(state, i))
          state.failures[i] = 0;
        else
          ++state.failures[i];
        self->delayed_send(self, state.next_delay(i), atom::poll_v, index);
      },
  };
}

} // namespace assay::actors
