// Packets of gdb's remote protocol: frames, checksums and the numbers in them.
#include "sim/processor/gdb_packets.hpp"

#include <fmt/format.h>

namespace weft {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

unsigned char sum_of(std::string_view payload) {
  unsigned sum = 0;
  for (const char c : payload) sum += static_cast<unsigned char>(c);
  return static_cast<unsigned char>(sum);
}

}  // namespace

std::optional<std::uint32_t> take_number(std::string_view& text) {
  std::uint32_t value = 0;
  std::size_t count = 0;
  for (; count < text.size() && digit(text[count]) >= 0; ++count) {
    if (count == 8) return {};
    value = value << 4 | static_cast<std::uint32_t>(digit(text[count]));
  }
  if (count == 0) return {};
  text.remove_prefix(count);
  return value;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::optional<std::array<std::uint32_t, 2>> take_two(std::string_view& text,
                                                     std::string_view between,
                                                     std::string_view after) {
  const auto first = take_number(text);
  if (!first || !take_prefix(text, between)) return {};
  const auto second = take_number(text);
  if (!second || (after.empty() ? !text.empty() : !take_prefix(text, after))) return {};
  return {{*first, *second}};
}

std::string to_hex(const std::uint8_t* bytes, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("{:02x}", bytes[i]);
  return text;
}
std::string to_hex(std::string_view text) {
  return to_hex(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

std::optional<std::vector<std::uint8_t>> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return {};
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    if (digit(text[i]) < 0 || digit(text[i + 1]) < 0) return {};
    bytes.push_back(static_cast<std::uint8_t>(digit(text[i]) << 4 | digit(text[i + 1])));
  }
  return bytes;
}

std::optional<std::vector<std::uint8_t>> from_escaped(std::string_view text) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto byte = static_cast<std::uint8_t>(text[i]);
    if (byte == '}') {
      if (++i == text.size()) return {};
      byte = static_cast<std::uint8_t>(text[i]) ^ 0x20;
    }
    bytes.push_back(byte);
  }
  return bytes;
}

// The next packet; none when the connection is closed.
std::optional<std::string> GdbPackets::receive() {
  std::string packet;
  for (;;) {
    const int byte = stream_.read(true);
    if (byte == ByteStream::kClosed) return {};
    if (byte == '-' && acknowledges_) stream_.write(last_sent_);
    if (byte != '$') continue;  // '+', or an interrupt while the program already stands still.
    const int good = read_packet(packet);
    if (good == ByteStream::kClosed) return {};
    if (acknowledges_) stream_.write(good != 0 ? "+" : "-");
    if (good != 0) return packet;
  }
}

// Reads a packet after its '$'. Returns 1, 0 for a damaged one, or kClosed.
int GdbPackets::read_packet(std::string& packet) {
  packet.clear();
  bool too_long = false;
  for (;;) {
    const int byte = stream_.read(true);
    if (byte == ByteStream::kClosed) return byte;
    if (byte == '#') break;
    if (byte == '$') {  // The packet before was cut off.
      packet.clear();
      too_long = false;
    } else if (packet.size() == kMostBytes) {
      too_long = true;
    } else {
      packet += static_cast<char>(byte);
    }
  }
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    const int byte = stream_.read(true);
    if (byte == ByteStream::kClosed) return byte;
    const int value = digit(static_cast<char>(byte));
    if (value < 0) return 0;
    sum = sum << 4 | value;
  }
  return !too_long && sum == sum_of(packet);
}

void GdbPackets::send(const std::string& payload) {
  last_sent_ = fmt::format("${}#{:02x}", payload, sum_of(payload));
  stream_.write(last_sent_);
}

// Shows a text in gdb while the program runs.
void GdbPackets::print(const std::string& text) {
  send("O" + to_hex(text));
}

}  // namespace weft
