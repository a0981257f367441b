// The nodes of networks of crossbars.
#include "sim/runs/crossbars.hpp"
#include "sim/runs/part_nodes_of.hpp"

namespace weft {

template std::unique_ptr<PartNodes> make_part_nodes<RunCrossbars>(const AllNodes&, const NodeSet&,
                                                                  RunCrossbars&, Packets&);

}  // namespace weft
