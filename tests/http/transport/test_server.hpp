#pragma once

#include "http/transport/server.hpp"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace assay::http::test {

/// A configuration for tests: a port of the system's choice, otherwise the defaults.
inline server_config test_config() {
  server_config config;
  config.port = 0;
  config.drain_idle_ms = 20;
  return config;
}

inline response text_response(int status, std::string body) {
  response r;
  r.status = status;
  r.content_type = "text/plain";
  r.body = std::make_shared<const std::string>(std::move(body));
  return r;
}

/// Errors as the service makes them: JSON with `success` false and the disclaimer header.
inline response test_error(int status, std::string_view detail) {
  response r;
  r.status = status;
  r.content_type = "application/json";
  r.headers = "X-Service-Disclaimer: test\r\n";
  r.body = std::make_shared<const std::string>("{\"success\":false,\"error\":\"" +
                                               std::string(detail) + "\"}");
  return r;
}

/// `METHOD path|query|body`.
inline std::string echo_of(const request& r) {
  return std::string(to_string(r.verb())) + " " + std::string(r.path()) + "|" +
         std::string(r.query()) + "|" + r.body();
}

/// Answers at once: `/status/NNN` with that status, anything else with `echo_of`.
inline void echo(request&& r, reply&& answer) {
  const auto path = std::string(r.path());
  if (path.starts_with("/status/"))
    return answer.send(text_response(std::stoi(path.substr(8)), "body"));
  answer.send(text_response(200, echo_of(r)));
}

inline std::unique_ptr<server> start_server(const server_config& config = test_config(),
                                            request_handler handler = echo) {
  auto started = server::start(config, std::move(handler), test_error);
  if (!started) {
    std::fprintf(stderr, "%s\n", started.error().text().c_str());
    std::abort();
  }
  return std::move(*started);
}

/// Waits until `reached` holds, looking every millisecond, 5 s at most.
inline bool eventually(const std::function<bool()>& reached,
                       std::chrono::milliseconds limit = std::chrono::seconds(5)) {
  const auto end = std::chrono::steady_clock::now() + limit;
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  while (!reached()) {
    if (std::chrono::steady_clock::now() > end)
      return false;
    never.wait_for(lock, std::chrono::milliseconds(1));
  }
  return true;
}

/// Keeps requests until the test answers them.
class held_requests {
public:
  request_handler handler() {
    return [this](request&& r, reply&& answer) {
      const std::lock_guard guard(mutex_);
      held_.emplace_back(std::move(r), std::move(answer));
      arrived_.notify_all();
    };
  }

  /// Waits until `n` requests wait; false after 5 s.
  bool wait_for(std::size_t n) {
    std::unique_lock lock(mutex_);
    return arrived_.wait_for(lock, std::chrono::seconds(5), [&] { return held_.size() >= n; });
  }

  std::size_t count() {
    const std::lock_guard guard(mutex_);
    return held_.size();
  }

  /// Takes the oldest.
  std::pair<request, reply> take() {
    const std::lock_guard guard(mutex_);
    auto first = std::move(held_.front());
    held_.erase(held_.begin());
    return first;
  }

private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<std::pair<request, reply>> held_;
};

} // namespace assay::http::test
