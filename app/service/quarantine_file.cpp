#include "app/service/quarantine_file.hpp"

#include "app/atomic_file.hpp"
#include "feeds/plausibility_text.hpp"

#include <spdlog/spdlog.h>

#include <fstream>
#include <iterator>
#include <utility>

namespace assay::app {

quarantine_file::quarantine_file(const std::filesystem::path& data_directory)
    : path_(data_directory / "quarantine.json") {}

feeds::plausibility_memory quarantine_file::read() const {
  std::ifstream in{path_, std::ios::binary};
  if (!in.is_open())
    return {};
  const std::string text{std::istreambuf_iterator<char>{in}, {}};
  auto memory = feeds::read_plausibility_memory(path_.string(), text);
  if (memory)
    return std::move(*memory);
  spdlog::warn("{}; what was held back is judged anew", memory.error().text());
  return {};
}

void quarantine_file::write(const feeds::plausibility& judge) {
  auto memory = judge.memory();
  const bool due = memory.judged_until - written_.judged_until >= std::chrono::minutes{1};
  if (!due && memory.vaults == written_.vaults && memory.feeds == written_.feeds)
    return;
  if (const auto failure = replace_file(path_.string(), feeds::to_json(memory))) {
    if (!std::exchange(failed_, true))
      spdlog::warn("{}: {}", path_.string(), *failure);
    return;
  }
  failed_ = false;
  written_ = std::move(memory);
}

} // namespace assay::app
