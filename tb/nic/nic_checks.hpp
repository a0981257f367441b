// What the bench of the network interface expects without a model: its outgoing links carry the
// packets of the posted messages, its writes to memory those of the incoming links.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/nic/nic.hpp"
#include "sim/reduce/reduce_word.hpp"
#include "tb/nic/credit_link.hpp"
#include "tb/nic/stimulus.hpp"

namespace weft::tb {

/// The contents of the memory, computed from the address; `words`: of 64 bits in a flit.
inline FlitData data_at(std::uint64_t addr, unsigned words) {
  FlitData data;
  for (unsigned w = 0; w < words; ++w) {
    data.word[w] = mix64((addr & low_mask(kMemAddrW)) + (std::uint64_t{w} << kMemAddrW));
  }
  return data;
}
/// The data of a flit.
inline FlitData data_of(const Flit& flit) {
  FlitData data;
  flit.store(data.word.data(), kMaxFlitWords);
  return data;
}

/// Mostly any controller, else the next one or one by its number.
inline std::uint32_t random_controller(RandomStream& random, unsigned num_ctrl) {
  const std::uint64_t kind = random.below(8);
  if (kind == 0) return kCtrlRoundRobin;
  return kind < 3 ? 1 + static_cast<std::uint32_t>(random.below(num_ctrl)) : 0;
}

/// Reads the outgoing links. Every message has its own destination, which identifies its packets
/// among those of the other controllers.
class WireCheck {
 public:
  WireCheck(const Nic::Config& config, std::uint32_t node) : config_(config), node_(node) {}

  void posted(const Descriptor& desc) { messages_[desc.dst] = {desc, 0, 0}; }
  bool knows(std::uint32_t dst) const { return messages_.count(dst) != 0; }
  std::uint64_t ended() const { return ended_; }

  /// Whether a long message is under way; with `seen` only one whose first packets were sent.
  bool has_long(bool seen) const {
    return std::any_of(messages_.begin(), messages_.end(), [&](const auto& entry) {
      const Message& message = entry.second;
      return message.desc.len >= kLongFlits && (!seen || message.sent > 3 * config_.packet_flits);
    });
  }

  /// The word on link `index` in `cycle`, which is `now` cycles after reset.
  void see(const Flit& flit, unsigned index, std::uint64_t cycle, std::uint64_t now) {
    if (!flit.valid) return;
    Link& link = links_[index];
    Header& header = link.header;
    const unsigned words = config_.header.flit_words();
    expect(flit.parity == (config_.parity && parity_of(flit, words)), "parity sent");
    if (!link.inside) {
      header = Header::unpack(flit.data, config_.header);
      const auto found = messages_.find(header.dst);
      expect(found != messages_.end(), "a packet of no message");
      link.message = &found->second;
      const Message& message = *link.message;
      const Descriptor& desc = message.desc;
      const std::uint32_t len = std::min(desc.len - message.sent, config_.packet_flits);
      const Header wanted{
          desc.dst,
          node_,
          (desc.off + message.sent) & static_cast<std::uint32_t>(low_mask(config_.header.off_w())),
          len,
          desc.tag,
          message.sent + len == desc.len};
      expect(header == wanted && data_of(flit) == FlitData{{flit.data}}, "header sent");
      expect(cycle >= message.gap_until, "inter-packet gap");
      // Offered from its start on, it is on the link one cycle later.
      expect(!config_.timed || !desc.timed || message.sent != 0 ||
                 wait_for(desc.start, static_cast<std::uint32_t>(now - 1)) == 0,
             "start of the message");
      // The stamp was loaded in the cycle before.
      const std::uint64_t stamp = config_.age ? (now - 1) & low_mask(kStampW) : 0;
      expect(flit.stamp == stamp, "stamp sent");
      if (config_.by_dest) {
        const std::uint32_t node = address_of(config_.max_coords, flit.vc, header.dst);
        expect(node == header.dst, "VC of the destination");
      }
      expect(!config_.in_order || flit.vc == 0, "VC 0 in order");
      const bool upper = 2 * flit.vc >= config_.num_vc;
      expect(!config_.classes || upper == (header.tag % 2 != 0), "VC of the message's class");
      link.body = 0;
    } else {
      const Message& message = *link.message;
      const std::uint64_t addr = std::uint64_t{message.desc.addr} + message.sent + link.body++;
      expect(data_of(flit) == data_at(addr, words), "word sent");
    }
    link.inside = !flit.last;
    expect(flit.last == (link.body == header.len), "end of packet");
    if (!flit.last) return;
    link.message->sent += header.len;
    link.message->gap_until = cycle + 1 + std::uint64_t{link.message->desc.gap} * (header.len + 1);
    if (header.eom) {
      messages_.erase(header.dst);
      ++ended_;
    }
  }

