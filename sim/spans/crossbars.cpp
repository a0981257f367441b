// A network of crossbars that moves packets as spans: the digest, and how it ends.
#include "sim/spans/crossbars.hpp"

namespace weft {

SpanCrossbars::SpanCrossbars(State& state, Packets& packets, const Powers& powers)
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

// Counts the stage's span in the digest, as far as it is certain before `until`.
void SpanCrossbars::count_part(std::uint32_t s, Cycle until) {
  packets_.count_part(stages_[s], 0, buffers_[stages_[s].y].factor, powers_, until);
}
void SpanCrossbars::count_before(std::uint32_t s, Cycle cycle, bool undo) {
  const Stage& stage = stages_[s];
  if (!stage.moves) return;
  packets_.count_before(stage, 0, buffers_[stage.y].factor, powers_, cycle, undo);
}

void SpanCrossbars::end(std::uint32_t s, Cycle cycle) {
  count_before(s, cycle, false);
  Stage& stage = stages_[s];
  if (!stage.moves || stage.until <= cycle) return;
  stage.load -= stage.until - cycle;
  if (of_interface(s) && stage.left == 0) --entered_;
}

}  // namespace weft
