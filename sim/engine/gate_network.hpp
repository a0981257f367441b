// The blocks of a network as gates: all of one shape are stepped at once (sim/gates).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/engine/engine.hpp"
#include "sim/engine/gate_nics.hpp"
#include "sim/engine/gate_payload.hpp"
#include "sim/fabric/block_array.hpp"
#include "sim/gates/gate_block.hpp"
#include "sim/gates/lane_moves.hpp"
#include "sim/gates/lane_registers.hpp"
#include "sim/router/route/route_unit.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// The network interfaces and the tiles of the routers (emit/tile.hpp), or the crossbars, of a
/// network, one lane each. Between lanes flits move as rows of words, credits and Buffer-Full as
/// bits; what comes from or goes to links with blocks and other processes goes by the wires, as do,
/// to be seen, the flits that enter interfaces.
class GateNetwork final : public BlockArray {
 public:
  /// Builds what the cache does not have. `graph` must outlive it. `threads`: the blocks of each
  /// thread; `show_all`: everything that moves between lanes is put on the wires, too; `resumes`:
  /// the blocks' states will be loaded; `liberty`: as RtlSpec::liberty. Throws ConfigError as
  /// GateLibrary.
  GateNetwork(const Config& config, const Graph& graph,
              const std::vector<std::vector<BlockRange>>& threads, bool show_all, bool resumes,
              const std::filesystem::path& liberty);

  /// Whether Yosys can read the routers of a network in reasonable time and memory.
  static bool fits(const Graph& graph);
  /// Whether the cache has the netlists of all blocks of a network of routers.
  static bool is_cached(const Config& config, const Graph& graph);

  /// The interfaces, for the fabric, by node. Call it once.
  std::vector<AnyNic> nics() { return nics_->nics(); }

  void read_memory(const BlockRange& range, NodeMemory& memory) override;
  void write_memory(const BlockRange& range, NodeMemory& memory) override;
  std::uint64_t step(const BlockRange& range, const Wires& wires, std::uint64_t cycle) override;
  void publish(const BlockRange& range, Wires& wires, Wires::Writer& writer,
               Counters& counters) override;
  void restart(const Graph& graph, std::uint64_t cycle) override;
  void load(LoadArchive& archive, std::uint32_t block) override;
  void resume(const Wires& wires, std::uint64_t origin) override;
  void show_all() override { nics_->show_all(); }
  const std::uint8_t* calls() const override { return nics_->calls(); }

 private:
  // Bits of a port with one element for each in-port or out-port of the block.
  struct Field {
    std::uint32_t first = 0, width = 0;  // Of an element.
    std::uint32_t stride = 0;            // From one element to the next.

    std::uint32_t of(std::uint32_t port) const { return first + port * stride; }
  };
  // The fields of a flit on a link; width 0: there is none.
  struct FlitFields {
    Field valid, last, parity, vc, stamp, data;
    Field entry = {};  // Of a table beside a router; only of flits that arrive.
  };
  // Blocks of one shape.
  struct Kind {
    std::shared_ptr<const GateLibrary> library;
    std::unique_ptr<GateBlock> gates = {};
    FlitFields rx = {}, tx = {};
    // Credits, or Buffer-Full: what it returns to senders, and gets from receivers.
    Field returned = {}, granted = {};
    std::vector<std::uint32_t> block_of = {};  // By lane; kOpen: none.
    // Its tables, if they are beside the routers.
    std::shared_ptr<const RouteUnit> tables = {};
    std::uint32_t in_ports = 0, out_ports = 0;
    LaneLayout in = {}, out = {};
    PayloadForm payload = {};
    PayloadTable table = {};
    std::uint32_t first_place = 0;              // In FlitRows: of lane 0 of in-port 0.
    std::vector<LaneRegisters> registers = {};  // Made when the first state is loaded.
    // The instance into which it was loaded: so its libraries are not read again for each block.
    std::shared_ptr<const void> loaded = {};
  };
  // Flits on their way into lanes, by place: [kind][in-port][lane]. Each is written by the sender's
  // thread, and taken by the receiver's in the next cycle.
  struct FlitRows {
    std::vector<std::uint64_t> data;   // [place][word].
    std::vector<std::uint64_t> sides;  // As `sides_of`.
    std::vector<std::uint8_t> valid;
  };
  // What is returned for flits from an out-port of one kind to an in-port of another.
  struct Link {
    std::uint32_t from_kind, from_port, to_kind, to_port;
    LaneMoves moves;
  };
  // 64 lanes' ports whose links do not lead to lanes.
  struct Outside {
    std::uint32_t kind, port, word;
    std::uint64_t lanes = 0;
    std::array<std::uint32_t, 64> place = {};  // In Wires: of the flit, or of the credits.
  };
  // What one thread steps.
  struct Share {
    std::vector<std::vector<std::uint32_t>> groups;  // By kind.
    std::vector<std::uint32_t> stepped;              // Of one kind, in this cycle.
    std::vector<Link> returns;
    std::vector<Outside> flits_in, returns_in, returns_out;
  };
  // A group of lanes.
  struct Group {
    std::uint32_t thread = 0;
    std::vector<std::uint64_t> before;  // State before a step without inputs.
    std::vector<std::uint64_t> open;    // [out-port][word]: links that exist.
    std::vector<std::uint64_t> shown;   // [out-port][word]: links whose flits go on the wires.
    std::vector<std::uint64_t> valid;   // [out-port][word]: flits on the wires.
    std::vector<std::uint32_t> links;   // [out-port][lane].
    std::vector<std::uint32_t> places;  // [out-port][lane]: where flits go to lanes, or kOpen.
    bool rests = false;
    bool may_rest = false;  // It is stepped without inputs.
  };

