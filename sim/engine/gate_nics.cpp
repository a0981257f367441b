// The network interfaces of a network as gates, seen from its nodes.
#include "sim/engine/gate_nics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <utility>

#include "sim/fabric/block_array.hpp"
#include "sim/gates/lanes.hpp"

namespace weft {

// The interface of one node.
class GateNics::LaneNic final : public AnyNic::Interface {
 public:
  LaneNic(GateNics& all, std::uint32_t lane) : all_(all), lane(lane) {}

  const Nic::Out& out() const override { return shown; }
  void step(const Nic::In& in) override { all_.give(*this, in); }
  bool idle(const Nic::In& in) const override {
    return !in.desc_valid && reads == 0 && shown.mem_ren == 0 && !changes(in);
  }
  bool changes(const Nic::In& in) const {
    return in.hold != hold || in.restart != restart || !(in.windows == windows) ||
           !(in.reduction == reduction);
  }

 private:
  GateNics& all_;

 public:
  const std::uint32_t lane;
  Nic::Out shown;
  // The settings that the lane has.
  bool hold = false, restart = false;
  ReceiveWindows windows;
  Reduction reduction;
  std::uint16_t reads = 0;  // Read lanes of the memory whose words come in the next step.
};

GateNics::GateNics(const Nic::Config& config, GateBlock& gates,
                   const std::vector<std::uint32_t>& node_of, std::uint32_t nodes)
    : config_(config),
      flit_words_(config.header.flit_words()),
      gates_(gates),
      words_(gates.words()),
      node_of_(node_of),
      nic_of_(node_of.size()),
      calls_(nodes),
      ren_(element("mem_ren_o", config.lanes())),
      raddr_(element("mem_raddr_o", config.lanes())),
      wen_(element("mem_wen_o", config.links())),
      waddr_(element("mem_waddr_o", config.links())),
      wdata_(element("mem_wdata_o", config.links())),
      rdata_(element("mem_rdata_i", config.lanes())),
      given_(gates.groups()) {
  find_descriptor();
  find_status();
  const std::size_t lanes = node_of_.size(), words = lanes / 64;
  descs_.resize(desc_words_ * lanes);
  read_.resize(config_.lanes() * flit_words_ * lanes);
  came_.resize(config_.lanes() * words);
  for (auto* const masks : {&posted_, &used_, &called_, &nodes_}) masks->resize(words);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    if (node_of_[lane] != kOpen) nodes_[lane / 64] |= std::uint64_t{1} << lane % 64;
  }
  std::size_t bits = 0;
  for (const StatusField& field : status_) bits += field.tells();
  before_.resize(bits * words);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    if (node_of_[lane] == kOpen) continue;
    made_.push_back(std::make_unique<LaneNic>(*this, lane));
    nic_of_[lane] = made_.back().get();
  }
}

GateNics::~GateNics() = default;

GateNics::Vectors GateNics::element(const char* name, unsigned elements) const {
  const GatePort& port = gates_.library().port(name);
  return {port.first, port.width / elements};
}

void GateNics::find_descriptor() {
  std::uint32_t lsb = 64;
  const auto add = [&](const char* name, std::uint64_t (*get)(const Descriptor&)) {
    const GatePort& port = gates_.library().port(name);
    if (lsb + port.width > 64) {
      ++desc_words_;
      lsb = 0;
    }
    desc_.push_back({desc_words_ - 1, lsb, port.width, port.first, get});
    lsb += port.width;
  };
  using Desc = const Descriptor&;
  add("desc_dst_i", [](Desc d) -> std::uint64_t { return d.dst; });
  add("desc_addr_i", [](Desc d) -> std::uint64_t { return d.addr; });
  add("desc_len_i", [](Desc d) -> std::uint64_t { return d.len; });
  add("desc_off_i", [](Desc d) -> std::uint64_t { return d.off; });
  add("desc_tag_i", [](Desc d) -> std::uint64_t { return d.tag; });
  add("desc_gap_i", [](Desc d) -> std::uint64_t { return d.gap; });
  add("desc_ctrl_i", [](Desc d) -> std::uint64_t { return d.ctrl; });
  add("desc_timed_i", [](Desc d) -> std::uint64_t { return d.timed; });
  add("desc_start_i", [](Desc d) -> std::uint64_t { return d.start; });
}

