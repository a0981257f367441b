// The nodes of networks of crossbars.
#include "sim/spans/crossbars.hpp"
#include "sim/spans/part_nodes_of.hpp"

namespace weft {

template std::unique_ptr<PartNodes> make_part_nodes<SpanCrossbars>(const AllNodes&, const NodeSet&,
                                                                   SpanCrossbars&, Packets&);

}  // namespace weft
