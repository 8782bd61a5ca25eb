// The transport alone, for wrk: answers every path with the same body, at once (`/…`) or from
// another thread (`/async…`). Usage: http_plain_server BODY_BYTES [PORT [THREADS]]; runs until its
// input ends and prints the CPU time per response.
#include "http/transport/server.hpp"

#include <sys/resource.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace assay::http;

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

response make_error(int status, std::string_view detail) {
  response answer;
  answer.status = status;
  answer.body = std::make_shared<const std::string>(detail);
  return answer;
}

/// Answers from one other thread, a batch at a time, as an actor would.
class other_thread {
public:
  explicit other_thread(const response& answer) : answer_(answer), thread_([this] { run(); }) {}
  ~other_thread() {
    {
      const std::lock_guard guard(mutex_);
      stopping_ = true;
    }
    arrived_.notify_one();
    thread_.join();
  }

  void take(reply&& r) {
    {
      const std::lock_guard guard(mutex_);
      waiting_.push_back(std::move(r));
    }
    arrived_.notify_one();
  }

private:
  void run() {
    std::vector<reply> batch;
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      arrived_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
      batch.swap(waiting_);
      lock.unlock();
      for (auto& r : batch)
        r.send(answer_);
      batch.clear();
      lock.lock();
    }
  }

  const response answer_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<reply> waiting_;
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace

int main(int argc, char** argv) {
  response answer;
  answer.content_type = "application/json";
  answer.headers = "X-Service-Disclaimer: research and information\r\n";
  answer.body = std::make_shared<const std::string>(
      static_cast<std::size_t>(argc > 1 ? std::atol(argv[1]) : 4096), 'x');
  server_config config;
  config.port = static_cast<std::uint16_t>(argc > 2 ? std::atoi(argv[2]) : 0);
  config.threads = static_cast<std::size_t>(argc > 3 ? std::atoi(argv[3]) : 1);
  other_thread elsewhere(answer);
  auto started = server::start(
      config,
      [&](request&& r, reply&& owed) {
        if (r.path().starts_with("/async"))
          elsewhere.take(std::move(owed));
        else
          owed.send(answer);
      },
      make_error);
  if (!started) {
    std::fprintf(stderr, "%s\n", started.error().text().c_str());
    return 2;
  }
  std::printf("listening on http://127.0.0.1:%d\n", (*started)->port());
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  const auto responses = static_cast<double>((*started)->stats().responses);
  std::printf("%.0f responses, %.2f us of CPU each\n", responses, cpu_seconds() * 1e6 / responses);
}
