// Bodies of packets of synthetic traffic, in place of a node's memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Replaces a node's memory: body words are computed when the interface reads them. Words that it
/// writes are compared with words computed from the headers seen on its link, never with the
/// source's state: they are the bodies of the packets that it keeps, one after the other. A word
/// holds source, index in the body, and 36 bits of a hash of source, destination, generation time
/// and index; the further words of a wide flit follow from its first one.
class TrafficMemory {
 public:
  /// For the node with address `own`, with `links` links into its interface and at most `packets`
  /// packets that are posted and not yet read completely. `flit_words`: 64-bit words of a flit.
  TrafficMemory(std::uint32_t own, std::uint32_t packets, std::uint32_t links,
                unsigned flit_words = 1)
      : own_(own), flit_words_(flit_words), packets_(packets), receivers_(links) {}

  /// Adds a packet: the words of its body, of `body` flits, will be read at `address()` and up. The
  /// packet keeps its entry until its last word is read: any number of packets of other controllers
  /// may overtake that of a blocked controller. Throws std::logic_error if there are more packets
  /// than possible.
  void put(std::uint32_t dst, std::uint32_t generated_at, std::uint32_t body) {
    std::size_t tried = 0;
    do {
      if (tried++ == packets_.size())
        throw std::logic_error("traffic: more packets in flight than possible");
      next_ = next_ + 1 < packets_.size() ? next_ + 1 : 0;
    } while (packets_[next_].unread);
    packets_[next_] = {dst, generated_at, static_cast<std::uint8_t>(body - 1), body != 0};
  }
  std::uint32_t address() const { return next_ << kOffsetW; }

  /// Reads `count` flits, at least one, of one body. Throws CheckError if no body was posted there.
  void read_flits(std::uint32_t addr, std::uint32_t count, std::uint64_t* words) {
    if (addr >> kOffsetW >= packets_.size()) [[unlikely]]
      outside();
    Packet& packet = packets_[addr >> kOffsetW];
    const std::uint32_t first = addr & kOffsets;
    for (std::uint32_t i = 0; i < count; ++i) {
      *words++ = word(own_, packet.dst, packet.generated_at, first + i);
      for (unsigned w = 1; w < flit_words_; ++w, ++words) *words = mix64(words[-1]);
    }
    if (first + count - 1 == packet.last) packet.unread = false;
  }

  /// Notes that the last flit of a packet was on a link and the interface will write its body. If
  /// more packets than possible wait for that, it is an error.
  void expect(std::uint32_t link, std::uint64_t header) {
    Receiver& r = receivers_[link];
    if (r.count == kHeaders) {
      drop_header(r);
      ++errors_;
    }
    r.headers[(r.first + r.count++) % kHeaders] = header;
  }
  /// Writes `count` flits that the interface received on `link`. Bodies are written in the order of
  /// their headers, and the receive window begins at 0: the address is generation time plus index.
  void write_flits(std::uint32_t link, std::uint32_t addr, std::uint32_t count,
                   const std::uint64_t* words, PacketForm form) {
    Receiver& r = receivers_[link];
    words_ += count;
    while (count != 0) {
      if (r.offset == r.body) next_body(r, addr, form);
      const std::uint32_t of_body = std::min(count, r.body - r.offset);
      const bool misplaced = addr != r.generated_at + r.offset;
      for (std::uint32_t i = 0; i < of_body; ++i) {
        std::uint64_t expected = word(r.src, own_, r.generated_at, r.offset + i);
        bool wrong = misplaced || *words++ != expected;
        for (unsigned w = 1; w < flit_words_; ++w) {
          expected = mix64(expected);
          wrong |= *words++ != expected;
        }
        errors_ += wrong;
      }
      r.offset += of_body;
      addr += of_body;
      count -= of_body;
    }
  }
  std::uint64_t errors() const { return errors_; }
  std::uint64_t words() const { return words_; }
  std::uint32_t own() const { return own_; }  ///< Address of the node.

  static std::uint64_t word(std::uint32_t src, std::uint32_t dst, std::uint32_t generated_at,
                            std::uint32_t offset) {
    const std::uint64_t tag = std::uint64_t{src} << (kHashW + kOffsetW) | std::uint64_t{offset}
                                                                              << kHashW;
    const auto product =
        static_cast<unsigned __int128>((tag ^ std::uint64_t{generated_at} << 16 ^ dst) +
                                       0x9e3779b97f4a7c15u) *
        0xe7037ed1a0b428dbu;
    const auto hash =
        static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    return tag | (hash & low_mask(kHashW));
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(next_, errors_, words_, packets_, receivers_);
    archive.require(next_ < packets_.size());
  }

 private:
  static constexpr unsigned kOffsetW = 8, kHashW = 64 - kMaxAddrW - kOffsetW;
  static constexpr std::uint32_t kOffsets = (1u << kOffsetW) - 1;
  // Most packets of one link whose bodies are not yet being written: two in the receive buffers,
  // two in the link's FIFO, and one that has just arrived.
  static constexpr std::uint32_t kHeaders = 5;
  struct Packet {
    std::uint32_t dst = 0, generated_at = 0;
    std::uint8_t last = 0;  // Index of the last word.
    bool unread = false;    // The last word is still to be read.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(dst, generated_at, last, unread);
    }
  };
  struct Receiver {
    std::uint32_t src = 0, generated_at = 0, offset = 0,
                  body = 0;              // Index in, and length of, the body that is being written.
    std::uint32_t first = 0, count = 0;  // `headers` is a ring.
    std::array<std::uint64_t, kHeaders> headers = {};

    template <class Archive>
    void serialize(Archive& archive) {
      archive(src, generated_at, offset, body, first, count, headers);
      archive.require(offset <= body && first < kHeaders && count <= kHeaders);
    }
  };

  static void drop_header(Receiver& r) {
    r.first = (r.first + 1) % kHeaders;
    --r.count;
  }
  static void next_body(Receiver& r, std::uint32_t addr, PacketForm form);
  [[noreturn]] static void outside();

  std::uint32_t own_;  // Address of the node.
  unsigned flit_words_;
  std::uint32_t next_ = 0;
  std::uint64_t errors_ = 0, words_ = 0;
  std::vector<Packet> packets_;      // Posted packets.
  std::vector<Receiver> receivers_;  // By link.
};

}  // namespace weft
