#include "feeds/generate/document_writer.hpp"

#include <array>
#include <cmath>

namespace assay::feeds::generate {

namespace {

constexpr std::size_t buffer_bytes = 1 << 20;

} // namespace

document_writer::document_writer(const std::string& path, std::string_view kind,
                                 std::string_view source, time_point recorded_at)
    : file_(std::fopen(path.c_str(), "wb")), lines_(kind == "history"), failed_(!file_) {
  buffer_.reserve(buffer_bytes + 4096);
  raw(R"({"schema":"assay.)").raw(kind).raw(R"(/1","dataset":"synthetic","source":)");
  text(source).raw(R"(,"recordedAt":)").text(to_iso8601(recorded_at));
  raw(lines_ ? "}\n" : ",\"items\":[");
}

void document_writer::room(std::size_t bytes) {
  if (buffer_.size() + bytes <= buffer_bytes)
    return;
  if (!failed_)
    failed_ = std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size();
  buffer_.clear();
}

void document_writer::next_item() {
  if (first_)
    raw(lines_ ? "" : "\n");
  else
    raw(lines_ ? "\n" : ",\n");
  first_ = false;
}

document_writer& document_writer::field(std::string_view name, bool first) {
  if (!first)
    raw(',');
  return text(name).raw(':');
}

document_writer& document_writer::number(double value, int decimals) {
  constexpr std::array<std::int64_t, 7> powers{1, 10, 100, 1000, 10'000, 100'000, 1'000'000};
  const auto power = powers[static_cast<std::size_t>(decimals)];
  const double scaled = value * static_cast<double>(power);
  if (!(std::abs(scaled) < 9e15))
    return raw("null");
  // Fixed-point by hand: several times faster than the shortest text of a rounded double.
  auto units = static_cast<std::int64_t>(std::llround(scaled));
  if (units < 0) {
    raw('-');
    units = -units;
  }
  number(units / power);
  auto rest = units % power;
  if (rest == 0)
    return *this;
  raw('.');
  for (auto p = power / 10; rest > 0; p /= 10) {
    raw(static_cast<char>('0' + rest / p));
    rest %= p;
  }
  return *this;
}

bool document_writer::close() {
  raw(first_ && lines_ ? "" : "\n").raw(lines_ ? "" : "]}\n");
  room(buffer_bytes + 1);
  return !failed_ && std::fclose(file_.release()) == 0;
}

} // namespace assay::feeds::generate
