// Lockstep bench of the network interface. Besides model against RTL, the outgoing link is read as
// packets: whole, well formed, paced, with the words of the memory; and an unhindered sender's
// packets are expected in exact cycles, equal messages in order.
#include <deque>
#include <unordered_map>

#include "sim/nic/nic.hpp"
#include "tb/lib/bench.hpp"
#include "tb/nic/stimulus.hpp"

namespace {

using namespace weft;

// What the memory holds, without a memory.
std::uint64_t word_at(std::uint64_t addr) {
  return mix64(addr & low_mask(kMemAddrW));
}

// Model and RTL side by side. A lane's read data are arbitrary except after a read.
class Pair {
 public:
  Pair(tb::Bench& bench, RtlInstance& rtl, const Nic::Config& config)
      : bench_(bench),
        rtl_(rtl),
        config_(config),
        model_(config),
        recv_(rtl, config.parity),
        desc_(rtl),
        node_(rtl.port("node_i")),
        desc_valid_(rtl.port("desc_valid_i")),
        mem_rdata_(rtl.port("mem_rdata_i")),
        tx_full_(rtl.port("tx_full_i")),
        desc_free_(rtl.port("desc_free_o")),
        tx_count_(rtl.port("tx_count_o")),
        mem_ren_(rtl.port("mem_ren_o")),
        mem_raddr_(rtl.port("mem_raddr_o")),
        tx_valid_(rtl.port("tx_valid_o")),
        tx_last_(rtl.port("tx_last_o")),
        tx_data_(rtl.port("tx_data_o")) {}

  const Nic::Out& out() const { return model_.out(); }

  void compare() const {
    const Nic::Out& out = model_.out();
    bench_.equal("tx_valid_o", tx_valid_.get(), out.tx.valid);
    bench_.equal("tx_last_o", tx_last_.get(), out.tx.last);
    bench_.equal("tx_data_o", tx_data_.bits(0, 64), out.tx.data);
    if (config_.parity) bench_.equal("tx_data_o parity", tx_data_.bits(64, 1), out.tx.parity);
    bench_.equal("desc_free_o", desc_free_.get(), out.status.desc_free);
    bench_.equal("tx_count_o", tx_count_.get(), out.status.tx_count);
    bench_.equal("mem_ren_o", mem_ren_.get(), out.mem_ren);
    for (unsigned c = 0; c < config_.num_ctrl; ++c) {
      bench_.equal("mem_raddr_o", mem_raddr_.bits(c * kMemAddrW, kMemAddrW), out.mem_raddr[c]);
    }
    recv_.compare(bench_, out, out.status);
  }

  // One cycle with `in`, whose read data are filled in here.
  void step(Nic::In& in) {
    for (unsigned c = 0; c < config_.num_ctrl; ++c) {
      in.mem_rdata[c] = (reads_ >> c & 1) != 0 ? word_at(raddr_[c]) : bench_.random();
      mem_rdata_.set_bits(c * 64, 64, in.mem_rdata[c]);
    }
    node_.set(in.node);
    desc_valid_.set(in.desc_valid);
    desc_.set(in.desc);
    tx_full_.set(in.tx_full);
    recv_.set(in);
    reads_ = model_.out().mem_ren;
    raddr_ = model_.out().mem_raddr;
    // An idle model may be left out; the RTL shows whether that was right.
    if (!model_.idle(in)) model_.step(in);
    rtl_.tick();
    bench_.next();
  }

 private:
  tb::Bench& bench_;
  RtlInstance& rtl_;
  Nic::Config config_;
  Nic model_;
  tb::RecvPorts recv_;
  tb::DescPorts desc_;
  RtlPort node_, desc_valid_, mem_rdata_, tx_full_;
  RtlPort desc_free_, tx_count_, mem_ren_, mem_raddr_, tx_valid_, tx_last_, tx_data_;
  std::uint8_t reads_ = 0;
  std::array<std::uint32_t, Nic::kMaxCtrl> raddr_ = {};
};

// Reads the outgoing link. Every message has a destination of its own, by which its packets are
// known among those of the other controllers.
class WireCheck {
 public:
  WireCheck(const Nic::Config& config, std::uint32_t node) : config_(config), node_(node) {}

  void posted(const Descriptor& desc) { messages_[desc.dst] = {desc, 0, 0}; }
  bool knows(std::uint32_t dst) const { return messages_.count(dst) != 0; }
  std::uint64_t ended() const { return ended_; }

