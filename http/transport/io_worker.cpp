#include "http/transport/io_worker.hpp"

#include "http/transport/response_head.hpp"

#include <cerrno>
#include <string>
#include <utility>

#include <sys/socket.h>

namespace assay::http {
namespace {

constexpr std::size_t read_buffer_bytes = 65'536;
/// Times that answers of other threads are taken before the sockets get their turn.
constexpr int rounds_per_batch = 4;
constexpr std::string_view continue_head = "HTTP/1.1 100 Continue\r\n\r\n";

} // namespace

io_worker::io_worker(server_context& context, event_loop& loop, int listener)
    : context_(context),
      loop_(loop),
      acceptor_(listener, context.refusal),
      queue_(std::make_shared<completion_queue>(context.make_error)),
      buffer_(std::make_unique<char[]>(read_buffer_bytes)) {}

io_worker::~io_worker() {
  queue_->shut();
  for (auto& [fd, c] : connections_) {
    loop_.remove(fd);
    context_.clients.leave(c->peer);
    context_.stats.connections_open.fetch_sub(1, std::memory_order_relaxed);
  }
}

void io_worker::on_socket(int fd, readiness ready) {
  const auto found = connections_.find(fd);
  // An event of a descriptor that was closed earlier in the same batch.
  if (found == connections_.end())
    return;
  auto& c = *found->second;
  if (ready.hung_up)
    return close(c);
  if (ready.writable)
    flush(c);
  if (ready.readable && !c.dead)
    read_input(c);
  if (!c.dead)
    settle(c);
}

void io_worker::read_input(connection& c) {
  if (c.lingering)
    return drop_input(c);
  if (c.in_flight || c.closing || c.peer_eof || c.has_unread()) {
    c.paused = true;
    return;
  }
  const auto n = ::recv(c.fd, buffer_.get(), read_buffer_bytes, MSG_DONTWAIT);
  if (n > 0) {
    context_.stats.bytes_received.fetch_add(static_cast<std::uint64_t>(n),
                                            std::memory_order_relaxed);
    const std::string_view input(buffer_.get(), static_cast<std::size_t>(n));
    const auto used = consume(c, input);
    if (!c.closing)
      c.unread.assign(input.substr(used));
  } else if (n == 0) {
    c.peer_eof = true;
    end_of_input(c);
  } else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
    close(c);
  }
}

void io_worker::drop_input(connection& c) {
  const auto n = ::recv(c.fd, buffer_.get(), read_buffer_bytes, MSG_DONTWAIT);
  if (n > 0) {
    c.lingered_bytes += static_cast<std::size_t>(n);
    if (c.lingered_bytes > context_.config.linger_bytes)
      close(c);
  } else if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
    close(c);
  }
}

std::size_t io_worker::consume(connection& c, std::string_view input) {
  std::size_t used = 0;
  while (used < input.size() && !c.in_flight && !c.closing) {
    used += c.parser.feed(input.substr(used));
    if (c.parser.status() == request_parser::state::failed)
      reject(c, c.parser.failure().status, c.parser.failure().detail);
    else if (c.parser.status() == request_parser::state::complete)
      dispatch(c);
  }
  if (c.parser.awaits_continue()) {
    c.parser.continued();
    c.out.push(std::string(continue_head), nullptr);
    flush(c);
  }
  return used;
}

void io_worker::consume_unread(connection& c) {
  c.unread_from += consume(c, std::string_view(c.unread).substr(c.unread_from));
  if (c.closing || !c.has_unread()) {
    c.unread.clear();
    c.unread_from = 0;
  }
}

void io_worker::end_of_input(connection& c) {
  if (c.in_flight || c.closing || c.blocked || c.has_unread())
    return;
  if (c.parser.status() == request_parser::state::idle)
    close(c);
  else
    reject(c, 400, "The request ended before it was complete");
}

void io_worker::dispatch(connection& c) {
  const reply_address address{
      c.fd, c.id, ++c.sequence, c.parser.head_method(), c.parser.keep_alive(), c.parser.http_1_0()};
  auto complete_request = c.parser.take();
  complete_request.set_peer(c.peer);
  complete_request.set_arrived_at(now_);
  c.in_flight = true;
  arm(c, waiting_for::answer);
  context_.stats.requests.fetch_add(1, std::memory_order_relaxed);
  try {
    context_.on_request(std::move(complete_request), reply(queue_, address));
  } catch (...) {
    // Whatever it was: the reply handle has died on the way and answered 500.
  }
}

