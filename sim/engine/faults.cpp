// Fault injection on the wires of a run.
#include "sim/engine/faults.hpp"

namespace weft {

void FaultInjector::put(std::uint64_t cycle, Wires& wires) {
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    const Fault& fault = faults_[i];
    const std::uint32_t link = graph_.blocks[fault.node].first_in;
    if (put_[i] != 0 || cycle < fault.cycle || !wires.has_flit(link)) continue;
    Flit& flit = wires.on(link);
    if (fault.bit < graph_.header.data_w) {
      flit.word(fault.bit / 64) ^= std::uint64_t{1} << fault.bit % 64;
    } else {
      flit.parity = !flit.parity;
    }
    put_[i] = 1;
    ++count_;
  }
}

}  // namespace weft
