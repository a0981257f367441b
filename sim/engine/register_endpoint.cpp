// A core beside its register block in RTL.
#include "sim/engine/register_endpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/gates/gate_check.hpp"
#include "sim/share/network_share.hpp"
#include "sim/verilated/rtl_register_block.hpp"
#include "sim/workload/workload.hpp"

namespace weft {

// A core beside its Verilated register block, which drives the interface. Each access is performed
// on the block and on the core's NicPort; values read, refusals, events and outputs must be equal,
// else CheckError names the register or port and both values. It must not be moved, and the core
// must outlive it.
//
// While the endpoint is skipped the block's inputs are constant: it catches up before its next
// step.
class RegisterEndpoint : public EndpointDefaults, private NicBus {
 public:
  using Core = ProcessorEndpoint<Rv32Core>;

  RegisterEndpoint(Core& core, const EngineInputs& run)
      : core_(core),
        mem_flits_(core.memory().bytes() / run.graph.header.flit_bytes()),
        config_(registers_of(run.config, run.graph, mem_flits_)),
        rtl_(config_, run.gates) {
    if (run.gates) gates_.emplace(rtl_.instance(), run.liberty);
    open_window();
    core_.processor().set_bus(this);
  }
  ~RegisterEndpoint() override { core_.processor().set_bus(nullptr); }
  RegisterEndpoint(const RegisterEndpoint&) = delete;
  RegisterEndpoint& operator=(const RegisterEndpoint&) = delete;

  void read_flit(std::uint32_t addr, std::uint64_t* words) const { core_.read_flit(addr, words); }
  void write_flit(std::uint32_t link, std::uint32_t addr, const FlitData& data) {
    core_.write_flit(link, addr, data);
  }
  std::uint64_t read_word(std::uint32_t addr) const { return core_.read_word(addr); }
  void step(const NicStatus& status, std::uint64_t cycle, RegionSums& sums) {
    catch_up(cycle);
    in_.status = status;
    core_.step(status, cycle, sums);
    end_cycle();
  }
  void step_on(const NicStatus& status, std::uint64_t cycle, RegionSums& sums) {
    catch_up(cycle);
    core_.step_on(status, cycle, sums);
    end_cycle();
  }
  // Continues in `cycle` from the state of the core, with a block that is loaded with it. `status`:
  // as the interface showed it last.
  void load(const NicStatus& status, std::uint64_t cycle) {
    const RegisterBlock::State state = state_of(port(), cycle);
    RegisterBlock block(config_);
    block.start(state);
    rtl_.load(block);
    if (gates_) gates_->load(rtl_.instance());
    in_.status = status;
    cycle_ = cycle;
    seen_ = state.seen;
    posted_ = state.posted;
  }
  bool posted() const { return rtl_.out().desc_valid; }
  const Descriptor& descriptor() const { return rtl_.out().desc; }
  bool entered() const { return config_.barrier ? rtl_.out().barrier_enter : port().entered(); }
  bool combines() const { return rtl_.out().combine_post; }
  CombineOrder combine_order() const { return rtl_.out().order; }
  void note_barriers(std::uint32_t node, std::uint64_t cycle, BarrierTimes& times) const {
    core_.note_barriers(node, cycle, times);
  }
  bool resting() const { return core_.resting(); }
  bool acts_later(std::uint64_t cycle) { return core_.acts_later(cycle); }
  bool done() const { return core_.done(); }
  void check() const { core_.check(); }
  void drive(Nic::In& in) const {
    in.reduction = rtl_.out().reduction;
    in.windows = rtl_.out().windows;
  }
  NodeView view() const { return core_.view(); }
  std::string describe() const { return core_.describe(); }

