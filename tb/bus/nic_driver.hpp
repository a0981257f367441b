// A driver for the bench of axi_nic that uses it as a processor would, over AXI4-Lite: it opens a
// window, sends messages, and polls the counters. When they say that all messages are there, the
// words are in memory where they were sent.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <iterator>
#include <vector>

#include "sim/bus/axi_nic.hpp"
#include "tb/bus/axi_memory.hpp"
#include "tb/lib/bench.hpp"

namespace weft::tb {

/// One access at a time on each channel of AXI4-Lite, random pauses everywhere.
class LiteManager {
 public:
  bool writes() const { return aw_ || w_ || b_; }
  bool reads() const { return ar_ || r_; }
  void write(std::uint32_t addr, std::uint32_t data) {
    aw_ = w_ = b_ = true;
    in_.aw_addr = addr;
    in_.w_data = data;
    in_.w_strb = 0xf;
  }
  void read(std::uint32_t addr) {
    ar_ = r_ = true;
    in_.ar_addr = addr;
  }

  const AxiLite::In& drive(RandomStream& random) {
    in_.aw_valid = aw_ && (in_.aw_valid || offer_.next(random));
    in_.w_valid = w_ && (in_.w_valid || offer_.next(random));
    in_.ar_valid = ar_ && (in_.ar_valid || offer_.next(random));
    in_.b_ready = take_.next(random);
    in_.r_ready = take_.next(random);
    return in_;
  }
  // After the cycle; `written` and `read_done` say that an access ended in it.
  void see(const AxiLite::Out& out) {
    aw_ = aw_ && !(in_.aw_valid && out.aw_ready);
    w_ = w_ && !(in_.w_valid && out.w_ready);
    ar_ = ar_ && !(in_.ar_valid && out.ar_ready);
    in_.aw_valid = in_.aw_valid && aw_;
    in_.w_valid = in_.w_valid && w_;
    in_.ar_valid = in_.ar_valid && ar_;
    written = out.b_valid && in_.b_ready;
    read_done = out.r_valid && in_.r_ready;
    expect((!out.b_valid || b_) && (!out.r_valid || r_), "a response without an access");
    if (written) b_ = false;
    if (read_done) r_ = false;
  }
  std::uint32_t read_addr() const { return in_.ar_addr; }
  std::uint32_t write_addr() const { return in_.aw_addr; }

  bool written = false, read_done = false;

 private:
  AxiLite::In in_;
  bool aw_ = false, w_ = false, b_ = false, ar_ = false, r_ = false;
  Pressure offer_, take_;
};

/// Sends batches of messages from one half of the memory to a window in the other and waits for
/// each. At times it stops that, and all registers are written with anything until a reset.
class NicDriver {
 public:
  NicDriver(const AxiNic::Config& config, const AxiContents& contents, const AxiNic::In& in,
            RandomStream& random)
      : config_(config),
        contents_(contents),
        base_(in.base),
        node_(in.nic.node),
        half_(config.mem_flits / 2),
        limit_(config.nic.header.window_flits()),
        part_(std::min(half_, limit_) / kBatch) {
    const std::uint32_t bytes = config.nic.header.flit_bytes(), least = part_ * kBatch;
    const std::uint32_t upper = random.below(2) != 0 ? half_ : 0,
                        place = up_to(random, half_ - least);
    source_ = half_ - upper;
    window_ = upper + place;
    const std::uint32_t size = least + up_to(random, half_ - place - least);
    end_ = std::min(size, limit_);
    if (config.nic.windows > 1) {  // The last window; window 0 stays closed.
      todo_ = {{WEFT_REG_KEY, 1}, {WEFT_REG_RX_KEY, WEFT_RX_WINDOW(config.nic.windows - 1) | 1}};
    }
    todo_.insert(todo_.end(),
                 {{WEFT_REG_RX_BASE, window_ * bytes}, {WEFT_REG_RX_SIZE, size * bytes}});
  }

