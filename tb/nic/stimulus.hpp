// Random descriptors and packets for the benches of the network interface.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "sim/nic/packet_id.hpp"
#include "sim/packet/packet.hpp"
#include "tb/lib/bench.hpp"

namespace weft::tb {

/// A start around cycle `now`: soon, over, or about as long ago as a start can be.
inline void random_start(RandomStream& random, std::uint32_t now, Descriptor& desc) {
  desc.timed = random.below(2) != 0;
  desc.start = now + static_cast<std::uint32_t>(random.below(150)) - 50;
  if (random.below(4) == 0) {
    desc.start = now - (std::uint32_t{1} << (kStartW - 1)) + 5 +
                 static_cast<std::uint32_t>(random.below(195));
  }
}

/// Throws CheckError where a bench did not cover what it must.
inline void expect(bool met, const std::string& what) {
  if (!met) throw CheckError("bench: " + what);
}

/// A message of up to about four packets, often empty or exactly full, at times of a power of two
/// or a little more; small gaps, a few large ones.
inline Descriptor random_descriptor(RandomStream& random, std::uint32_t packet_flits,
                                    PacketForm form = {}) {
  Descriptor desc;
  desc.dst = static_cast<std::uint32_t>(random() & low_mask(form.addr_w));
  desc.addr = static_cast<std::uint32_t>(random() & low_mask(kMemAddrW));
  desc.off = static_cast<std::uint32_t>(random() & low_mask(form.off_w()));
  desc.tag = static_cast<std::uint32_t>(random() & low_mask(kTagW));
  const std::uint64_t kind = random.below(16);
  if (kind < 3) {
    desc.len = 0;
  } else if (kind < 6) {
    desc.len = static_cast<std::uint32_t>(random.below(4) * packet_flits);
  } else {
    desc.len = static_cast<std::uint32_t>(random.below(4 * packet_flits + 2));
  }
  if (random.below(128) == 0) {
    desc.len = (1u << random.below(10)) + static_cast<std::uint32_t>(random.below(packet_flits));
  }
  if (random.below(2) == 0) desc.gap = static_cast<std::uint32_t>(random.below(4));
  if (random.below(128) == 0) desc.gap = 1u << random.below(8);
  if (random.below(512) == 0) desc.gap = static_cast<std::uint32_t>(random.below(256));
  return desc;
}

/// Messages from this length on are longer than a bench can afford: it sees their first packets and
/// then resets.
inline constexpr std::uint32_t kLongFlits = 1024;

/// A message of any length from `kLongFlits` on. Length, address and offset are next to a power of
/// two which they pass in the first packets, so that a carry goes through all bits below it.
inline Descriptor long_message(RandomStream& random, std::uint32_t packet_flits,
                               PacketForm form = {}) {
  Descriptor desc = random_descriptor(random, packet_flits, form);
  const auto some = [&] { return static_cast<std::uint32_t>(random.below(2 * packet_flits + 1)); };
  const auto under_power = [&](unsigned bits) {
    return ((1u << random.below(bits + 1)) - some()) & static_cast<std::uint32_t>(low_mask(bits));
  };
  desc.len = (kLongFlits << random.below(kMsgLenW - 10)) + some();
  desc.addr = under_power(kMemAddrW);
  desc.off = under_power(form.off_w());
  return desc;
}

/// A receive window that some of the packets of `PacketSource` miss; rarely an empty one;
/// often about as large as the range of a header's offset, or larger.
inline std::uint32_t random_window(RandomStream& random, std::uint32_t packet_flits,
                                   PacketForm form = {}) {
  const std::uint32_t flits = form.window_flits();
  switch (random.below(16)) {
    case 0:
      return static_cast<std::uint32_t>(random.below(packet_flits + 1));
    case 1:
      return flits - std::min(flits, packet_flits) +
             static_cast<std::uint32_t>(random.below(2 * packet_flits));
    case 2:
      return flits * static_cast<std::uint32_t>(1 + random.below(15));
    case 3:
      return static_cast<std::uint32_t>(random() & low_mask(kMemAddrW));
    default:
      return 16 * packet_flits;
  }
}

/// A key: most often one of few, so that windows and packets meet.
inline std::uint32_t random_key(RandomStream& random, PacketForm form) {
  const auto few = static_cast<std::uint32_t>(random.below(4));
  return (random.below(8) == 0 ? static_cast<std::uint32_t>(random()) : few) &
         static_cast<std::uint32_t>(low_mask(form.key_w));
}

/// `windows` such windows, anywhere in memory.
inline ReceiveWindows random_windows(RandomStream& random, std::uint32_t packet_flits,
                                     PacketForm form, unsigned windows) {
  ReceiveWindows all;
  for (unsigned w = 0; w < windows; ++w) {
    all.base[w] = static_cast<std::uint32_t>(random() & low_mask(kMemAddrW));
    all.size[w] = random_window(random, packet_flits, form);
    all.key[w] = random_key(random, form);
  }
  return all;
}

/// Makes a message stay under the key of its first flit and end before the id, as an interface
/// requires.
inline void keep_under_key(PacketForm form, Descriptor& desc) {
  if (form.key_w == 0 && form.id_w == 0) return;
  const std::uint32_t flits = form.window_flits(), place = desc.off % flits;
  desc.len = std::min(desc.len, flits);
  desc.off = desc.off >> form.key_lsb() << form.key_lsb() | std::min(place, flits - desc.len);
}

/// The sender of an incoming link: packets word by word, with random pauses, stopped by
/// Buffer-Full. Most are for the address `node`. With parity, now and then one bit of a packet is
/// wrong: of the data, the parity or Data-End. With `reduces` no packet is to be reduced into
/// words of one that may still be in flight.
class PacketSource {
 public:
  PacketSource(std::uint32_t packet_flits, bool parity, std::uint32_t node, PacketForm form = {},
               bool reduces = false, unsigned rx_depth = kRxDepth)
      : packet_flits_(packet_flits),
        node_(node),
        form_(form),
        parity_(parity),
        reduces_(reduces),
        slots_(rx_depth),
        credits_(rx_depth) {}

