#include "http/transport/reactor_threads.hpp"

#include "http/transport/event_loop.hpp"
#include "http/transport/io_worker.hpp"
#include "http/transport/unique_fd.hpp"

#include <cerrno>
#include <chrono>
#include <exception>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/timerfd.h>

// Last: its headers define macros such as TRY and NAME.
#include <pistache/net.h>
#include <pistache/peer.h>
#include <pistache/reactor.h>
#include <pistache/tcp.h>
#include <pistache/transport.h>

namespace assay::http {
namespace {

namespace polling = Pistache::Polling;

/// Pistache's transport calls this on its own read path, which is never taken here: the worker
/// reads the sockets itself, because a half-closed client must still get its answer.
class unused_handler final : public Pistache::Tcp::Handler {
public:
  void onInput(const char*, std::size_t, const std::shared_ptr<Pistache::Tcp::Peer>&) override {}
  std::shared_ptr<Pistache::Tcp::Handler> clone() const override {
    return std::make_shared<unused_handler>();
  }
};

unique_fd open_timer(std::chrono::milliseconds interval) {
  unique_fd timer(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
  if (!timer)
    throw std::system_error(errno, std::generic_category(), "timerfd_create");
  const timespec each{interval.count() / 1000, (interval.count() % 1000) * 1'000'000};
  const itimerspec spec{each, each};
  ::timerfd_settime(timer.get(), 0, &spec, nullptr);
  return timer;
}

polling::NotifyOn to_pistache(interest what) {
  switch (what) {
  case interest::none: return polling::NotifyOn::None;
  case interest::read: return polling::NotifyOn::Read;
  case interest::write: return polling::NotifyOn::Write;
  }
  return polling::NotifyOn::None;
}

/// One I/O thread's side of Pistache's TCP layer: it owns the peers, the worker their conversation.
class worker_transport final : public Pistache::Tcp::Transport, private event_loop {
public:
  worker_transport(server_context& context, std::size_t index)
      : Pistache::Tcp::Transport(std::make_shared<unused_handler>()),
        context_(context),
        listener_(context.sockets[index % context.sockets.size()].get()) {}

  /// The reactor clones its handler once per thread.
  std::shared_ptr<Pistache::Aio::Handler> clone() const override {
    return std::make_shared<worker_transport>(context_, next_index_++);
  }

  /// Called for every clone, never for the prototype: only a clone becomes a working thread.
  void registerPoller(polling::Epoll& poller) override {
    Pistache::Tcp::Transport::registerPoller(poller);
    worker_ = std::make_unique<io_worker>(context_, static_cast<event_loop&>(*this), listener_);
    timer_ = open_timer(worker_->tick_interval());
    for (const int fd : {worker_->queue()->descriptor(), listener_, timer_.get()})
      poller.addFd(fd, Pistache::Flags<polling::NotifyOn>(polling::NotifyOn::Read),
                   polling::Tag(static_cast<std::uint64_t>(fd)), polling::Mode::Level);
  }

  void onReady(const Pistache::Aio::FdSet& ready) override;

  void wake() { worker_->queue()->wake(); }

  /// Closes all connections; when the threads and their pollers are gone.
  void finish() {
    finished_ = true;
    worker_.reset();
  }

private:
  bool adopt(int socket, const sockaddr& peer) noexcept override;
  bool watch(int socket, interest what) noexcept override;
  void remove(int socket) noexcept override;
  void watch_listener(bool on) noexcept override {
    watch(listener_, on ? interest::read : interest::none);
  }

  server_context& context_;
  mutable std::size_t next_index_ = 0;
  const int listener_;
  std::unique_ptr<io_worker> worker_;
  unique_fd timer_;
  bool finished_ = false;
};

void worker_transport::onReady(const Pistache::Aio::FdSet& ready) {
  const completion_queue::local_scope here(*worker_->queue());
  worker_->begin_batch(std::chrono::steady_clock::now());
  bool woken = false;
  bool clients = false;
  bool tick = false;
  for (const auto& entry : ready) {
    const int fd = static_cast<int>(entry.getTag().value());
    if (fd == worker_->queue()->descriptor()) {
      woken = true;
    } else if (fd == listener_) {
      clients = true;
    } else if (fd == timer_.get()) {
      tick = true;
    } else {
      const bool known = entry.isReadable() || entry.isWritable();
      worker_->on_socket(fd, {entry.isReadable(), entry.isWritable(), entry.isHangup() || !known});
    }
  }
  if (woken)
    worker_->on_wake();
  if (tick) {
    std::uint64_t times = 0;
    [[maybe_unused]] const auto got = ::read(timer_.get(), &times, sizeof times);
    worker_->on_tick();
  }
  // Last: a descriptor closed above may come back here as a new client, and no event of this batch
  // may be taken for its own.
  if (clients)
    worker_->on_accept();
  worker_->end_batch();
}

bool worker_transport::adopt(int socket, const sockaddr& peer) noexcept {
  try {
    auto address = peer;
    handleNewPeer(Pistache::Tcp::Peer::Create(socket, Pistache::Address::fromUnix(&address)));
    // Pistache registers edge-triggered; level-triggered spares a second recv per request.
    if (watch(socket, interest::read))
      return true;
  } catch (const std::exception&) {
    // The poller is full or out of memory: the caller refuses the client.
  }
  peers.erase(socket);
  return false;
}

bool worker_transport::watch(int socket, interest what) noexcept {
  try {
    reactor()->modifyFd(key(), socket, to_pistache(what), polling::Mode::Level);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

void worker_transport::remove(int socket) noexcept {
  if (finished_) {
    peers.erase(socket);
    ::close(socket);
    return;
  }
  try {
    if (const auto found = peers.find(socket); found != peers.end())
      removePeer(std::shared_ptr<Pistache::Tcp::Peer>(found->second));
  } catch (const std::exception&) {
    // The poller had lost it already; the descriptor must go in any case.
    ::close(socket);
  }
}

} // namespace

class reactor_threads::impl {
public:
  explicit impl(server_context& context) : reactor_(Pistache::Aio::Reactor::create()) {
    reactor_->init(Pistache::Aio::AsyncContext(context.config.threads, "assay-http"));
    const auto prototype = std::make_shared<worker_transport>(context, 0);
    const auto key = reactor_->addHandler(prototype);
    for (const auto& handler : reactor_->handlers(key))
      workers_.push_back(std::static_pointer_cast<worker_transport>(handler));
    reactor_->run();
  }

  ~impl() { stop(); }

  void wake() {
    for (const auto& worker : workers_)
      worker->wake();
  }

  void stop() {
    if (!reactor_)
      return;
    reactor_->shutdown();
    // Joins the threads; `workers_` keeps the transports alive beyond it.
    reactor_.reset();
    for (const auto& worker : workers_)
      worker->finish();
    workers_.clear();
  }

private:
  std::shared_ptr<Pistache::Aio::Reactor> reactor_;
  std::vector<std::shared_ptr<worker_transport>> workers_;
};

expected<std::unique_ptr<reactor_threads>> reactor_threads::start(server_context& context) {
  try {
    return std::unique_ptr<reactor_threads>(new reactor_threads(std::make_unique<impl>(context)));
  } catch (const std::exception& error) {
    return problem{"HTTP server", std::string("cannot start its I/O threads: ") + error.what()};
  }
}

reactor_threads::reactor_threads(std::unique_ptr<impl> self) noexcept : impl_(std::move(self)) {}
reactor_threads::~reactor_threads() = default;
void reactor_threads::wake() {
  impl_->wake();
}
void reactor_threads::stop() {
  impl_->stop();
}

} // namespace assay::http
