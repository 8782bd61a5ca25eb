#include "feeds/source/file_source.hpp"
#include "tests/support/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace assay::feeds {
namespace {

namespace fs = std::filesystem;

class FileSource : public ::testing::Test {
protected:
  void write(const std::string& name, const std::string& text) {
    std::ofstream{directory / name} << text;
  }

  assay::test::temporary_directory own;
  fs::path directory = own.path();
};

TEST_F(FileSource, ReadsDocumentsInTheOrderOfNames) {
  write("b.json", "2");
  write("a.ndjson", "1");
  write("c.txt", "3");
  file_source source{directory, 100};
  const auto got = source.fetch();
  ASSERT_TRUE(got && *got);
  ASSERT_EQ((*got)->size(), 2u);
  EXPECT_EQ((**got)[0].name, "a.ndjson");
  EXPECT_EQ((**got)[1].text, "2");
}

TEST_F(FileSource, SaysNothingUntilSomethingChanges) {
  write("a.json", "1");
  file_source source{directory / "a.json", 100};
  ASSERT_TRUE(*source.fetch());
  source.confirm();
  EXPECT_FALSE(*source.fetch());
  write("a.json", "22");
  EXPECT_TRUE(*source.fetch());
}

TEST_F(FileSource, BringsADocumentAgainUntilItIsConfirmed) {
  write("a.json", "1");
  file_source source{directory, 100};
  EXPECT_TRUE(*source.fetch());
  EXPECT_TRUE(*source.fetch());
}

TEST_F(FileSource, TakesFilesReadByOtherMeansForKnown) {
  write("a.json", "1");
  file_source source{directory, 100};
  source.confirm_current();
  EXPECT_FALSE(*source.fetch());
  write("b.json", "1");
  EXPECT_TRUE(*source.fetch());
}

TEST_F(FileSource, PassesHistoriesOverWhenTheyAreNotWanted) {
  write("a.json", "1");
  write("b.ndjson", "2");
  file_source source{directory, 100, false};
  EXPECT_EQ((**source.fetch()).size(), 1u);
}

TEST_F(FileSource, NamesWhatIsMissingOrTooLarge) {
  file_source missing{directory / "none", 100};
  EXPECT_EQ(missing.fetch().error().what, "no such file or directory");
  write("a.json", "12345");
  file_source small{directory, 4};
  EXPECT_EQ(small.fetch().error().what, "5 bytes, expected at most 4");
}

} // namespace
} // namespace assay::feeds