void GateNics::find_status() {
  using Status = NicStatus&;
  const auto add = [&](const char* name, unsigned elements,
                       std::uint32_t& (*of)(Status, unsigned)) {
    const auto [first, stride] = element(name, elements);
    for (unsigned e = 0; e < elements; ++e) status_.push_back({first + e * stride, stride, of, e});
  };
  add("desc_free_o", 1, [](Status s, unsigned) -> auto& { return s.desc_free; });
  add("tx_count_o", 1, [](Status s, unsigned) -> auto& { return s.tx_count; });
  add("rx_count_o", kNumRxCounts, [](Status s, unsigned i) -> auto& { return s.rx_count[i]; });
  add("rx_arrived_o", kNumRxCounts, [](Status s, unsigned i) -> auto& { return s.rx_arrived[i]; });
  add("rx_link_o", config_.link_counts(), [](Status s, unsigned i) -> auto& {
    return s.rx_link[i];
  });
  add("rx_parity_o", 1, [](Status s, unsigned) -> auto& { return s.rx_parity; });
  add("rx_refused_o", 1, [](Status s, unsigned) -> auto& { return s.rx_refused; });
  add("rx_repeated_o", 1, [](Status s, unsigned) -> auto& { return s.rx_repeated; });
  add("tx_resent_o", 1, [](Status s, unsigned) -> auto& { return s.tx_resent; });
  status_.push_back({element("waits_o", 1).first, 1, nullptr, 0, &Nic::Out::waits});
  status_.push_back({element("overdue_o", 1).first, 1, nullptr, 0, &Nic::Out::overdue});
}

std::vector<AnyNic> GateNics::nics() {
  std::vector<AnyNic> nics(calls_.size());
  for (std::unique_ptr<LaneNic>& nic : made_) {
    const std::uint32_t node = node_of_[nic->lane];
    nics[node] = AnyNic(std::move(nic));
  }
  return nics;
}

// Each call is of the thread whose group it is.
void GateNics::give(LaneNic& nic, const Nic::In& in) {
  const std::uint32_t lane = nic.lane, word = lane / 64;
  const std::size_t lanes = node_of_.size();
  const std::uint64_t bit = std::uint64_t{1} << lane % 64;
  given_[word / words_] = 1;
  if (in.desc_valid) {
    posted_[word] |= bit;
    for (std::uint32_t w = 0; w < desc_words_; ++w) descs_[w * lanes + lane] = 0;
    for (const DescField& field : desc_) {
      descs_[field.word * lanes + lane] |= (field.get(in.desc) & low_mask(field.width))
                                           << field.lsb;
    }
  }
  for (unsigned m = nic.reads; m != 0; m &= m - 1) {
    const auto c = static_cast<unsigned>(std::countr_zero(m));
    came_[c * (lanes / 64) + word] |= bit;
    for (unsigned w = 0; w < flit_words_; ++w) {
      read_[(c * flit_words_ + w) * lanes + lane] = in.mem_rdata[c].word[w];
    }
  }
  nic.reads = nic.shown.mem_ren;
  if (nic.changes(in)) set(nic, in);
}

// Settings change seldom.
void GateNics::set(LaneNic& nic, const Nic::In& in) {
  const auto set_port = [&](const char* name, std::uint64_t value, unsigned index = 0,
                            unsigned elements = 1) {
    const auto [first, stride] = element(name, elements);
    gates_.set({name, first + index * stride, stride, true}, nic.lane, value & low_mask(stride));
  };
  set_port("hold_i", in.hold);
  set_port("restart_i", in.restart);
  for (unsigned w = 0; w < config_.windows; ++w) {
    set_port("rx_base_i", in.windows.base[w], w, config_.windows);
    set_port("rx_size_i", in.windows.size[w], w, config_.windows);
    set_port("rx_key_i", in.windows.key[w], w, config_.windows);
  }
  set_port("reduce_op_i", static_cast<std::uint64_t>(in.reduction.op));
  set_port("reduce_type_i", static_cast<std::uint64_t>(in.reduction.type));
  set_port("reduce_count_i", in.reduction.count);
  nic.hold = in.hold;
  nic.restart = in.restart;
  nic.windows = in.windows;
  nic.reduction = in.reduction;
}

// Sets `count` vectors from `to` on in some of 64 lanes to what `rows` has by lane.
void GateNics::put_rows(const std::uint64_t* rows, std::uint64_t lanes, std::uint64_t* to,
                        unsigned count) const {
  for (unsigned bit = 0; bit < count; ++bit) {
    std::uint64_t& vector = to[std::size_t{bit} * words_];
    vector = (vector & ~lanes) | (rows[bit] & lanes);
  }
}

bool GateNics::drive(std::uint32_t group) {
  const std::size_t lanes = node_of_.size();
  const std::uint32_t valid = gates_.library().port("desc_valid_i").first;
  std::array<std::uint64_t, 64> rows;
  for (std::uint32_t v = 0; v < words_; ++v) {
    const std::uint32_t word = group * words_ + v;
    std::uint64_t* const in = gates_.in(group) + v;
    const std::uint64_t posted = std::exchange(posted_[word], 0);
    in[std::size_t{valid} * words_] = posted;
    if (posted != 0) {
      auto field = desc_.begin();
      for (std::uint32_t w = 0; w < desc_words_; ++w) {
        std::copy_n(&descs_[w * lanes + word * 64], 64, rows.begin());
        transpose64(rows.data());
        for (; field != desc_.end() && field->word == w; ++field) {
          put_rows(&rows[field->lsb], posted, in + std::size_t{field->input} * words_,
                   field->width);
        }
      }
    }
    for (unsigned c = 0; c < config_.lanes(); ++c) {
      const std::uint64_t came = std::exchange(came_[c * (lanes / 64) + word], 0);
      if (came == 0) continue;
      for (unsigned w = 0; w < flit_words_; ++w) {
        std::copy_n(&read_[(c * flit_words_ + w) * lanes + word * 64], 64, rows.begin());
        transpose64(rows.data());
        const std::size_t to = rdata_.first + std::size_t{c} * rdata_.stride + w * 64;
        put_rows(rows.data(), came, in + to * words_, std::min(64u, rdata_.stride - w * 64));
      }
    }
  }
  return std::exchange(given_[group], 0) != 0;
}

