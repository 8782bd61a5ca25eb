#include "feeds/source/beefy_source.hpp"

#include "feeds/adapters/beefy.hpp"

#include <array>
#include <utility>

namespace assay::feeds {

beefy_source::beefy_source(std::string base_url, fetch_limits limits,
                           std::vector<std::pair<std::string, std::string>> headers)
    : base_url_(std::move(base_url)), headers_(std::move(headers)), fetcher_(std::move(limits)) {
  if (base_url_.ends_with('/'))
    base_url_.pop_back();
}

expected<std::optional<std::vector<source_document>>> beefy_source::fetch() {
  constexpr std::array<const char*, 3> paths{"/vaults", "/apy/breakdown", "/tvl"};
  std::array<std::string, 3> bodies;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    fetch_request request;
    request.url = base_url_ + paths[i];
    request.headers = headers_;
    auto answer = fetcher_.get(request);
    if (!answer)
      return problem{request.url, answer.error().what};
    bodies[i] = std::move(answer->body);
  }
  std::vector<source_document> result;
  result.push_back({base_url_, bundle_beefy(bodies[0], bodies[1], bodies[2])});
  return std::optional{std::move(result)};
}

} // namespace assay::feeds