  // The accesses of this cycle; `now`: cycles since reset.
  void drive(RandomStream& random, std::uint32_t now) {
    if (!wild_ && !manager.writes() && todo_.empty() && !waits_) plan(random, now);
    if (wild_ && !manager.writes()) write_any(random, now);
    if (!manager.writes() && !todo_.empty()) manager.write(todo_.front().addr, todo_.front().data);
    if (manager.reads()) return;
    manager.read(to_read(random));
    settled_ = waits_;
  }
  // Whether registers have been written with anything: until the next reset, what arrives may be
  // faulty, too.
  bool wild() const { return wild_; }
  // Whether a reset is due after such writes.
  bool over() const { return wild_ && left_ == 0; }
  // After the cycle; `errors`: of the memory so far, once nothing is under way. True when a batch
  // has ended.
  bool see(const AxiLite::Out& out, std::uint32_t errors) {
    manager.see(out);
    if (wild_) {
      left_ -= left_ != 0;
      return false;
    }
    ++waited_;
    expect(waited_ < kPatience, "messages that never arrive");
    if (manager.written) written(out.b_resp);
    if (!manager.read_done) return false;
    const std::uint32_t addr = manager.read_addr();
    if (addr == WEFT_REG_REFUSED_WRITES && settled_) {
      expect(out.r_resp == AxiResp::kOkay && out.r_data == refused_writes_, "refused writes");
    }
    if (addr == WEFT_REG_MEMORY_ERRORS && checks_) {
      expect(out.r_resp == AxiResp::kOkay && out.r_data == errors, "errors of memory");
      checks_ = waits_ = false;
      waited_ = 0;
      return true;
    }
    if (!waits_ || checks_) return false;
    if (addr == WEFT_REG_SENT) sent_seen_ = out.r_data;
    if (addr == WEFT_REG_REFUSED) refused_seen_ = out.r_data;
    if (addr >= WEFT_REG_RECEIVED0 && addr <= WEFT_REG_RECEIVED3 && addr % 4 == 0) {
      received_seen_[(addr - WEFT_REG_RECEIVED0) / 4] = out.r_data;
    }
    const auto& r = received_seen_;
    if (r[0] + r[1] + r[2] + r[3] != received_ || sent_seen_ != sent_ || refused_seen_ != refused_)
      return false;
    check();
    checks_ = true;
    return false;
  }

  LiteManager manager;

 private:
  // Messages of a batch; each has its part of the receive window.
  static constexpr std::uint32_t kBatch = 6;
  // No batch of messages takes longer.
  static constexpr std::uint64_t kPatience = 40000;

  struct Message {
    std::uint32_t dst, addr, len, off;
  };
  struct Write {
    std::uint32_t addr, data;
    bool refused = false;
  };

  // Up to `bound`.
  static std::uint32_t up_to(RandomStream& random, std::uint64_t bound) {
    return static_cast<std::uint32_t>(random.below(bound + 1));
  }

