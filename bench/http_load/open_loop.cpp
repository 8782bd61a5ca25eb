// Offers requests at a fixed rate, whatever the server does with them (wrk sends the next one only
// when the last one was answered, so it cannot overload anybody). Latency counts from the moment a
// request was due, not from when it could be sent.
//
// usage: http_load PORT RATE SECONDS CONNECTIONS TARGET
//
// RATE 0: every connection sends its next request when it has its answer (closed loop, for the
// peak). `#` in TARGET becomes a number of five digits that no other request has. Connections come
// from 127.0.0.1 to 127.0.0.8. Prints one JSON object; latencies in milliseconds.
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using steady = std::chrono::steady_clock;

struct parameters {
  std::uint16_t port = 0;
  double rate = 0;
  double seconds = 0;
  std::size_t connections = 0;
  std::string target;
};

/// A status line and the two headers that matter here.
struct response_head {
  int status = 0;
  std::size_t bytes = 0;
  std::size_t content = 0;
  bool retry_after = false;
  bool close = false;
};

/// Reads the head of a response; nothing when it is not complete.
std::optional<response_head> read_head(std::string_view text) {
  const auto end = text.find("\r\n\r\n");
  if (end == std::string_view::npos)
    return std::nullopt;
  const auto head = text.substr(0, end + 2);
  response_head result;
  result.bytes = end + 4;
  std::from_chars(head.data() + 9, head.data() + 12, result.status);
  constexpr std::string_view length = "\r\nContent-Length: ";
  if (const auto at = head.find(length); at != std::string_view::npos)
    std::from_chars(head.data() + at + length.size(), head.data() + head.size(), result.content);
  result.retry_after = head.find("\r\nRetry-After: ") != std::string_view::npos;
  result.close = head.find("\r\nConnection: close\r\n") != std::string_view::npos;
  return result;
}

struct connection {
  int fd = -1;
  bool busy = false;
  steady::time_point due{};
  std::string received;
};

class load {
public:
  explicit load(parameters p) : p_(std::move(p)), poller_(::epoll_create1(0)) {
    connections_.resize(p_.connections);
    for (std::size_t i = 0; i < connections_.size(); ++i)
      open(i);
  }

  void run() {
    begin_ = steady::now();
    const auto end = begin_ + std::chrono::duration_cast<steady::duration>(
                                  std::chrono::duration<double>(p_.seconds));
    for (auto now = begin_; now < end; now = steady::now()) {
      offer(now);
      wait(p_.rate > 0 ? 1 : 50);
    }
  }

  void print() const {
    const auto never_sent = waiting_.size();
    std::printf(
        "{\"offered\": %zu, \"answered\": %zu, \"shed\": %zu, \"shed_without_retry_after\": "
        "%zu, \"other\": %zu, \"never_sent\": %zu, ",
        offered_, ok_.size(), shed_.size(), no_retry_, other_, never_sent);
    print("answered_ms", ok_);
    std::printf(", ");
    print("shed_ms", shed_);
    std::printf("}\n");
  }

private:
  static void print(const char* name, std::vector<float> ms) {
    std::sort(ms.begin(), ms.end());
    const auto at = [&](double q) {
      return ms.empty() ? 0.0F
                        : ms[static_cast<std::size_t>(q * static_cast<double>(ms.size() - 1))];
    };
    std::printf("\"%s\": {\"p50\": %.2f, \"p99\": %.2f, \"max\": %.2f}", name,
                static_cast<double>(at(0.5)), static_cast<double>(at(0.99)),
                static_cast<double>(at(1)));
  }