void GateNics::show(std::uint32_t group) {
  for (std::uint32_t v = 0; v < words_; ++v) {
    const std::uint32_t word = group * words_ + v;
    for (std::uint64_t m = std::exchange(called_[word], 0); m != 0; m &= m - 1) {
      calls_[node_of_[word * 64 + static_cast<unsigned>(std::countr_zero(m))]] = 0;
    }
    show_memory(word, gates_.out(group) + v);
    show_status(word, gates_.out(group) + v);
  }
}

void GateNics::call(std::uint32_t word, std::uint64_t lanes, std::uint8_t why) {
  called_[word] |= lanes;
  for (; lanes != 0; lanes &= lanes - 1) {
    calls_[node_of_[word * 64 + static_cast<unsigned>(std::countr_zero(lanes))]] |= why;
  }
}

void GateNics::show_memory(std::uint32_t word, const std::uint64_t* out) {
  const auto vector = [&](const Vectors& of, unsigned element) {
    return out[(of.first + std::size_t{element} * of.stride) * words_];
  };
  std::uint64_t uses = 0;
  for (unsigned c = 0; c < config_.lanes(); ++c) uses |= vector(ren_, c);
  for (unsigned l = 0; l < config_.links(); ++l) uses |= vector(wen_, l);
  LaneNic* const* const nics = &nic_of_[word * 64];
  const auto each = [&](std::uint64_t lanes, auto visit) {
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(lanes));
      visit(nics[i]->shown, i);
    }
  };
  each(std::exchange(used_[word], uses) | uses, [](Nic::Out& shown, unsigned) {
    shown.mem_ren = 0;
    shown.mem_wen = 0;
  });
  if (uses == 0) return;
  call(word, uses, BlockArray::kMemory);
  std::array<std::uint64_t, 64> rows;
  const auto gather = [&](const Vectors& of, unsigned element, unsigned lsb) {
    const std::size_t first = of.first + std::size_t{element} * of.stride + lsb;
    gather_lanes(out + first * words_, words_, std::min(64u, of.stride - lsb), rows.data());
  };
  for (unsigned c = 0; c < config_.lanes(); ++c) {
    const std::uint64_t reads = vector(ren_, c);
    if (reads == 0) continue;
    gather(raddr_, c, 0);
    each(reads, [&](Nic::Out& shown, unsigned i) {
      shown.mem_ren |= static_cast<std::uint16_t>(1u << c);
      shown.mem_raddr[c] = static_cast<std::uint32_t>(rows[i]);
    });
  }
  for (unsigned l = 0; l < config_.links(); ++l) {
    const std::uint64_t writes = vector(wen_, l);
    if (writes == 0) continue;
    gather(waddr_, l, 0);
    each(writes, [&](Nic::Out& shown, unsigned i) {
      shown.mem_wen |= static_cast<std::uint8_t>(1u << l);
      shown.mem_waddr[l] = static_cast<std::uint32_t>(rows[i]);
    });
    for (unsigned w = 0; w < flit_words_; ++w) {
      gather(wdata_, l, w * 64);
      each(writes, [&](Nic::Out& shown, unsigned i) { shown.mem_wdata[l].word[w] = rows[i]; });
    }
  }
}

void GateNics::show_status(std::uint32_t word, const std::uint64_t* out) {
  std::uint64_t* before = &before_[word * (before_.size() / posted_.size())];
  std::array<std::uint64_t, 64> rows;
  for (const StatusField& field : status_) {
    const std::uint64_t* const first = out + std::size_t{field.first} * words_;
    std::uint64_t changed = 0;
    for (unsigned bit = 0; bit < field.tells(); ++bit, ++before) {
      changed |= *before ^ first[bit * words_];
      *before = first[bit * words_];
    }
    if (changed == 0) continue;
    call(word, changed & nodes_[word], BlockArray::kStatus);
    gather_lanes(first, words_, field.width, rows.data());
    for (std::uint64_t m = changed & nodes_[word]; m != 0; m &= m - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(m));
      Nic::Out& shown = nic_of_[word * 64 + i]->shown;
      if (field.flag != nullptr) {
        shown.*field.flag = rows[i] != 0;
      } else {
        field.of(shown.status, field.index) = static_cast<std::uint32_t>(rows[i]);
      }
    }
  }
}

}  // namespace weft
