#include "actors/key_keeper.hpp"

#include "tests/support/deterministic_actors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace assay::actors {
namespace {

using namespace std::chrono_literals;

/// A registry that can be made to fail.
class fragile_registry final : public store::key_registry {
public:
  explicit fragile_registry(std::unique_ptr<store::key_registry> inner)
      : inner_(std::move(inner)) {}

  expected<std::vector<store::key_record>> list() override {
    if (broken)
      return problem{"keys", "planted"};
    return inner_->list();
  }
  expected<std::string> revision() override {
    if (broken)
      return problem{"keys", "planted"};
    return inner_->revision();
  }

  bool broken = false;

private:
  std::optional<problem> add(const store::key_record&) override { return std::nullopt; }
  std::optional<problem> mark_retired(const std::vector<store::key_digest>&, time_point) override {
    return std::nullopt;
  }

  std::unique_ptr<store::key_registry> inner_;
};

class KeyKeeper : public test::deterministic_actors {
protected:
  KeyKeeper() {
    keeper = sys.spawn(key_keeper, std::shared_ptr<store::key_registry>{registry}, book, status);
    run();
  }
  ~KeyKeeper() override { stop(keeper); }

  std::string issue() { return admin->issue("ann", now)->key; }

  time_point now = *parse_iso8601("2026-01-05T10:00:00Z");
  test::temporary_directory directory;
  /// The command line's view of the same directory.
  std::unique_ptr<store::key_registry> admin = std::move(*store::open_key_file(directory.path()));
  std::shared_ptr<fragile_registry> registry =
      std::make_shared<fragile_registry>(std::move(*store::open_key_file(directory.path())));
  std::shared_ptr<store::key_book> book = std::make_shared<store::key_book>();
  std::shared_ptr<status_board> status = std::make_shared<status_board>();
  key_keeper_actor keeper;
};

TEST_F(KeyKeeper, LearnsOfAKeyAndOfItsEndWithinHalfASecond) {
  const auto key = issue();
  EXPECT_FALSE(book->find(key));
  advance(500ms);
  ASSERT_TRUE(book->find(key));
  EXPECT_EQ(book->find(key)->name, "ann");
  ASSERT_TRUE(admin->retire(key, now));
  advance(500ms);
  EXPECT_FALSE(book->find(key));
}

TEST_F(KeyKeeper, KeepsTheKeysThatItKnowsWhileTheRegistryIsAway) {
  const auto key = issue();
  advance(500ms);
  registry->broken = true;
  const auto later = issue();
  advance(500ms);
  EXPECT_TRUE(book->find(key));
  EXPECT_FALSE(book->find(later));
  EXPECT_EQ(status->read().problems["keys"], "keys: planted");
  registry->broken = false;
  advance(500ms);
  EXPECT_TRUE(book->find(later));
  EXPECT_FALSE(status->read().problems.contains("keys"));
}

} // namespace
} // namespace assay::actors
