#include "store/keys/key_book.hpp"
#include "store/keys/key_registry.hpp"

#include "store/redis/redis_client.hpp"

#include "tests/support/redis_server.hpp"
#include "tests/support/scripted_redis.hpp"
#include "tests/support/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <set>
#include <thread>

namespace assay::store {
namespace {

using namespace std::chrono_literals;

constexpr time_point now{1'763'726'400'123ms};

struct file_backend {
  std::unique_ptr<key_registry> make() { return std::move(*open_key_file(directory.path())); }
  test::temporary_directory directory;
};

struct redis_backend {
  std::unique_ptr<key_registry> make() { return std::move(*open_key_redis(server.url())); }
  test::redis_server server;
};

template <class Backend>
class Keys : public ::testing::Test {
protected:
  Backend backend;
  std::unique_ptr<key_registry> registry = backend.make();

  issued_key issue(std::string_view name, time_point at = now) {
    auto k = registry->issue(name, at);
    EXPECT_TRUE(k) << (k ? "" : k.error().text());
    return *k;
  }
};

using backends = ::testing::Types<file_backend, redis_backend>;
TYPED_TEST_SUITE(Keys, backends);

TYPED_TEST(Keys, AreStoredAsDigestsOnly) {
  const auto k = this->issue("acme");
  EXPECT_TRUE(looks_like_api_key(k.key));
  EXPECT_EQ(k.record.digest, digest_of(k.key));
  const auto all = *this->registry->list();
  EXPECT_EQ(all, std::vector{k.record});
  EXPECT_EQ(all[0].name, "acme");
  EXPECT_EQ(all[0].created_at, now);
  EXPECT_FALSE(all[0].retired_at);
}

TYPED_TEST(Keys, AreRetiredByNameIdOrText) {
  const auto a1 = this->issue("acme"), a2 = this->issue("acme", now + 1s),
             b = this->issue("bolt", now + 2s), c = this->issue("core", now + 3s);
  EXPECT_EQ(this->registry->retire("acme", now + 1h)->size(), 2u);
  EXPECT_EQ(this->registry->retire(key_id(b.record.digest), now + 2h)->front().name, "bolt");
  EXPECT_EQ(this->registry->retire(c.key, now + 3h)->front().retired_at, now + 3h);
  const auto all = *this->registry->list();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].digest, a1.record.digest);
  EXPECT_EQ(all[1].digest, a2.record.digest);
  EXPECT_EQ(all[0].retired_at, now + 1h);
  EXPECT_EQ(all[3].retired_at, now + 3h);
  // Once more changes nothing, not even the time.
  EXPECT_TRUE(this->registry->retire("acme", now + 9h)->empty());
  EXPECT_EQ(*this->registry->list(), all);
}

TYPED_TEST(Keys, GiveAProblemForWhatTheyDoNotKnow) {
  const auto key = *generate_api_key();
  const auto r = this->registry->retire(key, now);
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().text().find(key), std::string::npos);
  for (const auto& bad : {std::string{}, std::string{"a b"}, std::string{"a\n"},
                          std::string(65, 'x'), std::string{"\xc3\xa9"}})
    EXPECT_FALSE(this->registry->issue(bad, now)) << bad;
  EXPECT_TRUE(this->issue(std::string(64, 'x')).record.name.size() == 64);
}

TYPED_TEST(Keys, TakeEffectInARunningBookWithItsNextRefresh) {
  key_book book;
  auto service = this->backend.make(); // another process would open its own
  ASSERT_FALSE(book.refresh(*service));
  const auto k = this->issue("acme");
  EXPECT_FALSE(book.find(k.key));
  ASSERT_FALSE(book.refresh(*service));
  const auto holder = book.find(k.key);
  ASSERT_TRUE(holder);
  EXPECT_EQ(holder->name, "acme");
  EXPECT_EQ(holder->id, key_id(k.record.digest));
  EXPECT_EQ(holder->bucket.kind, bucket_kind::api_key);
  const auto other = this->issue("acme");
  ASSERT_FALSE(book.refresh(*service));
  EXPECT_NE(book.find(other.key)->bucket, holder->bucket);
  EXPECT_EQ(book.size(), 2u);
  ASSERT_TRUE(this->registry->retire(k.key, now));
  ASSERT_FALSE(book.refresh(*service));
  EXPECT_FALSE(book.find(k.key));
  EXPECT_TRUE(book.find(other.key));
}

TYPED_TEST(Keys, FindNothingForTextsThatAreNoKey) {
  key_book book;
  const auto k = this->issue("acme");
  ASSERT_FALSE(book.refresh(*this->registry));
  for (const auto& text : {std::string{}, k.key + " ", k.key.substr(0, k.key.size() - 1),
                           "x" + k.key.substr(1), to_hex(k.record.digest), key_id(k.record.digest),
                           std::string{"acme"}, std::string(1'000'000, 'a'), k.key + '\0'})
    EXPECT_FALSE(book.find(text));
}

TYPED_TEST(Keys, KeepTheirRevisionUnlessSomethingChanged) {
  const auto r0 = *this->registry->revision();
  this->issue("a");
  const auto r1 = *this->registry->revision();
  EXPECT_NE(r1, r0);
  EXPECT_EQ(*this->registry->revision(), r1);
  EXPECT_FALSE(this->registry->retire("nobody", now));
  EXPECT_EQ(*this->registry->revision(), r1);
  EXPECT_TRUE(this->registry->retire("a", now));
  EXPECT_NE(*this->registry->revision(), r1);
}

