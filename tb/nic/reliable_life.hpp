// The bench of a network interface whose packets are acknowledged (`slots`): besides model against
// RTL, the outgoing packets are parts of posted messages with the memory's words, acknowledgements
// answer packets that came, no message is counted before all its packets were acknowledged, and in
// the end all are. Packets and acknowledgements are lost, and restarts empty the network.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sim/nic/nic.hpp"
#include "tb/lib/bench.hpp"
#include "tb/nic/lane_check.hpp"
#include "tb/nic/nic_checks.hpp"
#include "tb/nic/nic_pair.hpp"
#include "tb/nic/stimulus.hpp"

namespace weft::tb {

/// The other nodes and the network between, at one interface.
class Peers {
 public:
  Peers(const Nic::Config& config, std::uint32_t node)
      : config_(config),
        form_(config.header),
        ids_(config.ids()),
        node_(node),
        sources(config.links(), PacketSource(config.packet_flits, config.parity, node, form_, false,
                                             config.rx_depth)),
        links_(config.links()) {
    for (PacketSource& source : sources) source.without_false_acks();
  }

  /// Gives a message a part of its window that no other message of this round has; false if there
  /// is none left.
  bool place(RandomStream& random, Descriptor& desc) {
    const std::uint32_t room = 4 * config_.packet_flits + 1;
    if ((messages_.size() + 1) * room > form_.window_flits()) return false;
    const auto key = static_cast<std::uint32_t>(random.below(1u << form_.key_w));
    desc.off = key << form_.key_lsb() | static_cast<std::uint32_t>(messages_.size()) * room;
    desc.len = std::min(desc.len, room);
    return true;
  }
  void posted(const Descriptor& desc) {
    const std::uint32_t parts =
        std::max(1u, (desc.len + config_.packet_flits - 1) / config_.packet_flits);
    messages_.push_back({desc, std::vector<bool>(parts)});
  }
  /// All messages are acknowledged: another round begins.
  void end_round() {
    expect(acknowledged() == done_ + messages_.size(), "messages that are not acknowledged");
    done_ += messages_.size();
    messages_.clear();
    issued_.clear();
  }
  /// Messages of which all packets were acknowledged.
  std::uint64_t acknowledged() const {
    return done_ + static_cast<std::uint64_t>(std::count_if(
                       messages_.begin(), messages_.end(), [](const Message& message) {
                         return std::find(message.acked.begin(), message.acked.end(), false) ==
                                message.acked.end();
                       }));
  }

  /// The network is emptied.
  void restart() {
    for (PacketSource& source : sources) source.lose_acks();
    for (Link& link : links_) link = {};
    issued_.clear();
  }

  /// The word on outgoing link `i`; its packet is lost if `lost` at its end.
  void see(RandomStream& random, const Flit& flit, unsigned i, bool lost) {
    if (!flit.valid) return;
    expect(flit.parity == (config_.parity && parity_of(flit, form_.flit_words())), "parity sent");
    std::vector<FlitData>& words = links_[i].words;
    words.push_back(data_of(flit));
    if (!flit.last) return;
    const Header header = Header::unpack(words.front().word[0], form_);
    expect(header.src == node_ && header.len + 1 == words.size(), "header sent");
    if (is_ack(header.off, form_)) {
      auto& came = came_[{header.dst, plain_id(header.off, form_)}];
      const Header wanted{.dst = header.dst, .src = node_, .off = header.off, .eom = true};
      expect(header == wanted && came != 0, "an acknowledgement of no packet");
      expect((header.off >> form_.key_lsb()) == 0 && header.off % form_.window_flits() == 0,
             "offset of an acknowledgement");
      --came;
    } else {
      part(random, header, i, lost);
    }
    words.clear();
  }

  /// The word on incoming link `i`: its packet may be acknowledged.
  void gives(const Flit& flit, unsigned i) {
    if (!flit.valid) return;
    Link& link = links_[i];
    if (!std::exchange(link.inside, !flit.last)) link.came = Header::unpack(flit.data, form_);
    if (flit.last) ++came_[{link.came.src, plain_id(link.came.off, form_)}];
  }

 private:
  struct Message {
    Descriptor desc;
    std::vector<bool> acked;  // By packet.
  };
  struct Link {
    std::vector<FlitData> words;  // Words of the outgoing packet.
    bool inside = false;          // The incoming packet goes on, with this header.
    Header came;
  };

  // A packet of a message.
  void part(RandomStream& random, const Header& header, unsigned i, bool lost) {
    const std::uint32_t place = header.off % form_.window_flits();
    const std::uint32_t room = 4 * config_.packet_flits + 1;
    expect(place / room < messages_.size(), "a packet of no message");
    Message& message = messages_[place / room];
    const Descriptor& desc = message.desc;
    const std::uint32_t done = place % room, number = done / config_.packet_flits;
    const std::uint32_t len = std::min(desc.len - done, config_.packet_flits);
    const PacketId id = ids_.unpack(header.off >> form_.place_w());
    const Header wanted{desc.dst, node_,    (desc.off + done) | ids_.in_offset(id, form_),
                        len,      desc.tag, done + len == desc.len};
    expect(header == wanted && done % config_.packet_flits == 0, "header of a packet");
    expect(config_.credit ? id.ctrl == i : id.ctrl < config_.num_ctrl, "controller in an id");
    const std::uint32_t named = desc.ctrl;
    expect(named == 0 || named == kCtrlRoundRobin || id.ctrl == named - 1, "controller named");
    for (std::uint32_t k = 0; k < len; ++k) {
      expect(links_[i].words[k + 1] ==
                 data_at(std::uint64_t{desc.addr} + done + k, form_.flit_words()),
             "word of a packet");
    }
    // Between two restarts a packet is issued once.
    expect(issued_.insert(place).second, "a packet is sent twice");
    if (lost) return;
    message.acked[number] = true;
    const PacketId answer{true, id.ctrl, id.slot, id.gen};
    sources[random.below(sources.size())].acknowledge(
        {.dst = node_, .src = desc.dst, .off = ids_.in_offset(answer, form_), .eom = true});
  }

