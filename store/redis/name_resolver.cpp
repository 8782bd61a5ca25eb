#include "store/redis/name_resolver.hpp"

#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <netdb.h>
#include <optional>
#include <system_error>
#include <thread>

namespace assay::store {

namespace {

expected<name_resolver::addresses> ask_system(const std::string& host, int flags) {
  addrinfo hints{};
  hints.ai_flags = flags;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(host.c_str(), nullptr, &hints, &found);
  if (error != 0)
    return problem{host, gai_strerror(error)};
  name_resolver::addresses result;
  for (const auto* a = found; a != nullptr; a = a->ai_next) {
    auto& address = result.emplace_back();
    std::memcpy(&address.bytes, a->ai_addr, a->ai_addrlen);
    address.size = a->ai_addrlen;
  }
  freeaddrinfo(found);
  return result;
}

} // namespace

struct name_resolver::memory {
  struct name {
    bool asking = false;
    clock::time_point answered_at{};
    /// Of the last look-up that found any.
    addresses known;
    /// What was wrong with the last look-up.
    std::optional<problem> wrong;
  };

  std::mutex mutex;
  std::condition_variable answered;
  std::map<std::string, name> names;

  void take(const std::string& host, expected<addresses> answer) {
    {
      const std::lock_guard lock{mutex};
      auto& n = names[host];
      n.asking = false;
      n.answered_at = clock::now();
      n.wrong = answer ? std::nullopt : std::optional{answer.error()};
      if (answer)
        n.known = std::move(*answer);
    }
    answered.notify_all();
  }
};

name_resolver::name_resolver(look_up f)
    : look_up_(std::move(f)), memory_(std::make_shared<memory>()) {}

name_resolver& name_resolver::of_process() {
  static name_resolver instance{[](const std::string& host) { return ask_system(host, 0); }};
  return instance;
}

expected<name_resolver::addresses> name_resolver::resolve(const std::string& host,
                                                          clock::time_point deadline) {
  if (auto numeric = ask_system(host, AI_NUMERICHOST))
    return numeric;
  std::unique_lock lock{memory_->mutex};
  auto& n = memory_->names[host];
  const bool stale = n.known.empty() || clock::now() - n.answered_at > fresh_for;
  if (stale && !n.asking) {
    try {
      std::thread{[m = memory_, f = look_up_, host] { m->take(host, f(host)); }}.detach();
      n.asking = true;
    } catch (const std::system_error& e) {
      n.wrong = problem{host, e.what()};
    }
  }
  if (n.known.empty())
    memory_->answered.wait_until(lock, deadline, [&n] { return !n.asking; });
  if (!n.known.empty())
    return n.known;
  return n.asking ? problem{host, "the name is not resolved yet"} : *n.wrong;
}

} // namespace assay::store
