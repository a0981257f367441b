// One cycle of the blocks of a network as gates.
#include <algorithm>
#include <array>
#include <bit>

#include "sim/engine/gate_network.hpp"
#include "sim/gates/lanes.hpp"

namespace weft {
namespace {

void fill(std::uint64_t* words, std::uint32_t count, bool value) {
  std::fill_n(words, count, value ? ~std::uint64_t{0} : 0);
}

}  // namespace

std::uint64_t GateNetwork::step(const BlockRange& range, const Wires& wires, std::uint64_t cycle) {
  const std::uint32_t thread = share_of_[range.first_block];
  if (thread == kOpen) return 0;
  Share& share = shares_[thread];
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
    const Kind& kind = kinds_[k];
    const std::uint32_t words = kind.in.words;
    for (const std::uint32_t g : share.groups[k]) {
      std::uint64_t* const in = kind.gates->in(g);
      fill(in + std::size_t{kind.rx.valid.first} * words, kind.in_ports * words, false);
      fill(in + std::size_t{kind.granted.first} * words,
           kind.out_ports * kind.granted.stride * words, false);
    }
  }
  // A restart loses what interfaces have put on the links.
  if (cycle != origin_) {
    for (const Link& link : share.flits) move(link, share);
    for (const Link& link : share.returns) move_returns(link, share);
  }
  for (const Outside& outside : share.flits_in) take(outside, wires);
  for (const Outside& outside : share.returns_in) take_returns(outside, wires);
  std::uint64_t stepped = 0;
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
    share.stepped.clear();
    for (const std::uint32_t g : share.groups[k]) {
      if (begin_step(k, g, cycle)) share.stepped.push_back(g);
    }
    kinds_[k].gates->step(share.stepped);
    for (const std::uint32_t g : share.stepped) {
      end_step(k, g, cycle);
      stepped += groups_[k][g].rests ? 0 : 1;
    }
  }
  return stepped;
}

// Flits from lane to lane.
void GateNetwork::move(const Link& link, Share& share) {
  const Kind& sender = kinds_[link.from_kind];
  const Kind& receiver = kinds_[link.to_kind];
  const FlitFields &from = sender.tx, &to = receiver.rx;
  const auto first_out = [&](const Field& field) {
    return sender.gates->out(0) + std::size_t{field.of(link.from_port)} * sender.out.words;
  };
  const auto first_in = [&](const Field& field) {
    return receiver.gates->in(0) + std::size_t{field.of(link.to_port)} * receiver.in.words;
  };
  share.active.clear();
  link.moves.merge(first_out(from.valid), first_in(to.valid), share.active);
  if (share.active.empty()) return;
  const auto copy = [&](const Field& a, const Field& b) {
    link.moves.replace(first_out(a), first_in(b), std::min(a.width, b.width), share.active);
  };
  copy(from.last, to.last);
  copy(from.parity, to.parity);
  copy(from.vc, to.vc);
  copy(from.stamp, to.stamp);
  copy(from.data, to.data);
}

// Credits, or Buffer-Full, from the lane of the receiver to that of the sender.
void GateNetwork::move_returns(const Link& link, Share& share) {
  const Kind& receiver = kinds_[link.from_kind];
  const Kind& sender = kinds_[link.to_kind];
  const std::uint32_t bits = std::min(receiver.returned.width, sender.granted.width);
  for (std::uint32_t bit = 0; bit < bits; ++bit) {
    const std::size_t from = receiver.returned.of(link.from_port) + bit;
    const std::size_t to = sender.granted.of(link.to_port) + bit;
    link.moves.merge(receiver.gates->out(0) + from * receiver.out.words,
                     sender.gates->in(0) + to * sender.in.words, share.active);
  }
}

// Flits from the wires.
void GateNetwork::take(const Outside& outside, const Wires& wires) {
  std::uint64_t valid = 0;
  for (std::uint64_t m = outside.lanes; m != 0; m &= m - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(m));
    valid |= std::uint64_t{wires.valid[outside.place[i]]} << i;
  }
  if (valid == 0) return;
  const Kind& kind = kinds_[outside.kind];
  const std::size_t stride = kind.in.words;
  std::uint64_t* const in = in_word(kind, outside.word);
  in[kind.rx.valid.of(outside.port) * stride] |= valid;
  std::array<std::uint64_t, 64> rows;
  const auto put = [&](const Field& field, unsigned first_bit, unsigned first_row, unsigned count) {
    std::uint64_t* const to = in + std::size_t{field.of(outside.port) + first_bit} * stride;
    for (unsigned bit = 0; bit < count; ++bit) {
      std::uint64_t& word = to[bit * stride];
      word = (word & ~valid) | (rows[first_row + bit] & valid);
    }
  };
  const FlitFields& rx = kind.rx;
  const auto flit_of = [&](unsigned i) -> const Flit& { return wires.flit[outside.place[i]]; };
  for (unsigned w = 0; w * 64 < rx.data.width; ++w) {
    for (std::uint64_t m = valid; m != 0; m &= m - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(m));
      rows[i] = flit_of(i).word(w);
    }
    transpose64(rows.data());
    put(rx.data, w * 64, 0, std::min(64u, rx.data.width - w * 64));
  }
  for (std::uint64_t m = valid; m != 0; m &= m - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(m));
    rows[i] = sides_of(flit_of(i));
  }
  transpose64(rows.data());
  put(rx.last, 0, FlitSides::kLast, 1);
  put(rx.parity, 0, FlitSides::kParity, rx.parity.width);
  put(rx.vc, 0, FlitSides::kVc, rx.vc.width);
  put(rx.stamp, 0, FlitSides::kStamp, rx.stamp.width);
}