  Nic::Config config_;
  PacketForm form_;
  IdForm ids_;
  std::uint32_t node_;

 public:
  std::vector<PacketSource> sources;  ///< Sources of the incoming links.

 private:
  std::vector<Link> links_;
  std::vector<Message> messages_;
  std::uint64_t done_ = 0;  // Messages of earlier rounds.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> came_;  // By source and id.
  std::set<std::uint32_t> issued_;  // By place, since the last restart.
};

/// What was seen in any part of a run.
struct ReliableSeen {
  bool sent = false, resent = false, repeated = false, overdue = false;
  std::uint64_t cycles = 0;

  bool all() const { return sent && resent && repeated && overdue; }
};

/// When packets are held, and the links restarted.
class Holds {
 public:
  void next(RandomStream& random, bool overdue, Nic::In& in) {
    in.restart = false;
    if (!in.hold) {
      in.hold = random.below(overdue ? 20 : 400) == 0;
      rest_ = static_cast<unsigned>(random.below(60));
      restart_ = overdue || random.below(4) != 0;
    } else if (rest_ != 0) {
      --rest_;
    } else if (restart_) {
      in.restart = true;
      restart_ = false;
      rest_ = 1 + static_cast<unsigned>(random.below(20));
    } else {
      in.hold = false;
    }
  }

 private:
  unsigned rest_ = 0;
  bool restart_ = false;
};

/// Random work until the end of the point, with time for the last messages, or until a reset; true
/// after a reset.
inline bool reliable_life(Bench& bench, RtlInstance& rtl, const Nic::Config& config,
                          ReliableSeen& seen) {
  RandomStream& random = bench.random;
  NicPair pair(bench, rtl, config);
  Nic::In in;
  in.node = static_cast<std::uint32_t>(random() & low_mask(config.header.addr_w));
  in.reduction = {ReduceOp::kSum, ReduceType::kInt64, 1};
  Peers peers(config, in.node);
  Holds holds;
  Pressure order, hold;
  ReadyLines writes_open;
  std::uint64_t accepted = 0;
  unsigned quiet = 0;  // Cycles in which nothing waited.
  bool full = false, restarted = false;
  for (std::uint64_t over = 0; bench.running() || quiet < 50;) {
    expect(bench.running() || ++over < 500'000, "messages do not end");
    const Nic::Out& out = pair.out();
    ++seen.cycles;
    pair.compare();
    const NicStatus status = pair.status();
    for (unsigned i = 0; i < config.links(); ++i) {
      bench.transferred(out.tx[i].valid);
      peers.see(random, out.tx[i], i, bench.running() && random.below(8) == 0);
    }
    if (status.tx_count != accepted) {
      expect(status.tx_count <= peers.acknowledged(), "a message is counted too early");
    }
    seen.sent |= status.tx_count != 0;
    seen.resent |= status.tx_resent != 0;
    seen.repeated |= status.rx_repeated != 0;
    seen.overdue |= out.overdue;
    if (bench.running() && bench.reset_now(rtl)) return true;
    quiet = !out.waits && status.desc_free == config.queue_depth ? quiet + 1 : 0;
    if (full && quiet == 50) {
      peers.end_round();
      full = false;
    }
    holds.next(random, out.overdue, in);
    in.windows = random_windows(random, config.packet_flits, config.header, config.windows);
    for (unsigned i = 0; i < config.links(); ++i) {
      PacketSource& source = peers.sources[i];
      in.rx[i] = config.credit
                     ? source.next_credited(random, (out.rx_credit >> i & 1) != 0, bench.running())
                     : source.next(random, out.rx_full, bench.running());
      if (restarted) source.restarted();
      peers.gives(in.rx[i], i);
    }
    in.tx_full = hold.next(random) && bench.running();
    in.mem_wready = 0xff;
    if (bench.running()) in.mem_wready = static_cast<std::uint8_t>(writes_open.lines(random));
    in.desc = random_descriptor(random, config.packet_flits, config.header);
    in.desc.dst = static_cast<std::uint32_t>(random.below(config.addresses + 1));
    in.desc.ctrl = random_controller(random, config.num_ctrl);
    // At first only others send: acknowledgements wait where no packet does.
    in.desc_valid =
        bench.running() && pair.now() > 200 && order.next(random) && !full && status.desc_free != 0;
    if (in.desc_valid) {
      full = !peers.place(random, in.desc);
      in.desc_valid = !full;
      if (!full) peers.posted(in.desc);
      accepted += !full;
    }
    restarted = in.restart;
    pair.step(in, !bench.running());
    if (restarted) peers.restart();
  }
  expect(pair.status().tx_count == accepted, "messages sent");
  peers.end_round();
  return false;
}

/// The bench of a point with `slots`.
inline void reliable_lives(Bench& bench, RtlInstance& rtl, const Nic::Config& config) {
  ReliableSeen seen;
  bench.begin_share();
  while (reliable_life(bench, rtl, config, seen)) bench.next();
  constexpr std::uint64_t kMany = 10'000;  // Cycles in which all of this happens.
  expect(seen.cycles < kMany || seen.all(), "packets sent, sent again, repeated and overdue");
}

}  // namespace weft::tb
