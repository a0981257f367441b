// The port tables of the blocks of a network, compiled only here.
#include "sim/barrier/barrier_unit_ports.hpp"
#include "sim/bus/axi_nic_ports.hpp"
#include "sim/bus/register_block_ports.hpp"
#include "sim/combine/combine_unit_ports.hpp"
#include "sim/crossbar/crossbar_ports.hpp"
#include "sim/link/credit_fifo_ports.hpp"
#include "sim/link/credit_gate_ports.hpp"
#include "sim/link/credit_rx_ports.hpp"
#include "sim/link/credit_tx_ports.hpp"
#include "sim/link/guard_rx_ports.hpp"
#include "sim/link/guard_tx_ports.hpp"
#include "sim/link/link_rx_ports.hpp"
#include "sim/link/link_stage_ports.hpp"
#include "sim/link/link_tx_ports.hpp"
#include "sim/nic/nic_ports.hpp"
#include "sim/packet/port_rows.hpp"
#include "sim/router/route/route_class_ports.hpp"
#include "sim/router/route/route_load_ports.hpp"
#include "sim/router/route/route_minimal_ports.hpp"
#include "sim/router/route/route_phase_ports.hpp"
#include "sim/router/route/route_unit_ports.hpp"
#include "sim/router/route/route_waypoint_ports.hpp"
#include "sim/router/vc_router.hpp"
#include "sim/router/vc_router_ports.hpp"

namespace weft {

template const PortList& port_list<AxiNic>();
template const PortList& port_list<BarrierUnit>();
template const PortList& port_list<CombineUnit>();
template const PortList& port_list<CreditFifo>();
template const PortList& port_list<CreditGate>();
template const PortList& port_list<CreditRx>();
template const PortList& port_list<CreditTx>();
template const PortList& port_list<Crossbar>();
template const PortList& port_list<GuardRx>();
template const PortList& port_list<GuardTx>();
template const PortList& port_list<LinkRx>();
template const PortList& port_list<LinkStage>();
template const PortList& port_list<LinkTx>();
template const PortList& port_list<Nic>();
template const PortList& port_list<RegisterBlock>();
template const PortList& port_list<RouteClass>();
template const PortList& port_list<RouteLoad>();
template const PortList& port_list<RouteMinimal>();
template const PortList& port_list<RoutePhase>();
template const PortList& port_list<RouteUnit>();
template const PortList& port_list<RouteWaypoint>();
template const PortList& port_list<VcRouter>();

}  // namespace weft
