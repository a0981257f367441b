// Registers of a network interface, cycle model of rtl/bus/weft_register_block.sv
// (rtl/bus/README.md, register_block).
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>

#include "sim/base/error.hpp"
#include "sim/bus/register_block_signals.hpp"
#include "sim/packet/check_windows.hpp"
#include "sim/packet/packet.hpp"
#include "sim/packet/register_map.hpp"
#include "sw/include/weft_registers.h"

namespace weft {

/// One write and one read of a register in each cycle, and their effect on the interface's inputs
/// and outputs.
class RegisterBlock : public RegisterBlockSignals {
 public:
  using LinkCounts = decltype(NicStatus::rx_link);
  /// State between two cycles; all 0 after reset.
  struct State {
    Descriptor desc;  // Order registers.
    bool posted = false, entered = false, combined = false;
    std::uint32_t key = 0;  // Key for messages.
    // Base, key and size of the window that RX_SIZE opens, in flits.
    std::uint32_t next_base = 0, next_key = 0, next_window = 0;
    ReceiveWindows windows;
    Reduction reduction;
    CombineOrder order;
    std::uint32_t orders = 0;  // Orders posted to the combining tree.
    bool job = false;
    std::uint32_t start_sent = 0, start_received = 0, start_barriers = 0;
    LinkCounts start_link = {}, barrier_link = {};
    std::uint32_t cycle = 0;
    std::uint32_t refused_writes = 0;
    NicStatus seen;            // Values that the registers showed, with the effect of that cycle's
                               // post.
    std::uint32_t errors = 0;  // Value that MEMORY_ERRORS showed.
  };

  /// Throws ConfigError if a value is out of range.
  explicit RegisterBlock(const Config& config) : c_(config) {
    if (c_.num_ctrl < 1 || c_.num_ctrl > 8 || c_.num_links < 1 || c_.num_links > kMaxNicLinks ||
        c_.queue_depth < 1 || c_.mem_flits < 1 || c_.mem_flits > 1u << kMemAddrW) {
      throw ConfigError(fmt::format(
          "register_block: {} controllers, {} links, queue of {}, memory of {} flits, expected: 1 "
          "to 8 controllers, 1 to {} links, a queue of 1 or more, 1 to 2^{} flits",
          c_.num_ctrl, c_.num_links, c_.queue_depth, c_.mem_flits, kMaxNicLinks, kMemAddrW));
    }
    check_windows("register_block", c_.windows, c_.header);
    if (c_.header.key_w + c_.header.id_w >= c_.header.off_w()) {
      throw ConfigError(fmt::format(
          "register_block: keys of {} bits and ids of {}, expected: less than {} bits together",
          c_.header.key_w, c_.header.id_w, c_.header.off_w()));
    }
    reset();
  }

  void reset() { start({}); }
  const State& state() const { return state_; }
  /// Continues from `state`.
  void start(const State& state) {
    state_ = next_ = state;
    show();
  }
  /// A status without what no register has.
  static NicStatus in_registers(NicStatus status) {
    status.tx_resent = status.rx_repeated = 0;
    return status;
  }
  /// Returns the outputs of a cycle with these inputs.
  const Out& eval(const In& in) {
    NicStatus now = in_registers(in.status);
    if (now.desc_free != 0 && state_.posted) --now.desc_free;
    if (!c_.barrier) now.barriers = 0;
    if (!c_.combine) now.combines = 0;
    next_ = state_;
    ++next_.cycle;
    next_.posted = next_.entered = next_.combined = false;
    if (state_.posted) {
      next_.desc.timed = false;
      next_.desc.start = 0;
    }
    show();
    out_.event = now != state_.seen || in.memory_errors != state_.errors;
    next_.errors = in.memory_errors;
    const std::optional<std::uint32_t> value = read(in.raddr, now);
    out_.rdata = value.value_or(0);
    out_.rrefused = !value;
    out_.wrefused = in.wen && !write(in.waddr, in.wdata, now);
    if (out_.wrefused) ++next_.refused_writes;
    next_.seen = now;
    if (next_.posted) --next_.seen.desc_free;
    return out_;
  }
  /// The clock edge at the end of the cycle that was evaluated last.
  void tick() { state_ = next_; }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).
  using Counts = std::array<std::uint32_t, kNumRxCounts>;

