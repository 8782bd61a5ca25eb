#include "engine/allocation/mvo_text.hpp"

#include "tests/engine/allocation/random_instance.hpp"

#include <gtest/gtest.h>

namespace assay::engine {
namespace {

constexpr std::string_view good = "# a comment\n"
                                  "MVO1 2 1 1 6\n"
                                  "0 0.1 0.01 1 1 0 0.1\n"
                                  "\n"
                                  "1 -5e-02 1e-10 0.5 0\n"
                                  "0 budget 1.0 2 0 1\n";

std::string fault_of(std::string_view text) {
  const auto p = read_mvo(text, "x.mvo");
  return p ? "none" : p.error().text();
}

std::string replaced(std::string_view from, std::string_view to) {
  std::string s{good};
  return s.replace(s.find(from), from.size(), to);
}

TEST(MvoText, ReadsVariablesFactorsAndSets) {
  const auto p = read_mvo(good, "x.mvo");
  ASSERT_TRUE(p) << p.error().text();
  EXPECT_EQ(p->gamma(), 6);
  EXPECT_EQ(p->mu(), (std::vector<double>{0.1, -0.05}));
  EXPECT_EQ(p->d(), (std::vector<double>{0.01, 1e-10}));
  EXPECT_EQ(p->u(), (std::vector<double>{1, 0.5}));
  EXPECT_EQ(p->loadings().columns(0).size(), 1u);
  EXPECT_EQ(p->loadings().columns(1).size(), 0u);
  ASSERT_EQ(p->set_count(), 1u);
  EXPECT_EQ(p->sets()[0].name, "budget");
  EXPECT_EQ(p->sets()[0].members, (std::vector<std::uint32_t>{0, 1}));
}

TEST(MvoText, SurvivesARoundTripBitByBit) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto p = mvo_problem::create(testing::trouble(30, seed));
    ASSERT_TRUE(p);
    const auto q = read_mvo(write_mvo(*p), "again");
    ASSERT_TRUE(q) << q.error().text();
    EXPECT_EQ(q->mu(), p->mu());
    EXPECT_EQ(q->d(), p->d());
    EXPECT_EQ(q->u(), p->u());
    EXPECT_EQ(q->loadings().value, p->loadings().value);
    EXPECT_EQ(write_mvo(*q), write_mvo(*p));
  }
}

TEST(MvoText, NamesTheLineOfEveryFault) {
  EXPECT_EQ(fault_of(""), "x.mvo:0: expected 'MVO1 n k m gamma', found nothing");
  EXPECT_EQ(fault_of(replaced("MVO1", "MVO2")),
            "x.mvo:2: expected 'MVO1 n k m gamma', found 'MVO2'");
  EXPECT_EQ(fault_of(replaced("MVO1 2", "MVO1 -2")),
            "x.mvo:2: expected a whole number for n, found '-2'");
  EXPECT_EQ(fault_of(replaced("MVO1 2", "MVO1 9999999")),
            "x.mvo:2: n: '9999999' is above the most, 1000000");
  EXPECT_EQ(fault_of(replaced("1 6\n", "1 0\n")),
            "x.mvo:2: gamma: expected a finite number above 0");
  EXPECT_EQ(fault_of(replaced("1 6\n", "1 6 7\n")),
            "x.mvo:2: expected the end of the line, found '7'");
  EXPECT_EQ(fault_of(replaced("0 0.1", "0 x")), "x.mvo:3: expected a number for mu, found 'x'");
  EXPECT_EQ(fault_of(replaced("0 0.1", "0 nan")), "x.mvo:3: mu must be finite, found 'nan'");
  EXPECT_EQ(fault_of(replaced("0 0.1", "0 1e400")),
            "x.mvo:3: mu: '1e400' is out of range of a double");
  EXPECT_EQ(fault_of(replaced("0 0.1 0.01 1", "0 0.1 0 1")),
            "x.mvo:3: d must be finite and above 0");
  EXPECT_EQ(fault_of(replaced("1 0 0.1", "1 1 0.1")), "x.mvo:3: factor index 1 is not below 1");
  EXPECT_EQ(fault_of(replaced("1 0 0.1", "2 0 0.1")),
            "x.mvo:3: the number of loadings: '2' is above the most, 1");
  EXPECT_EQ(fault_of(replaced("1 -5e-02", "7 -5e-02")), "x.mvo:5: expected variable 1, found 7");
  EXPECT_EQ(fault_of(replaced("2 0 1\n", "2 0\n")),
            "x.mvo:6: expected a whole number for a member, found the end of the line");
  EXPECT_EQ(fault_of(replaced("2 0 1\n", "2 0 0\n")), "x.mvo:6: member 0 appears twice");
  EXPECT_EQ(fault_of(replaced("2 0 1\n", "2 0 2\n")), "x.mvo:6: member 2 is not below 2");
  EXPECT_EQ(fault_of(std::string{good} + "1 more 1 0\n"),
            "x.mvo:7: expected the end of the file after 1 sets");
  EXPECT_EQ(fault_of(good.substr(0, good.find("0 budget"))),
            "x.mvo:5: expected 1 set lines, found 0");
}

TEST(MvoText, RefusesEveryCutOfAFile) {
  for (std::size_t n = 0; n + 2 < good.size(); ++n) {
    const std::string_view cut = good.substr(0, n);
    EXPECT_NE(fault_of(cut), "none") << cut;
  }
}

// Whatever a mutation makes of a file, it is refused with a line or read as a checked problem.
TEST(MvoText, SurvivesMutations) {
  testing::random_bits r{11};
  constexpr std::string_view bytes = "0123456789-+.eE \n\t#xnaifMVO\xff";
  int refused = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string text{good};
    for (std::uint32_t k = 1 + r.below(3); k-- > 0;) {
      const std::uint32_t at = r.below(static_cast<std::uint32_t>(text.size()));
      const char byte = bytes[r.below(static_cast<std::uint32_t>(bytes.size()))];
      if (r.chance(0.5))
        text[at] = byte;
      else
        text.insert(at, 1, byte);
    }
    const auto p = read_mvo(text, "m");
    if (!p) {
      ++refused;
      EXPECT_EQ(p.error().where.rfind("m:", 0), 0u) << text;
      continue;
    }
    const auto q = read_mvo(write_mvo(*p), "again");
    ASSERT_TRUE(q) << q.error().text();
    EXPECT_EQ(write_mvo(*q), write_mvo(*p));
  }
  EXPECT_GT(refused, 2000);
}

} // namespace
} // namespace assay::engine
