// Runs of networks of crossbars, block by block.
#include "sim/engine/run_blocks_of.hpp"

namespace weft {

template Outcome run_blocks<AnyCrossbar>(const EngineInputs&, AnyNic::Make, AnyCrossbar::Make,
                                         const AnyUnits&, bool, GateNetwork*);

}  // namespace weft
