// A network of crossbars that moves packets as spans.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/spans/crossbar_state.hpp"
#include "sim/spans/line.hpp"
#include "sim/spans/loaded_packets.hpp"
#include "sim/spans/mail.hpp"
#include "sim/spans/news.hpp"
#include "sim/spans/packets.hpp"
#include "sim/spans/saved.hpp"
#include "sim/spans/wheel.hpp"

namespace weft {

/// The crossbars and links of a network, with the links out of interfaces and into them
/// (rtl/crossbar/README.md; rtl/buffer/README.md, input_buffer and output_buffer; rtl/README.md,
/// Buffer-Full; rtl/nic/README.md, nic), in the terms of SpanNetwork.
class SpanCrossbars : public NetworkNews {
 public:
  using State = CrossbarState;
  static constexpr std::uint32_t kNone = State::kNone;
  using Buffer = State::Buffer;

  /// All arguments must outlive it.
  SpanCrossbars(State& state, Packets& packets, const Powers& powers);

  /// As the functions of SpanNetwork.
  void take(const Mail& mail, Cycle cycle);
  void step(Cycle cycle);
  Cycle next(Cycle limit) const { return flags_.next(looks_.next(ends_.next(limit))); }
  void skip_to(Cycle cycle) {
    for (Wheel* const wheel : {&flags_, &looks_, &ends_}) wheel->begin(cycle - 1);
  }
  /// Offers a packet. `port`: the interface's number times its controllers, plus the controller.
  void offer(std::uint32_t port, std::uint32_t packet, Cycle cycle);
  Buffer& exit(std::uint32_t link) { return buffers_[link]; }
  void take(std::uint32_t link, Cycle cycle, std::uint32_t flits, bool begins);
  void pop_exit(std::uint32_t link);
  FlitOf entering(std::uint32_t link, Cycle cycle) const {
    const Stage& stage = stages_[buffers_[link].from];
    return {stage.packet, packets_[stage.packet].flits - stage.left - (stage.until - cycle)};
  }
  void end(std::uint32_t s, Cycle cycle);
  void count_before(std::uint32_t s, Cycle cycle, bool undo);

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(entered_, moves_until_, flags_, looks_, ends_);
    const std::size_t offered = offered_.size();
    archive_lists(archive, offered_, dirty_);
    archive.require(offered_.size() == offered);
  }
  /// As the checks of SpanNetwork.
  void check_loaded(const State& state, unsigned part, const std::vector<std::uint32_t>& blocks,
                    Cycle cycle, const LoadedPackets& packets) const;
  void check_mail(const State& state, unsigned part, const Mail& mail,
                  const LoadedPackets& packets) const;

 private:
  using Stage = State::Stage;
  using Arbiter = State::Arbiter;
  using Switches = State::Switches;
  using Queued = State::Queued;
  // A stage that a packet passes, with sums of flits that will be there and of space for them.
  struct ChainStep {
    std::uint32_t stage, there, space;
  };

  bool good_buffer(const State& state, std::uint32_t b, unsigned part, Cycle cycle,
                   const LoadedPackets& packets) const;
  bool is_input(std::uint32_t b, std::uint32_t crossbar) const;
  bool good_stage(std::uint32_t s, Cycle cycle, const LoadedPackets& packets) const;
  std::uint32_t requesters(std::uint32_t arbiter) const;
  std::uint32_t requester(std::uint32_t arbiter, std::uint32_t i) const;
  bool has_packet(std::uint32_t arbiter, std::uint32_t i) const;
  bool good_request(std::uint32_t arbiter, std::uint32_t i, const LoadedPackets& packets) const;
  void check_arbiter(std::uint32_t number, const LoadedPackets& packets) const;
  void check_events(const State& state, unsigned part, Cycle cycle,
                    const LoadedPackets& packets) const;
  bool good_flits(const State& state, unsigned part, const Mail::Flits& what, bool out,
                  const LoadedPackets& packets) const;

  bool of_interface(std::uint32_t s) const { return s < nodes_; }
  Queued* ring(std::uint32_t b) const { return &rings_[std::size_t{b} * (ring_mask_ + 1)]; }
  void wake(std::uint32_t s, Cycle cycle);
  void look(std::uint32_t s, Cycle cycle);
  bool flit_there(const Stage& stage, Cycle cycle);
  bool space_there(const Stage& stage, Cycle cycle);
  std::uint32_t flits_before(const Stage& stage, Cycle cycle) const;
  std::uint32_t space_behind(const Stage& stage, Cycle cycle) const;
  bool passes(std::uint32_t s, std::uint32_t packet, Cycle cycle) const;
  bool follows(std::uint32_t first, std::uint32_t second, Cycle cycle) const;
  void go_on(std::uint32_t s, Cycle cycle);
  void advance(std::uint32_t s, std::uint32_t flits, Cycle cycle);
  void arrive(std::uint32_t b, std::uint32_t packet, Cycle cycle);
  void come_front(std::uint32_t b, Queued what);
  void leave(std::uint32_t b);
  void let_in(Buffer& y, Cycle cycle);
  void bring(Buffer& x);
  void count_part(std::uint32_t s, Cycle until);
  void end_packet(std::uint32_t s);
  void choose(std::uint32_t arbiter, Cycle cycle);

  const std::uint32_t nodes_, links_, controllers_, ring_mask_;
  Buffer* buffers_;
  Stage* stages_;
  const Switches* crossbars_;
  Arbiter* arbiters_;
  Queued* rings_;
  Packets& packets_;
  const Powers& powers_;
  std::vector<std::uint32_t> offered_;  // By controller: the packet offered.
  std::vector<ChainStep> chain_;
  std::vector<std::uint32_t> dirty_;  // Arbiters that may grant.
  Wheel flags_;                       // Requests that reach their arbiters.
  Wheel looks_;                       // Stages to look at.
  Wheel ends_;                        // Stages whose granted packet ends.
};

}  // namespace weft