void GateNetwork::take_returns(const Outside& outside, const Wires& wires) {
  const Kind& kind = kinds_[outside.kind];
  std::uint64_t* const in =
      in_word(kind, outside.word) + std::size_t{kind.granted.of(outside.port)} * kind.in.words;
  for (std::uint64_t m = outside.lanes; m != 0; m &= m - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(m));
    const std::uint32_t place = outside.place[i];
    if (wires.credit_words == 0) {
      *in |= std::uint64_t{wires.full[place]} << i;
      continue;
    }
    for (std::size_t w = 0; w < wires.credit_words; ++w) {
      for (std::uint64_t vcs = wires.credit[place * wires.credit_words + w]; vcs != 0;
           vcs &= vcs - 1) {
        const auto vc = static_cast<unsigned>(w * 64 + std::countr_zero(vcs));
        in[vc * kind.in.words] |= std::uint64_t{1} << i;
      }
    }
  }
}

void GateNetwork::put_returns(const Outside& outside, Wires& wires) {
  const Kind& kind = kinds_[outside.kind];
  const std::uint64_t* const out =
      out_word(kind, outside.word) + std::size_t{kind.returned.of(outside.port)} * kind.out.words;
  for (std::uint64_t m = outside.lanes; m != 0; m &= m - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(m));
    const std::uint32_t place = outside.place[i];
    if (wires.credit_words == 0) {
      wires.full[place] = *out >> i & 1;
    } else {
      std::fill_n(&wires.credit[place * wires.credit_words], wires.credit_words, std::uint64_t{0});
    }
  }
  if (wires.credit_words == 0) return;
  for (std::uint32_t vc = 0; vc < kind.returned.width; ++vc) {
    for (std::uint64_t m = out[vc * kind.out.words] & outside.lanes; m != 0; m &= m - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(m));
      wires.credit[outside.place[i] * wires.credit_words + vc / 64] |= std::uint64_t{1} << vc % 64;
    }
  }
}

void GateNetwork::read_memory(const BlockRange& range, NodeMemory& memory) {
  const std::uint32_t thread = share_of_[range.first_block];
  if (thread == kOpen) return;
  for (const std::uint32_t g : shares_[thread].groups.back()) nics_->read_memory(g, memory);
}

void GateNetwork::write_memory(const BlockRange& range, NodeMemory& memory) {
  const std::uint32_t thread = share_of_[range.first_block];
  if (thread == kOpen) return;
  for (const std::uint32_t g : shares_[thread].groups.back()) nics_->write_memory(g, memory);
}

void GateNetwork::set_clock(std::uint32_t k, std::uint32_t g, std::uint64_t value) {
  const Kind& kind = kinds_[k];
  const std::uint32_t words = kind.in.words;
  for (std::size_t bit = 0; bit < kind.now.size(); ++bit) {
    fill(kind.gates->state(g) + std::size_t{kind.now[bit]} * words, words,
         (value >> bit & 1) != 0);
  }
}

// A group without any input whose state stays as it is, but for the clock, needs no further step
// until an input comes; then the clock is set. Returns whether the group must be stepped.
bool GateNetwork::begin_step(std::uint32_t k, std::uint32_t g, std::uint64_t cycle) {
  const Kind& kind = kinds_[k];
  Group& group = groups_[k][g];
  const std::uint32_t words = kind.in.words;
  const std::uint64_t* const in = kind.gates->in(g);
  const bool driven = is_nic(k) && nics_->drive(g);
  const auto any_in = [&](const Field& field, std::uint32_t ports) {
    const std::uint64_t* const first = in + std::size_t{field.first} * words;
    return std::any_of(first, first + std::size_t{field.width} * ports * words,
                       [](std::uint64_t word) { return word != 0; });
  };
  const bool any =
      driven || any_in(kind.rx.valid, kind.in_ports) || any_in(kind.granted, kind.out_ports);
  group.may_rest = !any;
  if (!any && group.rests) return false;
  if (group.rests) set_clock(k, g, cycle - origin_);
  group.rests = false;
  if (any) return true;
  set_clock(k, g, 0);
  const std::uint64_t* const state = kind.gates->state(g);
  group.before.assign(state, state + std::size_t{kind.library->state()} * words);
  set_clock(k, g, cycle - origin_);
  return true;
}

