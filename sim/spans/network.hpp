// A network of routers that moves packets as spans.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/spans/line.hpp"
#include "sim/spans/loaded_packets.hpp"
#include "sim/spans/mail.hpp"
#include "sim/spans/network_state.hpp"
#include "sim/spans/news.hpp"
#include "sim/spans/packets.hpp"
#include "sim/spans/saved.hpp"
#include "sim/spans/wheel.hpp"

namespace weft {

/// The routers and links of a network, or of a part of one, with the links out of interfaces and
/// into them (rtl/router/README.md, vc_router; rtl/nic/README.md, inject_unit). It works on
/// packets: what happens between the first and the last flit of an unbroken span is computed, not
/// stepped.
///
/// A flit that is granted in a cycle is on its link in the next one, in which it can be granted
/// again and the credit for its slot can be used. So a VC is described by two counts: the flits
/// granted into its buffer and those granted out of it, each before a cycle. A span is certain as
/// far as these counts are certain; where they end the port is looked at again.
///
/// The parts of a network tell each other what happens at their borders in a cycle for the next one
/// (Mail). What happens at one end of a link with registers is applied to the other end by the same
/// rules, as many cycles later as it has registers.
class SpanNetwork : public NetworkNews, private NetworkBasis {
 public:
  using NetworkBasis::kNone;
  using State = NetworkState;
  using Phase = NetworkState::Phase;
  using Told = NetworkState::Told;
  using Channel = NetworkState::Channel;
  using Port = NetworkState::Port;

  /// All arguments must outlive it.
  SpanNetwork(NetworkState& state, Packets& packets, const Powers& powers);

  /// Applies, before the step of `cycle`, what another part told of the cycle before.
  void take(const Mail& mail, Cycle cycle);

  /// Steps one cycle; called for each cycle in turn. The news are then those of this cycle.
  void step(Cycle cycle);
  /// First cycle from the next one on in which there is something to do, or `limit` if that is
  /// earlier. Call it before the next step.
  Cycle next(Cycle limit) const {
    if (stages_ != nullptr) limit = ends_.next(limit);
    return wheel_.next(fronts_.next(limit));
  }
  /// Replaces the steps of the cycles before `cycle`, in which there is nothing to do.
  void skip_to(Cycle cycle) {
    for (Wheel* const wheel : {&wheel_, &fronts_, &ends_}) wheel->begin(cycle - 1);
  }

  /// Offers an interface's packet on its out-port `port` from `cycle` on, which is after the
  /// present cycle and not before the end of the previous packet.
  void offer(std::uint32_t port, std::uint32_t packet, Cycle cycle);

  /// The buffer of a link into an interface.
  Channel& exit(std::uint32_t link) { return channels_[nic_ports_ + link]; }
  /// Takes `flits` more flits, all of them certain, of the front packet from the buffer of an
  /// interface's link: from the present cycle on (`begins`), or right after those taken so far.
  void take(std::uint32_t link, Cycle cycle, std::uint32_t flits, bool begins);
  /// Forgets the front packet of the buffer of an interface's link; the next one moves up.
  void pop_exit(std::uint32_t link);

  /// The flit granted into an interface's link in `cycle`, from which on the link's span is
  /// certain.
  FlitOf entering(std::uint32_t link, Cycle cycle) const {
    const Port& port = ports_[channels_[nic_ports_ + link].from];
    return {port.packet, packets_[port.packet].flits - port.left - (port.until - cycle)};
  }

  /// Ends the span of port `p` before `cycle`: takes back what was certain for later cycles.
  void end(std::uint32_t p, Cycle cycle);
  /// Restricts the terms of port `p` in the digest to the flits granted before `cycle`, the next
  /// one; with `undo` adds the others again.
  void count_before(std::uint32_t p, Cycle cycle, bool undo);

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(entered_, moves_until_, wheel_, fronts_, ends_);
    archive_lists(archive, ways_, free_ways_);
  }
  /// Checks a state that was loaded before `cycle`: throws std::runtime_error unless its numbers
  /// are those of packets, and of ports and channels of the part that has these `blocks`.
  void check_loaded(const State& state, unsigned part, const std::vector<std::uint32_t>& blocks,
                    Cycle cycle, const LoadedPackets& packets) const;
  /// Checks the numbers in loaded mail of another part like check_loaded.
  void check_mail(const State& state, unsigned part, const Mail& mail,
                  const LoadedPackets& packets) const;

 private:
  bool good_queued(const State& state, std::uint32_t c, const LoadedPackets& packets,
                   std::uint32_t packet) const;
  bool good_channel(const State& state, std::uint32_t c, Cycle cycle,
                    const LoadedPackets& packets) const;
  bool good_front(const State& state, const Block& block, std::uint32_t c, Cycle cycle,
                  const LoadedPackets& packets) const;
  bool good_wants(const Block& block, std::uint32_t p, Cycle cycle) const;
  bool good_port(const Block& block, std::uint32_t p, Cycle cycle,
                 const LoadedPackets& packets) const;
  bool good_flits(const State& state, unsigned part, const Mail::Flits& what, bool out,
                  const LoadedPackets& packets) const;
  void check_events(const State& state, unsigned part, Cycle cycle,
                    const LoadedPackets& packets) const;
  bool wants(std::uint32_t p, std::uint32_t requester) const;
  bool moves(const Port& port, Cycle cycle) const;
  std::uint32_t requesters_of(const Block& block) const {
    return block.first_out < nic_ports_ ? 1 : block.num_in * num_vc_;
  }
  // Calls `use` with the channels into a block, and those that an interface offers.
  template <class Use>
  void each_channel(const State& state, const Block& block, Use use) const;