TEST(ApiKey, HasAHundredAndSixtyRandomBits) {
  std::set<std::string> seen;
  std::array<std::set<char>, 38> by_place;
  for (int i = 0; i < 2000; ++i) {
    const auto key = *generate_api_key();
    ASSERT_TRUE(looks_like_api_key(key)) << key;
    ASSERT_EQ(key.size(), 38u);
    ASSERT_TRUE(seen.insert(key).second);
    for (std::size_t n = 0; n < key.size(); ++n)
      by_place[n].insert(key[n]);
  }
  for (std::size_t n = 6; n < 38; ++n)
    EXPECT_EQ(by_place[n].size(), 32u) << "place " << n << " does not take every value";
}

TEST(ApiKey, HasTheDigestOfFips180) {
  EXPECT_EQ(to_hex(digest_of("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(key_id(digest_of("abc")), "ba7816bf8f01");
  EXPECT_EQ(digest_from_hex(to_hex(digest_of("abc"))), digest_of("abc"));
  EXPECT_FALSE(digest_from_hex("ba78"));
  EXPECT_FALSE(digest_from_hex(std::string(64, 'G')));
}

TEST(KeyFile, NeverHoldsTheKeyItself) {
  test::temporary_directory directory;
  auto registry = std::move(*open_key_file(directory.path()));
  const auto k = *registry->issue("acme", now);
  registry->retire(k.key, now);
  registry.reset();
  for (const auto& file : std::filesystem::directory_iterator{directory.path()}) {
    std::ifstream in{file.path(), std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{in}, {}};
    EXPECT_EQ(bytes.find(k.key.substr(6)), std::string::npos) << file.path();
  }
}

TEST(KeyFile, IsOpenedByManyAtOnce) {
  test::temporary_directory directory;
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      auto registry = open_key_file(directory.path());
      if (!registry) {
        ++failures;
        return;
      }
      for (int i = 0; i < 25; ++i)
        failures += (*registry)->issue("t" + std::to_string(t), now) ? 0 : 1;
    });
  for (auto& t : threads)
    t.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ((*open_key_file(directory.path()))->list()->size(), 100u);
}

TEST(KeyFile, SaysWhereItCannotBe) {
  const auto r = open_key_file("/proc/nowhere");
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().where, "/proc/nowhere");
}

TEST(KeyRedis, KeepsTheBookWhileTheServerIsGone) {
  test::redis_server server;
  auto registry = std::move(*open_key_redis(server.url()));
  const auto k = *registry->issue("acme", now);
  key_book book;
  ASSERT_FALSE(book.refresh(*registry));
  server.kill();
  EXPECT_TRUE(book.refresh(*registry));
  EXPECT_TRUE(book.find(k.key));
  EXPECT_FALSE(registry->issue("bolt", now));
}

TEST(KeyRedis, RetiresOnAFullServer) {
  test::redis_server server;
  redis_client admin{*parse_redis_url(server.url()), 5s};
  auto registry = std::move(*open_key_redis(server.url()));
  const auto k = *registry->issue("acme", now);
  key_book book;
  ASSERT_FALSE(book.refresh(*registry));
  ASSERT_TRUE(admin.run_one({"CONFIG", "SET", "maxmemory", "1"}));
  const auto refused = registry->issue("bolt", now);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("OOM"), std::string::npos) << refused.error().text();
  EXPECT_EQ(registry->list()->size(), 1u);
  const auto retired = registry->retire("acme", now + 1s);
  ASSERT_TRUE(retired) << retired.error().text();
  ASSERT_FALSE(book.refresh(*registry));
  EXPECT_FALSE(book.find(k.key));
  EXPECT_EQ(registry->list()->front().retired_at, now + 1s);
}

TEST(KeyRedis, KeepsTheBookWhateverTheServerSays) {
  std::atomic<bool> sane{true};
  std::string answer;
  const auto good = generate_api_key();
  const auto digest = to_hex(digest_of(*good));
  test::scripted_redis server{[&](const std::vector<std::string>& command) {
    if (!sane)
      return test::scripted_reply{answer, false};
    return command.at(0) == "GET"
               ? test::scripted_reply{"$1\r\n1\r\n", false}
               : test::scripted_reply{"*2\r\n$64\r\n" + digest + "\r\n$8\r\n1 - acme\r\n", false};
  }};
  auto registry = std::move(*open_key_redis(server.url()));
  key_book book;
  ASSERT_FALSE(book.refresh(*registry));
  ASSERT_TRUE(book.find(*good));
  for (const auto* wrong : {"+OK\r\n", ":7\r\n", "*1\r\n:7\r\n", "*2\r\n:1\r\n:2\r\n",
                            "-LOADING Redis is loading the dataset in memory\r\n",
                            "-WRONGTYPE Operation against a key\r\n", "-NOPERM no\r\n"}) {
    sane = true;
    ASSERT_FALSE(book.refresh(*registry));
    answer = wrong;
    sane = false;
    EXPECT_TRUE(book.refresh(*registry)) << wrong;
    EXPECT_TRUE(book.find(*good)) << wrong;
  }
}

TEST(KeyRedis, RefusesABadUrl) {
  EXPECT_FALSE(open_key_redis("http://x"));
}

TEST(KeyBook, IsReadWhileItIsRefreshed) {
  test::temporary_directory directory;
  auto registry = std::move(*open_key_file(directory.path()));
  const auto steady = *registry->issue("steady", now);
  key_book book;
  ASSERT_FALSE(book.refresh(*registry));
  std::atomic<bool> stop{false};
  std::atomic<int> lost{0};
  std::thread reader{[&] {
    while (!stop)
      lost += book.find(steady.key) ? 0 : 1;
  }};
  for (int i = 0; i < 50; ++i) {
    registry->issue("other", now);
    book.refresh(*registry);
  }
  stop = true;
  reader.join();
  EXPECT_EQ(lost, 0);
  EXPECT_EQ(book.size(), 51u);
}

} // namespace
} // namespace assay::store
