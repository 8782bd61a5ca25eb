#pragma once

#include "engine/metrics/metrics_rules.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace assay::test {

inline std::string shipped_metrics_text() {
  std::ifstream file{ASSAY_SOURCE_DIR "/conf/metrics.toml"};
  return {std::istreambuf_iterator<char>{file}, {}};
}

inline engine::metrics_rules shipped_metrics() {
  auto rules = engine::load_metrics_rules(shipped_metrics_text(), "metrics.toml");
  if (!rules)
    throw std::runtime_error{rules.error().text()};
  return *rules;
}

} // namespace assay::test