  void open(std::size_t i) {
    auto& c = connections_[i];
    c.fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in from{};
    from.sin_family = AF_INET;
    from.sin_addr.s_addr = htonl(INADDR_LOOPBACK + static_cast<std::uint32_t>(i % 8));
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(p_.port);
    const int one = 1;
    ::setsockopt(c.fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (::bind(c.fd, reinterpret_cast<sockaddr*>(&from), sizeof from) != 0 ||
        ::connect(c.fd, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) {
      std::perror("http_load: connect");
      std::exit(2);
    }
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = i;
    ::epoll_ctl(poller_, EPOLL_CTL_ADD, c.fd, &event);
    c.busy = false;
    c.received.clear();
    idle_.push_back(i);
  }

  /// Makes due requests and sends those that find a connection.
  void offer(steady::time_point now) {
    if (p_.rate > 0) {
      const auto due =
          static_cast<std::size_t>(std::chrono::duration<double>(now - begin_).count() * p_.rate);
      for (; offered_ < due; ++offered_)
        waiting_.push_back(
            begin_ + std::chrono::duration_cast<steady::duration>(
                         std::chrono::duration<double>(static_cast<double>(offered_) / p_.rate)));
    }
    while (!idle_.empty() && (p_.rate <= 0 || !waiting_.empty())) {
      const auto i = idle_.back();
      idle_.pop_back();
      if (p_.rate > 0) {
        send(connections_[i], waiting_.front());
        waiting_.pop_front();
      } else {
        ++offered_;
        send(connections_[i], steady::now());
      }
    }
  }

  void send(connection& c, steady::time_point due) {
    c.busy = true;
    c.due = due;
    auto target = p_.target;
    if (const auto mark = target.find('#'); mark != std::string::npos)
      target.replace(mark, 1, std::to_string(++number_));
    const auto text = "GET " + target + " HTTP/1.1\r\nHost: load\r\n\r\n";
    // A request fits any socket buffer; a lost connection shows when its end is read.
    [[maybe_unused]] const auto n = ::send(c.fd, text.data(), text.size(), MSG_NOSIGNAL);
  }

  void wait(int timeout_ms) {
    std::array<epoll_event, 512> events;
    const int n = ::epoll_wait(poller_, events.data(), static_cast<int>(events.size()), timeout_ms);
    for (int k = 0; k < n; ++k)
      read(events[static_cast<std::size_t>(k)].data.u64);
  }

  void read(std::size_t i) {
    static std::array<char, 262'144> buffer;
    auto& c = connections_[i];
    const auto n = ::recv(c.fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (n <= 0) {
      if (c.busy)
        ++other_;
      return reopen(i);
    }
    c.received.append(buffer.data(), static_cast<std::size_t>(n));
    const auto head = read_head(c.received);
    if (!head || c.received.size() < head->bytes + head->content)
      return;
    count(c, *head);
    if (head->close)
      return reopen(i);
    c.received.clear();
    c.busy = false;
    idle_.push_back(i);
  }

  void reopen(std::size_t i) {
    // Idle connections that the server closes are still listed as idle.
    std::erase(idle_, i);
    ::close(connections_[i].fd);
    open(i);
  }

  void count(const connection& c, const response_head& head) {
    const auto ms = std::chrono::duration<float, std::milli>(steady::now() - c.due).count();
    if (head.status == 200) {
      ok_.push_back(ms);
    } else if (head.status == 503 && c.busy) {
      shed_.push_back(ms);
      no_retry_ += head.retry_after ? 0 : 1;
    } else {
      ++other_;
    }
  }

  const parameters p_;
  const int poller_;
  steady::time_point begin_;
  std::vector<connection> connections_;
  std::vector<std::size_t> idle_;
  std::deque<steady::time_point> waiting_;
  std::size_t offered_ = 0;
  /// Five digits; another run begins elsewhere.
  std::size_t number_ = 10'000 + static_cast<std::size_t>(::getpid()) * 997 % 60'000;
  std::vector<float> ok_;
  std::vector<float> shed_;
  std::size_t no_retry_ = 0;
  std::size_t other_ = 0;
};

} // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: http_load PORT RATE SECONDS CONNECTIONS TARGET\n");
    return 2;
  }
  load l({static_cast<std::uint16_t>(std::atoi(argv[1])), std::atof(argv[2]), std::atof(argv[3]),
          static_cast<std::size_t>(std::atol(argv[4])), argv[5]});
  l.run();
  l.print();
}
