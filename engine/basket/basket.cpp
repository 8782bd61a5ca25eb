#include "engine/basket/basket.hpp"

#include "messages/types/text.hpp"

#include <algorithm>
#include <cmath>

namespace assay::engine {

namespace {

constexpr std::size_t address_length_max = 128;

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// Weights with the largest at 1: sums can then neither overflow nor vanish.
std::vector<double> scaled_weights(std::span<const basket_position> positions) {
  std::vector<double> w;
  double top = 0;
  for (const basket_position& p : positions) {
    w.push_back(p.weight.value_or(1));
    top = std::max(top, w.back());
  }
  for (double& x : w)
    x /= top;
  return w;
}

/// A weighted mean that is exact for equal values.
class weighted_mean {
public:
  void add(double weight, double value) {
    weight_ += weight;
    if (weight_ > 0)
      mean_ += (value - mean_) * (weight / weight_);
    any_ = true;
  }
  std::optional<double> value() const { return any_ ? std::optional{mean_} : std::nullopt; }

private:
  double weight_ = 0;
  double mean_ = 0;
  bool any_ = false;
};

} // namespace

std::vector<problem> find_basket_faults(std::span<const basket_position> positions) {
  if (positions.empty() || positions.size() > basket_positions_max)
    return {{"positions", "expected 1 to " + std::to_string(basket_positions_max) +
                              " positions, got " + std::to_string(positions.size())}};
  std::vector<problem> faults;
  const auto weighted = static_cast<std::size_t>(
      std::count_if(positions.begin(), positions.end(),
                    [](const basket_position& p) { return p.weight.has_value(); }));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const basket_position& p = positions[i];
    const std::string path = "positions[" + std::to_string(i) + "]";
    if (p.address.empty() || p.address.size() > address_length_max ||
        !std::all_of(p.address.begin(), p.address.end(), is_alphanumeric))
      faults.push_back({path + ".address", "expected 1 to 128 letters and digits"});
    if (p.weight ? !std::isfinite(*p.weight) || *p.weight <= 0 : weighted > 0)
      faults.push_back({path + ".weight", p.weight ? "expected a number greater than 0"
                                                   : "expected a weight on every position or on "
                                                     "none"});
  }
  return faults;
}

basket_result score_basket(std::span<const basket_position> positions, const basket_lookup& lookup,
                           const label_bands& bands) {
  basket_result r;
  const std::vector<double> weight = scaled_weights(positions);
  double total = 0;
  for (const double w : weight)
    total += w;
  weighted_mean composite, apy;
  std::array<weighted_mean, enum_size<pillar>> pillars;
  double scored = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const basket_position& p = positions[i];
    basket_item item{p.chain, p.address, weight[i] / total, lookup(p.chain, lower_case(p.address))};
    r.max_weight = std::max(r.max_weight, item.weight);
    r.chain_share[p.chain] += weight[i];
    r.protocol_share[item.vault ? item.vault->protocol_id : "unscored"] += weight[i];
    if (item.vault) {
      ++r.scored_positions;
      scored += weight[i];
      composite.add(weight[i], item.vault->composite);
      for (std::size_t k = 0; k < pillars.size(); ++k)
        pillars[k].add(weight[i], item.vault->pillar_scores[k]);
      if (item.vault->apy)
        apy.add(weight[i], *item.vault->apy);
    }
    r.items.push_back(std::move(item));
  }
  for (auto& [chain, share] : r.chain_share)
    share /= total;
  for (auto& [protocol, share] : r.protocol_share)
    share /= total;
  r.positions = static_cast<int>(positions.size());
  r.scored_weight = positions.empty() ? 0 : scored / total;
  r.composite = composite.value();
  r.apy = apy.value();
  std::transform(pillars.begin(), pillars.end(), r.pillar_scores.begin(),
                 [](const weighted_mean& m) { return m.value(); });
  if (r.composite)
    r.label = *r.composite >= bands.conservative_min ? posture::conservative
              : *r.composite >= bands.balanced_min   ? posture::balanced
                                                     : posture::aggressive;
  return r;
}

} // namespace assay::engine
