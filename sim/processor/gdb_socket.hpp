// A connection to gdb over TCP, from this computer only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/processor/gdb_stub.hpp"

namespace weft {

/// Accepts one connection on 127.0.0.1. It waits for that when it is first read, and says so on
/// standard error; Ctrl-C (InterruptScope) ends all waiting as if the connection were closed.
class GdbSocket : public ByteStream {
 public:
  /// Listens on a port; 0: any free one. `who` ("node 3") and `program`, for gdb, are for its
  /// message. Throws ConfigError, naming --gdb, if the port cannot be used.
  GdbSocket(std::uint16_t port, std::string who, std::string program);
  ~GdbSocket() override;
  GdbSocket(const GdbSocket&) = delete;
  GdbSocket& operator=(const GdbSocket&) = delete;

  int read(bool waits) override;
  void write(std::string_view bytes) override;

 private:
  void accept_one();
  [[noreturn]] void fail(const char* what);
  static bool wait_for(int file, int milliseconds);

  std::uint16_t port_;
  std::string who_, program_;
  int listener_ = -1, connection_ = -1;
  bool closed_ = false;
  std::array<std::uint8_t, 4096> buffer_;
  std::size_t next_ = 0, end_ = 0;  // Bounds of what is not read yet in the buffer.
};

}  // namespace weft
