#include "actors/daily_thinning.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <string_view>

namespace assay::actors {

namespace {

/// Setting of the archive: when its observations were thinned last, ISO 8601.
constexpr std::string_view thinned_at_setting = "thinned_at";

} // namespace

bool thin_archive(store::archive& archive, time_point now, std::chrono::hours horizon) {
  const auto before = now - horizon;
  const auto done = archive.thin_observations(before);
  if (!done) {
    spdlog::error("observations not thinned: {}", done.error().text());
    return false;
  }
  spdlog::info("thinned observations before {}: {} of {} removed", to_iso8601(before),
               done->removed, done->examined);
  if (const auto dropped = archive.drop_gas_samples(before); !dropped)
    spdlog::error("old gas samples not removed: {}", dropped.error().text());
  if (const auto wrong = archive.put_setting(thinned_at_setting, to_iso8601(now)))
    spdlog::error("time of the thinning not noted: {}", wrong->text());
  return true;
}

std::chrono::milliseconds until_thinning(const store::archive_reader& archive, time_point now) {
  const auto noted = archive.setting(thinned_at_setting);
  const auto last = noted && *noted ? parse_iso8601(**noted) : std::nullopt;
  if (!last)
    return std::chrono::milliseconds{0};
  return std::clamp(*last + thinning_cadence - now, std::chrono::milliseconds{0},
                    std::chrono::milliseconds{thinning_cadence});
}

} // namespace assay::actors
