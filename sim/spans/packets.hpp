// The packets on engine `model`, and their share of the digest.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/base/parcel.hpp"
#include "sim/fabric/digest.hpp"
#include "sim/packet/packet.hpp"
#include "sim/share/division.hpp"
#include "sim/spans/line.hpp"
#include "sim/spans/mail.hpp"
#include "sim/spans/powers.hpp"
#include "sim/spans/reserved_array.hpp"
#include "sim/spans/saved.hpp"

namespace weft {

/// A packet. Its flits on a link, one a cycle, contribute their polynomial times a factor to the
/// digest, so only the factors are summed up on the way: those of all of its flits in `share`, for
/// two VCs, all others in a list of parts.
struct alignas(64) Packet {
  std::array<unsigned __int128, 2> share = {};  ///< Sums of factors, by VC.
  std::uint64_t header = 0;
  std::uint32_t body = 0;  ///< Index of its first word in `Packets`.
  // Result of route computation, which holds for `way_more` further routers.
  std::uint16_t way_more = 0;
  std::uint8_t way_port = 0;
  VcSet way_set = VcSet::kAny;
  std::array<std::uint16_t, 2> vc = {kNoVc, kNoVc};
  std::uint16_t flits = 0;  ///< Flits with the header; 0: the number is free.
  std::uint16_t stamp = 0;  ///< As in Flit.
  /// Cycle in which its header was granted into the link to its destination; once it is accepted
  /// there, the cycle before its first word is written to memory.
  Cycle time = 0;
  std::uint32_t parts = 0;  ///< Index of the newest term in its list in `Packets` of its
                            ///< destination; 0: none.

  static constexpr std::uint16_t kNoVc = 0xffff;
};
static_assert(sizeof(Packet) == 64);

/// Storage of the packets of all parts of a network, and their bodies. A packet's number tells
/// which part made it.
class PacketStore {
 public:
  /// What a checkpoint of several parts must know of a packet.
  struct Whereabouts {
    std::uint16_t holder = 0;  ///< Part with its header; exact if that is in this process.
    std::uint16_t ends = 0;    ///< Part with its list of terms, if it has one in this process.
    bool complete = false;     ///< Its body is complete in this process.
  };

  /// `parts`: of the network; each makes packets. `tracks`: keep their Whereabouts, for checkpoints
  /// of several parts.
  explicit PacketStore(unsigned parts, bool tracks = false);

  /// Capacity in packets and words.
  std::array<std::size_t, 2> room() const {
    return {where_ ? std::min(packets_.size(), where_->size()) : packets_.size(), words_.size()};
  }
  /// Limits the capacity to `room` (powers of two, at most room()), so that all processes number
  /// packets alike.
  void use(std::array<std::size_t, 2> room);
  unsigned maker(std::uint32_t packet) const { return packet >> shift_; }
  /// First number of a packet that `part` makes.
  std::uint32_t first(unsigned part) const { return part << shift_; }

 private:
  friend class Packets;

  ReservedArray<Packet> packets_;
  ReservedArray<std::uint64_t> words_;
  std::optional<ReservedArray<Whereabouts>> where_;
  unsigned parts_;
  std::vector<std::uint32_t> ends_;  // By maker: one above the highest number of its packets in
                                     // this process.
  std::array<std::size_t, 2> room_ = {};
  unsigned shift_ = 0;
  std::size_t most_words_ = 0;  // Words of a part.
};

/// Packets with their bodies, and the digest of the flits so far, separately for each region: all
/// packets, or those of a part of a network.
///
/// Each part makes its own packets, and frees those that end in it. A packet is changed by the part
/// that has its header, from the cycle after it came there. Terms of the digest that become certain
/// later go to the part of its destination, which alone has its list.
class Packets {
 public:
  explicit Packets(bool parity, std::uint32_t regions = 1, unsigned flit_words = 1)
      : Packets(parity, regions, std::make_shared<PacketStore>(1), nullptr, 0, flit_words) {}
  /// Packets of part `part` of `division`, which must outlive it. `flit_words`: 64-bit words of a
  /// flit.
  Packets(bool parity, std::uint32_t regions, std::shared_ptr<PacketStore> store,
          const Division* division, unsigned part, unsigned flit_words);

