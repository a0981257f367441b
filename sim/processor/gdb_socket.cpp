// A connection to gdb over TCP.
#include "sim/processor/gdb_socket.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/interrupt.hpp"

namespace weft {
namespace {

constexpr int kPatience = 200;  // Milliseconds between two checks whether Ctrl-C was pressed.

}  // namespace

GdbSocket::GdbSocket(std::uint16_t port, std::string who, std::string program)
    : port_(port), who_(std::move(who)), program_(std::move(program)) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener_ < 0) fail("a socket");
  // The port of a run that has just ended may be used again.
  const int yes = 1;
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  socklen_t length = sizeof address;
  if (bind(listener_, any, length) != 0 || getsockname(listener_, any, &length) != 0) {
    fail("a port that is free, or 0 for any");
  }
  port_ = ntohs(address.sin_port);
}

GdbSocket::~GdbSocket() {
  if (connection_ >= 0) {
    // What was sent is lost if the connection is closed while received bytes are unread.
    shutdown(connection_, SHUT_WR);
    while (wait_for(connection_, kPatience) &&
           recv(connection_, buffer_.data(), buffer_.size(), 0) > 0) {
    }
    close(connection_);
  }
  if (listener_ >= 0) close(listener_);
}

void GdbSocket::fail(const char* what) {
  const int error = errno;
  if (listener_ >= 0) close(std::exchange(listener_, -1));
  throw ConfigError("--gdb", "", fmt::format("port {}", port_),
                    fmt::format("{}: {}", what, std::strerror(error)));
}

// Waits up to `milliseconds` until there is something to read; returns whether there is.
bool GdbSocket::wait_for(int file, int milliseconds) {
  pollfd wanted = {file, POLLIN, 0};
  return ::poll(&wanted, 1, milliseconds) > 0;
}

void GdbSocket::accept_one() {
  if (listen(listener_, 1) != 0) fail("a port that is free, or 0 for any");
  fmt::print(stderr,
             "gdb: {0} waits on 127.0.0.1:{1}: gdb-multiarch {2} -ex 'target remote :{1}'\n", who_,
             port_, program_);
  while (connection_ < 0 && !interrupted()) {
    if (wait_for(listener_, kPatience))
      connection_ = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  }
  close(std::exchange(listener_, -1));
  closed_ = connection_ < 0;
  const int yes = 1;
  if (!closed_) setsockopt(connection_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

int GdbSocket::read(bool waits) {
  if (connection_ < 0 && !closed_) accept_one();
  while (next_ == end_) {
    if (closed_ || interrupted()) return kClosed;
    if (!wait_for(connection_, waits ? kPatience : 0)) {
      if (waits) continue;
      return kNothing;
    }
    const ssize_t got = recv(connection_, buffer_.data(), buffer_.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    closed_ = got <= 0;
    next_ = 0;
    end_ = closed_ ? 0 : static_cast<std::size_t>(got);
  }
  return buffer_[next_++];
}

void GdbSocket::write(std::string_view bytes) {
  while (!closed_ && connection_ >= 0 && !bytes.empty()) {
    const ssize_t sent = send(connection_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    closed_ = sent <= 0;
    if (!closed_) bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

}  // namespace weft