  void plan(RandomStream& random, std::uint32_t now) {
    const bool ids = config_.nic.slots != 0;  // To others nothing is acknowledged.
    if (batch_.empty() && random.below(6) == 0) {
      wild_ = true;
      left_ = 200 + random.below(800);
      return;
    }
    if (batch_.size() >= kBatch || (!batch_.empty() && random.below(4) == 0)) {
      waits_ = true;
      return;
    }
    const Nic::Config& nic = config_.nic;
    const std::uint32_t bytes = nic.header.flit_bytes();
    Message m;
    m.dst = ids || random.below(8) != 0 ? node_ : node_ ^ (1 + up_to(random, nodes() - 1));
    m.len = up_to(random, random.below(8) != 0 ? 16 : std::min(2 * nic.packet_flits, part_));
    m.addr = source_ + up_to(random, half_ - m.len);
    // Messages of a batch go to different places, the last one at times to the end of all offsets.
    const auto first = static_cast<std::uint32_t>(batch_.size()) * part_;
    const bool last = batch_.size() + 1 == kBatch && random.below(2) != 0;
    m.off = last ? std::min(end_ - m.len, limit_ - 1) : first + up_to(random, part_ - m.len);
    batch_.push_back(m);
    const std::uint32_t ctrl = controller(random);
    const auto tag = static_cast<std::uint32_t>(random.below(8));
    const auto gap = static_cast<std::uint32_t>(random.below(3));
    todo_ = {{WEFT_REG_DST, m.dst}, {WEFT_REG_ADDR, m.addr * bytes}, {WEFT_REG_LEN, m.len}};
    if (m.len > 1 && random.below(8) == 0) {  // One flit too far.
      todo_.push_back({WEFT_REG_OFFSET, (limit_ - m.len + 1) * bytes});
      todo_.push_back({WEFT_REG_POST, 0, true});
    }
    todo_.push_back({WEFT_REG_OFFSET, m.off * bytes});
    if (random.below(4) == 0) todo_.push_back({WEFT_REG_OFFSET, beyond(random) * bytes, true});
    todo_.push_back({WEFT_REG_TAG_GAP, ctrl << 16 | gap << 8 | tag});
    if (nic.timed && random.below(2) != 0) {
      todo_.push_back({WEFT_REG_START, start(random, now)});
    }
    if (config_.barrier && random.below(4) == 0) todo_.push_back({WEFT_REG_BARRIER, 0});
    if (random.below(8) == 0) todo_.push_back({WEFT_REG_LEN, 1u << 20, true});
    todo_.push_back({WEFT_REG_POST, 0});
  }

  // An offset that is too large: the first, in the bits above, in those of a key, or any.
  std::uint32_t beyond(RandomStream& random) const {
    const std::uint32_t over = 1u << random.below(8);
    return random.below(2) != 0 ? limit_ : limit_ * over + up_to(random, limit_ - 1);
  }
  std::uint32_t nodes() const {
    return static_cast<std::uint32_t>(low_mask(config_.nic.header.addr_w));
  }
  std::uint32_t controller(RandomStream& random) const {
    const std::uint32_t ctrl = up_to(random, config_.nic.num_ctrl + 1);
    return ctrl > config_.nic.num_ctrl ? kCtrlRoundRobin : ctrl;
  }
  // Soon, or long ago.
  static std::uint32_t start(RandomStream& random, std::uint32_t now) {
    return random.below(2) != 0 ? now + up_to(random, 200) : now - (1u << random.below(31));
  }

  void write_any(RandomStream& random, std::uint32_t now) {
    constexpr std::uint32_t regs[] = {
        WEFT_REG_DST,     WEFT_REG_ADDR,      WEFT_REG_LEN,     WEFT_REG_OFFSET,
        WEFT_REG_TAG_GAP, WEFT_REG_POST,      WEFT_REG_POST,    WEFT_REG_RX_BASE,
        WEFT_REG_RX_SIZE, WEFT_REG_KEY,       WEFT_REG_RX_KEY,  WEFT_REG_START,
        WEFT_REG_BARRIER, WEFT_REG_JOB_START, WEFT_REG_TAG_GAP, WEFT_REG_LEN};
    const Nic::Config& nic = config_.nic;
    const auto any = static_cast<std::uint32_t>(random());
    const std::uint32_t reg =
        random.below(16) != 0 ? regs[random.below(std::size(regs))] : any & 0xfff;
    const std::uint32_t key = any & static_cast<std::uint32_t>(low_mask(nic.header.key_w));
    std::uint32_t value = any;
    switch (random.below(16) != 0 ? reg : 0xfff) {
      case WEFT_REG_DST:
        value = random.below(4) != 0 ? node_ : any & nodes();
        break;
      case WEFT_REG_ADDR:
      case WEFT_REG_RX_BASE:
      case WEFT_REG_RX_SIZE:
        value = up_to(random, config_.mem_flits) * nic.header.flit_bytes();
        break;
      case WEFT_REG_LEN:
        value = (any & 0xfffff) >> random.below(20);
        break;
      case WEFT_REG_OFFSET:
        value = (random.below(4) != 0 ? up_to(random, limit_ - 1) : limit_ - 2 + up_to(random, 3)) *
                nic.header.flit_bytes();
        break;
      case WEFT_REG_TAG_GAP:
        value = controller(random) << 16 | (any >> random.below(8) & 0xff) << 8 | (any & 7);
        break;
      case WEFT_REG_KEY:
        value = key;
        break;
      case WEFT_REG_RX_KEY:
        value = WEFT_RX_WINDOW(up_to(random, nic.windows - 1)) | key;
        break;
      case WEFT_REG_START:
        value = start(random, now);
        break;
      default:
        break;
    }
    manager.write(reg, value);
  }