  Packet& operator[](std::uint32_t packet) { return packets_[packet]; }
  const Packet& operator[](std::uint32_t packet) const { return packets_[packet]; }
  /// First number of the packets that were made here; they go up to `end()` - 1.
  std::uint32_t first() const { return first_; }
  std::uint32_t end() const { return end_; }

  /// Makes a packet with room for its body. Throws NotBySpans if there are too many.
  std::uint32_t make(std::uint64_t header, std::uint32_t body_flits);
  void free(std::uint32_t packet) {
    if (outbox_ != nullptr && store_->maker(packet) != part_) {
      outbox_[store_->maker(packet)].freed.push_back(packet);
      if (where_ != nullptr) {
        where_[packet] = {static_cast<std::uint16_t>(store_->maker(packet)), 0, false};
      }
    } else {
      take_back(packet);
    }
  }

  /// Notes that there are parts in other processes, which must be told all they need to know.
  void set_apart() { apart_ = true; }
  /// Notes that the body of a packet was read from memory.
  void complete(std::uint32_t packet) {
    if (where_ != nullptr) where_[packet].complete = true;
    if (!apart_ || packets_[packet].flits == 1) return;
    const unsigned part = division_->of(packets_[packet].header);
    if (!division_->owns(part)) outbox_[part].bodies.push_back(packet);
  }
  /// Writes mail to part `part`, of another process, into a parcel, with the packets whose headers
  /// go there. Call it after all parts of this process have ended the cycle.
  void write(const Mail& mail, unsigned part, Parcel& parcel);
  /// Reads the mail from a parcel, with the packets in it.
  void read(Parcel& parcel, Mail& mail);
  /// Writes a packet that was made here to the process of its destination, at the end of a run.
  void write_made(std::uint32_t packet, Parcel& parcel) const;
  /// Reads a packet that write_made wrote; returns its number.
  std::uint32_t read_made(Parcel& parcel);
  /// Writes the sums of a packet, whose header may be anywhere, to the process of its destination,
  /// at the end of a run.
  void write_share(std::uint32_t packet, Parcel& parcel);
  void read_share(Parcel& parcel);
  /// Whether a packet whose header is in this process has sums.
  bool has_share(std::uint32_t packet) const {
    const Packet& p = packets_[packet];
    return (p.share[0] | p.share[1]) != 0;
  }

  /// Sets where to write what the other parts are told from now on: what part i is told to
  /// `outbox[i]`. Only with several parts.
  void write_to(Mail* outbox) { outbox_ = outbox; }
  /// Applies what another part told of the cycle before.
  void take(const Mail& mail);
  bool shared() const { return outbox_ != nullptr; }  ///< There are other parts.
  /// Whether this part has made the packet.
  bool made_here(std::uint32_t packet) const { return store_->maker(packet) == part_; }
  /// Whether the packet's destination is in this part.
  bool ends_here(const Packet& packet) const {
    return outbox_ == nullptr || division_->of(packet.header) == part_;
  }

  /// First 64-bit word of flit `i` of the body; its others follow.
  std::uint64_t& word(const Packet& packet, std::uint32_t i) {
    return words_[packet.body + i * flit_words_];
  }
  unsigned flit_words() const { return flit_words_; }

