// The NIC's registers as the processor of its node sees them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/packet/packet.hpp"

namespace weft {

/// A value that a program has put into the result.
struct ReportedValue {
  std::string name;
  std::uint64_t cycle = 0;
  std::uint32_t value = 0;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, cycle, value);
  }
};

/// A phase of a program: the cycles from `begin` up to, not including, `end`.
struct ReportedPhase {
  std::string name;
  std::uint64_t begin = 0, end = 0;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, begin, end);
  }
};

/// Memory-mapped side of a NIC (registers: sim/packet/register_map.hpp).
///
/// Time: a descriptor posted in cycle t leaves the processor at the end of t, the NIC takes it in t
/// + 1, and the status that the processor gets in t + 2 is the first to count it. FREE as read here
/// is exact in between: it excludes the descriptors of posts that the status does not include yet.
///
/// A misuse is a fault of the driver: it is recorded once, with its cause and value, and the
/// processor stops. Nothing here throws.
class NicPort {
 public:
  /// `memory_bytes`: size of the node's memory, which orders and windows must lie in;
  /// `controllers`: send controllers that a message may be bound to.
  NicPort(std::uint32_t memory_bytes, std::uint32_t controllers)
      : memory_bytes_(memory_bytes), controllers_(controllers) {}

  /// Starts a cycle: latches what the NIC published at the end of the one before. Sets the event
  /// flag when any register reads differently from the cycle before (CYCLE aside).
  void begin_cycle(const NicStatus& status, std::uint64_t cycle) {
    cycle_ = cycle;
    NicStatus now = status;
    // The post of the last cycle is on its way into the queue; that of the cycle before is in
    // `status`.
    now.desc_free = status.desc_free > posted_ ? status.desc_free - posted_ : 0;
    posted_ = entered_ = combines_ = false;
    if (now != seen_) {
      seen_ = now;
      event_ = true;
    }
  }

  /// Starts a cycle in which begin_cycle would find nothing new: neither of the two cycles before
  /// posted, and the NIC published the same status again.
  void begin_same_cycle(std::uint64_t cycle) {
    cycle_ = cycle;
    entered_ = combines_ = false;
  }

  /// The cycle that was begun last.
  std::uint64_t cycle() const { return cycle_; }

  /// Takes the event flag: whether a register has changed since the flag was last taken.
  /// Wait-for-interrupt returns when this is true, so that no change between a test and a wfi is
  /// lost.
  bool take_event() {
    const bool event = event_;
    event_ = false;
    return event;
  }

  /// Reads a register at a byte offset; returns 0 and records a fault if there is no readable one.
  std::uint32_t read(std::uint32_t reg);

  /// Writes a register at a byte offset; records a fault if there is no writable one or it refuses
  /// the value.
  void write(std::uint32_t reg, std::uint32_t value);

  /// Counts a refused write, for a driver that continues after it with the port unchanged. A
  /// processor stops at its first one.
  void count_refused_write() { ++refused_writes_; }

  /// Writes an order register whose value only a POST uses, so that the cycle does not matter.
  /// Returns false, and writes nothing, for another register or a value that `write` refuses.
  bool write_order(std::uint32_t reg, std::uint32_t value);

  /// Whether the NIC may read or write this byte of the memory, now or later, given what the driver
  /// has written so far: it is in the range from the lowest to the highest byte of all messages
  /// that were posted, all windows, and all vectors that the combining tree was given.
  bool reaches(std::uint32_t address) const {
    return address - reach_begin_ < reach_end_ - reach_begin_;
  }

  /// Whether this cycle posted a descriptor. There is at most one POST per cycle.
  bool posted() const { return posted_; }
  const Descriptor& descriptor() const { return descriptor_; }

  /// How much receivers will count for all posts: messages, or packets.
  std::uint64_t posted_messages() const { return posted_messages_; }
  /// Sets the most messages that the driver may post; one more is a fault. Default: no limit.
  void set_most_messages(std::uint64_t messages) { most_messages_ = messages; }
  /// Makes receivers count packets, with bodies of up to this many flits; 0, the default: messages.
  void set_counted_flits(std::uint32_t flits) { counted_flits_ = flits; }

  /// Whether this cycle entered a hardware barrier. At most one per cycle; the count of released
  /// barriers in NicStatus is the answer.
  bool entered() const { return entered_; }