 private:
  struct Message {
    Descriptor desc;
    std::uint32_t sent = 0;
    std::uint64_t gap_until = 0;
  };
  struct Link {
    Message* message = nullptr;
    Header header;
    std::uint32_t body = 0;
    bool inside = false;
  };

  Nic::Config config_;
  std::uint32_t node_;
  std::unordered_map<std::uint32_t, Message> messages_;
  std::array<Link, Nic::kMaxLinks> links_;
  std::uint64_t ended_ = 0;
};

/// Reads the incoming links as packets: what the receive side must do with them.
class WindowCheck {
 public:
  WindowCheck(const Nic::Config& config, const Nic::In& in) : config_(config), in_(in) {}

  void see(const Flit& flit, unsigned index) {
    if (!flit.valid) return;
    Link& link = links_[index];
    std::vector<FlitData>& words = link.words;
    words.push_back(data_of(flit));
    const unsigned size = config_.header.flit_words();
    link.bad |= config_.parity && flit.parity != parity_of(flit, size);
    if (!flit.last) return;
    const Header header = Header::unpack(words.front().word[0], config_.header);
    const std::size_t body = words.size() - 1;
    // The last window downwards, so that the first with the key remains.
    const std::uint32_t flits = config_.header.window_flits(), place = header.off % flits;
    unsigned window = config_.windows;
    for (unsigned w = config_.windows; w-- > 0;) {
      if (in_.windows.key[w] == header.off / flits) window = w;
    }
    if (link.bad) {
      ++wanted_.rx_parity;
    } else if (header.dst != in_.node || body != header.len || body > config_.packet_flits ||
               window == config_.windows || place + header.len > in_.windows.size[window]) {
      ++wanted_.rx_refused;
    } else {
      const bool reduced = config_.reduce && reduces(header.tag);
      kept_part_ |= !header.eom;
      for (std::size_t k = 0; k < body; ++k) {
        const std::uint64_t address = (in_.windows.base[window] + place + k) & low_mask(kMemAddrW);
        const Reduction& r = in_.reduction;
        FlitData word = words[k + 1];
        const FlitData held = data_at(address, size);
        for (unsigned w = 0; w < size && reduced; ++w) {
          word.word[w] = reduce_word(r.op, r.type, r.count, held.word[w], word.word[w]);
        }
        link.writes.push_back({address, word});
      }
      // Packets of one message overtake each other where they take different VCs.
      const bool single = config_.by_dest || (config_.in_order && config_.keeps_order);
      const bool overtake = config_.credit && config_.num_vc > 1 && !single;
      if (header.eom || overtake) {
        ++wanted_.rx_count[header.tag & 3];
        ++wanted_.rx_link[index * kNumRxCounts + (header.tag & 3)];
      }
    }
    words.clear();
    link.bad = false;
  }

  /// The writes of this cycle: on each lane the next one that is due. `accepted`: lanes whose write
  /// is accepted; another stays due. `status`: counts from 0 on.
  void see_writes(const Nic::Out& out, const NicStatus& status, unsigned accepted) {
    for (unsigned i = 0; i < config_.links(); ++i) {
      if ((out.mem_wen >> i & 1) == 0) continue;
      auto& writes = links_[i].writes;
      expect(!writes.empty() && writes.front().first == out.mem_waddr[i] &&
                 writes.front().second == out.mem_wdata[i],
             "write to memory");
      if ((accepted >> i & 1) != 0) writes.pop_front();
    }
    expect(std::accumulate(status.rx_link.begin(), status.rx_link.end(), 0u) ==
               std::accumulate(status.rx_count.begin(), status.rx_count.end(), 0u),
           "counts by link");
    for (unsigned t = 0; t < kNumRxCounts; ++t) {
      expect(
          status.rx_count[t] <= status.rx_arrived[t] && status.rx_arrived[t] <= wanted_.rx_count[t],
          "arrivals");
    }
  }

  /// After the last word has been written.
  void finish(const NicStatus& status) const {
    for (const Link& link : links_) expect(link.writes.empty(), "writes at the end");
    expect(status.rx_count == wanted_.rx_count && status.rx_arrived == wanted_.rx_count &&
               status.rx_link == wanted_.rx_link && status.rx_parity == wanted_.rx_parity &&
               status.rx_refused == wanted_.rx_refused,
           "receive counters at the end");
  }

  /// Whether a packet was stored that is not the last of its message.
  bool kept_part() const { return kept_part_; }

 private:
  struct Link {
    std::vector<FlitData> words;
    std::deque<std::pair<std::uint64_t, FlitData>> writes;
    bool bad = false;
  };

  Nic::Config config_;
  const Nic::In& in_;
  NicStatus wanted_;
  std::array<Link, Nic::kMaxLinks> links_;
  bool kept_part_ = false;
};

}  // namespace weft::tb