  /// Counts a span of all flits of a packet on VC `vc` of a link. `factor`: that of link and VC,
  /// times A^(cycle in which the header is on the link).
  void add_whole(Packet& packet, std::uint16_t vc, unsigned __int128 factor) {
    if (packet.vc[1] != vc) {
      std::swap(packet.share[0], packet.share[1]);
      std::swap(packet.vc[0], packet.vc[1]);
    }
    if (packet.vc[1] != vc) {
      if (packet.share[1] != 0) {
        add_part(packet, packet.vc[1], 0, packet.flits, Mod61::reduce(packet.share[1]));
      }
      packet.share[1] = 0;
      packet.vc[1] = vc;
    }
    packet.share[1] += factor;
  }
  /// Counts flits `first` to `end` - 1 of a packet on VC `vc` of a link. `factor`: that of link and
  /// VC, times A^(cycle in which flit `first` is on the link).
  void add_part(Packet& packet, std::uint16_t vc, std::uint32_t first, std::uint32_t end,
                std::uint64_t factor);
  /// Counts the certain flits of a span on VC `vc` of a link, up to that of the cycle before
  /// `until`; with `undo` takes them back. `factor`: that of link and VC. Members of `Span`:
  /// `packet`; `first`, its first flit; `left`, flits of the packet that are not certain; `until`,
  /// one after the last certain cycle; `counted`, whether it was counted as a whole.
  template <class Span>
  void count_part(const Span& span, std::uint16_t vc, std::uint64_t factor, const Powers& powers,
                  Cycle until, bool undo = false) {
    const std::uint32_t end = packets_[span.packet].flits - std::uint32_t{span.left};
    const Cycle start = span.until - (end - span.first);
    const std::uint32_t last = std::min(end, span.first + (until - start));
    add_flits(span.packet, vc, span.first, last, Mod61::times(powers.of(start + 1), factor), undo);
  }
  /// Restricts the terms of a span (count_part) to the flits granted before `cycle`, the next one;
  /// with `undo` adds the others again.
  template <class Span>
  void count_before(const Span& span, std::uint16_t vc, std::uint64_t factor, const Powers& powers,
                    Cycle cycle, bool undo) {
    if (!span.counted) return count_part(span, vc, factor, powers, cycle, undo);
    if (span.until <= cycle) return;
    // The whole span was counted.
    const std::uint32_t end = packets_[span.packet].flits;
    const std::uint64_t power = Mod61::times(powers.of(cycle), kDigestBase);
    add_flits(span.packet, vc, end - (span.until - cycle), end, Mod61::times(power, factor), !undo);
  }
  /// Moves the packet's terms into the digest of its region. Its body is complete, as far as it was
  /// counted.
  void settle(Packet& packet, std::uint32_t region = 0);

  std::uint64_t digest(std::uint32_t region) const { return digests_[region]; }
  std::uint64_t digest() const;  ///< Digest of all regions.

  /// Checkpoint state of what this part has made.
  template <class Archive>
  void serialize(Archive& archive) {
    unsigned shift = store_->shift_;
    archive(shift, digests_, end_, next_word_, free_part_);
    if (shift != store_->shift_) throw std::runtime_error("room for other numbers of packets");
    const std::size_t first_word = part_ * store_->most_words_;
    archive.require(end_ >= first_ && end_ <= most_ && next_word_ >= first_word &&
                    next_word_ <= end_words_);
    archive_lists(archive, free_, parts_);
    for (auto& bodies : free_bodies_) archive_lists(archive, bodies);
    archive_bytes(archive, packets_ + first_, end_ - first_);
    archive_bytes(archive, words_ + first_word, next_word_ - first_word);
    archive_where(archive);
    if constexpr (Archive::is_loading::value) archive.require(in_range());
  }
  /// Whether a number is that of a packet that some part has made. Call it once all parts are
  /// loaded.
  bool is_made(std::uint32_t packet) const;
  /// Whether `flits` flits from a packet's first word on are in the memory for bodies.
  bool has_words(std::uint32_t packet, std::uint32_t flits) const;
  /// Whether the lists of the packets that end here exist, and have no term twice.
  bool good_lists() const;
  /// Whether all numbers in another part's mail are those of packets.
  bool good_mail(const Mail& mail) const;
  /// Loads the state of another part, of another process, and keeps what is here of its packets.
  template <class Archive>
  void load_others(Archive& archive, unsigned part) {
    const auto store = std::make_shared<PacketStore>(store_->parts_, true);
    if (store->room()[0] < store_->room_[0] || store->room()[1] < store_->room_[1]) {
      throw std::runtime_error("no room for the packets of other processes while it is loaded");
    }
    store->use(store_->room_);
    Packets others(parity_, static_cast<std::uint32_t>(digests_.size()), store, division_, part,
                   flit_words_);
    archive(others);
    take_copies(others);
  }
  /// Notes the packets whose headers are on their way to this part.
  void expect(const Mail& mail) {
    if (where_ == nullptr) return;
    for (const Mail::Flits& flits : mail.in) {
      if (flits.header) where_[flits.packet].holder = static_cast<std::uint16_t>(part_);
    }
  }
  /// Packets that other parts have made: those whose headers are in a part, and the lists of those
  /// that end there.
  struct Abroad {
    struct Held {
      std::uint32_t number;
      Packet packet;
    };
    struct List {
      std::uint32_t number, parts;
    };
    std::vector<Held> held;
    std::vector<List> lists;

