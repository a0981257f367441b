// A memory whose lanes have `ready`: its random ready lines, and what the benches expect of the
// lanes without a model: a request stays until it is accepted, and a run goes on at the next
// address until nothing is left of it.
#pragma once

#include <cstdint>

#include "sim/packet/packet.hpp"
#include "tb/nic/stimulus.hpp"

namespace weft::tb {

/// Ready lines: none now and then, at times all, else each at random.
class ReadyLines {
 public:
  std::uint64_t lines(RandomStream& random) {
    return any_.next(random) ? random() | (all_.next(random) ? ~std::uint64_t{0} : 0) : 0;
  }

 private:
  Pressure any_, all_;
};

/// One lane of the memory, read or write.
class LaneCheck {
 public:
  /// The request of this cycle, if `valid`, and whether it is accepted.
  void see(bool valid, std::uint32_t addr, std::uint32_t left, bool accepted) {
    if (waits_) expect(valid && addr == addr_ && left == left_, "a request does not stay");
    if (goes_on_) {
      const auto next = (addr_ + 1) & static_cast<std::uint32_t>(low_mask(kMemAddrW));
      expect(valid && addr == next && left + 1 == left_, "a run does not go on");
    }
    expect(valid || (addr == 0 && left == 0), "an address without a request");
    waits_ = valid && !accepted;
    goes_on_ = valid && accepted && left != 0;
    addr_ = addr;
    left_ = left;
  }

 private:
  bool waits_ = false, goes_on_ = false;
  std::uint32_t addr_ = 0, left_ = 0;
};

}  // namespace weft::tb
