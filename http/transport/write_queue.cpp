#include "http/transport/write_queue.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

namespace assay::http {
namespace {

constexpr std::size_t pieces_max = 32;

} // namespace

void write_queue::push(std::string head, std::shared_ptr<const std::string> body,
                       std::shared_ptr<const memory_file> file) {
  items_.push_back({std::move(head), std::move(body), std::move(file)});
  bytes_ += items_.back().size();
}

ssize_t write_queue::send_pieces(int socket) const {
  std::array<iovec, pieces_max> pieces;
  std::size_t n = 0;
  bool file_follows = false;
  for (auto i = front_; i < items_.size() && n + 2 <= pieces.size() && !file_follows; ++i) {
    const auto& entry = items_[i];
    const auto of_head = std::min(entry.sent, entry.head.size());
    if (of_head < entry.head.size())
      pieces[n++] = {const_cast<char*>(entry.head.data()) + of_head, entry.head.size() - of_head};
    const auto of_body = entry.sent - of_head;
    file_follows = entry.file != nullptr;
    if (!file_follows && entry.body && of_body < entry.body->size())
      pieces[n++] = {const_cast<char*>(entry.body->data()) + of_body, entry.body->size() - of_body};
  }
  msghdr message{};
  message.msg_iov = pieces.data();
  message.msg_iovlen = n;
  return ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT | (file_follows ? MSG_MORE : 0));
}

ssize_t write_queue::send_file(int socket) const {
  const auto& entry = items_[front_];
  auto offset = static_cast<off_t>(entry.sent - entry.head.size());
  return ::sendfile(socket, entry.file->descriptor(), &offset, entry.size() - entry.sent);
}

write_queue::result write_queue::flush(int socket, std::size_t& written) {
  written = 0;
  while (!empty()) {
    const auto& entry = items_[front_];
    const bool in_file = entry.file && entry.sent >= entry.head.size();
    const auto sent = in_file ? send_file(socket) : send_pieces(socket);
    if (sent < 0) {
      if (errno == EINTR)
        continue;
      return errno == EAGAIN || errno == EWOULDBLOCK ? result::blocked : result::broken;
    }
    written += static_cast<std::size_t>(sent);
    advance(static_cast<std::size_t>(sent));
  }
  return result::done;
}

void write_queue::advance(std::size_t n) {
  bytes_ -= n;
  while (front_ < items_.size()) {
    auto& entry = items_[front_];
    const auto taken = std::min(n, entry.size() - entry.sent);
    entry.sent += taken;
    n -= taken;
    if (entry.sent < entry.size())
      return;
    entry = {}; // the shared body is let go as soon as it is out
    ++front_;
  }
  items_.clear();
  front_ = 0;
}

} // namespace assay::http
