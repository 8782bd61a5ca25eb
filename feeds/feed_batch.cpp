#include "feeds/feed_batch.hpp"

#include <iterator>

namespace assay::feeds {

namespace {

template <class T>
void append(std::vector<T>& to, std::vector<T>&& from) {
  if (to.empty())
    to = std::move(from);
  else
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

} // namespace

void feed_batch::merge(feed_batch&& other) {
  append(vaults, std::move(other.vaults));
  append(protocols, std::move(other.protocols));
  append(chains, std::move(other.chains));
  append(assets, std::move(other.assets));
  append(curators, std::move(other.curators));
  append(admins, std::move(other.admins));
  append(observations, std::move(other.observations));
  append(probes, std::move(other.probes));
  append(gas_samples, std::move(other.gas_samples));
  append(gas_observed, std::move(other.gas_observed));
  append(faults, std::move(other.faults));
}

} // namespace assay::feeds
