#include "store/archive/archive.hpp"

#include "tests/store/archive/random_records.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <functional>
#include <sys/resource.h>

namespace assay::store {
namespace {

using namespace std::chrono_literals;

constexpr time_point noon{std::chrono::milliseconds{1'763'726'400'000}};

class DiskFull : public ::testing::Test {
protected:
  static void SetUpTestSuite() { test::full_disk::install(); }

  struct attempt {
    /// Makes a batch; returns the problem or nothing.
    std::function<std::optional<problem>(archive&)> write;
    /// Everything that a reader can see of it.
    std::function<std::string(const archive_reader&)> look;
    /// What has to be there before.
    std::function<void(archive&)> prepare = [](archive&) {};
  };

  /// Lets the disk fill up at every single write that the batch needs, one after another.
  static void refuse_at_every_write(const attempt& a) {
    int refusals = 0;
    for (int fits = 0;; ++fits) {
      test::temporary_directory directory;
      auto file = std::move(*archive::open(directory.path()));
      test::random_records random{3};
      ASSERT_TRUE(file.append_scores(random.batch(20, noon - 4h)));
      a.prepare(file);
      const auto before = a.look(file.read());
      bool refused = false;
      {
        test::full_disk full{fits};
        const auto p = a.write(file);
        refused = full.refused();
        if (refused) {
          ++refusals;
          // A write after the commit (a checkpoint) may fail without harm to the batch.
          if (p) {
            EXPECT_NE(p->what.find("full"), std::string::npos) << p->text();
            EXPECT_EQ(a.look(file.read()), before) << "after " << fits << " writes";
            EXPECT_TRUE(a.write(file)) << "there is still no room";
          }
          EXPECT_EQ(file.read().latest_scores()->size(), 20u);
          const auto other = archive_reader::open(directory.path());
          ASSERT_TRUE(other) << other.error().text();
          EXPECT_EQ(other->latest_scores()->size(), 20u);
        } else {
          EXPECT_FALSE(p);
        }
      }
      // Room again, no restart.
      const auto p = a.write(file);
      if (refused) {
        EXPECT_FALSE(p) << p->text();
      }
      EXPECT_NE(a.look(file.read()), before);
      EXPECT_TRUE(file.read().check_integrity()->problems.empty());
      if (!refused)
        break;
    }
    EXPECT_GT(refusals, 3) << "the batch is too small to be torn";
  }
};

TEST_F(DiskFull, RefusesAScoringRunWhole) {
  refuse_at_every_write({[](archive& a) -> std::optional<problem> {
                           test::random_records random{4};
                           const auto run = a.append_scores(random.batch(20, noon));
                           return run ? std::nullopt : std::optional{run.error()};
                         },
                         [](const archive_reader& r) {
                           return std::to_string(
                               r.runs(time_point::min(), time_point::max())->size());
                         }});
}

TEST_F(DiskFull, RefusesABatchOfObservationsWhole) {
  refuse_at_every_write({[](archive& a) -> std::optional<problem> {
                           test::random_records random{4};
                           std::vector<observation> batch;
                           for (int i = 0; i < 300; ++i)
                             batch.push_back(
                                 random.observed("w" + std::to_string(i), noon + i * 1h));
                           const auto r = a.append_observations(batch);
                           return r ? std::nullopt : std::optional{r.error()};
                         },
                         [](const archive_reader& r) {
                           return std::to_string(*r.revision()) + "/" +
                                  std::to_string(r.load_history(time_point::max())->size());
                         }});
}

TEST_F(DiskFull, RefusesAWholeDocumentWhole) {
  refuse_at_every_write(
      {[](archive& a) -> std::optional<problem> {
         test::random_records random{4};
         std::vector<vault_record> vaults(100);
         std::vector<observation> seen;
         std::vector<route_probe> probes;
         for (auto& v : vaults) {
           v.vault_id = "w" + std::to_string(seen.size());
           seen.push_back(random.observed(v.vault_id, noon));
           probes.push_back({v.vault_id, noon, "composer", "lifi", {}});
         }
         const auto r =
             a.take({.facts = {.vaults = vaults}, .observations = seen, .probes = probes});
         return r ? std::nullopt : std::optional{r.error()};
       },
       [](const archive_reader& r) {
         return std::to_string(r.load_universe()->vaults.size()) + "/" +
                std::to_string(r.load_history(time_point::max())->size()) + "/" +
                std::to_string(r.counting_probes()->size());
       }});
}

TEST_F(DiskFull, ThinsWholeOrNotAtAll) {
  refuse_at_every_write({[](archive& a) -> std::optional<problem> {
                           const auto r = a.thin_observations(noon + 30 * 24h);
                           return r ? std::nullopt : std::optional{r.error()};
                         },
                         [](const archive_reader& r) {
                           std::string seen;
                           for (int hour = 0; hour < 72; ++hour) {
                             const auto book = *r.load_history(noon + hour * 1h);
                             for (const auto& [id, series] : book)
                               seen += id + std::to_string(series.at_ms.back()) + " ";
                           }
                           return std::to_string(std::hash<std::string>{}(seen));
                         },
                         [](archive& a) {
                           test::random_records random{4};
                           std::vector<observation> batch;
                           for (int vault = 0; vault < 10; ++vault)
                             for (int hour = 0; hour < 72; ++hour)
                               batch.push_back(
                                   random.observed("v" + std::to_string(vault), noon + hour * 1h));
                           ASSERT_TRUE(a.append_observations(batch));
                         }});
}

TEST_F(DiskFull, AnArchiveIsMadeWholeOrMadeAgain) {
  int refusals = 0;
  for (int fits = 0;; ++fits) {
    test::temporary_directory directory;
    bool refused = false;
    {
      test::full_disk full{fits};
      const auto made = archive::open(directory.path());
      refused = full.refused();
      EXPECT_EQ(made.has_value(), !refused) << "after " << fits << " writes";
    }
    auto a = archive::open(directory.path());
    ASSERT_TRUE(a) << a.error().text();
    test::random_records random{3};
    EXPECT_TRUE(a->append_scores(random.batch(2, noon)));
    EXPECT_TRUE(a->read().check_integrity()->problems.empty());
    if (!refused)
      break;
    ++refusals;
  }
  EXPECT_GT(refusals, 3);
}

/// The same with the kernel refusing: a limit on the size of files in a child process.
int fill_up_a_limited_disk() {
  const auto require = [](bool ok, const char* what) {
    if (!ok) {
      std::fprintf(stderr, "failed: %s\n", what);
      _exit(1);
    }
  };
  std::signal(SIGXFSZ, SIG_IGN); // write then fails with EFBIG
  test::temporary_directory directory;
  {
    auto a = std::move(*archive::open(directory.path()));
    test::random_records random{9};
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const auto unlimited = limit;
    limit.rlim_cur = 400'000;
    require(setrlimit(RLIMIT_FSIZE, &limit) == 0, "set the limit");
    std::int64_t acknowledged = 0;
    for (int i = 0; i < 1000; ++i) {
      if (!a.append_scores(random.batch(20, noon + i * 4h)))
        break;
      ++acknowledged;
    }
    require(acknowledged > 2 && acknowledged < 1000, "fill the disk");
    const auto runs = [&] {
      return static_cast<std::int64_t>(a.read().runs(time_point::min(), time_point::max())->size());
    };
    require(runs() == acknowledged, "nothing of the refused batch is there");
    require(a.read().latest_scores()->size() == 20, "reading goes on");
    require(!a.append_scores(random.batch(20, noon + 9000h)), "still full");
    require(setrlimit(RLIMIT_FSIZE, &unlimited) == 0, "make room");
    require(a.append_scores(random.batch(20, noon + 9000h)).has_value(), "room again");
    require(runs() == acknowledged + 1, "the new run is there");
    require(a.read().check_integrity()->problems.empty(), "the file is whole");
  }
  return 0;
}

TEST(DiskFullDeathTest, RefusesWhatTheKernelRefuses) {
  EXPECT_EXIT(_exit(fill_up_a_limited_disk()), ::testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace assay::store
