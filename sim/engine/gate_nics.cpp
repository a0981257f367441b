// The network interfaces of a network as gates, seen from its nodes.
#include "sim/engine/gate_nics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <span>
#include <utility>

#include "sim/fabric/block_array.hpp"
#include "sim/gates/lanes.hpp"
#include "sim/verilated/rtl_nic.hpp"

namespace weft {

// The interface of one node.
class GateNics::LaneNic final : public AnyNic::Interface {
 public:
  LaneNic(GateNics& all, std::uint32_t at) : lane(at), all_(all) {}

  const Nic::Out& out() const override { return shown; }
  void step(const Nic::In& in) override { all_.give(*this, in); }
  bool idle(const Nic::In& in) const override { return !in.desc_valid && !loaded && !changes(in); }
  void load(const Nic& model, std::uint32_t now) override { all_.load(*this, model, now); }
  void serialize(LoadArchive& archive) override {
    archive_block<Nic>(*this, all_.config_, archive);
  }
  // Whether a setting is not as the lane has it.
  bool changes(const Nic::In& in) const {
    if (in.hold != hold_ || in.restart != restart_) return true;
    for (unsigned w = 0; w < all_.config_.windows; ++w) {
      const ReceiveWindows& now = in.windows;
      if (!(Window{now.base[w], now.size[w], now.key[w]} == windows_[w])) return true;
    }
    return all_.config_.reduce && !(in.reduction == reduction_);
  }
  // The lane has these settings now.
  void note(const Nic::In& in) {
    hold_ = in.hold;
    restart_ = in.restart;
    for (unsigned w = 0; w < all_.config_.windows; ++w) {
      windows_[w] = {in.windows.base[w], in.windows.size[w], in.windows.key[w]};
    }
    reduction_ = in.reduction;
  }

  const std::uint32_t lane;
  bool loaded = false;  // Since the last step: it may wait for words from memory.

 private:
  struct Window {
    std::uint32_t base = 0, size = 0, key = 0;
    bool operator==(const Window&) const = default;
  };
  bool hold_ = false, restart_ = false;
  GateNics& all_;
  std::array<Window, kMaxWindows> windows_ = {};
  Reduction reduction_;

 public:
  Nic::Out shown;
};

GateNics::GateNics(const Nic::Config& config, GateBlock& gates,
                   const std::vector<std::uint32_t>& node_of, std::uint32_t nodes, bool only_posts)
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
  find_status(only_posts);
  const std::size_t lanes = node_of_.size(), words = lanes / 64;
  descs_.resize(desc_words_ * lanes);
  read_.resize(config_.lanes() * flit_words_ * lanes);
  came_.resize(config_.lanes() * words);
  for (auto* const masks : {&posted_, &called_, &nodes_}) masks->resize(words);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    if (node_of_[lane] != kOpen) nodes_[lane / 64] |= std::uint64_t{1} << lane % 64;
  }
  std::size_t bits = 0;
  for (const StatusField& field : std::span(status_).first(watched_)) bits += field.tells();
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

void GateNics::find_status(bool only_posts) {
  using Status = NicStatus&;
  bool calls = true;
  const auto add = [&](const char* name, unsigned elements,
                       std::uint32_t& (*of)(Status, unsigned)) {
    const auto [first, stride] = element(name, elements);
    for (unsigned e = 0; e < elements; ++e) {
      status_.push_back({first + e * stride, stride, of, e, nullptr, calls});
    }
  };
  add(
      "desc_free_o", 1, [](Status s, unsigned) -> auto& { return s.desc_free; });
  add(
      "rx_parity_o", 1, [](Status s, unsigned) -> auto& { return s.rx_parity; });
  add(
      "rx_refused_o", 1, [](Status s, unsigned) -> auto& { return s.rx_refused; });
  if (only_posts) watched_ = status_.size();
  calls = !only_posts;
  add(
      "tx_count_o", 1, [](Status s, unsigned) -> auto& { return s.tx_count; });
  add(
      "rx_count_o", kNumRxCounts, [](Status s, unsigned i) -> auto& { return s.rx_count[i]; });
  add(
      "rx_arrived_o", kNumRxCounts, [](Status s, unsigned i) -> auto& { return s.rx_arrived[i]; });
  add(
      "rx_link_o", config_.link_counts(),
      [](Status s, unsigned i) -> auto& { return s.rx_link[i]; });
  add(
      "rx_repeated_o", 1, [](Status s, unsigned) -> auto& { return s.rx_repeated; });
  add(
      "tx_resent_o", 1, [](Status s, unsigned) -> auto& { return s.tx_resent; });
  status_.push_back({element("waits_o", 1).first, 1, nullptr, 0, &Nic::Out::waits});
  status_.push_back({element("overdue_o", 1).first, 1, nullptr, 0, &Nic::Out::overdue});
  if (!only_posts) watched_ = status_.size();
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
  if (nic.changes(in)) set(nic, in);
  if (!nic.loaded) return;
  nic.loaded = false;
  for (unsigned c = 0; c < config_.lanes(); ++c) {
    const GatePort port = {"", rdata_.first + c * rdata_.stride, rdata_.stride, true};
    gates_.set(port, lane, in.mem_rdata[c].word);
  }
}

void GateNics::load(LaneNic& nic, const Nic& model, std::uint32_t now) {
  const auto rtl = std::make_shared<RtlNic>(config_, RtlForm(false, true));
  rtl->load(model, now);
  if (!registers_) {
    registers_.emplace(gates_.library(), rtl->instance());
    check_loads_all(gates_.library(), {&*registers_}, "nic");
    loaded_ = rtl;
  }
  registers_->load(gates_, nic.lane, rtl->instance());
  nic.loaded = true;
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
  nic.note(in);
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
  }
  return std::exchange(given_[group], 0) != 0;
}