  /// The word on the link in this cycle. `full` is Buffer-Full in this cycle; as specified,
  /// it stops the next word. Without `more` no new packet begins.
  Flit next(RandomStream& random, bool full, bool more = true) {
    const bool held = was_full_;
    was_full_ = full;
    return word(random, held, more);
  }

  /// The receiver begins anew: all credits are there. The packet that was begun goes on.
  void restarted() { credits_ = slots_; }

  /// From now on no acknowledgements come but these, each when it can.
  void without_false_acks() { false_acks_ = false; }
  void acknowledge(const Header& header) { acks_.push_back(header); }
  /// The network is emptied: the acknowledgements under way are lost.
  void lose_acks() { acks_.clear(); }

  /// The next word on a credit link into a buffer of `recv_unit`'s depth. `credit` is the line in
  /// this cycle; it counts for the next word.
  Flit next_credited(RandomStream& random, bool credit, bool more = true) {
    const Flit flit = word(random, credits_ == 0, more);
    credits_ = credits_ + credit - flit.valid;
    if (credits_ > slots_) throw CheckError("bench: a credit without a word");
    return flit;
  }

 private:
  Flit word(RandomStream& random, bool held, bool more) {
    if (!idle_.next(random) || held) return {};
    if (left_ == 0 && !more && acks_.empty()) return {};
    if (left_ == 0) begin(random, more);
    Flit flit;
    flit.valid = true;
    flit.last = --left_ == 0;
    const bool header = std::exchange(header_, false);
    flit.data = header ? word_ : random();
    // A body word that would pass for a header in its position.
    if (!header && random.below(16) == 0) flit.data = (flit.data & ~low_mask(form_.addr_w)) | node_;
    if (!header) random_upper(random, form_.flit_words(), flit);
    flit.parity = parity_ && parity_of(flit, form_.flit_words());
    if (spoil_ != 0 && --spoil_ == 0) {
      const std::uint64_t bit = random.below(form_.data_w + 16);
      // In a header the destination is spoiled, in a body any bit or the parity bit itself.
      if (bit > form_.data_w) {
        flit.last = !flit.last;
      } else if (bit == form_.data_w) {
        flit.parity = !flit.parity && parity_;
      } else {
        const std::uint64_t at = header ? bit % form_.addr_w : bit;
        flit.word(static_cast<unsigned>(at / 64)) ^= std::uint64_t{1} << at % 64;
      }
    }
    return flit;
  }

