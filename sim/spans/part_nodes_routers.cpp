// The nodes of networks of routers.
#include "sim/spans/network.hpp"
#include "sim/spans/part_nodes_of.hpp"

namespace weft {

template std::unique_ptr<PartNodes> make_part_nodes<SpanNetwork>(const AllNodes&, const NodeSet&,
                                                                 SpanNetwork&, Packets&);

}  // namespace weft
