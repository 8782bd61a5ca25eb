#include "tests/http/transport/mutator.hpp"
#include "tests/http/transport/test_server.hpp"
#include "tests/support/raw_client.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <filesystem>
#include <thread>

namespace assay::http {
namespace {

using namespace test;
using assay::test::raw_client;

/// Answers on threads of its own, late and in any order, so that most answers meet a connection
/// that has moved on: gone, replaced by another client on the same descriptor, or waiting.
class late_answerers {
public:
  explicit late_answerers(std::size_t threads) {
    for (std::size_t i = 0; i < threads; ++i)
      threads_.emplace_back([this, i] { run(i); });
  }
  ~late_answerers() { stop(); }

  request_handler handler() {
    return [this](request&& r, reply&& answer) {
      {
        const std::lock_guard guard(mutex_);
        waiting_.emplace_back(std::move(r), std::move(answer));
      }
      arrived_.notify_one();
    };
  }

  void stop() {
    {
      const std::lock_guard guard(mutex_);
      stopping_ = true;
    }
    arrived_.notify_all();
    for (auto& t : threads_)
      if (t.joinable())
        t.join();
  }

  std::atomic<std::size_t> answered{0};

  /// The body that the request's sender expects: its own path, then a filler made from it.
  static std::string body_for(std::string_view path) {
    std::string body(path);
    std::size_t sum = 0;
    for (char c : path)
      sum = sum * 31 + static_cast<unsigned char>(c);
    body += ' ';
    body.append(sum % 97 == 0 ? 40'000 : sum % 300, static_cast<char>('a' + sum % 26));
    return body;
  }

private:
  void run(std::size_t index) {
    mutator random({}, index);
    std::vector<std::pair<request, reply>> kept;
    std::unique_lock lock(mutex_);
    for (;;) {
      arrived_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
      if (waiting_.empty())
        return; // stopping; what is kept below is always answered before the next wait
      while (!waiting_.empty() && kept.size() < 16) {
        kept.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
      }
      lock.unlock();
      while (!kept.empty()) {
        std::swap(kept[random.below(kept.size())], kept.back());
        auto& [r, answer] = kept.back();
        answer.send(text_response(200, body_for(r.path())));
        answered.fetch_add(1, std::memory_order_relaxed);
        kept.pop_back();
        if (random.below(4) == 0)
          std::this_thread::yield();
      }
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::pair<request, reply>> waiting_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

/// One client of the storm: connects, sends a burst, reads part of the answers, leaves in one of
/// several rude ways. Every body read must be its own.
class rude_client {
public:
  rude_client(std::uint16_t port, std::size_t identity) : port_(port), identity_(identity) {}

  bool step(mutator& random) {
    if (!client_.connected()) {
      client_ = raw_client(port_);
      if (!client_.connected())
        return false;
      sent_ = read_ = 0;
    }
    std::string burst;
    for (auto n = 1 + random.below(6); n > 0; --n)
      burst += "GET " + path(sent_++) + " HTTP/1.1\r\nHost: h\r\n\r\n";
    if (!client_.send(burst))
      return false;
    for (auto n = random.below(sent_ - read_ + 1); n > 0; --n) {
      const auto got = client_.read_response();
      if (!got || got->body != late_answerers::body_for(path(read_++)))
        return false;
    }
    switch (random.below(8)) {
    case 0:
    case 1:
    case 2: leave([&] { client_.reset(); }); break;
    case 3: leave([&] { client_.close(); }); break;
    case 4:
      leave([&] {
        client_.shutdown_write();
        client_.close();
      });
      break;
    default: break;
    }
    return true;
  }

private:
  template <class How>
  void leave(How how) {
    how();
    ++lives_;
  }
  std::string path(std::size_t n) const {
    return "/" + std::to_string(identity_) + "/" + std::to_string(lives_) + "/" + std::to_string(n);
  }

  std::uint16_t port_;
  std::size_t identity_;
  std::size_t lives_ = 0;
  std::size_t sent_ = 0;
  std::size_t read_ = 0;
  raw_client client_;
};

std::size_t open_descriptors() {
  std::size_t n = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
    ++n;
  return n;
}

TEST(Storm, NoAnswerEverReachesAnotherClient) {
  constexpr std::size_t replies_wanted = 200'000;
  late_answerers answerers(3);
  const auto server = start_server(test_config(), answerers.handler());
  const auto descriptors_before = open_descriptors();
  std::atomic<std::size_t> wrong{0};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      mutator random({}, 100 + t);
      std::vector<rude_client> clients;
      for (std::size_t i = 0; i < 16; ++i)
        clients.emplace_back(server->port(), t * 100 + i);
      while (answerers.answered < replies_wanted && wrong == 0)
        for (auto& client : clients)
          if (!client.step(random))
            ++wrong;
    });
  for (auto& t : threads)
    t.join();
  EXPECT_EQ(wrong, 0u);
  const auto& stats = server->stats();
  EXPECT_TRUE(eventually([&] { return stats.connections_open == 0; }));
  EXPECT_TRUE(eventually([&] { return stats.responses + stats.stale_replies == stats.requests; }));
  EXPECT_TRUE(eventually([&] { return open_descriptors() == descriptors_before; }));
  EXPECT_GE(answerers.answered, replies_wanted);
  // The storm must have produced what it is about: answers for clients that had left.
  EXPECT_GT(stats.stale_replies, 1'000u);
  EXPECT_GT(stats.connections_accepted, 10'000u);
}

// A wake-up lost between a reply and its I/O thread shows as an answer that never comes.
TEST(Storm, NoWakeUpIsLost) {
  late_answerers answerers(4);
  const auto server = start_server(test_config(), answerers.handler());
  std::atomic<bool> stuck{false};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      raw_client client(server->port());
      for (int i = 0; i < 8'000 && !stuck; ++i) {
        const auto path = "/" + std::to_string(t) + "/" + std::to_string(i);
        const bool sent = client.send("GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n");
        const auto got = client.read_response();
        if (!sent || !got || got->body != late_answerers::body_for(path))
          stuck = true;
      }
    });
  for (auto& t : threads)
    t.join();
  EXPECT_FALSE(stuck);
  EXPECT_EQ(server->stats().requests, 32'000u);
  EXPECT_EQ(server->stats().stale_replies, 0u);
}

TEST(Storm, PipelinedAnswersKeepTheirOrderWhateverOrderTheyAreMadeIn) {
  late_answerers answerers(4);
  const auto server = start_server(test_config(), answerers.handler());
  std::vector<raw_client> clients;
  for (int c = 0; c < 20; ++c) {
    clients.emplace_back(server->port());
    std::string burst;
    for (int i = 0; i < 100; ++i)
      burst +=
          "GET /" + std::to_string(c) + "/" + std::to_string(i) + " HTTP/1.1\r\nHost: h\r\n\r\n";
    ASSERT_TRUE(clients.back().send(burst));
  }
  for (int c = 0; c < 20; ++c)
    for (int i = 0; i < 100; ++i) {
      const auto got = clients[static_cast<std::size_t>(c)].read_response();
      ASSERT_TRUE(got);
      ASSERT_EQ(got->body,
                late_answerers::body_for("/" + std::to_string(c) + "/" + std::to_string(i)));
    }
}

TEST(Storm, RepliesMayOutliveTheServer) {
  held_requests held;
  auto server = start_server(test_config(), held.handler());
  raw_client client(server->port());
  ASSERT_TRUE(client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n"));
  ASSERT_TRUE(held.wait_for(1));
  server.reset();
  EXPECT_NE(client.wait_for_end(), raw_client::end::still_open);
  auto [r, answer] = held.take();
  EXPECT_EQ(r.path(), "/");
  answer.send(text_response(200, "late"));
}

} // namespace
} // namespace assay::http
