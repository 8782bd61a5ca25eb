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

/// What was believed of the documents of one poll.
struct believed {
  feed_batch_ptr batch;
  std::size_t documents = 0;
  /// Observations that were not believed, and why of the last one.
  std::uint64_t held_back = 0;
  std::string reason;
  /// When the newest reading of the documents was made, believed or not.
  std::optional<time_point> newest;
};

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
  if (items_of(result) > 0)
    return result;
  if (result.faults.empty())
    return problem{upstream.name, "the document says nothing that can be used"};
  return problem{result.faults.front().where, result.faults.front().what +
                                                  " (no item can be used, faults in all: " +
                                                  std::to_string(result.faults.size()) + ")"};
}

/// Logs the faults that the document before did not have, and no more than a screenful of them.
void log_faults(catalog_refresher_state& st, std::size_t index,
                const std::vector<problem>& faults) {
  constexpr std::size_t shown_max = 20;
  std::set<std::string> now;
  std::size_t fresh = 0;
  for (const auto& fault : faults) {
    const auto text = fault.text();
    if (now.insert(text).second && !st.faults[index].contains(text) && ++fresh <= shown_max)
      spdlog::warn("feed {}: {}", st.config.upstreams[index].name, text);
  }
  if (fresh > shown_max)
    spdlog::warn("feed {}: {} more new faults", st.config.upstreams[index].name, fresh - shown_max);
  st.faults[index] = std::move(now);
}

std::optional<time_point> newest_of(const std::vector<observation>& readings) {
  const auto newest =
      std::max_element(readings.begin(), readings.end(),
                       [](const observation& a, const observation& b) { return a.at < b.at; });
  return newest == readings.end() ? std::nullopt : std::optional{newest->at};
}

/// Says why a whole document is held back, or nothing.
std::optional<problem> doubt(catalog_refresher_state& st, const feed_upstream& upstream,
                             const feeds::feed_batch& batch) {
  if (!upstream.judged)
    return std::nullopt;
  const auto now = st.config.clock();
  auto& judge = *st.config.plausibility;
  auto why = judge.judge_list(upstream.name, items_of(batch), now);
  if (!why)
    why = judge.judge_units(upstream.name, batch.observations, now);
  if (!why)
    return std::nullopt;
  st.config.status->update([&](service_status& s) {
    s.feeds[upstream.name].quarantine_reason = "the whole document: " + *why;
  });
  return problem{upstream.name, "quarantined, " + *why};
}

/// Asks an upstream; nothing when it has nothing new.
expected<std::optional<believed>> ask(catalog_refresher_state& st, std::size_t index) {
  const auto& upstream = st.config.upstreams[index];
  const auto documents = upstream.source->fetch();
  if (!documents)
    return documents.error();
  if (!*documents)
    return std::optional<believed>{};
  auto batch = read_all(upstream, **documents, st.config.clock());
  if (!batch)
    return batch.error();
  if (const auto wrong = doubt(st, upstream, *batch)) {
    st.config.plausibility->settle();
    return *wrong;
  }
  log_faults(st, index, batch->faults);
  believed result;
  result.newest = newest_of(batch->observations);
  result.documents = (*documents)->size();
  result.reason = hold_back(st, index, batch->observations, result.held_back);
  result.batch = std::make_shared<const feeds::feed_batch>(std::move(*batch));
  return std::optional{std::move(result)};
}

/// From now on the upstream may say "not modified".
void take(catalog_refresher_state& st, std::size_t index, const believed& x) {
  const auto& upstream = st.config.upstreams[index];
  st.config.plausibility->settle();
  upstream.source->confirm();
  note_success(st, upstream, [&](feed_status& f) {
    f.documents += x.documents;
    f.faults = x.batch->faults.size();
    f.quarantined += x.held_back;
    f.held_back = x.held_back;
    f.quarantine_reason = x.reason;
    if (x.newest)
      f.newest_figure = x.newest;
  });
  if (st.config.hand_on)
    st.config.hand_on(x.batch);
}

/// As if the documents had never come: the next poll brings them again.
void forget(catalog_refresher_state& st, std::size_t index, const std::string& why) {
  st.config.plausibility->revert();
  note_failure(st, st.config.upstreams[index], {"archive", why});
}

void poll_later(refresher_pointer self, std::size_t index, bool good) {
  auto& st = self->state;
  st.failures[index] = good ? 0 : st.failures[index] + 1;
  if (st.config.remember)
    st.config.remember(*st.config.plausibility);
  self->delayed_send(self, st.next_delay(index), atom::poll_v, std::uint64_t{index});
}

/// Other polls wait for the answer: what is believed of a document depends on whether the ones
/// before it were taken, and no more than one batch waits for a keeper that is busy.
void hand_over(refresher_pointer self, std::size_t index, const believed& x) {
  self->request(self->state.config.keeper, caf::infinite, atom::learn_v, x.batch)
      .await(
          [self, index, x](bool taken) {
            if (taken)
              take(self->state, index, x);
            else
              forget(self->state, index, "refused the batch, it will be fetched again");
            poll_later(self, index, taken);
          },
          [self, index](const caf::error& e) {
            forget(self->state, index, to_string(e));
            poll_later(self, index, false);
          });
}

void poll(refresher_pointer self, std::size_t index) {
  auto& st = self->state;
  const auto& upstream = st.config.upstreams[index];
  const auto news = ask(st, index);
  if (!news)
    note_failure(st, upstream, news.error());
  else if (!*news)
    note_success(st, upstream, [](feed_status&) {});
  else
    return hand_over(self, index, **news);
  poll_later(self, index, news.has_value());
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
  st.faults.resize(config.upstreams.size());
  st.config = std::move(config);
  st.config.plausibility->settle();
  for (std::uint64_t i = 0; i < st.config.upstreams.size(); ++i) {
    const auto& upstream = st.config.upstreams[i];
    if (upstream.poll_at_once)
      self->send(self, atom::poll_v, i);
    else
      self->delayed_send(self, upstream.cadence, atom::poll_v, i);
  }
  return {
      [self](atom::poll, std::uint64_t index) { poll(self, static_cast<std::size_t>(index)); },
  };
}

} // namespace assay::actors
