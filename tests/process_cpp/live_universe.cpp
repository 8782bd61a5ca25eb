#include "tests/process_cpp/live_universe.hpp"

#include "tests/process_cpp/service_process.hpp"

#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace assay::test {

using namespace std::chrono_literals;

const std::string live_universe::one =
    "synthetic-38:8453:0x78f465f89d2d5a8dbbaf8fa64105f87d382bc0d5";
const std::string live_universe::two = "synthetic-33:1:0x926b6c35dcfc6a4135685a13efbe32af816fd968";

live_universe::live_universe(std::filesystem::path directory) : directory_(std::move(directory)) {
  program generate{directory_ / "generate",
                   {"generate", "--vaults", "5", "--days", "20", "--seed", "1", "--out", path()}};
  if (generate.wait() != 0)
    throw std::runtime_error(generate.log());
  rename_dataset();
}

void live_universe::rename_dataset() const {
  const std::string from = "\"dataset\":\"synthetic\"";
  for (const auto& entry : std::filesystem::directory_iterator{path()}) {
    std::stringstream text;
    text << std::ifstream{entry.path()}.rdbuf();
    auto content = text.str();
    if (const auto at = content.find(from); at != std::string::npos)
      content.replace(at, from.size(), "\"dataset\":\"faults\"");
    std::ofstream{entry.path()} << content;
  }
}

void live_universe::write_history() const {
  std::string at, apy, tvl;
  const auto now_s = wall_clock().time_since_epoch() / 1s;
  for (int day = 21; day > 0; --day) {
    const auto comma = day == 21 ? "" : ",";
    at += comma + std::to_string(now_s - day * 86'400);
    apy += comma + std::string{day % 2 == 0 ? "5.2" : "5.3"};
    tvl += comma + std::string{"1234567"};
  }
  std::ofstream out{path() + "/history.ndjson"};
  out << "{\"schema\":\"assay.history/1\",\"dataset\":\"faults\",\"source\":\"a test\","
      << "\"recordedAt\":\"" << to_iso8601(wall_clock()) << "\"}\n";
  for (const auto& id : {one, two})
    out << "{\"vaultId\":\"" << id << "\",\"at\":[" << at << "],\"apyBase\":[" << apy
        << "],\"tvlUsd\":[" << tvl << "]}\n";
}

std::string live_universe::write_config(const std::string& feed_url) const {
  const auto file = directory_ / "assay.toml";
  std::ofstream{file} << "[catalog]\nfetch_timeout_ms = 300\ndocument_bytes_max = 65536\n"
                      << "retries = 0\n"
                      << "[[feeds]]\nname = \"up\"\nadapter = \"assay\"\ncadence_s = 1\nurl = \""
                      << feed_url << "\"\n";
  return file.string();
}

time_point wall_clock() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::string feed_document(const std::string& items, time_point recorded_at) {
  return feed_document_of("observations", items, recorded_at);
}

std::string feed_document_of(const std::string& kind, const std::string& items,
                             time_point recorded_at) {
  return "{\"schema\":\"assay." + kind +
         "/1\",\"dataset\":\"faults\",\"source\":\"a test\",\"recordedAt\":\"" +
         to_iso8601(recorded_at) + "\",\"items\":[" + items + "]}";
}

std::string feed_item(const std::string& vault_id, const std::string& apy, const std::string& tvl) {
  return "{\"vaultId\":\"" + vault_id + "\",\"apyBase\":" + apy + ",\"tvlUsd\":" + tvl + "}";
}

} // namespace assay::test