  void show() {
    out_.desc_valid = state_.posted;
    out_.desc = state_.desc;
    out_.desc.addr &= low_mask(kMemAddrW);
    out_.desc.off |= state_.key << c_.header.key_lsb();
    out_.windows = state_.windows;
    out_.reduction =
        c_.reduce ? state_.reduction : Reduction{ReduceOp::kStore, ReduceType::kInt32, 0};
    out_.barrier_enter = state_.entered;
    out_.combine_post = state_.combined;
    out_.order = c_.combine ? state_.order : CombineOrder{.count = 0};
    out_.order.addr &= low_mask(kMemAddrW);
    out_.order.to &= low_mask(kMemAddrW);
  }

  // Counter `i`, by link and tag, since the start of the job.
  std::uint32_t since(const NicStatus& now, unsigned i) const {
    return now.rx_link[i] - state_.start_link[i];
  }

  // Value of a register; none if there is no readable one.
  std::optional<std::uint32_t> read(std::uint32_t reg, const NicStatus& now) const {
    const Register* const row = find_register(reg);
    if (row == nullptr || !row->readable()) return {};
    if (row->shows != nullptr) return row->shows(now);
    const std::uint32_t number = (reg - row->address) / 4;
    const auto of_tag = [&](const Counts& counts) {
      return number == 3 ? counts[number] - state_.start_received : counts[number];
    };
    switch (row->address) {
      case WEFT_REG_LINK_TAG_RECEIVED0:
        return since(now, number);
      case WEFT_REG_LINK_RECEIVED0: {
        std::uint32_t sum = 0;
        for (unsigned t = 0; t < kNumRxCounts; ++t) sum += since(now, number * kNumRxCounts + t);
        return sum;
      }
      case WEFT_REG_RECEIVED0:
        return of_tag(now.rx_count);
      case WEFT_REG_ARRIVED0:
        return of_tag(now.rx_arrived);
      case WEFT_REG_SENT:
        return now.tx_count - state_.start_sent;
      case WEFT_REG_CYCLE:
        return state_.cycle;
      case WEFT_REG_BARRIER:
        return now.barriers - state_.start_barriers;
      case WEFT_REG_MEMORY_ERRORS:
        return next_.errors;
      case WEFT_REG_REFUSED_WRITES:
        return state_.refused_writes;
      default:
        return {};
    }
  }

  // The flit address of a byte address; none unless it is that of a flit, up to the memory's end.
  std::optional<std::uint32_t> place(std::uint32_t bytes) const {
    const std::uint32_t flits = bytes / c_.header.flit_bytes();
    if (bytes % c_.header.flit_bytes() != 0 || flits > c_.mem_flits) return {};
    return flits;
  }
  bool fits(std::uint32_t addr, std::uint32_t len) const { return len <= c_.mem_flits - addr; }

  // The setting of arithmetic in REDUCE and COMBINE_POST; none if it is invalid.
  static std::optional<Reduction> arithmetic(std::uint32_t value) {
    const std::uint32_t op = value & 7, type = value >> 3 & 3, count = value >> 16;
    if (op >= kReduceOps || type >= kReduceTypes) return {};
    const Reduction setting = {static_cast<ReduceOp>(op), static_cast<ReduceType>(type), count};
    if (setting.op == ReduceOp::kMean && count == 0) return {};
    return setting;
  }

  // Writes a register; returns false if it refuses, and then nothing has changed.
  bool write(std::uint32_t reg, std::uint32_t value, const NicStatus& now);
  bool write_post(const NicStatus& now);
  bool write_job_start(std::uint32_t value, const NicStatus& now);
  bool write_combine_post(std::uint32_t value, const NicStatus& now);

  Config c_;
  State state_, next_;
  Out out_;
};