 private:
  // The size of the memory is rounded up, so that runs share Verilated libraries.
  static RegisterBlock::Config registers_of(const Config& config, const Graph& graph,
                                            std::uint32_t mem_flits) {
    RegisterBlock::Config registers = RegisterBlock::Config::of(nic_config(config, graph));
    registers.barrier = config.derived.barrier_units;
    registers.combine = config.derived.combine_units;
    registers.mem_flits = std::max(1u << 16, std::bit_ceil(mem_flits));
    return registers;
  }

  const NicPort& port() const { return core_.port(); }

  // The registers before cycle `cycle`.
  RegisterBlock::State state_of(const NicPort& port, std::uint64_t cycle) const {
    // A core that was skipped in the cycle before has posted nothing in it.
    const bool stepped = port.cycle_ + 1 == cycle;
    RegisterBlock::State state;
    state.posted = stepped && port.posted_;
    state.entered = stepped && port.entered_;
    state.combined = stepped && port.combines_;
    state.desc = port.order_;
    if (state.posted) {
      state.desc.timed = port.descriptor_.timed;
      state.desc.start = port.descriptor_.start;
    }
    state.key = port.key_;
    state.next_base = port.rx_next_base_ / port.flit_bytes();
    state.next_key = port.rx_next_key_;
    state.next_window = port.rx_next_window_;
    state.windows = port.windows_;
    state.reduction = port.reduction_;
    state.order = port.combine_;
    state.orders = port.combines_posted_;
    state.job = port.job_start_.has_value();
    state.start_sent = port.startup_.tx_count;
    state.start_received = port.startup_.rx_count[3];
    state.start_barriers = port.startup_.barriers;
    state.start_link = port.startup_.rx_link;
    state.barrier_link = port.barrier_link_;
    state.cycle = static_cast<std::uint32_t>(cycle) + kLoaderCycles;
    state.seen = RegisterBlock::in_registers(port.seen_);
    if (state.posted) --state.seen.desc_free;
    return state;
  }

  // Opens the window that is open before cycle 0, by a loader's writes in the cycles before.
  void open_window() {
    const std::uint32_t bytes = port().header().flit_bytes();
    for (const auto& [reg, flits] : {std::pair{WEFT_REG_RX_BASE, port().windows().base[0]},
                                     std::pair{WEFT_REG_RX_SIZE, port().windows().size[0]}}) {
      in_.wen = true;
      in_.waddr = static_cast<std::uint32_t>(reg);
      in_.wdata = flits * bytes;
      eval();
      tick();
      check_gates();
    }
    in_.wen = false;
  }
  static constexpr std::uint32_t kLoaderCycles = 2;

  std::uint32_t read(std::uint32_t reg) override {
    in_.raddr = reg;
    const RegisterBlock::Out& out = eval();
    const std::uint32_t value = core_.port().read(reg);
    const std::uint32_t before = reg == WEFT_REG_CYCLE ? kLoaderCycles : 0;
    const std::uint32_t read = out.rdata - before;
    if (out.rrefused != port().faulted()) {
      differ(fmt::format("refusal to read register 0x{:02x}", reg),
             {"", "rrefused_o", 0, 1, out.rrefused, port().faulted()});
    }
    if (read != value) {
      differ(fmt::format("register 0x{:02x}", reg),
             {"", "rdata_o", 0, 32, out.rdata, value + before});
    }
    check_gates();
    return read;
  }

  void write(std::uint32_t reg, std::uint32_t value) override {
    in_.wen = true;
    in_.waddr = reg;
    in_.wdata = value;
    const bool refused = eval().wrefused;
    core_.port().write(reg, value);
    // NicPort leaves a barrier without units to the engine. An access beyond the end of the memory
    // is refused by NicPort but not by the block, whose memory size is rounded up: the run ends
    // with NicPort's fault.
    const bool barrier = reg == WEFT_REG_BARRIER && !config_.barrier;
    const bool wanted = port().faulted() || barrier;
    const bool beyond =
        mem_flits_ != config_.mem_flits && port().fault().find("the memory") != std::string::npos;
    if ((beyond || port().faulted_by_simulator()) && !refused) return;
    if (refused != wanted) {
      differ(fmt::format("refusal to write 0x{:08x} to register 0x{:02x}", value, reg),
             {"", "wrefused_o", 0, 1, refused, wanted});
    }
    check_gates();
  }

