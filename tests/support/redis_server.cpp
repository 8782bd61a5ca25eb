#include "tests/support/redis_server.hpp"

#include "store/redis/redis_connection.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace assay::test {

namespace {

using namespace std::chrono_literals;

std::uint16_t free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool ok = bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  close(fd);
  if (!ok)
    throw std::runtime_error("no free port");
  return ntohs(address.sin_port);
}

} // namespace

redis_server::redis_server(options o) : options_(std::move(o)) {
  std::signal(SIGPIPE, SIG_IGN); // as the program does: hiredis writes without MSG_NOSIGNAL
  char pattern[] = "/tmp/assay-redis-XXXXXX";
  if (mkdtemp(pattern) == nullptr)
    throw std::runtime_error("mkdtemp failed");
  directory_ = pattern;
  socket_path_ = directory_ / "redis.sock";
  start();
}

redis_server::~redis_server() {
  kill();
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

std::string redis_server::url() const {
  const auto who =
      options_.password.empty() ? std::string{} : options_.user + ":" + options_.password + "@";
  return "unix://" + who + socket_path_;
}

void redis_server::launch() {
  if (options_.tcp && port_ == 0)
    port_ = free_port();
  std::vector<std::string> argv{"redis-server",
                                "--port",
                                std::to_string(port_),
                                "--bind",
                                "127.0.0.1",
                                "--unixsocket",
                                socket_path_,
                                "--save",
                                "",
                                "--appendonly",
                                "no",
                                "--dir",
                                directory_,
                                "--loglevel",
                                "warning",
                                "--logfile",
                                directory_ / "redis.log"};
  argv.insert(argv.end(), options_.arguments.begin(), options_.arguments.end());
  std::vector<char*> pointers;
  for (auto& a : argv)
    pointers.push_back(a.data());
  pointers.push_back(nullptr);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ != 0)
    return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
  execv(ASSAY_REDIS_SERVER, pointers.data());
  _exit(127);
}

bool redis_server::answers() const {
  store::redis_url url;
  url.socket_path = socket_path_;
  url.user = options_.user;
  url.password = options_.password;
  auto c = store::redis_connection::open(url, std::chrono::steady_clock::now() + 200ms);
  if (!c)
    return false;
  c->append({"PING"});
  const auto replies = c->exchange(std::chrono::steady_clock::now() + 200ms);
  return replies && !replies->front().is_error();
}

void redis_server::start() {
  launch();
  const auto give_up = std::chrono::steady_clock::now() + 20s;
  while (std::chrono::steady_clock::now() < give_up) {
    if (answers())
      return;
    if (waitpid(pid_, nullptr, WNOHANG) == pid_) {
      // Somebody else took the port meanwhile.
      port_ = 0;
      launch();
    }
    std::this_thread::sleep_for(2ms);
  }
  throw std::runtime_error("redis-server did not start within 20 s");
}

void redis_server::kill() {
  if (pid_ <= 0)
    return;
  ::kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

void redis_server::freeze() {
  ::kill(pid_, SIGSTOP);
  int status = 0;
  waitpid(pid_, &status, WUNTRACED);
}

void redis_server::thaw() {
  ::kill(pid_, SIGCONT);
}

} // namespace assay::test
