// The port tables of the emitted blocks, compiled only here.
#include "sim/barrier/barrier_unit_ports.hpp"
#include "sim/bus/axi_nic_ports.hpp"
#include "sim/combine/combine_unit_ports.hpp"
#include "sim/crossbar/crossbar_ports.hpp"
#include "sim/nic/nic_ports.hpp"
#include "sim/router/route/route_class_ports.hpp"
#include "sim/router/route/route_load_ports.hpp"
#include "sim/router/route/route_minimal_ports.hpp"
#include "sim/router/route/route_phase_ports.hpp"
#include "sim/router/route/route_unit_ports.hpp"
#include "sim/router/route/route_waypoint_ports.hpp"
#include "sim/router/vc_router_ports.hpp"

namespace weft {

template std::vector<PortShape> port_shapes<AxiNic>(const AxiNic::Config&);
template std::vector<PortShape> port_shapes<BarrierUnit>(const BarrierUnit::Config&);
template std::vector<PortShape> port_shapes<CombineUnit>(const CombineUnit::Config&);
template std::vector<PortShape> port_shapes<Crossbar>(const Crossbar::PortConfig&);
template std::vector<PortShape> port_shapes<Nic>(const Nic::Config&);
template std::vector<PortShape> port_shapes<RouteClass>(const RouteClass::Config&);
template std::vector<PortShape> port_shapes<RouteLoad>(const RouteLoad::Config&);
template std::vector<PortShape> port_shapes<RouteMinimal>(const RouteMinimal::PortConfig&);
template std::vector<PortShape> port_shapes<RoutePhase>(const RoutePhase::Config&);
template std::vector<PortShape> port_shapes<RouteUnit>(const RouteUnit::PortConfig&);
template std::vector<PortShape> port_shapes<RouteWaypoint>(const RouteWaypoint::PortConfig&);
template std::vector<PortShape> port_shapes<VcRouter>(const VcRouter::PortConfig&);

}  // namespace weft