// First what was read in the cycle before goes into the lanes.
void GateNics::read_memory(std::uint32_t group, NodeMemory& memory) {
  const std::size_t lanes = node_of_.size();
  std::array<std::uint64_t, 64> rows;
  for (std::uint32_t v = 0; v < words_; ++v) {
    const std::uint32_t word = group * words_ + v;
    const std::uint64_t* const out = gates_.out(group) + v;
    for (unsigned c = 0; c < config_.lanes(); ++c) {
      std::uint64_t* const read = &read_[(c * lanes + word * 64) * flit_words_];
      if (const std::uint64_t came = std::exchange(came_[c * (lanes / 64) + word], 0)) {
        given_[group] = 1;
        for (unsigned w = 0; w < flit_words_; ++w) {
          for (unsigned i = 0; i < 64; ++i) rows[i] = read[i * flit_words_ + w];
          transpose64(rows.data());
          const std::size_t to = rdata_.first + std::size_t{c} * rdata_.stride + w * 64;
          put_rows(rows.data(), came, gates_.in(group) + v + to * words_,
                   std::min(64u, rdata_.stride - w * 64));
        }
      }
      const std::uint64_t reads = bits(out, ren_, c);
      if (reads == 0) continue;
      came_[c * (lanes / 64) + word] = reads;
      gather(out, raddr_, c, 0, rows.data());
      for (std::uint64_t m = reads; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        memory.read(node_of_[word * 64 + i], static_cast<std::uint32_t>(rows[i]),
                    read + i * flit_words_);
      }
    }
  }
}

void GateNics::write_memory(std::uint32_t group, NodeMemory& memory) {
  std::array<std::uint64_t, 64> at;
  std::array<std::array<std::uint64_t, 64>, kMaxFlitWords> data;
  FlitData flit;
  for (std::uint32_t v = 0; v < words_; ++v) {
    const std::uint32_t word = group * words_ + v;
    const std::uint64_t* const out = gates_.out(group) + v;
    for (unsigned l = 0; l < config_.links(); ++l) {
      const std::uint64_t writes = bits(out, wen_, l);
      if (writes == 0) continue;
      gather(out, waddr_, l, 0, at.data());
      for (unsigned w = 0; w < flit_words_; ++w) gather(out, wdata_, l, w * 64, data[w].data());
      for (std::uint64_t m = writes; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        for (unsigned w = 0; w < flit_words_; ++w) flit.word[w] = data[w][i];
        memory.write(node_of_[word * 64 + i], l, static_cast<std::uint32_t>(at[i]), flit);
      }
    }
  }
}

std::uint64_t GateNics::bits(const std::uint64_t* out, const Vectors& of, unsigned element) const {
  return out[(of.first + std::size_t{element} * of.stride) * words_];
}

// Up to 64 bits of an element from `lsb` on, by lane.
void GateNics::gather(const std::uint64_t* out, const Vectors& of, unsigned element, unsigned lsb,
                      std::uint64_t* rows) const {
  const std::size_t first = of.first + std::size_t{element} * of.stride + lsb;
  gather_lanes(out + first * words_, words_, std::min(64u, of.stride - lsb), rows);
}

void GateNics::show(std::uint32_t group) {
  for (std::uint32_t v = 0; v < words_; ++v) {
    const std::uint32_t word = group * words_ + v;
    for (std::uint64_t m = std::exchange(called_[word], 0); m != 0; m &= m - 1) {
      calls_[node_of_[word * 64 + static_cast<unsigned>(std::countr_zero(m))]] = 0;
    }
    show_status(word, gates_.out(group) + v);
  }
}

void GateNics::show_all() {
  for (std::uint32_t word = 0; word < nodes_.size(); ++word) {
    const std::uint64_t* const out = gates_.out(word / words_) + word % words_;
    for (const StatusField& field : status_) show_field(field, word, out, nodes_[word]);
  }
}

void GateNics::show_status(std::uint32_t word, const std::uint64_t* out) {
  std::uint64_t* before = &before_[word * (before_.size() / posted_.size())];
  for (const StatusField& field : std::span(status_).first(watched_)) {
    const std::uint64_t* const first = out + std::size_t{field.first} * words_;
    std::uint64_t changed = 0;
    for (unsigned bit = 0; bit < field.tells(); ++bit, ++before) {
      changed |= *before ^ first[bit * words_];
      *before = first[bit * words_];
    }
    changed &= nodes_[word];
    if (changed == 0) continue;
    if (field.calls) called_[word] |= changed;
    show_field(field, word, out, changed);
  }
  for (std::uint64_t m = called_[word]; m != 0; m &= m - 1) {
    calls_[node_of_[word * 64 + static_cast<unsigned>(std::countr_zero(m))]] = 1;
  }
}

void GateNics::show_field(const StatusField& field, std::uint32_t word, const std::uint64_t* out,
                          std::uint64_t lanes) {
  std::array<std::uint64_t, 64> rows;
  gather_lanes(out + std::size_t{field.first} * words_, words_, field.width, rows.data());
  for (std::uint64_t m = lanes; m != 0; m &= m - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(m));
    Nic::Out& shown = nic_of_[word * 64 + i]->shown;
    if (field.flag != nullptr) {
      shown.*field.flag = rows[i] != 0;
    } else {
      field.of(shown.status, field.index) = static_cast<std::uint32_t>(rows[i]);
    }
  }
}

}  // namespace weft