  void written(AxiResp resp) {
    const Write done = todo_.front();
    const bool refused = resp != AxiResp::kOkay;
    refused_writes_ += refused;
    if (done.addr == WEFT_REG_POST && refused && !done.refused)
      return;  // The queue is full: again.
    expect(refused == done.refused, "response to a write");
    todo_.pop_front();
    if (done.addr != WEFT_REG_POST || refused) return;
    const Message& m = batch_.back();
    const std::uint32_t packets =
        std::max(1u, (m.len + config_.nic.packet_flits - 1) / config_.nic.packet_flits);
    ++sent_;
    m.dst == node_ ? received_ += config_.nic.by_packet() ? packets : 1 : refused_ += packets;
  }

  std::uint32_t to_read(RandomStream& random) const {
    if (checks_) return random.below(2) != 0 ? WEFT_REG_MEMORY_ERRORS : WEFT_REG_REFUSED_WRITES;
    const auto any = static_cast<std::uint32_t>(random.below(64));
    if (waits_ && any < 56) {
      constexpr std::uint32_t polled[] = {WEFT_REG_RECEIVED0,     WEFT_REG_RECEIVED0 + 4,
                                          WEFT_REG_RECEIVED0 + 8, WEFT_REG_RECEIVED3,
                                          WEFT_REG_SENT,          WEFT_REG_REFUSED};
      return polled[any % std::size(polled)];
    }
    return any < 60 ? 4 * any : static_cast<std::uint32_t>(random.below(4096));
  }

  // All words of the batch are in place.
  void check() {
    const unsigned bytes = config_.nic.header.flit_bytes();
    for (const Message& m : batch_) {
      for (std::uint32_t k = 0; k < m.len && m.dst == node_; ++k) {
        const std::uint64_t from = base_ + std::uint64_t{m.addr + k} * bytes;
        const std::uint64_t to = base_ + std::uint64_t{window_ + m.off + k} * bytes;
        expect(contents_.read(to) == contents_.read(from), "a word in memory");
      }
    }
    batch_.clear();
  }

  const AxiNic::Config& config_;
  const AxiContents& contents_;
  std::uint64_t base_;
  std::uint32_t node_;
  // In flits: half of the memory, the first offset that is too large, a message's part of the
  // window; where it is sent from, the window, and where in it the messages end.
  std::uint32_t half_, limit_, part_, source_ = 0, window_ = 0, end_ = 0;
  std::deque<Write> todo_;
  std::vector<Message> batch_;
  bool wild_ = false;
  std::uint64_t left_ = 0;               // Cycles to the reset that is due.
  bool waits_ = false, checks_ = false;  // Waits for the counters; then checks MEMORY_ERRORS.
  bool settled_ = false;                 // Nothing is written while the present read is under way.
  std::uint64_t waited_ = 0;
  // What the counters must say.
  std::uint32_t sent_ = 0, received_ = 0, refused_ = 0, refused_writes_ = 0;
  std::uint32_t sent_seen_ = 0, refused_seen_ = 0;
  std::array<std::uint32_t, kNumRxCounts> received_seen_ = {};
};

}  // namespace weft::tb