  void catch_up(std::uint64_t cycle) {
    in_.wen = false;
    in_.raddr = 0;
    if (cycle_ == cycle) return;
    eval();
    if (gates_) {
      for (std::uint64_t edge = cycle_; edge != cycle; ++edge) {
        rtl_.tick(1);
        gates_->step();
      }
      gates_->check();
    } else {
      rtl_.tick(cycle - cycle_);
    }
    cycle_ = cycle;
  }

  // Ends the cycle; the access of the cycle, if there was one, is at the inputs.
  void end_cycle() {
    const bool event = take_event();
    if (eval().event != event) differ("port event_o", {"", "event_o", 0, 1, !event, event});
    check_gates();
    tick();
    ++cycle_;
    if (port().faulted()) return;
    RegisterBlock::Out wanted = rtl_.out();
    wanted.desc_valid = port().posted();
    if (wanted.desc_valid) wanted.desc = port().descriptor();
    wanted.windows = port().windows();
    if (config_.reduce) wanted.reduction = port().reduction();
    if (config_.barrier) wanted.barrier_enter = port().entered();
    wanted.combine_post = port().combines();
    if (wanted.combine_post) wanted.order = port().combine_order();
    rtl_.compare(wanted, [this](const PortDifference& at) { differ("port " + at.shown, at); });
    check_gates();
  }

  // The outputs of the cycle, of the gates, too.
  const RegisterBlock::Out& eval() {
    const RegisterBlock::Out& out = rtl_.eval(in_);
    if (gates_) gates_->settle();
    return out;
  }
  // An edge of the clock with these inputs.
  void tick() {
    rtl_.tick();
    if (gates_) gates_->step();
  }
  // After RTL and model were compared.
  void check_gates() {
    if (gates_) gates_->check();
  }

  // Whether a register reads differently from the cycle before, apart from the effect of a post in
  // that cycle.
  bool take_event() {
    NicStatus now = RegisterBlock::in_registers(in_.status);
    if (now.desc_free != 0 && posted_) --now.desc_free;
    const bool event = now != seen_;
    posted_ = port().posted();
    seen_ = now;
    if (posted_) --seen_.desc_free;
    return event;
  }

  // RTL and model differ; the gates say which of them is wrong.
  [[noreturn]] void differ(const std::string& what, PortDifference at) {
    if (at.shown.empty()) at.shown = fmt::format("{} ({})", at.port, what);
    if (gates_) gates_->explain(Difference(at));
    throw CheckError(
        fmt::format("register block: {}: RTL {:#x}, model {:#x}", what, at.rtl, at.model));
  }

  Core& core_;
  std::uint32_t mem_flits_;  // Size of the node's memory.
  RegisterBlock::Config config_;
  RtlRegisterBlock rtl_;
  std::optional<GateCheck> gates_;
  RegisterBlock::In in_;
  std::uint64_t cycle_ = 0;  // Cycle that the block is in.
  NicStatus seen_;
  bool posted_ = false;  // A descriptor was posted in the cycle before.
};

static_assert(Endpoint<RegisterEndpoint>);

KeptEndpoints endpoints_with_registers(const EngineInputs& run) {
  auto* const cores = std::get_if<PartArray<RegisterEndpoint::Core>>(&run.endpoints);
  if (cores == nullptr) return {nullptr, any_endpoints(run.endpoints, run.share.nodes())};
  const auto blocks = std::make_shared<std::deque<RegisterEndpoint>>();
  PartArray<AnyEndpoint> any(run.graph.nodes);
  for (const std::uint32_t n : run.share.nodes()) {
    any.make_at(n, blocks->emplace_back((*cores)[n], run));
  }
  return {blocks, std::move(any)};
}

}  // namespace weft
