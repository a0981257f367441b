// Runs of networks of routers, block by block.
#include "sim/engine/run_blocks_of.hpp"

namespace weft {

template Outcome run_blocks<AnyRouter>(const EngineInputs&, AnyNic::Make, AnyRouter::Make,
                                       const AnyUnits&, bool, GateNetwork*);

}  // namespace weft
