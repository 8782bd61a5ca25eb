#include "app/atomic_file.hpp"
#include "tests/support/temporary_directory.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::app {

namespace {

namespace fs = std::filesystem;

class replacing : public testing::Test {
protected:
  static std::string read(const fs::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
  }

  test::temporary_directory own;
  fs::path directory = own.path();
};

} // namespace

TEST_F(replacing, WritesAndReplaces) {
  const auto path = directory / "probes.json";
  EXPECT_EQ(replace_file(path, "one"), std::nullopt);
  EXPECT_EQ(read(path), "one");
  EXPECT_EQ(replace_file(path, "two"), std::nullopt);
  EXPECT_EQ(read(path), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator{directory}, {}), 1) << "nothing is left beside it";
}

TEST_F(replacing, LeavesTheOldFileAloneWhenItFails) {
  const auto missing = replace_file(directory / "no" / "probes.json", "x");
  ASSERT_TRUE(missing);
  EXPECT_THAT(*missing, testing::HasSubstr("No such file"));
  // A directory in the place of the file cannot be replaced by one.
  const auto path = directory / "taken";
  fs::create_directory(path);
  EXPECT_TRUE(replace_file(path, "x"));
  EXPECT_TRUE(fs::is_directory(path));
  EXPECT_FALSE(fs::exists(directory / "taken.new"));
}

TEST_F(replacing, ReportsAFullDevice) {
  if (!fs::exists("/dev/full"))
    FAIL() << "expected /dev/full";
  const auto path = directory / "probes.json";
  ASSERT_EQ(replace_file(path, "old"), std::nullopt);
  fs::create_symlink("/dev/full", directory / "probes.json.new");
  const auto failed = replace_file(path, "new");
  ASSERT_TRUE(failed);
  EXPECT_THAT(*failed, testing::HasSubstr("No space left"));
  EXPECT_EQ(read(path), "old");
}

} // namespace assay::app