  void begin(RandomStream& random, bool more) {
    if (!acks_.empty() && (!more || random.below(2) == 0)) {
      word_ = acks_.front().pack(form_);
      acks_.pop_front();
      left_ = 1;
      header_ = true;
      spoil_ = parity_ && random.below(32) == 0 ? 1 : 0;
      return;
    }
    Header header;
    header.dst = node_;
    if (random.below(16) == 0) header.dst ^= 1u << random.below(form_.addr_w);
    if (random.below(64) == 0)
      header.dst = static_cast<std::uint32_t>(random() & low_mask(form_.addr_w));
    header.src = static_cast<std::uint32_t>(random() & low_mask(form_.addr_w));
    // With ids mostly one of the nodes, of which there are few or many.
    if (form_.id_w != 0 && random.below(8) != 0) {
      header.src = static_cast<std::uint32_t>(random.below(8));
      if (random.below(8) == 0) header.src <<= random.below(8);
    }
    header.off = static_cast<std::uint32_t>(random.below(16 * packet_flits_));
    if (random.below(32) == 0) header.off = 16 * packet_flits_;  // just outside, unless empty
    if (random.below(16) == 0) {  // the last offsets of the range, or beyond them
      header.off =
          form_.window_flits() - 1 - static_cast<std::uint32_t>(random.below(2 * packet_flits_));
    }
    if (random.below(64) == 0)
      header.off = static_cast<std::uint32_t>(random() & low_mask(form_.off_w()));
    if (form_.key_w != 0 && random.below(32) != 0) {
      header.off = header.off % (1u << form_.key_lsb()) | random_key(random, form_)
                                                              << form_.key_lsb();
    }
    if (form_.id_w != 0) header.off = with_id(random, header.off);
    header.len = static_cast<std::uint32_t>(random.below(packet_flits_ + 1));
    if (random.below(4) == 0) header.len = packet_flits_;
    if (random.below(8) == 0) header.len = 0;
    header.tag = static_cast<std::uint32_t>(random() & low_mask(kTagW));
    header.eom = random.below(4) != 0;
    // Most acknowledgements have no body.
    if (is_ack(header.off, form_) && random.below(8) != 0) header.len = 0;
    if (reduces_) keep_apart(header);
    std::uint32_t body = header.len;
    const std::uint64_t kind = random.below(64);
    if (kind == 0) body = header.len + 1;
    if (kind == 1 && header.len != 0) body = header.len - 1;
    if (kind == 2) body = static_cast<std::uint32_t>(random.below(3 * packet_flits_ + 1));
    if (kind == 3) body = header.len = packet_flits_ < 255 ? packet_flits_ + 1 : 255;
    // Counters that wrap at 256 or 512 would take these for the right length.
    if (kind == 4 && random.below(8) == 0) body = header.len + 256;
    if (kind == 5 && random.below(8) == 0) body = header.len + 512;
    if (kind == 6) header.len ^= 1u << random.below(kLenW);
    word_ = header.pack(form_);
    left_ = body + 1;
    header_ = true;
    spoil_ = random.below(8) == 0 ? static_cast<std::uint32_t>(1 + random.below(left_)) : 0;
    if (!parity_) spoil_ = 0;
  }

  // Any id in place of the offset's bits, often that of a packet, not of an acknowledgement.
  std::uint32_t with_id(RandomStream& random, std::uint32_t off) const {
    auto id = static_cast<std::uint32_t>(random() & low_mask(form_.id_w));
    if (random.below(2) == 0 || !false_acks_) id &= ~(1u << (form_.id_w - 1));
    const auto bits = static_cast<std::uint32_t>(low_mask(form_.id_w)) << form_.place_w();
    return (off & ~bits) | id << form_.place_w();
  }

  // A packet takes a cycle at least, so that the one so many packets before is in memory.
  void keep_apart(Header& header) {
    for (const Header& before : before_) {
      const bool apart =
          header.off + header.len <= before.off || before.off + before.len <= header.off;
      if (!apart && reduces(header.tag)) header.tag ^= 1;
    }
    before_[oldest_++ % before_.size()] = header;
  }

  std::uint32_t packet_flits_, node_;
  PacketForm form_;
  std::array<Header, kMeanLatency + 8> before_;
  std::size_t oldest_ = 0;
  bool parity_, reduces_, was_full_ = false, header_ = false, false_acks_ = true;
  std::deque<Header> acks_;
  std::uint64_t word_ = 0;
  std::uint32_t left_ = 0, spoil_ = 0;
  unsigned slots_, credits_;  // Credits of the receiver, all and free.
  Pressure idle_;
};

}  // namespace weft::tb
