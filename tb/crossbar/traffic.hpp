// Random packets for the benches of the crossbar group.
#pragma once

#include <cstdint>

#include "sim/base/random.hpp"
#include "sim/packet/packet.hpp"
#include "tb/lib/bench.hpp"

namespace weft::tb {

/// Sends random packets of 1 to 20 words over one link, with random pauses between and within them.
class PacketSource {
 public:
  /// `parity`: the parity bits are random too, else 0.
  explicit PacketSource(bool parity, PacketForm form = {}) : parity_(parity), form_(form) {}

  /// The link register of the next cycle; `full` is Buffer-Full of the present one, `rush` leaves
  /// out the pauses, and `address(random)` gives a packet's destination address.
  template <class Address>
  Flit next(RandomStream& random, bool full, bool rush, Address address) {
    const bool ready = pressure_.next(random) || rush;
    if (full || !ready) return {};
    Flit word{random(), false, parity_ && random.chance(0.5), true};
    random_upper(random, form_.flit_words(), word);
    if (left_ == 0) {
      left_ = random.chance(0.4) ? 1 : 1 + static_cast<unsigned>(random.below(20));
      word.data = (word.data & ~low_mask(form_.addr_w)) | address(random);
    }
    word.last = --left_ == 0;
    return word;
  }

 private:
  bool parity_;
  PacketForm form_;
  Pressure pressure_;
  unsigned left_ = 0;
};

}  // namespace weft::tb
