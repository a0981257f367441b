// One node's unit in a combining tree, cycle model of rtl/combine/weft_combine_unit.sv
// (rtl/combine/README.md, combine_unit).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/buffer/fifo.hpp"
#include "sim/packet/packet.hpp"
#include "sim/reduce/reduce_word.hpp"

namespace weft {

/// Combines the node's vector with those of its children's subtrees word by word, passes the result
/// to the parent, and stores the final result that comes back and passes it to the children.
///
/// The RTL combines a word stage by stage. The model computes its result at once (reduce_word) and
/// shows it when the RTL does.
class CombineUnit {
 public:
  static constexpr unsigned kMostChild = 2;
  static constexpr unsigned kMostDepth = 256;

  struct Config {
    unsigned num_child = 2;          ///< Children in the tree, 0 to 2.
    bool is_root = false;            ///< The unit's result is the final one.
    unsigned depth = kCombineDepth;  ///< Words that it can hold per child, 2 to kMostDepth.
    unsigned data_w = kHdrW;         ///< Width of a word, bits: a multiple of 64 up to kMaxFlitW.
  };
  /// A word on a link towards the root.
  struct Up {
    bool valid = false;
    bool some = false;  ///< A node of the subtree has contributed.
    FlitData word;      ///< The word; 0 if no node has contributed.

    bool operator==(const Up&) const = default;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(valid, some, word);
    }
  };
  /// A word of the final result.
  struct Down {
    bool valid = false;
    FlitData word;

