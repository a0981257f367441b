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
  /// The next byte, 0 to 255. With `waits` waits for one; otherwise returns kNothing if there is
  /// none yet. Returns kClosed when none will come any more.
  virtual int read(bool waits) = 0;
  virtual void write(std::string_view bytes) = 0;
};

/// Receives and sends packets: '$', the payload, '#', its checksum. Asks again for a damaged or too
/// long packet, and repeats a packet when asked to.
class GdbPackets {
 public:
  /// Longest payload that it accepts.
  static constexpr std::size_t kMostBytes = 0x4000;

  /// `stream` must outlive it.
  explicit GdbPackets(ByteStream& stream) : stream_(stream) {}

  /// The payload of the next packet; none when the connection is closed.
  std::optional<std::string> receive();
  void send(const std::string& payload);
  /// Shows a text in gdb while the program runs.
  void print(const std::string& text);
  /// Stops acknowledging packets.
  void stop_acknowledging() { acknowledges_ = false; }

 private:
  int read_packet(std::string& packet);

  ByteStream& stream_;
  bool acknowledges_ = true;
  std::string last_sent_;  // The last packet sent, to be repeated.
};

/// Removes a hexadecimal number of 1 to 8 digits from the front of `text`.
std::optional<std::uint32_t> take_number(std::string_view& text);
/// Removes a prefix from the front of `text`; returns false if it is not there.
bool take_prefix(std::string_view& text, std::string_view prefix);
/// Removes two numbers with `between` between them from the front of `text`, with `after` after
/// them, or at the end of the text if `after` is empty.
std::optional<std::array<std::uint32_t, 2>> take_two(std::string_view& text,
                                                     std::string_view between,
                                                     std::string_view after);
/// Two hexadecimal digits per byte.
std::string to_hex(const std::uint8_t* bytes, std::size_t count);
std::string to_hex(std::string_view text);
std::optional<std::vector<std::uint8_t>> from_hex(std::string_view text);
/// Decodes binary data, in which '}' marks a byte that is written with bit 5 inverted.
std::optional<std::vector<std::uint8_t>> from_escaped(std::string_view text);

}  // namespace weft