  void make_kinds(const Config& config, bool resumes, const std::filesystem::path& liberty);
  void place_lanes(const std::vector<std::vector<BlockRange>>& threads);
  void connect(bool show_all);
  std::uint32_t thread_of(std::uint32_t kind, std::uint32_t lane) const {
    return groups_[kind][lane / lanes(kinds_[kind].library->width())].thread;
  }
  bool is_nic(std::uint32_t kind) const { return kind + 1 == kinds_.size(); }
  void find_ports(Kind& kind) const;
  bool is_direct(const weft::Link& link) const;
  void find_links(bool show_all);
  void set_positions(const Graph& graph);
  void move_returns(const Link& link);
  void take_rows(std::uint32_t kind, std::uint32_t group);
  std::uint32_t place_of(std::uint32_t kind, std::uint32_t port, std::uint32_t lane) const {
    const Kind& of = kinds_[kind];
    return of.first_place + port * static_cast<std::uint32_t>(of.block_of.size()) + lane;
  }
  void put_row(std::uint32_t place, const std::uint64_t* words, std::uint64_t sides) {
    copy_words(&rows_.data[std::size_t{place} * flit_words_], words, flit_words_);
    rows_.sides[place] = sides;
    rows_.valid[place] = 1;
  }
  // The entry for the destination in a flit's header, if that is what it has; 0 without tables.
  std::uint64_t entry_for(const Kind& kind, std::uint32_t port, std::uint32_t lane,
                          const std::uint64_t* flit) const {
    if (kind.tables == nullptr) return 0;
    const std::uint64_t dst = flit[0] >> kHdrDstLsb & low_mask(graph_.header.addr_w);
    const std::uint32_t own = graph_.blocks[kind.block_of[lane]].own;
    const RouteOut entry = kind.tables->route(port, own, 0, static_cast<std::uint32_t>(dst), false);
    return entry.port | static_cast<std::uint64_t>(entry.set) << (kind.rx.entry.width - kVcSetW);
  }
  void take(const Outside& outside, const Wires& wires);
  void take_returns(const Outside& outside, const Wires& wires);
  void put_returns(const Outside& outside, Wires& wires);
  bool begin_step(std::uint32_t kind, std::uint32_t group);
  void end_step(std::uint32_t kind, std::uint32_t group);
  void put_flits(std::uint32_t kind, std::uint32_t group, Wires::Writer& writer);
  void gather_sides(const Kind& kind, std::uint32_t port, const std::uint64_t* out,
                    std::uint64_t valid, std::array<std::uint64_t, 64>& sides) const;
  void count_entered(std::uint32_t group, Counters& counters) const;
  std::uint64_t* in_word(const Kind& kind, std::uint32_t word) {
    return kind.gates->in(0) + kind.in.at(word);
  }
  const std::uint64_t* out_word(const Kind& kind, std::uint32_t word) const {
    return kind.gates->out(0) + kind.out.at(word);
  }

  const Graph& graph_;
  std::uint64_t origin_ = 0;  // Cycle in which the switching blocks were reset.
  const unsigned flit_words_;
  const bool parity_;        // Links carry parity.
  std::vector<Kind> kinds_;  // By shape; the last are the interfaces.
  FlitRows rows_;
  std::optional<GateNics> nics_;
  std::vector<std::vector<Group>> groups_;                        // By kind.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lane_of_;  // By block: kind, lane.
  std::vector<Share> shares_;                                     // By thread.
  std::vector<std::uint32_t> share_of_;  // By first block of a range: thread, or kOpen.
};

}  // namespace weft