    template <class Archive>
    void serialize(Archive& archive) {
      std::size_t count = held.size();
      archive(count);
      if constexpr (Archive::is_loading::value) {
        archive.require(count <= archive.left() / sizeof(Packet));
        held.resize(count);
      }
      for (Held& one : held) {
        archive(one.number);
        archive_bytes(archive, &one.packet, 1);
      }
      archive_lists(archive, lists);
    }
  };
  /// Abroad of each part of this process, after all were saved.
  std::vector<Abroad> abroad() const;
  /// Restores Abroad of a part, after all parts were loaded.
  void take_abroad(unsigned part, const Abroad& abroad);

 private:
  struct Part {
    std::uint64_t factor;
    std::uint16_t vc, first, end;
    std::uint32_t next;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(factor, vc, first, end, next);
    }
  };

  void add_flits(std::uint32_t packet, std::uint16_t vc, std::uint32_t first, std::uint32_t end,
                 std::uint64_t factor, bool undo) {
    add_part(packets_[packet], vc, first, end, undo ? Mod61::kPrime - factor : factor);
  }
  // Checkpoint state of the whereabouts of the packets of this part.
  template <class Archive>
  void archive_where(Archive& archive) {
    if (store_->parts_ == 1) return;
    archive_elements(archive, where_ + first_, end_ - first_,
                     [](const auto&, const PacketStore::Whereabouts& where) {
                       return are_bools(where.complete);
                     });
    store_->ends_[part_] = end_;
    if constexpr (Archive::is_loading::value) made_only();
  }
  bool fits(std::size_t body, std::size_t flits) const;
  bool in_range(const Packet& packet) const;
  bool in_range() const;
  bool is_good(const Abroad& abroad) const;
  void made_only();
  void take_copies(const Packets& others);
  std::uint64_t sides(const Packet& packet, std::uint16_t vc) const;
  void take_back(std::uint32_t packet);
  void write_body(std::uint32_t packet, Parcel& parcel) const;
  std::uint32_t read_body(Parcel& parcel);
  void chain(Packet& packet, std::uint16_t vc, std::uint32_t first, std::uint32_t end,
             std::uint64_t factor);
  template <class Use>
  void mix_all(const Packet& packet, std::uint16_t vc, Use use) const;
  std::uint64_t polynomial(const Packet& packet, std::uint16_t vc) const;
  const std::uint64_t* find_rests(const Packet& packet, std::uint16_t vc);
  static void add(std::uint64_t& digest, std::uint64_t term) {
    digest += term;
    if (digest >= Mod61::kPrime) digest -= Mod61::kPrime;
  }

  bool parity_;
  unsigned flit_words_;
  std::vector<std::uint64_t> digests_;  // By region.
  std::shared_ptr<PacketStore> store_;
  const Division* division_ = nullptr;  // Null: there are no other parts.
  unsigned part_ = 0;
  Mail* outbox_ = nullptr;
  Packet* packets_;
  std::uint64_t* words_;
  PacketStore::Whereabouts* where_;    // Null if they are not tracked.
  std::uint32_t first_, end_;          // Numbers of the packets that were made.
  std::size_t next_word_, end_words_;  // Words of this part that were never used.
  std::size_t most_;
  std::vector<std::uint32_t> free_;
  std::vector<std::vector<std::uint32_t>> free_bodies_;  // By length in flits.
  bool apart_ = false;
  std::vector<Part> parts_;  // Indices start at 1.
  std::uint32_t free_part_ = 0;
  // For one packet, for the last VCs used: sums of mix(flit k) * A^(k - i) over the flits k from i
  // on, by i.
  struct Rests {
    std::uint32_t vc = Packet::kNoVc + 1u;
    std::array<std::uint64_t, 258> sum = {};
  };
  std::array<Rests, 4> rests_;
  unsigned oldest_rests_ = 0;
  std::array<std::uint64_t, 258> powers_ = {};  // Powers A^i.
};

}  // namespace weft