  /// Whether this cycle posted an order to the combining tree. At most one per cycle.
  bool combines() const { return combines_; }
  const CombineOrder& combine_order() const { return combine_order_; }
  /// Sets whether there is a combining tree; without one, no order can be posted. Default: none.
  void set_combines(bool tree) { has_tree_ = tree; }

  /// Number of barriers by messages that have begun. A barrier begins with the first order that has
  /// WEFT_OF_BARRIER. It ends with the last read of ARRIVED1 to 3, or of ARRIVED0 if it counts the
  /// last such order, before one of these: an order without the mark, a read of another counter of
  /// messages, the end of the run. So the driver need not report it.
  std::uint32_t barriers_begun() const { return barriers_begun_; }
  std::uint32_t barriers_ended() const { return barriers_ended_; }
  /// Cycle in which the last barrier by messages ended.
  std::uint64_t barrier_end() const { return barrier_end_; }

  /// Receive windows in this node's memory.
  const ReceiveWindows& windows() const { return windows_; }
  /// Sets the number of receive windows. Default: 1.
  void set_windows(unsigned windows) { num_windows_ = windows; }

  /// Sets the place of the program's text, from a byte of the memory on: neither a receive window
  /// nor a result of the combining tree may overlap it. Default: no text.
  void set_text(std::uint32_t begin, std::uint32_t bytes) {
    text_begin_ = begin;
    text_bytes_ = bytes;
  }

  /// What the interface does with messages to be reduced, as written to REDUCE.
  const Reduction& reduction() const { return reduction_; }
  /// Sets whether the interface has reduction; without it, REDUCE accepts only operation 0.
  /// Default: none.
  void set_reduces(bool reduces) { reduces_ = reduces; }

  /// Sets whether messages may have a start; otherwise START is refused. Default: they may not.
  void set_timed(bool timed) { timed_ = timed; }

  /// Sets the form of the network's packets: width of addresses and offsets, and length of a flit.
  /// Default: addresses of 16 bits and flits of 64.
  void set_header(PacketForm header) { header_ = header; }
  const PacketForm& header() const { return header_; }

  /// Cycle in which JOB_START was written; none before.
  std::optional<std::uint64_t> job_start() const { return job_start_; }

  /// Cycle of the first POST, BARRIER or COMBINE_POST of the job; none before.
  std::optional<std::uint64_t> first_act() const { return first_act_; }

  /// Sets the rank of the node, for what its program prints. Default: 0.
  void set_rank(std::uint32_t rank) { rank_ = rank; }
  std::uint32_t rank() const { return rank_; }
  /// Address of the text of PRINT, RESULT and FAIL.
  std::uint32_t text() const { return text_; }
  /// Number of PRINTs so far.
  std::uint64_t prints() const { return prints_; }
  void skip_prints(std::uint64_t count) { skipped_prints_ = count; }
  /// Longest text of PRINT, RESULT and FAIL, bytes.
  static constexpr std::uint32_t kMostText = 256;
  /// Handles a write of PRINT, RESULT or FAIL with a text. PRINT writes a line on standard error in
  /// one piece, as other threads may do so, too: up to kMostPrints lines, and one that says so.
  /// RESULT keeps the value; beyond kMostValues it is a fault. FAIL is a fault with the text and
  /// the value.
  void tell(std::uint32_t reg, std::string_view text, std::uint32_t value);
  static constexpr std::size_t kMostValues = 1u << 16;
  static constexpr std::uint64_t kMostPrints = 10'000;
  const std::vector<ReportedValue>& values() const { return values_; }

  /// Handles a write of PHASE: the open phase ends in this cycle and, unless `name` is empty,
  /// another one begins. At most kMostText bytes of a name are kept; a fault beyond kMostPhases.
  void enter_phase(std::string_view name);
  static constexpr std::size_t kMostPhases = 1u << 16;
  /// The phases in their order. An open phase, as before EXIT, ends in cycle `end`.
  std::vector<ReportedPhase> phases(std::uint64_t end) const;

  /// Whether EXIT was written.
  bool halted() const { return halted_; }
  std::uint64_t exit_cycle() const { return exit_cycle_; }
  std::uint32_t exit_code() const { return exit_code_; }

