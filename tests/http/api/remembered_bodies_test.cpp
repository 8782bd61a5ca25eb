#include "http/api/remembered_bodies.hpp"

#include <gtest/gtest.h>

namespace assay::http {
namespace {

body_ptr body(std::size_t bytes) {
  return std::make_shared<const rendered_body>(std::string(bytes, 'x'));
}

TEST(RememberedBodies, MakesABodyOncePerSnapshot) {
  remembered_bodies memory(1000);
  int made = 0;
  const auto make = [&] {
    ++made;
    return body(10);
  };
  const auto first = memory.find_or_make(1, "a", make);
  EXPECT_EQ(memory.find_or_make(1, "a", make), first);
  EXPECT_EQ(made, 1);
  memory.find_or_make(2, "a", make);
  EXPECT_EQ(made, 2);
  EXPECT_EQ(memory.bytes(), 10U);
}

TEST(RememberedBodies, ServesAnOlderSnapshotWithoutKeepingIt) {
  remembered_bodies memory(1000);
  const auto newer = memory.find_or_make(2, "a", [] { return body(10); });
  EXPECT_EQ(memory.find_or_make(1, "a", [] { return body(20); })->bytes(), 20U);
  EXPECT_EQ(memory.find_or_make(2, "a", [] { return body(30); }), newer);
}

TEST(RememberedBodies, DropsWhatWasNotAskedForTheLongest) {
  remembered_bodies memory(100);
  const auto a = memory.find_or_make(1, "a", [] { return body(40); });
  memory.find_or_make(1, "b", [] { return body(40); });
  memory.find_or_make(1, "a", [] { return body(1); });
  memory.find_or_make(1, "c", [] { return body(40); });
  EXPECT_EQ(memory.bytes(), 80U);
  EXPECT_EQ(memory.find_or_make(1, "a", [] { return body(1); }), a);
  EXPECT_EQ(memory.find_or_make(1, "b", [] { return body(41); })->bytes(), 41U);
  memory.find_or_make(1, "huge", [] { return body(101); });
  EXPECT_LE(memory.bytes(), 100U);
}

} // namespace
} // namespace assay::http