  // The word on the link in `cycle`.
  void see(const Flit& flit, std::uint64_t cycle) {
    if (!flit.valid) return;
    tb::expect(flit.parity == (config_.parity && parity_of(flit.data, flit.last)), "parity sent");
    if (!inside_) {
      header_ = Header::unpack(flit.data);
      const auto found = messages_.find(header_.dst);
      tb::expect(found != messages_.end(), "a packet of no message");
      message_ = &found->second;
      const Descriptor& desc = message_->desc;
      const std::uint32_t len = std::min(desc.len - message_->sent, config_.packet_flits);
      const Header wanted{desc.dst,
                          node_,
                          (desc.off + message_->sent) & static_cast<std::uint32_t>(low_mask(kOffW)),
                          len,
                          desc.tag,
                          message_->sent + len == desc.len};
      tb::expect(header_ == wanted, "header sent");
      tb::expect(cycle >= message_->silent_until, "silence after a packet");
      body_ = 0;
    } else {
      const std::uint64_t addr = std::uint64_t{message_->desc.addr} + message_->sent + body_++;
      tb::expect(flit.data == word_at(addr), "word sent");
    }
    inside_ = !flit.last;
    tb::expect(flit.last == (body_ == header_.len), "end of packet");
    if (!flit.last) return;
    message_->sent += header_.len;
    message_->silent_until = cycle + 1 + std::uint64_t{message_->desc.gap} * (header_.len + 1);
    if (header_.eom) {
      messages_.erase(header_.dst);
      ++ended_;
    }
  }

 private:
  struct Message {
    Descriptor desc;
    std::uint32_t sent = 0;
    std::uint64_t silent_until = 0;
  };

  Nic::Config config_;
  std::uint32_t node_;
  std::unordered_map<std::uint32_t, Message> messages_;
  Message* message_ = nullptr;
  Header header_;
  std::uint32_t body_ = 0;
  std::uint64_t ended_ = 0;
  bool inside_ = false;
};

// The other side of the incoming link, read as packets: what the receive side must do with them.
class WindowCheck {
 public:
  WindowCheck(const Nic::Config& config, const Nic::In& in) : config_(config), in_(in) {}

  void see(const Flit& flit) {
    if (!flit.valid) return;
    words_.push_back(flit.data);
    bad_ |= config_.parity && flit.parity != parity_of(flit.data, flit.last);
    if (!flit.last) return;
    const Header header = Header::unpack(words_.front());
    const std::size_t body = words_.size() - 1;
    if (bad_) {
      ++wanted_.rx_parity;
    } else if (header.dst != in_.node || body != header.len || body > config_.packet_flits ||
               header.off + header.len > in_.rx_size) {
      ++wanted_.rx_refused;
    } else {
      for (std::size_t k = 0; k < body; ++k) {
        writes_.push_back({(in_.rx_base + header.off + k) & low_mask(kMemAddrW), words_[k + 1]});
      }
      if (header.eom) ++wanted_.rx_count[header.tag & 3];
    }
    words_.clear();
    bad_ = false;
  }

  // A write at the memory port: the next one that is due.
  void see_write(std::uint32_t addr, std::uint64_t word) {
    tb::expect(!writes_.empty() && writes_.front().first == addr && writes_.front().second == word,
               "write to memory");
    writes_.pop_front();
  }

  // After the last word is through.
  void finish(const NicStatus& status) const {
    tb::expect(writes_.empty() && status.rx_count == wanted_.rx_count &&
                   status.rx_parity == wanted_.rx_parity && status.rx_refused == wanted_.rx_refused,
               "receive counters at the end");
  }