  /// Whether the driver misused the port.
  bool faulted() const { return !fault_.empty(); }
  const std::string& fault() const { return fault_; }
  /// Whether the fault is against a rule of the simulator, which the registers do not know: program
  /// text, most messages.
  bool faulted_by_simulator() const { return simulator_rule_; }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(seen_, startup_, barrier_link_, order_, descriptor_, cycle_, job_start_, first_act_,
            exit_cycle_, rx_next_base_, rx_next_key_, rx_next_window_, windows_, key_, reach_begin_,
            reach_end_, exit_code_, barriers_begun_, barriers_ended_, barrier_end_, reduction_);
    archive(combine_, combine_order_, combines_posted_, combines_, posted_, entered_, event_,
            halted_, text_, posted_messages_, posts_, prints_);
    archive.any_size(values_);
    archive.any_size(phases_);
    archive(in_phase_, fault_, simulator_rule_);
    const auto exists = [this](const Descriptor& order) {
      return order.dst >> header_.addr_w == 0;
    };
    archive.require(rx_next_window_ < num_windows_ && rx_next_base_ <= memory_bytes_ &&
                    (!in_phase_ || !phases_.empty()) && exists(order_) && exists(descriptor_));
  }

 private:
  friend class RegisterEndpoint;  // Loads the state into RTL (sim/engine/register_endpoint.hpp).

  void post();
  void extend_reach(std::uint32_t address, std::uint32_t bytes);
  const char* wrong_tag_gap(std::uint32_t value) const;
  void set_tag_gap(std::uint32_t value);
  void reduce(std::uint32_t value);
  void start_job(std::uint32_t received);
  bool write_combine(std::uint32_t reg, std::uint32_t value);
  void combine(std::uint32_t value);
  void act() {
    if (!first_act_) first_act_ = cycle_;
  }
  void end_barrier() { barriers_ended_ = barriers_begun_; }
  void refuse(std::string message);
  void refuse(std::uint32_t reg, std::uint32_t value, const std::string& rule);
  std::uint32_t flit_bytes() const { return header_.flit_bytes(); }
  bool aligned(std::uint32_t reg, std::uint32_t value);
  bool spares_text(std::uint32_t address, std::uint32_t bytes);
  bool require(bool good, std::uint32_t reg, std::uint32_t value, const char* rule);

  NicStatus seen_;     ///< As the NIC counts; desc_free is FREE.
  NicStatus startup_;  ///< The start-up's part of `seen_`, which the registers leave out.
  /// `rx_link` when the last barrier before the job was entered.
  decltype(NicStatus::rx_link) barrier_link_ = {};
  Descriptor order_;       ///< Order registers, in units of the descriptor.
  Descriptor descriptor_;  ///< What this cycle posted.
  std::uint64_t cycle_ = 0;
  std::optional<std::uint64_t> job_start_, first_act_;
  std::uint64_t exit_cycle_ = 0;
  std::uint32_t memory_bytes_;
  std::uint32_t controllers_;
  std::uint32_t rx_next_base_ = 0;  ///< As written to RX_BASE, bytes.
  std::uint32_t rx_next_key_ = 0;   ///< As written to RX_KEY.
  std::uint32_t rx_next_window_ = 0;
  ReceiveWindows windows_;
  unsigned num_windows_ = 1;
  std::uint32_t key_ = 0;                          ///< Key for messages.
  std::uint32_t reach_begin_ = 0, reach_end_ = 0;  ///< Bytes.
  std::uint32_t refused_writes_ = 0;               ///< 0 in every checkpoint, so not saved.
  std::uint32_t text_begin_ = 0, text_bytes_ = 0;
  std::uint32_t exit_code_ = 0;
  std::uint32_t barriers_begun_ = 0, barriers_ended_ = 0;
  std::uint64_t barrier_end_ = 0;
  Reduction reduction_;
  bool reduces_ = false;
  bool timed_ = false;
  PacketForm header_;
  CombineOrder combine_;               ///< As written to its registers.
  CombineOrder combine_order_;         ///< What this cycle posted.
  std::uint32_t combines_posted_ = 0;  ///< Number of orders to the combining tree.
  bool has_tree_ = false;
  bool combines_ = false;
  bool posted_ = false;
  bool entered_ = false;
  bool event_ = false;
  bool halted_ = false;
  std::uint32_t rank_ = 0;
  std::uint32_t text_ = 0;
  std::uint32_t counted_flits_ = 0;
  std::uint64_t posted_messages_ = 0;
  std::uint64_t posts_ = 0, most_messages_ = UINT64_MAX;
  std::uint64_t prints_ = 0, skipped_prints_ = 0;
  std::vector<ReportedValue> values_;
  std::vector<ReportedPhase> phases_;
  bool in_phase_ = false;  ///< The last phase is open.
  std::string fault_;
  bool simulator_rule_ = false;
};

}  // namespace weft