inline bool RegisterBlock::write(std::uint32_t reg, std::uint32_t value, const NicStatus& now) {
  // Takes a byte address within the memory.
  const auto take = [&](std::uint32_t& to) {
    const auto flits = place(value);
    if (flits) to = *flits;
    return flits.has_value();
  };
  switch (reg) {
    case WEFT_REG_DST:
      if (value > low_mask(c_.header.addr_w)) return false;
      next_.desc.dst = value;
      return true;
    case WEFT_REG_ADDR:
      return take(next_.desc.addr);
    case WEFT_REG_LEN:
      if (value > low_mask(kMsgLenW)) return false;
      next_.desc.len = value;
      return true;
    case WEFT_REG_OFFSET:
      if (value % c_.header.flit_bytes() != 0) return false;
      if (value / c_.header.flit_bytes() >= c_.header.window_flits()) return false;
      next_.desc.off = value / c_.header.flit_bytes();
      return true;
    case WEFT_REG_TAG_GAP: {
      const std::uint32_t ctrl = value >> 16 & 15;
      const std::uint32_t known = WEFT_CONTROLLER(15u) | 0xff00u | WEFT_OF_BARRIER | 7u;
      if ((value & ~known) != 0 || (ctrl > c_.num_ctrl && ctrl != kCtrlRoundRobin)) return false;
      next_.desc.tag = value & 7;
      next_.desc.gap = value >> 8 & 255;
      next_.desc.ctrl = ctrl;
      return true;
    }
    case WEFT_REG_START:
      if (!c_.timed) return false;
      next_.desc.timed = true;
      next_.desc.start = value;
      return true;
    case WEFT_REG_POST:
      return write_post(now);
    case WEFT_REG_BARRIER:
      if (!c_.barrier) return false;
      if (!state_.job) next_.barrier_link = now.rx_link;
      next_.entered = true;
      return true;
    case WEFT_REG_RX_BASE:
      return take(next_.next_base);
    case WEFT_REG_RX_SIZE: {
      const auto flits = place(value);
      if (!flits || !fits(state_.next_base, *flits) || *flits > low_mask(kMemAddrW)) return false;
      next_.windows.base[state_.next_window] = state_.next_base & low_mask(kMemAddrW);
      next_.windows.size[state_.next_window] = *flits;
      next_.windows.key[state_.next_window] = state_.next_key;
      return true;
    }
    case WEFT_REG_KEY:
      if (value > low_mask(c_.header.key_w)) return false;
      next_.key = value;
      return true;
    case WEFT_REG_RX_KEY: {
      const std::uint32_t number = value >> 8;
      if ((value & 0xff) > low_mask(c_.header.key_w) || number >= c_.windows) return false;
      next_.next_key = value & 0xff;
      next_.next_window = number;
      return true;
    }
    case WEFT_REG_REDUCE: {
      const auto setting = arithmetic(value);
      if (!setting || (value & 0xffe0) != 0) return false;
      if (!c_.reduce && setting->op != ReduceOp::kStore) return false;
      next_.reduction = *setting;
      return true;
    }
    case WEFT_REG_JOB_START:
      return write_job_start(value, now);
    case WEFT_REG_COMBINE_ADDR:
      return take(next_.order.addr);
    case WEFT_REG_COMBINE_TO:
      return take(next_.order.to);
    case WEFT_REG_COMBINE_LEN:
      if (value == 0 || value > low_mask(kMsgLenW)) return false;
      next_.order.len = value;
      return true;
    case WEFT_REG_COMBINE_POST:
      return write_combine_post(value, now);
    default: {
      const Register* const row = find_register(reg);
      return row != nullptr && row->access == RegisterAccess::kTells;
    }
  }
}

inline bool RegisterBlock::write_post(const NicStatus& now) {
  const Descriptor& desc = state_.desc;
  if (now.desc_free == 0 || !fits(desc.addr, desc.len)) return false;
  if (desc.off + desc.len > c_.header.window_flits()) return false;
  next_.posted = true;
  return true;
}

inline bool RegisterBlock::write_job_start(std::uint32_t value, const NicStatus& now) {
  if (state_.job || value > now.rx_count[3]) return false;
  next_.job = true;
  next_.start_sent = now.tx_count;
  next_.start_received = value;
  next_.start_barriers = now.barriers;
  next_.start_link = now.barriers != 0 ? state_.barrier_link : now.rx_link;
  return true;
}

inline bool RegisterBlock::write_combine_post(std::uint32_t value, const NicStatus& now) {
  const CombineOrder& order = state_.order;
  const auto setting = arithmetic(value);
  const bool silent = (value & WEFT_COMBINE_SILENT) != 0;
  const bool discard = (value & WEFT_COMBINE_DISCARD) != 0;
  if (!c_.combine || !setting || (value & 0xff80) != 0 || order.len == 0) return false;
  if (!silent && !fits(order.addr, order.len)) return false;
  if (!discard && !fits(order.to, order.len)) return false;
  if (state_.orders - now.combines >= kCombineOrders) return false;
  next_.order.op = setting->op;
  next_.order.type = setting->type;
  next_.order.count = setting->count;
  next_.order.silent = silent;
  next_.order.discard = discard;
  next_.combined = true;
  ++next_.orders;
  return true;
}

}  // namespace weft
