#include "app/logging.hpp"

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

namespace assay::app {
namespace {

TEST(LogText, KeepsWhatIsHarmless) {
  EXPECT_EQ(escape_log_text("a=1 é"), "a=1 é");
}

TEST(LogText, EscapesWhatCouldBeginALine) {
  EXPECT_EQ(escape_log_text("a\r\nb\x7f\"\\"), "a\\u000d\\u000ab\\u007f\\\"\\\\");
}

TEST(LogText, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(escape_log_text("\xC3("), "\xEF\xBF\xBD(");
  EXPECT_EQ(escape_log_text("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Logging, WritesOneLinePerRecordWhateverTheMessage) {
  ::testing::internal::CaptureStderr();
  start_logging("info", "json");
  spdlog::info("target=/a\r\n{{\"level\":\"error\"}}");
  spdlog::debug("not shown");
  const auto text = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_NE(text.find(R"("level":"info","message":"target=/a\u000d\u000a)"), std::string::npos)
      << text;
}

} // namespace
} // namespace assay::app
