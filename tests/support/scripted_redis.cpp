#include "tests/support/scripted_redis.hpp"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace assay::test {

namespace {

/// Takes one whole command (an array of bulk strings) off the front of `in`.
std::optional<std::vector<std::string>> take_command(std::string& in) {
  std::size_t at = 0;
  const auto number = [&](char sign) -> std::optional<std::size_t> {
    const auto end = in.find("\r\n", at);
    if (end == std::string::npos || in[at] != sign)
      return std::nullopt;
    const auto value = std::stoul(in.substr(at + 1, end - at - 1));
    at = end + 2;
    return value;
  };
  const auto count = number('*');
  if (!count)
    return std::nullopt;
  std::vector<std::string> result;
  for (std::size_t i = 0; i < *count; ++i) {
    const auto size = number('$');
    if (!size || in.size() < at + *size + 2)
      return std::nullopt;
    result.push_back(in.substr(at, *size));
    at += *size + 2;
  }
  in.erase(0, at);
  return result;
}

} // namespace

scripted_redis::scripted_redis(script s) : script_(std::move(s)) {
  std::signal(SIGPIPE, SIG_IGN);
  char pattern[] = "/tmp/assay-scripted-XXXXXX";
  if (mkdtemp(pattern) == nullptr || pipe2(stop_pipe_, O_CLOEXEC) != 0)
    throw std::runtime_error("cannot set the stand-in up");
  directory_ = pattern;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, (directory_ / "redis.sock").c_str());
  listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      listen(listener_, 64) != 0)
    throw std::runtime_error("cannot listen");
  thread_ = std::thread{[this] { run(); }};
}

scripted_redis::~scripted_redis() {
  close(stop_pipe_[1]);
  thread_.join();
  close(stop_pipe_[0]);
  close(listener_);
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

void scripted_redis::follow(script s) {
  const std::lock_guard lock{mutex_};
  script_ = std::move(s);
}

bool scripted_redis::serve(client& c) {
  char buffer[4096];
  const auto n = read(c.fd, buffer, sizeof buffer);
  if (n <= 0)
    return false;
  c.received.append(buffer, static_cast<std::size_t>(n));
  while (const auto command = take_command(c.received)) {
    ++commands_;
    scripted_reply reply;
    {
      const std::lock_guard lock{mutex_};
      reply = script_(*command);
    }
    if (!reply.bytes.empty() && send(c.fd, reply.bytes.data(), reply.bytes.size(), 0) < 0)
      return false;
    if (reply.close)
      return false;
  }
  return true;
}

void scripted_redis::run() {
  std::vector<client> clients;
  for (;;) {
    std::vector<pollfd> fds{{stop_pipe_[0], POLLIN, 0}, {listener_, POLLIN, 0}};
    for (const auto& c : clients)
      fds.push_back({c.fd, POLLIN, 0});
    poll(fds.data(), fds.size(), -1);
    if (fds[0].revents != 0)
      break;
    std::vector<client> kept;
    for (std::size_t i = 0; i < clients.size(); ++i)
      if (fds[i + 2].revents == 0 || serve(clients[i]))
        kept.push_back(std::move(clients[i]));
      else
        close(clients[i].fd);
    clients = std::move(kept);
    if (fds[1].revents != 0) {
      ++connections_;
      clients.push_back({accept(listener_, nullptr, nullptr), {}});
    }
  }
  for (const auto& c : clients)
    close(c.fd);
}

} // namespace assay::test
