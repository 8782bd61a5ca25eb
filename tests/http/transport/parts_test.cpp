#include "http/transport/admission.hpp"
#include "http/transport/completion_queue.hpp"
#include "http/transport/response_head.hpp"
#include "http/transport/write_queue.hpp"
#include "tests/http/transport/test_server.hpp"

#include <gtest/gtest.h>

#include <array>

#include <poll.h>
#include <sys/socket.h>

namespace assay::http {
namespace {

using namespace test;

TEST(HttpDate, IsAnImfFixdate) {
  EXPECT_EQ(http_date(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(http_date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(http_date(1709164800), "Thu, 29 Feb 2024 00:00:00 GMT");
}

TEST(ResponseHead, HoldsWhatTheTransportAddsAndTheGivenLines) {
  auto answer = text_response(200, "12345");
  answer.headers = "ETag: \"x\"\r\nVary: Origin\r\n";
  const auto head = make_response_head(answer, {});
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200 OK\r\nDate: "));
  EXPECT_TRUE(head.ends_with(
      "\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nETag: \"x\"\r\nVary: Origin\r\n\r\n"));
  EXPECT_NE(make_response_head(answer, {true, false}).find("\r\nConnection: close\r\n"),
            std::string::npos);
  EXPECT_NE(make_response_head(answer, {false, true}).find("\r\nConnection: keep-alive\r\n"),
            std::string::npos);
}

TEST(ResponseHead, EveryStatusHasAReason) {
  EXPECT_EQ(reason_phrase(431), "Request Header Fields Too Large");
  for (int status = 200; status < 600; ++status)
    EXPECT_FALSE(reason_phrase(status).empty());
}

TEST(Admission, CountsPerIPv4AddressAndPerIPv6Network) {
  admission clients(4, 2);
  const auto at = [](const char* text) { return *ip_address::parse(text); };
  EXPECT_TRUE(clients.enter(at("10.0.0.1")));
  EXPECT_TRUE(clients.enter(at("::ffff:10.0.0.1")));
  EXPECT_FALSE(clients.enter(at("10.0.0.1")));
  EXPECT_TRUE(clients.enter(at("2001:db8:0:1::1")));
  EXPECT_TRUE(clients.enter(at("2001:db8:0:1:ffff::2")));
  EXPECT_EQ(clients.open(), 4u);
  EXPECT_FALSE(clients.enter(at("10.0.0.2"))); // the total
  EXPECT_EQ(clients.leave(at("10.0.0.1")), 3u);
  EXPECT_FALSE(clients.enter(at("2001:db8:0:1::3"))); // the /64
  EXPECT_TRUE(clients.enter(at("2001:db8:0:2::3")));  // another /64
}

class WriteQueue : public testing::Test {
protected:
  WriteQueue() {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends_.data()), 0);
  }
  ~WriteQueue() override {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }

  std::string receive() {
    std::string got;
    std::array<char, 65536> part;
    for (ssize_t n; (n = ::recv(ends_[1], part.data(), part.size(), 0)) > 0;)
      got.append(part.data(), static_cast<std::size_t>(n));
    return got;
  }

  std::array<int, 2> ends_{};
  write_queue queue_;
  std::size_t written_ = 0;
};

TEST_F(WriteQueue, SendsHeadsAndBodiesInOrder) {
  queue_.push("head1 ", std::make_shared<const std::string>("body1 "));
  queue_.push("head2 ", nullptr);
  queue_.push("head3 ", std::make_shared<const std::string>(""));
  EXPECT_EQ(queue_.bytes(), 24u);
  EXPECT_EQ(queue_.flush(ends_[0], written_), write_queue::result::done);
  EXPECT_EQ(written_, 24u);
  EXPECT_EQ(queue_.bytes(), 0u);
  EXPECT_EQ(receive(), "head1 body1 head2 head3 ");
}

TEST(MemoryFile, CannotBeChanged) {
  const auto file = memory_file::make("octets");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->size(), 6u);
  std::array<char, 8> read{};
  EXPECT_EQ(::pread(file->descriptor(), read.data(), read.size(), 0), 6);
  EXPECT_STREQ(read.data(), "octets");
  EXPECT_LT(::pwrite(file->descriptor(), "x", 1, 0), 0);
  EXPECT_LT(::ftruncate(file->descriptor(), 1), 0);
}

TEST_F(WriteQueue, GoesOnWhereTheSocketStopped) {
  std::string expected;
  for (int i = 0; i < 100; ++i) {
    std::string head(static_cast<std::size_t>(i * 37 % 101 + 1), static_cast<char>('a' + i % 26));
    std::string body(static_cast<std::size_t>(i * 7919 % 30'011), static_cast<char>('A' + i % 26));
    expected += head + body;
    // Every third body goes out of a file, two of them in a row now and then.
    const auto file = i % 3 == 0 || i % 7 == 0 ? memory_file::make(body) : nullptr;
    queue_.push(std::move(head), std::make_shared<const std::string>(std::move(body)), file);
  }
  std::string got;
  int blocked = 0;
  while (queue_.flush(ends_[0], written_) == write_queue::result::blocked) {
    ++blocked;
    got += receive();
    ASSERT_EQ(queue_.bytes(), expected.size() - got.size());
  }
  got += receive();
  EXPECT_GT(blocked, 0);
  EXPECT_EQ(got, expected);
}

TEST_F(WriteQueue, LetsGoOfABodyWhenItIsOut) {
  const auto body = std::make_shared<const std::string>("body");
  queue_.push("head", body);
  EXPECT_EQ(body.use_count(), 2);
  EXPECT_EQ(queue_.flush(ends_[0], written_), write_queue::result::done);
  EXPECT_EQ(body.use_count(), 1);
}

TEST_F(WriteQueue, ReportsALostConnection) {
  ::shutdown(ends_[1], SHUT_RDWR);
  queue_.push("head", nullptr);
  EXPECT_EQ(queue_.flush(ends_[0], written_), write_queue::result::broken);
}

bool readable(int fd) {
  pollfd p{fd, POLLIN, 0};
  return ::poll(&p, 1, 0) == 1;
}

TEST(CompletionQueue, WakesASleepingThreadOnceAndAWakeOneNever) {
  completion_queue queue(test_error);
  std::vector<completion> taken;
  EXPECT_FALSE(readable(queue.descriptor()));
  queue.deliver({1, 1, 1, false, true, false}, text_response(200, "a"));
  EXPECT_TRUE(readable(queue.descriptor()));
  queue.acknowledge();
  queue.deliver({2, 2, 2, true, true, false}, text_response(200, "b"));
  EXPECT_FALSE(readable(queue.descriptor())); // woken already
  ASSERT_TRUE(queue.take_or_sleep(taken));
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_EQ(*taken[0].body, "a");
  EXPECT_EQ(taken[1].body, nullptr); // HEAD
  EXPECT_NE(taken[1].head.find("Content-Length: 1\r\n"), std::string::npos);

  queue.deliver({3, 3, 3, false, true, false}, text_response(200, "c"));
  EXPECT_FALSE(readable(queue.descriptor())); // it has not gone to sleep
  EXPECT_TRUE(queue.take_or_sleep(taken));
  EXPECT_FALSE(queue.take_or_sleep(taken)); // now it has
  queue.deliver({4, 4, 4, false, false, false}, text_response(200, "d"));
  EXPECT_TRUE(readable(queue.descriptor()));
  queue.acknowledge();
  ASSERT_TRUE(queue.take_or_sleep(taken));
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_TRUE(taken[0].close);

  EXPECT_FALSE(queue.take_or_sleep(taken));
  queue.stay_awake(); // woken by something else
  queue.deliver({5, 5, 5, false, true, false}, text_response(200, "e"));
  EXPECT_FALSE(readable(queue.descriptor()));
  EXPECT_TRUE(queue.take_or_sleep(taken));
}

TEST(CompletionQueue, ItsOwnThreadNeedsNoWakeUp) {
  completion_queue queue(test_error);
  std::vector<completion> taken;
  {
    const completion_queue::local_scope here(queue);
    queue.deliver({1, 1, 1, false, true, false}, text_response(200, "a"));
  }
  EXPECT_FALSE(readable(queue.descriptor()));
  EXPECT_FALSE(queue.take_or_sleep(taken));
  queue.drain_local(taken);
  EXPECT_EQ(taken.size(), 1u);
}

TEST(CompletionQueue, DropsEverythingWhenShut) {
  completion_queue queue(test_error);
  queue.deliver({1, 1, 1, false, true, false}, text_response(200, "a"));
  queue.shut();
  queue.deliver({1, 1, 2, false, true, false}, text_response(200, "a"));
  std::vector<completion> taken;
  EXPECT_FALSE(queue.take_or_sleep(taken));
}

/// Counts what a reply handle does.
class recording_sink final : public reply_sink {
public:
  void deliver(const reply_address&, const response& answer) noexcept override {
    statuses.push_back(answer.status);
  }
  void deliver_unanswered(const reply_address&) noexcept override { statuses.push_back(500); }
  std::vector<int> statuses;
};

TEST(Reply, AnswersExactlyOnce) {
  const auto sink = std::make_shared<recording_sink>();
  {
    reply first(sink, {});
    EXPECT_TRUE(first.pending());
    first.send(text_response(200, ""));
    EXPECT_FALSE(first.pending());
    first.send(text_response(404, ""));
  }
  EXPECT_EQ(sink->statuses, std::vector<int>{200});
}

TEST(Reply, AHandleThatIsDroppedOrOverwrittenAnswers500) {
  const auto sink = std::make_shared<recording_sink>();
  { const reply dropped(sink, {}); }
  EXPECT_EQ(sink->statuses, std::vector<int>{500});
  reply target(sink, {});
  reply source(sink, {});
  target = std::move(source);
  EXPECT_EQ(sink->statuses, (std::vector<int>{500, 500}));
  EXPECT_TRUE(target.pending());
  target.send(text_response(204, ""));
  EXPECT_EQ(sink->statuses, (std::vector<int>{500, 500, 204}));
}

} // namespace
} // namespace assay::http
