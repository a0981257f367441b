// Packets of gdb's remote protocol over a stream of bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// A connection to a debugger.
class ByteStream {
 public:
  static constexpr int kNothing = -1, kClosed = -2;

  virtual ~ByteStream() = default;
  /// The next byte, 0 to 255. `waits`: until there is one; without, kNothing if there is none yet.
  /// kClosed when none will come any more.
  virtual int read(bool waits) = 0;
  virtual void write(std::string_view bytes) = 0;
};

/// Takes and sends packets: '$', the payload, '#', its checksum. A damaged or too long packet is
/// asked for again, and one that was sent is repeated when that is asked for.
class GdbPackets {
 public:
  /// The longest payload that it takes.
  static constexpr std::size_t kMostBytes = 0x4000;

  /// `stream` must outlive it.
  explicit GdbPackets(ByteStream& stream) : stream_(stream) {}

  /// The payload of the next packet; none when the connection is closed.
  std::optional<std::string> receive();
  void send(const std::string& payload);
  /// Shows a text in gdb, while the program does not stand still.
  void print(const std::string& text);
  /// From now on no packet is acknowledged.
  void stop_acknowledging() { acknowledges_ = false; }

 private:
  int read_packet(std::string& packet);

  ByteStream& stream_;
  bool acknowledges_ = true;
  std::string last_sent_;  // A packet, to be repeated.
};

/// Takes a hexadecimal number of 1 to 8 digits from the front.
std::optional<std::uint32_t> take_number(std::string_view& text);
/// Takes a text from the front; false if it is not there.
bool take_prefix(std::string_view& text, std::string_view prefix);
/// Takes two numbers with `between` between them, and after them `after`, or all if that is empty.
std::optional<std::array<std::uint32_t, 2>> take_two(std::string_view& text,
                                                     std::string_view between,
                                                     std::string_view after);
/// Two digits a byte.
std::string to_hex(const std::uint8_t* bytes, std::size_t count);
std::string to_hex(std::string_view text);
std::optional<std::vector<std::uint8_t>> from_hex(std::string_view text);
/// Binary data, in which '}' marks a byte that is written with bit 5 inverted.
std::optional<std::vector<std::uint8_t>> from_escaped(std::string_view text);

}  // namespace weft
