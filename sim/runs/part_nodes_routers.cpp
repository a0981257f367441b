// The nodes of networks of routers.
#include "sim/runs/network.hpp"
#include "sim/runs/part_nodes_of.hpp"

namespace weft {

template std::unique_ptr<PartNodes> make_part_nodes<RunNetwork>(const AllNodes&, const NodeSet&,
                                                                RunNetwork&, Packets&);

}  // namespace weft
