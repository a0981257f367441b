// The port tables of the blocks inside others, compiled only here.
#include "sim/arbiter/age_arbiter_ports.hpp"
#include "sim/arbiter/rr_arbiter_ports.hpp"
#include "sim/buffer/fifo_ports.hpp"
#include "sim/buffer/input_buffer_ports.hpp"
#include "sim/buffer/output_buffer_ports.hpp"
#include "sim/buffer/ram_ports.hpp"
#include "sim/bus/axi_lite_ports.hpp"
#include "sim/bus/axi_read_ports.hpp"
#include "sim/bus/axi_write_ports.hpp"
#include "sim/crossbar/switch_unit_ports.hpp"
#include "sim/link/check_code_ports.hpp"
#include "sim/nic/ack_unit_ports.hpp"
#include "sim/nic/dma_ports.hpp"
#include "sim/nic/inject_unit_ports.hpp"
#include "sim/nic/pacer_ports.hpp"
#include "sim/nic/recv_unit_ports.hpp"
#include "sim/nic/retain_unit_ports.hpp"
#include "sim/nic/send_unit_ports.hpp"
#include "sim/packet/port_rows.hpp"
#include "sim/reduce/accumulator_ports.hpp"
#include "sim/reduce/compare_add_ports.hpp"
#include "sim/reduce/fp_element_ports.hpp"
#include "sim/reduce/fp_round_ports.hpp"
#include "sim/reduce/mean_div_ports.hpp"
#include "sim/reduce/multiplier_ports.hpp"
#include "sim/reduce/reduce_lanes_ports.hpp"
#include "sim/reduce/reduce_unit_ports.hpp"
#include "sim/router/input_unit_ports.hpp"
#include "sim/router/output_unit_ports.hpp"
#include "sim/router/packet_order_ports.hpp"
#include "sim/router/switch_alloc_ports.hpp"
#include "sim/router/switch_hold_ports.hpp"
#include "sim/router/vc_alloc_ports.hpp"
#include "sim/router/way_select_ports.hpp"

namespace weft {

template const PortList& port_list<Accumulator>();
template const PortList& port_list<AckUnit>();
template const PortList& port_list<AgeArbiter>();
template const PortList& port_list<AxiLite>();
template const PortList& port_list<AxiRead>();
template const PortList& port_list<AxiWrite>();
template const PortList& port_list<CheckCode>();
template const PortList& port_list<CompareAdd>();
template const PortList& port_list<Dma>();
template const PortList& port_list<Fifo<FlitData>>();
template const PortList& port_list<Fifo<std::uint64_t>>();
template const PortList& port_list<FpElement>();
template const PortList& port_list<FpRound>();
template const PortList& port_list<InjectUnit>();
template const PortList& port_list<InputBuffer>();
template const PortList& port_list<InputUnit>();
template const PortList& port_list<MeanDiv>();
template const PortList& port_list<Multiplier>();
template const PortList& port_list<OutputBuffer>();
template const PortList& port_list<OutputUnit>();
template const PortList& port_list<Pacer>();
template const PortList& port_list<PacketOrder>();
template const PortList& port_list<Ram>();
template const PortList& port_list<RecvUnit>();
template const PortList& port_list<ReduceLanes>();
template const PortList& port_list<ReduceUnit>();
template const PortList& port_list<RetainUnit>();
template const PortList& port_list<RrArbiter>();
template const PortList& port_list<SendUnit>();
template const PortList& port_list<SwitchAlloc>();
template const PortList& port_list<SwitchHold>();
template const PortList& port_list<SwitchUnit>();
template const PortList& port_list<VcAlloc>();
template const PortList& port_list<WaySelect>();

}  // namespace weft
