#include "app/logging.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>

namespace assay::app {

namespace {

/// `%Q` in a pattern: the message, escaped.
class escaped_message final : public spdlog::custom_flag_formatter {
public:
  void format(const spdlog::details::log_msg& record, const std::tm&,
              spdlog::memory_buf_t& out) override {
    const auto text = escape_log_text({record.payload.data(), record.payload.size()});
    out.append(text.data(), text.data() + text.size());
  }

  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<escaped_message>();
  }
};

/// Length of the well-formed UTF-8 sequence at `pos`, 0 when there is none (RFC 3629).
std::size_t utf8_length(std::string_view text, std::size_t pos) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned lead = byte(pos);
  const unsigned next = byte(pos + 1);
  if (lead >= 0xC2 && lead <= 0xDF)
    return continues(pos + 1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool in_range = (lead != 0xE0 || next >= 0xA0) && (lead != 0xED || next <= 0x9F);
    return in_range && continues(pos + 1) && continues(pos + 2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool in_range = (lead != 0xF0 || next >= 0x90) && (lead != 0xF4 || next <= 0x8F);
    return in_range && continues(pos + 1) && continues(pos + 2) && continues(pos + 3) ? 4 : 0;
  }
  return 0;
}

} // namespace

std::string escape_log_text(std::string_view text) {
  constexpr char hex[] = "0123456789abcdef";
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '"' || c == '\\') {
      result += {'\\', text[i]};
    } else if (c < 0x20 || c == 0x7F) {
      result += "\\u00";
      result += {hex[c >> 4], hex[c & 15]};
    } else if (c < 0x80) {
      result += text[i];
    } else if (const auto length = utf8_length(text, i); length > 0) {
      result += text.substr(i, length);
      i += length;
      continue;
    } else {
      result += "\xEF\xBF\xBD";
    }
    ++i;
  }
  return result;
}

void start_logging(std::string_view level, std::string_view format) {
  auto formatter = std::make_unique<spdlog::pattern_formatter>(spdlog::pattern_time_type::utc);
  formatter->add_flag<escaped_message>('Q');
  formatter->set_pattern(format == "json"
                             ? R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l","message":"%Q"})"
                             : "%Y-%m-%dT%H:%M:%S.%eZ %l %Q");
  auto logger =
      std::make_shared<spdlog::logger>("assay", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_formatter(std::move(formatter));
  logger->set_level(spdlog::level::from_str(std::string{level}));
  logger->flush_on(spdlog::level::trace);
  spdlog::set_default_logger(std::move(logger));
}

} // namespace assay::app