    bool operator==(const Down&) const = default;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(valid, word);
    }
  };
  struct In {
    bool post = false;  ///< The own node posts an order; never while `Out::full`.
    CombineOrder order;
    FlitData mem_rdata;  ///< The word that was read in the cycle before.
    std::array<Up, kMostChild> up = {};
    Down down;            ///< Word from the parent; the root ignores it.
    bool credit = false;  ///< The parent has one more free slot; the root ignores it.
  };
  struct Out {
    bool full = false;       ///< kCombineOrders orders are posted and not completed.
    std::uint32_t done = 0;  ///< Orders completed since reset; wraps.
    bool mem_ren = false, mem_wen = false;
    std::uint32_t mem_raddr = 0, mem_waddr = 0;  ///< Addresses in flits; 0 without read or write.
    FlitData mem_wdata;
    Up up;                    ///< Word to the parent; none from the root.
    Down down;                ///< Word to all children.
    std::uint8_t credit = 0;  ///< Bit c: child c has one more free slot.

    bool operator==(const Out&) const = default;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(full, done, mem_ren, mem_wen, mem_raddr, mem_waddr, mem_wdata, up, down, credit);
    }
  };

  static constexpr auto ports();  // sim/combine/combine_unit_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit CombineUnit(const Config& config)
      : c_(config), own_(kOwnDepth), of_child_{Fifo<Up>(config.depth), Fifo<Up>(config.depth)} {
    if (c_.num_child > kMostChild || c_.depth < 2 || c_.depth > kMostDepth || c_.data_w % 64 != 0 ||
        c_.data_w == 0 || c_.data_w > kMaxFlitW) {
      throw ConfigError(
          fmt::format("combine_unit: {} children, {} words of {} bits of each, expected: 0 to 2 "
                      "children, 2 to {} words of a multiple of 64 bits up to {}",
                      c_.num_child, c_.depth, c_.data_w, kMostDepth, kMaxFlitW));
    }
    room_ = c_.depth;
  }

  void reset() { *this = CombineUnit(c_); }

  const Out& out() const { return out_; }

  /// Whether a step without inputs changes nothing.
  bool idle() const { return idle_; }

  const Out& step(const In& in) {
    idle_ = !(in.post || in.credit || in.up[0].valid || in.up[1].valid || in.down.valid);
    const bool arrives = reads_;
    reads_ = out_.mem_ren;
    const bool combines = combine(in, arrives);
    fetch();
    if (combines && !orders_[combine_.order].silent) ++own_room_;
    if (combines) combine_.advance(orders_);
    end(in);
    if (in.post) {
      orders_[post_] = in.order;
      post_ = (post_ + 1) % kCombineOrders;
      for (Place* const place : {&fetch_, &combine_, &end_}) ++place->orders;
      ++used_;
    }
    out_.full = used_ == kCombineOrders;
    ++now_;
    idle_ = idle_ && !arrives && !reads_ && !combines && drain_ == 0 && !out_.mem_ren &&
            !out_.mem_wen && !out_.up.valid && !out_.down.valid && out_.credit == 0 && !ends_ &&
            !ring_[now_ % kRing].valid;
    return out_;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(orders_, fetch_, combine_, end_, post_, used_, reads_, ends_, own_room_, room_, drain_,
            own_, of_child_, ring_, now_, idle_, out_);
    archive.require(post_ < kCombineOrders && used_ <= kCombineOrders && own_room_ <= kOwnDepth &&
                    room_ <= c_.depth);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  static constexpr unsigned kOwnDepth = 4;  // Words that are read and not combined.
  static constexpr unsigned kRing = 64;     // More than the longest latency, a power of two.

  using Orders = std::array<CombineOrder, kCombineOrders>;
  // Position of one part of the unit in the orders.
  struct Place {
    unsigned order = 0;       // Index of the present order.
    unsigned orders = 0;      // Number of orders from the present one on.
    std::uint32_t words = 0;  // Words of the present order that are done.

    // Moves on by a word; returns whether it was the order's last one.
    bool advance(const Orders& all) {
      if (++words != all[order].len) return false;
      next();
      return true;
    }
    void next() {
      words = 0;
      order = (order + 1) % kCombineOrders;
      --orders;
    }

    template <class Archive>
    void serialize(Archive& archive) {
      archive(order, orders, words);
      archive.require(order < kCombineOrders && orders <= kCombineOrders);
    }
  };

  // The order of the word that was combined last, which is that of all words that are under way.
  const CombineOrder& last_combined() const {
    const unsigned before = (combine_.order + kCombineOrders - 1) % kCombineOrders;
    return orders_[combine_.words != 0 ? combine_.order : before];
  }

  // Reads the next own word.
  void fetch() {
    out_.mem_ren = false;
    out_.mem_raddr = 0;
    if (fetch_.orders == 0) return;
    const CombineOrder& order = orders_[fetch_.order];
    if (order.silent) {
      idle_ = false;
      fetch_.next();
    } else if (own_room_ != 0) {
      out_.mem_ren = true;
      out_.mem_raddr = (order.addr + fetch_.words) & low_mask(kMemAddrW);
      --own_room_;
      fetch_.advance(orders_);
    }
  }

  // Combines a word if the own one, those of all children and a slot in the parent are available.
  bool combine(const In& in, bool arrives) {
    const bool silent = orders_[combine_.order].silent;
    const bool credit = in.credit && !c_.is_root;
    bool go = combine_.orders != 0 && (silent || arrives || !own_.empty()) &&
              (c_.is_root || room_ != 0 || credit) && (combine_.words != 0 || drain_ == 0);
    for (unsigned c = 0; c < c_.num_child; ++c)
      go = go && (in.up[c].valid || !of_child_[c].empty());
    if (arrives) own_.push(in.mem_rdata);
    Up result;
    if (go) {
      const CombineOrder& order = orders_[combine_.order];
      result.some = !silent;
      if (!silent) {
        result.word = own_.front();
        own_.pop();
      }
      for (unsigned c = 0; c < c_.num_child; ++c) {
        add(order, result, of_child_[c].empty() ? in.up[c] : of_child_[c].front());
      }
      result.valid = true;
      const bool divides = c_.is_root && order.op == ReduceOp::kMean;
      const unsigned latency = latency_of(order) + (divides ? kDivision : 0);
      ring_[(now_ + latency) % kRing] = result;
      drain_ = latency;
    }
    for (unsigned c = 0; c < c_.num_child; ++c) {
      // A word may pass at once.
      if (in.up[c].valid) of_child_[c].push(in.up[c]);
      if (go) of_child_[c].pop();
    }
    out_.credit = static_cast<std::uint8_t>(go ? low_mask(c_.num_child) : 0);
    if (!c_.is_root) room_ = room_ + (credit ? 1 : 0) - (go ? 1 : 0);
    if (drain_ != 0) --drain_;
    return go;
  }

  // Cycles after which a result is on the link to the parent.
  unsigned latency_of(const CombineOrder& order) const {
    const bool sum = order.op == ReduceOp::kSum || order.op == ReduceOp::kMean;
    const bool slow = order.op == ReduceOp::kProd || (sum && order.type == ReduceType::kFp32);
    return slow && c_.num_child != 0 ? c_.num_child * kReduceLatency : 1;
  }

  void add(const CombineOrder& order, Up& sum, const Up& word) const {
    if (sum.some && word.some) {
      const ReduceOp op = order.op == ReduceOp::kMean ? ReduceOp::kSum : order.op;
      FlitData result = word.word;
      reduce_words({op, order.type, 1}, c_.data_w / 64, sum.word.word.data(), result.word.data());
      sum.word = result;
    } else if (word.some) {
      sum.word = word.word;
    }
    sum.some = sum.some || word.some;
  }

  void divide(const CombineOrder& order, FlitData& sum) const {
    for (unsigned w = 0; w < c_.data_w / 64; ++w) sum.word[w] = divided(order, sum.word[w]);
  }
  // Numbers that a division does not change keep their bits, as in mean_div.
  static std::uint64_t divided(const CombineOrder& order, std::uint64_t sum) {
    if (order.type != ReduceType::kFp32) {
      return reduce_word(ReduceOp::kMean, order.type, order.count, sum, 0);
    }
    std::uint64_t result = 0;
    for (unsigned lsb = 0; lsb < 64; lsb += 32) {
      const auto element = static_cast<std::uint32_t>(sum >> lsb);
      const bool stays = (element & 0x7fffffff) == 0 || (element >> 23 & 0xff) == 0xff;
      const float quotient = native_arithmetic::number(element) /
                             static_cast<float>(order.count != 0 ? order.count : 1);
      result |= std::uint64_t{stays ? element : native_arithmetic::bits(quotient)} << lsb;
    }
    return result;
  }

  // Takes the final result: at the root what it has combined, elsewhere what comes from the parent.
  void end(const In& in) {
    Up& leaves = ring_[(now_ + (c_.is_root ? 0 : 1)) % kRing];
    out_.up = c_.is_root ? Up{} : leaves;
    Down down = in.down;
    if (c_.is_root) down = {leaves.valid, leaves.word};
    leaves = {};
    if (!down.valid) down.word = {};
    if (ends_) {
      ++out_.done;
      --used_;
    }
    const CombineOrder& order = orders_[end_.order];
    // All words under way belong to the same order.
    if (c_.is_root && order.op == ReduceOp::kMean && down.valid) divide(order, down.word);
    out_.down = down;
    out_.mem_wen = down.valid && !order.discard;
    out_.mem_waddr = out_.mem_wen ? (order.to + end_.words) & low_mask(kMemAddrW) : 0;
    out_.mem_wdata = out_.mem_wen ? down.word : FlitData{};
    ends_ = down.valid && end_.advance(orders_);
  }

  static constexpr unsigned kDivision = 18;

  Config c_;
  Orders orders_{};
  Place fetch_, combine_, end_;
  unsigned post_ = 0;              // Index for the next order.
  unsigned used_ = 0;              // Number of orders that `done` does not count.
  bool reads_ = false;             // The word that was read arrives.
  bool ends_ = false;              // The last word of an order is being stored.
  unsigned own_room_ = kOwnDepth;  // Number of own words that may be read.
  unsigned room_ = 0;              // Number of words that may be sent to the parent.
  unsigned drain_ = 0;             // Cycles until the last word has left the arithmetic.
  Fifo<FlitData> own_;
  std::array<Fifo<Up>, kMostChild> of_child_;
  std::array<Up, kRing> ring_{};  // Results before the division, by the cycle in which they leave.
  std::uint64_t now_ = 0;         // Steps since reset.
  bool idle_ = false;
  Out out_;
};

}  // namespace weft