void io_worker::on_wake() {
  queue_->acknowledge();
  if (context_.draining.load(std::memory_order_acquire) && !draining_)
    start_draining();
}

void io_worker::complete_all(std::vector<completion>& done) {
  for (auto& each : done)
    complete(std::move(each));
  done.clear();
}

void io_worker::complete(completion&& done) {
  const auto found = connections_.find(done.fd);
  if (found == connections_.end() || found->second->id != done.connection_id ||
      !found->second->in_flight || found->second->sequence != done.sequence) {
    context_.stats.stale_replies.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  auto& c = *found->second;
  c.in_flight = false;
  c.closing = done.close;
  context_.stats.responses.fetch_add(1, std::memory_order_relaxed);
  c.out.push(std::move(done.head), std::move(done.body), std::move(done.file));
  flush(c);
  if (!c.dead)
    settle(c);
}

void io_worker::reject(connection& c, int status, std::string_view detail) {
  context_.stats.rejected_with(status).fetch_add(1, std::memory_order_relaxed);
  context_.stats.responses.fetch_add(1, std::memory_order_relaxed);
  const auto answer = context_.make_error(status, detail);
  c.closing = true;
  c.out.push(make_response_head(answer, {true, false}),
             c.parser.head_method() ? nullptr : answer.body);
  flush(c);
}

void io_worker::flush(connection& c) {
  std::size_t written = 0;
  const auto result = c.out.flush(c.fd, written);
  context_.stats.bytes_sent.fetch_add(written, std::memory_order_relaxed);
  switch (result) {
  case write_queue::result::broken: return close(c);
  case write_queue::result::blocked:
    c.blocked = true;
    c.progress += written;
    if (c.progress >= context_.config.write_progress_bytes)
      arm(c, waiting_for::client_to_read);
    return;
  case write_queue::result::done: break;
  }
  c.blocked = false;
  if (c.closing)
    linger(c);
}

void io_worker::linger(connection& c) {
  // Closing now would answer octets still under way with RST, and RST destroys what the client has
  // not read yet: send FIN, then read on until the client's.
  ::shutdown(c.fd, SHUT_WR);
  if (c.peer_eof)
    return close(c);
  c.lingering = true;
  c.paused = false;
}

void io_worker::close(connection& c) {
  if (std::exchange(c.dead, true))
    return;
  const auto found = connections_.find(c.fd);
  graveyard_.push_back(std::move(found->second));
  connections_.erase(found);
  loop_.remove(c.fd);
  context_.stats.connections_open.fetch_sub(1, std::memory_order_relaxed);
  const auto left = context_.clients.leave(c.peer);
  if (draining_)
    context_.connection_closed_while_draining(left);
}

void io_worker::settle(connection& c) {
  const auto backlog_max = context_.config.out_backlog_bytes;
  while (!c.dead && !c.in_flight && !c.closing && c.has_unread() && c.out.bytes() <= backlog_max)
    consume_unread(c);
  if (!c.dead && c.peer_eof)
    end_of_input(c);
  if (c.dead)
    return;
  if (c.paused && !c.in_flight && !c.closing && !c.peer_eof && !c.has_unread())
    c.paused = false;
  const auto wanted = c.blocked                ? interest::write
                      : c.paused || c.peer_eof ? interest::none
                                               : interest::read;
  if (wanted != c.watched) {
    c.watched = wanted;
    if (!loop_.watch(c.fd, wanted))
      return close(c);
  }
  if (const auto waits = c.current_wait(); waits != c.waits)
    arm(c, waits);
}

void io_worker::end_batch() {
  for (int round = 0;; ++round) {
    for (queue_->drain_local(local_batch_); !local_batch_.empty();
         queue_->drain_local(local_batch_))
      complete_all(local_batch_);
    if (!queue_->take_or_sleep(batch_))
      break;
    complete_all(batch_);
    if (round == rounds_per_batch) {
      // The sockets' turn; come back for the rest.
      queue_->wake();
      break;
    }
  }
  graveyard_.clear();
}

} // namespace assay::http
