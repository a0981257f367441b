// A connection to gdb over TCP, from this computer alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/processor/gdb_stub.hpp"

namespace weft {

/// Takes one connection on 127.0.0.1. It waits for that when it is read from the first time, and
/// says on standard error that it does; Ctrl-C (InterruptScope) ends every waiting as if the
/// connection were closed.
class GdbSocket : public ByteStream {
 public:
  /// Takes a port; 0: any that is free. `who` and `program` are for what it says: "node 3", and the
  /// program for gdb. ConfigError, naming --gdb, where the port cannot be taken.
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
  std::size_t next_ = 0, end_ = 0;  // Of the buffer, what is not read yet.
};

}  // namespace weft
