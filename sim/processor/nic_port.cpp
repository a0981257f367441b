// The NIC's registers as the processor sees them: decoding and the driver's faults.
#include "sim/processor/nic_port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/packet/register_map.hpp"
#include "sw/include/weft_registers.h"

namespace weft {

std::uint32_t NicPort::read(std::uint32_t reg) {
  const Register* const row = find_register(reg);
  const bool readable = row != nullptr && row->readable();
  if (readable && row->shows != nullptr) return row->shows(seen_);
  const std::uint32_t first = readable ? row->address : UINT32_MAX;
  const std::size_t number = (reg - first) / 4;
  switch (first) {
    case WEFT_REG_SENT:
      end_barrier();
      return seen_.tx_count - startup_.tx_count;
    case WEFT_REG_RECEIVED0:
      end_barrier();
      return seen_.rx_count[number] - startup_.rx_count[number];
    case WEFT_REG_ARRIVED0:
      // During a barrier the last order is one of the barrier; ARRIVED0 counts it only with tag 0.
      if (number == 0 && (order_.tag & 3) != 0) {
        end_barrier();
      } else if (barriers_begun_ != barriers_ended_) {
        barrier_end_ = cycle_;
      }
      return seen_.rx_arrived[number] - startup_.rx_arrived[number];
    case WEFT_REG_LINK_RECEIVED0: {
      end_barrier();
      std::uint32_t sum = 0;
      for (std::size_t i = number * kNumRxCounts; i < (number + 1) * kNumRxCounts; ++i) {
        sum += seen_.rx_link[i] - startup_.rx_link[i];
      }
      return sum;
    }
    case WEFT_REG_LINK_TAG_RECEIVED0:
      end_barrier();
      return seen_.rx_link[number] - startup_.rx_link[number];
    case WEFT_REG_BARRIER:
      return seen_.barriers - startup_.barriers;
    case WEFT_REG_REFUSED_WRITES:
      return refused_writes_;
    case WEFT_REG_CYCLE:
      return static_cast<std::uint32_t>(cycle_);
    case WEFT_REG_MEMORY_ERRORS:
      return 0;  // The simulator's memories never answer an access with an error.
    default:
      refuse(fmt::format("read of NIC register 0x{:02x}, which cannot be read", reg));
      return 0;
  }
}

bool NicPort::write_order(std::uint32_t reg, std::uint32_t value) {
  switch (reg) {
    case WEFT_REG_DST:
      if (value >> header_.addr_w != 0) return false;
      order_.dst = value;
      return true;
    case WEFT_REG_ADDR:
      if (value % flit_bytes() != 0 || value > memory_bytes_) return false;
      order_.addr = value / flit_bytes();
      return true;
    case WEFT_REG_LEN:
      if (value >> kMsgLenW != 0) return false;
      order_.len = value;
      return true;
    case WEFT_REG_OFFSET:
      if (value % flit_bytes() != 0 || value / flit_bytes() >= header_.window_flits()) return false;
      order_.off = value / flit_bytes();
      return true;
    case WEFT_REG_KEY:
      if (value > low_mask(header_.key_w)) return false;
      key_ = value;
      return true;
    case WEFT_REG_START:
      if (!timed_) return false;
      order_.timed = true;
      order_.start = value;
      return true;
    case WEFT_REG_TAG_GAP:
      // The cycle in which a barrier begins or ends matters.
      if ((value & WEFT_OF_BARRIER) != 0 || barriers_begun_ != barriers_ended_) return false;
      if (wrong_tag_gap(value) != nullptr) return false;
      set_tag_gap(value);
      return true;
    default:
      return false;
  }
}

void NicPort::write(std::uint32_t reg, std::uint32_t value) {
  if (write_order(reg, value)) return;
  switch (reg) {
    case WEFT_REG_DST:
      return refuse(reg, value, fmt::format("more than {} bits", header_.addr_w));
    case WEFT_REG_ADDR:
      if (aligned(reg, value)) refuse(reg, value, "outside the memory");
      return;
    case WEFT_REG_LEN:
      return refuse(reg, value, "over 2^20 - 1 flits");
    case WEFT_REG_OFFSET:
      if (!aligned(reg, value)) return;
      return refuse(reg, value, fmt::format("over 2^{} - 1 flits", header_.place_w()));
    case WEFT_REG_TAG_GAP:
      if (const char* const rule = wrong_tag_gap(value)) return refuse(reg, value, rule);
      set_tag_gap(value);
      if ((value & WEFT_OF_BARRIER) == 0) {
        end_barrier();
      } else if (barriers_begun_ == barriers_ended_) {
        ++barriers_begun_;
        barrier_end_ = cycle_;
      }
      return;
    case WEFT_REG_KEY:
      return refuse(reg, value, "more bits than workload.key_bits");
    case WEFT_REG_START:
      return refuse(reg, value,
                    "messages have no start here (workload.timed of a program of your own, or a "
                    "collective with .timed, gives them one)");
    case WEFT_REG_POST:
      post();
      return;
    case WEFT_REG_BARRIER:
      if (entered_) return refuse("two barriers entered in one cycle");
      // In a start-up all of its messages have arrived, and none of the job's.
      if (!job_start_) barrier_link_ = seen_.rx_link;
      entered_ = true;
      act();
      return;
    case WEFT_REG_RX_BASE:
      if (aligned(reg, value) && require(value <= memory_bytes_, reg, value,
                                         "puts the receive window outside the memory")) {
        rx_next_base_ = value;
      }
      return;
    case WEFT_REG_RX_SIZE:
      if (aligned(reg, value) &&
          require(value <= memory_bytes_ - rx_next_base_, reg, value,
                  "puts the receive window outside the memory") &&
          require(value / flit_bytes() <= low_mask(kMemAddrW), reg, value, "over 2^24 - 1 flits") &&
          require(spares_text(rx_next_base_, value), reg, value,
                  "puts the receive window over the program's text")) {
        windows_.base[rx_next_window_] =
            static_cast<std::uint32_t>(rx_next_base_ / flit_bytes() & low_mask(kMemAddrW));
        windows_.size[rx_next_window_] = value / flit_bytes();
        windows_.key[rx_next_window_] = rx_next_key_;
        extend_reach(rx_next_base_, value);
      }
      return;
    case WEFT_REG_RX_KEY:
      if (require((value & 0xFF) <= low_mask(header_.key_w), reg, value,
                  "more bits of key (7:0) than workload.key_bits") &&
          require(value >> 8 < num_windows_, reg, value,
                  "no such window (15:8), expected: below workload.windows")) {
        rx_next_key_ = value & 0xFF;
        rx_next_window_ = value >> 8;
      }
      return;
    case WEFT_REG_REDUCE:
      reduce(value);
      return;
    case WEFT_REG_JOB_START:
      start_job(value);
      return;
    case WEFT_REG_TEXT:
      text_ = value;
      return;
    case WEFT_REG_EXIT:
      end_barrier();
      enter_phase({});
      halted_ = true;
      exit_code_ = value;
      exit_cycle_ = cycle_;
      return;
    default:
      if (write_combine(reg, value)) return;
      refuse(fmt::format("write of 0x{:08x} to NIC register 0x{:02x}, which cannot be written",
                         value, reg));
  }
}

const char* NicPort::wrong_tag_gap(std::uint32_t value) const {
  if ((value & ~(0xFF0FU | WEFT_CONTROLLER(15U))) != 0) {
    return "bits outside the tag (2:0), OF_BARRIER (3), the gap (15:8) and the controller (19:16)";
  }
  const bool exists = value >> 16 <= controllers_ || value >> 16 == kCtrlRoundRobin;
  return exists ? nullptr : "there is no such controller";
}

void NicPort::set_tag_gap(std::uint32_t value) {
  order_.tag = value & low_mask(kTagW);
  order_.gap = value >> 8 & low_mask(kGapW);
  order_.ctrl = value >> 16;
}

void NicPort::extend_reach(std::uint32_t address, std::uint32_t bytes) {
  if (bytes == 0) return;
  const bool none = reach_begin_ == reach_end_;
  reach_begin_ = none ? address : std::min(reach_begin_, address);
  reach_end_ = none ? address + bytes : std::max(reach_end_, address + bytes);
}

void NicPort::post() {
  if (posted_) return refuse("two POSTs in one cycle");
  if (seen_.desc_free == 0) return refuse("POST while FREE is 0: the descriptor queue is full");
  const std::uint32_t bytes = order_.len * flit_bytes();
  if (bytes > memory_bytes_ - order_.addr * flit_bytes()) {
    return refuse(
        fmt::format("POST of {} flits from 0x{:08x}, which end outside the memory of 0x{:x} bytes",
                    order_.len, order_.addr * flit_bytes(), memory_bytes_));
  }
  if (order_.off + order_.len > header_.window_flits()) {
    return refuse(fmt::format("POST of {} flits to offset 0x{:x}, which end beyond {} flits",
                              order_.len, order_.off * flit_bytes(), header_.window_flits()));
  }
  if (posts_ == most_messages_) {
    simulator_rule_ = true;
    return refuse(
        fmt::format("POST of a message after {} of this node, which max_messages allows: "
                    "a program that posts for ever?",
                    most_messages_));
  }
  ++posts_;
  extend_reach(order_.addr * flit_bytes(), bytes);
  descriptor_ = order_;
  descriptor_.off |= key_ << header_.key_lsb();
  order_.timed = false;
  order_.start = 0;
  posted_ = true;
  posted_messages_ +=
      counted_flits_ == 0 ? 1 : std::max(1u, (order_.len + counted_flits_ - 1) / counted_flits_);
  act();
  --seen_.desc_free;
}

void NicPort::reduce(std::uint32_t value) {
  constexpr std::uint32_t reg = WEFT_REG_REDUCE;
  const auto op = static_cast<std::uint32_t>(value & low_mask(kReduceOpW));
  const auto type = static_cast<std::uint32_t>(value >> kReduceOpW & low_mask(kReduceTypeW));
  const std::uint32_t count = value >> 16;
  if (require((value & 0xFFE0) == 0, reg, value,
              "bits outside the operation (2:0), the type (4:3) and the count (31:16)") &&
      require(op < kReduceOps, reg, value,
              "no such operation (2:0), expected: 0 store, 1 sum, 2 product, 3 maximum, 4 minimum, "
              "5 mean") &&
      require(type < kReduceTypes, reg, value,
              "no such type (4:3), expected: 0 int32, 1 int64, 2 fp32") &&
      require(count != 0 || ReduceOp{static_cast<std::uint8_t>(op)} != ReduceOp::kMean, reg, value,
              "the count (31:16) of a mean is 0, expected: 1 to 65535") &&
      require(
          reduces_ || op == 0, reg, value,
          "this interface has no reduction, expected: operation 0 "
          "(workload.reduces of a program of your own, or a collective with .reduces, gives it)")) {
    reduction_ = {ReduceOp{static_cast<std::uint8_t>(op)},
                  ReduceType{static_cast<std::uint8_t>(type)}, count};
  }
}

// Returns false if the register is not one of the combining tree.
bool NicPort::write_combine(std::uint32_t reg, std::uint32_t value) {
  const bool from = reg == WEFT_REG_COMBINE_ADDR;
  if (from || reg == WEFT_REG_COMBINE_TO) {
    if (aligned(reg, value) && require(value <= memory_bytes_, reg, value, "outside the memory")) {
      (from ? combine_.addr : combine_.to) = value / flit_bytes();
    }
  } else if (reg == WEFT_REG_COMBINE_LEN) {
    if (require(value != 0 && value >> kMsgLenW == 0, reg, value,
                "expected: 1 to 2^20 - 1 flits")) {
      combine_.len = value;
    }
  } else if (reg == WEFT_REG_COMBINE_POST) {
    combine(value);
  } else {
    return false;
  }
  return true;
}

void NicPort::combine(std::uint32_t value) {
  constexpr std::uint32_t reg = WEFT_REG_COMBINE_POST;
  const auto op = static_cast<std::uint8_t>(value & low_mask(kReduceOpW));
  const auto type = static_cast<std::uint8_t>(value >> kReduceOpW & low_mask(kReduceTypeW));
  const std::uint32_t bytes = combine_.len * flit_bytes();
  const auto fits = [&](std::uint32_t flits) {
    return bytes <= memory_bytes_ - flits * flit_bytes();
  };
  combine_.silent = (value & WEFT_COMBINE_SILENT) != 0;
  combine_.discard = (value & WEFT_COMBINE_DISCARD) != 0;
  if (require(
          has_tree_, reg, value,
          "there is no combining tree (workload.combines of a program of your own, or a collective "
          "with .combines, gives it)") &&
      require((value & 0xFF80) == 0, reg, value,
              "bits outside the operation (2:0), the type (4:3), SILENT (5), DISCARD (6) and the "
              "count (31:16)") &&
      require(op < kReduceOps, reg, value, "no such operation (2:0), expected: 0 to 5") &&
      require(type < kReduceTypes, reg, value, "no such type (4:3), expected: 0 to 2") &&
      require(value >> 16 != 0 || ReduceOp{op} != ReduceOp::kMean, reg, value,
              "the count (31:16) of a mean is 0, expected: 1 to 65535") &&
      require(combine_.len != 0, reg, value, "COMBINE_LEN is 0") &&
      require(combine_.silent || fits(combine_.addr), reg, value,
              "the vector ends outside the memory") &&
      require(combine_.discard || fits(combine_.to), reg, value,
              "the result ends outside the memory") &&
      require(combine_.discard || spares_text(combine_.to * flit_bytes(), bytes), reg, value,
              "the result lies over the program's text") &&
      require(!combines_, reg, value, "two orders to the combining tree in one cycle") &&
      require(combines_posted_ - seen_.combines < kCombineOrders, reg, value,
              "two orders to the combining tree are not completed")) {
    if (!combine_.silent) extend_reach(combine_.addr * flit_bytes(), bytes);
    if (!combine_.discard) extend_reach(combine_.to * flit_bytes(), bytes);
    combine_.op = ReduceOp{op};
    combine_.type = ReduceType{type};
    combine_.count = value >> 16;
    combine_order_ = combine_;
    combines_ = true;
    act();
    ++combines_posted_;
  }
}

void NicPort::start_job(std::uint32_t received) {
  if (job_start_) return refuse("JOB_START written twice");
  if (!require(received <= seen_.rx_count[3], WEFT_REG_JOB_START, received,
               "not so many messages were received under tag 3")) {
    return;
  }
  job_start_ = cycle_;
  first_act_.reset();
  startup_.tx_count = seen_.tx_count;
  startup_.rx_count[3] = startup_.rx_arrived[3] = received;
  startup_.barriers = seen_.barriers;
  startup_.rx_link = seen_.barriers != 0 ? barrier_link_ : seen_.rx_link;
}

bool NicPort::require(bool good, std::uint32_t reg, std::uint32_t value, const char* rule) {
  if (!good) refuse(reg, value, rule);
  return good;
}

// Whether an area that the interface is to write does not overlap the program's text.
bool NicPort::spares_text(std::uint32_t address, std::uint32_t bytes) {
  const bool over =
      bytes != 0 && address < text_begin_ + text_bytes_ && text_begin_ < address + bytes;
  simulator_rule_ = simulator_rule_ || over;
  return !over;
}

// Whether an address is that of a flit.
bool NicPort::aligned(std::uint32_t reg, std::uint32_t value) {
  if (value % flit_bytes() == 0) return true;
  refuse(reg, value, fmt::format("not a multiple of {}", flit_bytes()));
  return false;
}

void NicPort::refuse(std::uint32_t reg, std::uint32_t value, const std::string& rule) {
  refuse(fmt::format("write of 0x{:08x} to NIC register {}: {}", value, find_register(reg)->name,
                     rule));
}

void NicPort::refuse(std::string message) {
  if (fault_.empty()) fault_ = std::move(message);
}

}  // namespace weft