void GateNetwork::end_step(std::uint32_t k, std::uint32_t g, std::uint64_t cycle) {
  Group& group = groups_[k][g];
  if (!group.may_rest) return;
  set_clock(k, g, 0);
  group.rests = std::equal(group.before.begin(), group.before.end(), kinds_[k].gates->state(g));
  set_clock(k, g, cycle - origin_ + 1);
}

void GateNetwork::publish(const BlockRange& range, Wires& wires, Wires::Writer& writer,
                          Counters& counters) {
  const std::uint32_t thread = share_of_[range.first_block];
  if (thread == kOpen) return;
  Share& share = shares_[thread];
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
    share.stepped.clear();
    for (const std::uint32_t g : share.groups[k]) {
      if (!groups_[k][g].rests) share.stepped.push_back(g);
    }
    kinds_[k].gates->outputs(share.stepped);
    for (const std::uint32_t g : share.stepped) {
      put_flits(k, g, writer);
      if (is_nic(k)) count_entered(g, counters);
    }
  }
  // A group at rest calls for nothing any more.
  for (const std::uint32_t g : share.groups.back()) nics_->show(g);
  for (const Outside& outside : share.returns_out) put_returns(outside, wires);
}

void GateNetwork::put_flits(std::uint32_t k, std::uint32_t g, Wires::Writer& writer) {
  const Kind& kind = kinds_[k];
  Group& group = groups_[k][g];
  const std::uint32_t words = kind.out.words;
  const unsigned flit_words = graph_.header.flit_words();
  const FlitFields& tx = kind.tx;
  std::array<std::array<std::uint64_t, 64>, kMaxFlitWords> data;
  std::array<std::uint64_t, 64> sides;
  for (std::uint32_t q = 0; q < kind.out_ports; ++q) {
    for (std::uint32_t w = 0; w < words; ++w) {
      const std::uint64_t* const out = kind.gates->out(g) + w;
      const std::uint64_t valid = out[tx.valid.of(q) * words] & group.open[q * words + w];
      const std::uint64_t shown = valid & group.shown[q * words + w];
      std::uint64_t& before = group.valid[q * words + w];
      const std::uint32_t* const links = &group.links[(q * words + w) * 64];
      for (std::uint64_t m = before & ~shown; m != 0; m &= m - 1) {
        writer.clear(links[std::countr_zero(m)]);
      }
      before = shown;
      if (valid == 0) continue;
      for (unsigned part = 0; part < flit_words; ++part) {
        gather_lanes(out + std::size_t{tx.data.of(q) + part * 64} * words, words,
                     std::min(64u, tx.data.width - part * 64), data[part].data());
      }
      // One VC bit and no stamp, as in most networks: cheaper than a transposition.
      const bool few = tx.vc.width <= 1 && tx.stamp.width == 0;
      if (!few) sides.fill(0);
      const auto put = [&](const Field& field, unsigned lsb) {
        for (unsigned bit = 0; bit < field.width; ++bit) {
          sides[lsb + bit] = out[std::size_t{field.of(q) + bit} * words];
        }
      };
      if (!few) {
        put(tx.valid, FlitSides::kValid);
        put(tx.last, FlitSides::kLast);
        put(tx.parity, FlitSides::kParity);
        put(tx.vc, FlitSides::kVc);
        put(tx.stamp, FlitSides::kStamp);
        transpose64(sides.data());
      }
      const auto bits_of = [&](const Field& field) {
        return field.width == 0 ? 0 : out[std::size_t{field.of(q)} * words];
      };
      const std::uint64_t last = bits_of(tx.last), parity = bits_of(tx.parity),
                          vc = bits_of(tx.vc);
      FlitData flit;
      for (std::uint64_t m = valid; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        flit.word[0] = data[0][i];
        for (unsigned part = 1; part < flit_words; ++part) flit.word[part] = data[part][i];
        const std::uint64_t side =
            few ? (last >> i & 1) << FlitSides::kLast | (parity >> i & 1) << FlitSides::kParity |
                      std::uint64_t{1} << FlitSides::kValid | (vc >> i & 1) << FlitSides::kVc
                : sides[i];
        writer.note(links[i], flit.word.data(), side);
        if ((shown >> i & 1) != 0) writer.show(links[i], flit.word.data(), side);
      }
    }
  }
}

// Counts the flits that interfaces put on their links.
void GateNetwork::count_entered(std::uint32_t g, Counters& counters) const {
  const Kind& kind = kinds_.back();
  const Group& group = groups_.back()[g];
  const std::uint32_t words = kind.out.words;
  for (std::uint32_t q = 0; q < kind.out_ports; ++q) {
    for (std::uint32_t w = 0; w < words; ++w) {
      const std::uint64_t* const out = kind.gates->out(g) + w;
      const std::uint64_t valid = out[kind.tx.valid.of(q) * words] & group.open[q * words + w];
      counters.flits += static_cast<unsigned>(std::popcount(valid));
      counters.packets +=
          static_cast<unsigned>(std::popcount(valid & out[kind.tx.last.of(q) * words]));
    }
  }
}

}  // namespace weft
