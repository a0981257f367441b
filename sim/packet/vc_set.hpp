// Sets of virtual channels, and the rules of datelines.
//
// The constants here are those of rtl/weft_pkg.sv; tests/unit/packet_test.cpp compares the two.
#pragma once

#include <cstdint>

namespace weft {

/// VC set: the VCs of the next link that a packet may be allocated (weft_pkg::VcAny and others;
/// rtl/README.md, rules).
enum class VcSet : std::uint8_t {
  kAny = 0,
  kLow = 1,    ///< The lower half.
  kHigh = 2,   ///< The upper half.
  kSame = 3,   ///< The VC on which it arrived.
  kNext = 4,   ///< The VC after the one on which it arrived; the last VC stays.
  kFirst = 8,  ///< VC 0; kFirst + v is VC v, up to `kNumberedVcs` of them.
};
inline constexpr unsigned kVcSetW = 4;
inline constexpr unsigned kVcSets = 1u << kVcSetW;
inline constexpr unsigned kNumberedVcs = 8;
constexpr unsigned values_of(VcSet) {
  return kVcSets;
}
/// The set that consists of VC `vc`, below `kNumberedVcs`.
constexpr VcSet only_vc(unsigned vc) {
  return static_cast<VcSet>(static_cast<unsigned>(VcSet::kFirst) + vc);
}

/// VCs of packets round a ring with a dateline (weft_pkg::DatelineFixed and others; seed 004 [2.1],
/// [4.2]).
enum class DatelineRule : std::uint8_t {
  kFixed = 0,     ///< Low up to the dateline and over it, high behind it or where none is crossed.
  kBalanced = 1,  ///< As fixed, but any VC, as it enters, for a packet that does not cross.
  kCrossing = 2,  ///< Low all the way for a packet that crosses it, high for the others.
};

}  // namespace weft