 private:
  Nic::Config config_;
  const Nic::In& in_;
  NicStatus wanted_;
  std::vector<std::uint64_t> words_;
  std::deque<std::pair<std::uint64_t, std::uint64_t>> writes_;
  bool bad_ = false;
};

// Faults that were counted in any part of a run.
struct Seen {
  bool parity = false, refused = false;
};

// Random work until the end of the point, with time for the last messages, or until a reset; true
// after a reset.
bool random_life(tb::Bench& bench, RtlInstance& rtl, const Nic::Config& config, Seen& seen) {
  Pair pair(bench, rtl, config);
  Nic::In in;
  in.node = static_cast<std::uint32_t>(bench.random() & low_mask(kAddrW));
  in.rx_base = static_cast<std::uint32_t>(bench.random() & low_mask(kMemAddrW));
  in.rx_size = tb::random_window(bench.random, config.packet_flits);
  tb::PacketSource source(config.packet_flits, config.parity, in.node);
  tb::Pressure order, hold;
  WireCheck wire(config, in.node);
  WindowCheck window(config, in);
  std::uint64_t accepted = 0;
  // At the end there is no new work, but time for the last messages with the largest gaps.
  const std::uint64_t longest = 6 * (config.packet_flits + 1) * 256;
  const std::uint64_t limit = (config.queue_depth + config.num_ctrl) * longest;
  for (std::uint64_t rest = 1000, over = 0; bench.running() || rest > 0;) {
    if (!bench.running()) {
      tb::expect(++over < limit, "messages do not end");
      if (wire.ended() == accepted) --rest;
    }
    const Nic::Out& out = pair.out();
    pair.compare();
    wire.see(out.tx, bench.cycle());
    if (out.mem_wen) window.see_write(out.mem_waddr, out.mem_wdata);
    seen.parity |= out.status.rx_parity != 0;
    seen.refused |= out.status.rx_refused != 0;
    if (bench.running() && bench.reset_now(rtl)) return true;

    in.rx = source.next(bench.random, out.rx_full, bench.running());
    window.see(in.rx);
    in.tx_full = hold.next(bench.random) && bench.running();
    in.desc = tb::random_descriptor(bench.random, config.packet_flits);
    in.desc_valid = bench.running() && order.next(bench.random) && !wire.knows(in.desc.dst);
    if (in.desc_valid && out.status.desc_free != 0) {
      wire.posted(in.desc);
      ++accepted;
    }
    bench.transferred(out.tx.valid);
    pair.step(in);
  }
  pair.compare();
  tb::expect(pair.out().status.tx_count == accepted && wire.ended() == accepted, "messages sent");
  window.finish(pair.out().status);
  return false;
}

// Equal messages of one packet: their headers are on the link in the order of posting.
void order_run(tb::Bench& bench, RtlInstance& rtl, const Nic::Config& config, std::uint32_t len) {
  constexpr std::uint32_t messages = 20;
  rtl.reset();
  Pair pair(bench, rtl, config);
  Nic::In in;
  in.desc = {.dst = 0, .addr = 100, .len = len, .off = 0, .tag = 0, .gap = 0};
  in.desc_valid = true;
  bool inside = false;
  const std::uint64_t limit = bench.cycle() + messages * (std::uint64_t{len} + 20);
  for (std::uint32_t sent = 0; sent < messages;) {
    tb::expect(bench.cycle() < limit, "equal messages do not end");
    pair.compare();
    const Flit& tx = pair.out().tx;
    if (tx.valid && !inside) bench.equal("order", Header::unpack(tx.data).dst, sent++);
    if (tx.valid) inside = !tx.last;
    const bool taken = in.desc_valid && pair.out().status.desc_free != 0;
    pair.step(in);
    if (taken) in.desc_valid = ++in.desc.dst < messages;
  }
}

// One message on one controller, nothing pushes back: the cycle of every header is known. The
// descriptor of cycle t is dispatched in t+1, cut in t+2; a header stands on the link from 4 cycles
// later (2 without a body), one more pair for the arbitration between several controllers.
void exact_run(tb::Bench& bench, RtlInstance& rtl, const Nic::Config& config, std::uint32_t packets,
               std::uint32_t gap) {
  rtl.reset();
  Pair pair(bench, rtl, config);
  Nic::In in;
  in.desc_valid = true;
  const std::uint32_t p = config.packet_flits;
  const std::uint32_t len = packets == 0 ? 0 : packets * p;
  in.desc = {.dst = 1, .addr = 100, .len = len, .off = 0, .tag = 0, .gap = gap};
  const std::uint64_t begin = bench.cycle();
  const std::uint32_t arbitration = config.num_ctrl > 1 ? 2 : 0;
  std::uint64_t header_at = begin + (len == 0 ? 4 : 6) + arbitration;
  std::uint32_t seen = 0, body = 0;
  const std::uint32_t wanted = packets == 0 ? 1 : packets;
  while (bench.cycle() < begin + 20 + std::uint64_t{wanted} * ((p + 1) * (gap + 1) + 2)) {
    pair.compare();
    const Flit& tx = pair.out().tx;
    const bool due = seen < wanted && bench.cycle() >= header_at;
    bench.equal("tx_valid_o in time", tx.valid, due);
    if (due && tx.last) {
      // gap packet times of silence, exactly.
      header_at = bench.cycle() + 1 + gap * (body + 1) + arbitration;
      body = 0;
      ++seen;
    } else if (due) {
      ++body;
    }
    pair.step(in);
    in.desc_valid = false;
  }
  bench.equal("packets in time", seen, wanted);
  bench.equal("tx_count_o in time", pair.out().status.tx_count, 1);
}

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "nic", [](tb::Bench& bench) {
    const Nic::Config points[] = {{1, false, 4, 8}, {1, true, 16, 2}, {2, true, 5, 8},
                                  {4, true, 4, 2},  {3, false, 5, 2}, {4, false, 16, 8}};
    for (const Nic::Config& config : points) {
      RtlInstance rtl = bench.point({{"NumCtrl", config.num_ctrl},
                                     {"Parity", config.parity},
                                     {"PacketFlits", config.packet_flits},
                                     {"QueueDepth", config.queue_depth}},
                                    std::size(points));
      for (const std::uint32_t packets : {0, 1, 2, 5}) {
        for (const std::uint32_t gap : {0, 1, 3}) exact_run(bench, rtl, config, packets, gap);
      }
      for (const std::uint32_t len : {0u, 1u, 2u, config.packet_flits}) {
        order_run(bench, rtl, config, len);
      }
      rtl.reset();
      Seen seen;
      while (random_life(bench, rtl, config, seen)) bench.next();
      tb::expect(seen.refused && seen.parity == config.parity, "no faults were seen");
    }
  });
}