  // The requester that a port chooses: with arbitration by age the oldest, then the one of lowest
  // `kind`, then the next in round-robin order, first of VCs and then of requesters.
  struct Choice {
    std::uint32_t from = kNone, to = kNone;  // Channels of the packet: its own, and the one to
                                             // allocate.
    int age = -1;
    std::uint32_t kind = 0, vc = 0, place = 0;
  };
  static constexpr std::uint32_t kTransit = 1;  // A `kind`; below it is an own packet that is due.

  bool of_interface(std::uint32_t p) const { return p < nic_ports_; }
  // Whether the packet in a channel of a router yields to those in transit: it comes from an
  // interface.
  bool is_own(const Channel& x) const { return own_after_ != 0 && of_interface(x.from); }
  std::uint32_t depth_into(const Port& port) const { return port.exit ? exit_depth_ : depth_; }
  std::uint32_t* ring(std::uint32_t c) const { return &rings_[std::size_t{c} * (ring_mask_ + 1)]; }
  void schedule(std::uint32_t p, Cycle cycle);
  void want(std::uint32_t p, std::uint32_t requester);
  void drop_want(std::uint32_t p, std::uint32_t requester);

  void fetch(const Wheel::Bucket& ports, std::uint32_t i) const;
  void fetch_fronts(const Wheel::Bucket& fronts, std::uint32_t i) const;
  // `kPlain`: switching and arbiter are the default ones, and there are at most 64 requesters.
  template <bool kPlain>
  void step_ports(Cycle cycle);
  template <bool kPlain>
  void look(std::uint32_t p, Cycle cycle);
  template <bool kPlain>
  void consider(std::uint32_t p, std::uint32_t x, Cycle cycle, Choice& choice, Cycle& next);
  void count_waits();
  void note_order(std::uint32_t p, const Channel& x, std::uint32_t to, std::uint32_t r,
                  bool header);
  void consider_wide(std::uint32_t p, Cycle cycle, Choice& choice, Cycle& next);
  template <bool kPlain>
  void pick(std::uint32_t p, Cycle cycle);
  template <bool kPlain>
  void grant(std::uint32_t p, std::uint32_t x, std::uint32_t y, Cycle cycle);
  template <bool kPlain>
  std::uint32_t eligible(const Port& port, std::uint32_t x, Cycle cycle, Cycle& next);
  template <bool kPlain>
  void advance(std::uint32_t p, std::uint32_t flits, Cycle cycle, bool begins);
  template <bool kPlain>
  void push(std::uint32_t y, std::uint32_t packet, Cycle cycle);
  template <bool kPlain>
  void come_front(std::uint32_t x, std::uint32_t packet, Cycle cycle);
  bool hop(std::uint32_t p, Cycle cycle);
  void stop(std::uint32_t p, Cycle cycle);
  bool go_on(std::uint32_t p, Cycle cycle);
  bool chain(std::uint32_t p, Cycle cycle, bool begins);
  [[gnu::cold]] void count_part(std::uint32_t p, Cycle until);
  void pick_vc(std::uint32_t p, Cycle cycle);
  std::uint32_t best(const Port& port, const Channel& x, std::uint32_t need, Cycle cycle,
                     Cycle& next);
  bool has_room(Channel& y, std::uint32_t depth, std::uint32_t need, Cycle cycle, Cycle& next);
  std::uint16_t age(std::uint32_t x, Cycle cycle) const {
    return static_cast<std::uint16_t>(cycle - packets_[channels_[x].front].stamp);
  }
  void request(std::uint32_t p, std::uint32_t x, Cycle cycle);
  std::uint32_t next_queued(std::uint32_t c);
  void move_up(std::uint32_t x, Cycle cycle);
  [[gnu::cold]] bool stores(std::uint32_t x, std::uint32_t packet, Cycle cycle);
  [[gnu::cold]] void find_way(const Channel& channel, Packet& packet) const;
  void find_route(std::uint32_t x, Cycle cycle);

  /// Flits in the registers of a link: they count at its other end as many cycles later as it has
  /// registers.
  struct OnTheWay {
    Mail::Flits flits;
    bool out;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(flits, out);
    }
  };
  void arrive(const Mail::Flits& what, bool out, Cycle cycle);
  void apply_out(const Mail::Flits& what, Cycle cycle);
  void apply_in(const Mail::Flits& what, Cycle cycle);
  void end_ways(Cycle cycle);

  [[gnu::cold]] void tell_out(const Channel& x, Cycle start, std::uint32_t flits, bool begins,
                              Cycle cycle);
  [[gnu::cold]] void tell_in(const Port& port, Cycle start, std::uint32_t flits, bool begins,
                             Cycle cycle);

  // All parts use the same arrays; each uses its own elements.
  Channel* channels_;
  Port* ports_;
  State::Order* orders_;
  std::uint64_t* wants_;
  std::uint32_t* rings_;
  const std::uint32_t* rank_;
  std::size_t most_channel_;
  Packets& packets_;
  const Powers& powers_;
  Wheel wheel_;                 // Ports to look at.
  Wheel fronts_;                // Channels whose next packet comes to the front.
  const std::uint8_t* stages_;  // By channel: registers of its link; null: no link has any.
  Wheel ends_;                  // Indices in `ways_`, by the cycle in which they end.
  std::vector<OnTheWay> ways_;
  std::vector<std::uint32_t> free_ways_;
  std::vector<State::Order*> own_asks_;  // VCs that own packets request, in the present cycle at
                                         // one port.
};

}  // namespace weft
