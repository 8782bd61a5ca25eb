#include "app/commands/generate.hpp"
#include "tests/support/temporary_directory.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <sstream>

namespace assay::app {
namespace {

namespace fs = std::filesystem;

class GenerateCommand : public testing::Test {
protected:
  int run(const generate_arguments& arguments) {
    out_.str({});
    err_.str({});
    return run_generate(arguments, out_, err_);
  }

  test::temporary_directory own_;
  std::string directory_ = own_.path();
  std::ostringstream out_, err_;
};

TEST_F(GenerateCommand, WritesAUniverseAndSaysWhatItMade) {
  EXPECT_EQ(run({20, 10, 1, directory_ + "/u", false}), 0);
  EXPECT_THAT(out_.str(), testing::StartsWith("synthetic universe in " + directory_ + "/u: 20 "));
  EXPECT_EQ(err_.str(), "");
  EXPECT_TRUE(fs::exists(directory_ + "/u/vaults.json"));
}

TEST_F(GenerateCommand, TellsWrongArgumentsFromAnUnwritableDirectory) {
  EXPECT_EQ(run({0, 10, 1, directory_ + "/u", false}), 2);
  EXPECT_EQ(err_.str(), "--vaults: expected 1 to 10000000\n");
  EXPECT_EQ(run({1, 9999, 1, directory_ + "/u", false}), 2);
  EXPECT_EQ(err_.str(), "--days: expected 1 to 3650\n");
  EXPECT_EQ(run({1, 1, 1, "", false}), 2);
  EXPECT_EQ(err_.str(), "--out: missing, expected a directory\n");
  EXPECT_EQ(run({1, 1, 1, "/dev/null/u", false}), 1);
  EXPECT_THAT(err_.str(), testing::HasSubstr("cannot be created"));
}

TEST_F(GenerateCommand, ShowsAProgressBarThatEndsFull) {
  EXPECT_EQ(run({1500, 2, 1, directory_ + "/u", true}), 0);
  EXPECT_THAT(err_.str(), testing::HasSubstr("] 1000/1500"));
  EXPECT_THAT(err_.str(), testing::EndsWith("########] 1500/1500\n"));
}

} // namespace
} // namespace assay::app
