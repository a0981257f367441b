// A network of crossbars that moves packets as runs of flits: the digest, and how it ends.
#include "sim/runs/crossbars.hpp"

#include <algorithm>

namespace weft {

RunCrossbars::RunCrossbars(State& state, Packets& packets, const Powers& powers)
    : nodes_(state.nodes),
      links_(state.links),
      controllers_(state.controllers),
      ring_mask_(state.ring_mask),
      buffers_(state.buffers.data()),
      stages_(state.stages.data()),
      crossbars_(state.crossbars.data()),
      arbiters_(state.arbiters.data()),
      rings_(state.rings.data()),
      packets_(packets),
      powers_(powers),
      offered_(std::size_t{nodes_} * controllers_) {}

// As those of RunNetwork.
void RunCrossbars::count_flits(const Stage& stage, std::uint32_t first, std::uint32_t end,
                               std::uint64_t power, bool undo) {
  const std::uint64_t factor = Mod61::times(power, buffers_[stage.y].factor);
  packets_.add_part(packets_[stage.packet], 0, first, end, undo ? Mod61::kPrime - factor : factor);
}
void RunCrossbars::count_part(std::uint32_t s, Cycle until, bool undo) {
  const Stage& stage = stages_[s];
  const std::uint32_t end = packets_[stage.packet].flits - std::uint32_t{stage.left};
  const Cycle start = stage.until - (end - stage.first);
  count_flits(stage, stage.first, std::min(end, stage.first + (until - start)),
              powers_.of(start + 1), undo);
}

void RunCrossbars::count_before(std::uint32_t s, Cycle cycle, bool undo) {
  const Stage& stage = stages_[s];
  if (!stage.moves) return;
  if (!stage.counted) {
    count_part(s, cycle, undo);
  } else if (stage.until > cycle) {
    const std::uint32_t end = packets_[stage.packet].flits;
    const std::uint64_t power = Mod61::times(powers_.of(cycle), kDigestBase);
    count_flits(stage, end - (stage.until - cycle), end, power, !undo);
  }
}

void RunCrossbars::end(std::uint32_t s, Cycle cycle) {
  count_before(s, cycle, false);
  Stage& stage = stages_[s];
  if (!stage.moves || stage.until <= cycle) return;
  stage.load -= stage.until - cycle;
  if (of_interface(s) && stage.left == 0) --entered_;
}

}  // namespace weft
