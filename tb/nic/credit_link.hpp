// What the benches of credit links share: the receiver's side of one, and the addresses of a
// network of some dimensions.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"
#include "tb/lib/bench.hpp"

namespace weft::tb {

/// Addresses of a network with these maximum coordinates.
inline std::uint32_t node_count(const std::vector<std::uint32_t>& max_coords) {
  std::uint32_t count = 1;
  for (const std::uint32_t last : max_coords) count *= last + 1;
  return count;
}

/// The address of a rank, digit by digit; above all digits the bits of `rest`.
inline std::uint32_t address_of(const std::vector<std::uint32_t>& max_coords, std::uint32_t rank,
                                std::uint32_t rest) {
  std::uint32_t address = 0;
  unsigned lsb = 0;
  for (const std::uint32_t last : max_coords) {
    address |= rank % (last + 1) << lsb;
    rank /= last + 1;
    lsb += static_cast<unsigned>(std::bit_width(last));
  }
  return address | rest >> lsb << lsb;
}

/// The rank of an address; the same sum for one with a digit that no node has.
inline std::uint32_t rank_of(const std::vector<std::uint32_t>& max_coords, std::uint32_t address) {
  std::uint32_t rank = 0, step = 1;
  for (const std::uint32_t last : max_coords) {
    const auto width = static_cast<unsigned>(std::bit_width(last));
    rank += (address & static_cast<std::uint32_t>(low_mask(width))) * step;
    address >>= width;
    step *= last + 1;
  }
  return rank;
}

/// Parameter `MaxCoords`.
inline RtlValue max_coords_value(const std::vector<std::uint32_t>& max_coords) {
  std::string digits;
  for (const std::uint32_t last : max_coords)
    digits = fmt::format("{:0{}x}", last, kDigitParamW / 4) + digits;
  return RtlValue(fmt::format("{}'h{}", kDigitParamW * max_coords.size(), digits));
}

/// The receiver of a credit link: a buffer for each VC, from which words leave at random. Throws
/// CheckError where a word arrives without a credit, or packets are interleaved on a VC.
class CreditSide {
 public:
  CreditSide(unsigned num_vc, unsigned depth)
      : depth_(depth),
        sender_credits_(num_vc, depth),
        held_(num_vc),
        credits_((num_vc + 63) / 64) {}

  /// The word on the link in this cycle.
  void see(const Flit& flit) {
    if (!flit.valid) return;
    if (flit.vc >= held_.size() || ++held_[flit.vc] > depth_) {
      throw CheckError(fmt::format("bench: a word without a credit on VC {}", flit.vc));
    }
    if (inside_ && (flit.vc != vc_ || flit.stamp != stamp_)) {
      throw CheckError("bench: a packet's words differ in VC or stamp");
    }
    inside_ = !flit.last;
    vc_ = flit.vc;
    stamp_ = flit.stamp;
  }

  /// The credit lines in this cycle: random, or all that can be returned. Called before `see` it
  /// returns credits for words of earlier cycles only, as a register does.
  const std::uint64_t* credits(RandomStream& random, bool all = false) {
    std::fill(credits_.begin(), credits_.end(), 0);
    const bool go = go_.next(random);
    for (unsigned v = 0; v < sender_credits_.size(); ++v) {
      if (held_[v] == 0 || !(all || (go && random.below(4) != 0))) continue;
      credits_[v / 64] |= std::uint64_t{1} << v % 64;
      --held_[v];
      ++sender_credits_[v];
    }
    return credits_.data();
  }

  /// The sender's credits, with those of this cycle.
  unsigned sender_credits(unsigned vc) const { return sender_credits_[vc]; }
  /// The sender loads a word at the end of this cycle.
  void loaded(unsigned vc) { --sender_credits_[vc]; }

 private:
  unsigned depth_;
  std::vector<unsigned> sender_credits_, held_;
  std::vector<std::uint64_t> credits_;
  Pressure go_;
  bool inside_ = false;
  std::uint16_t vc_ = 0, stamp_ = 0;
};

}  // namespace weft::tb
