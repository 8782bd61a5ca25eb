#include "feeds/source/file_source.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <utility>

namespace assay::feeds {

namespace {

namespace fs = std::filesystem;

bool is_document(const fs::path& path, bool with_histories) {
  return path.extension() == ".json" || (with_histories && path.extension() == ".ndjson");
}

expected<std::vector<fs::path>> files_of(const fs::path& path, bool with_histories) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    if (!fs::exists(path, error))
      return problem{path.string(), "no such file or directory"};
    return std::vector{path};
  }
  std::vector<fs::path> result;
  for (auto i = fs::directory_iterator{path, error}; !error && i != fs::directory_iterator{};
       i.increment(error))
    if (is_document(i->path(), with_histories))
      result.push_back(i->path());
  if (error)
    return problem{path.string(), error.message()};
  std::sort(result.begin(), result.end());
  return result;
}

/// Name, size and time of every file, as one text to compare.
std::string signature_of(const std::vector<fs::path>& files) {
  std::string result;
  for (const auto& file : files) {
    std::error_code error;
    result.append(file.string()).append("\n").append(std::to_string(fs::file_size(file, error)));
    result.append(" ").append(
        std::to_string(fs::last_write_time(file, error).time_since_epoch().count()));
    result.append("\n");
  }
  return result;
}

expected<source_document> read_file(const fs::path& file, std::uint64_t bytes_max) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (error)
    return problem{file.string(), error.message()};
  if (size > bytes_max)
    return problem{file.string(),
                   std::to_string(size) + " bytes, expected at most " + std::to_string(bytes_max)};
  std::ifstream in{file, std::ios::binary};
  source_document result{file.filename().string(), std::string(size, '\0')};
  in.read(result.text.data(), static_cast<std::streamsize>(size));
  if (!in)
    return problem{file.string(), "could not be read to its end"};
  return result;
}

} // namespace

file_source::file_source(fs::path path, std::uint64_t bytes_max, bool with_histories)
    : path_(std::move(path)), bytes_max_(bytes_max), with_histories_(with_histories) {}

expected<std::optional<std::vector<source_document>>> file_source::fetch() {
  const auto files = files_of(path_, with_histories_);
  if (!files)
    return files.error();
  // Taken before reading: a file written meanwhile looks changed the next time.
  fetched_ = signature_of(*files);
  if (fetched_ == confirmed_)
    return std::optional<std::vector<source_document>>{};
  std::vector<source_document> result;
  for (const auto& file : *files) {
    auto document = read_file(file, bytes_max_);
    if (!document)
      return document.error();
    result.push_back(std::move(*document));
  }
  return std::optional{std::move(result)};
}

void file_source::confirm() {
  confirmed_ = fetched_;
}

void file_source::confirm_current() {
  if (const auto files = files_of(path_, with_histories_))
    confirmed_ = signature_of(*files);
}

} // namespace assay::feeds
