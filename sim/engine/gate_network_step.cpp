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
  for (const auto& [k, g] : share.groups) {
    const Kind& kind = kinds_[k];
    std::uint64_t* const in = kind.gates->in(g);
    const std::uint32_t words = kind.in.words;
    fill(in + std::size_t{kind.rx.valid.first} * words, kind.in_ports * words, false);
    fill(in + std::size_t{kind.granted.first} * words,
         kind.out_ports * kind.granted.stride * words, false);
  }
  // A restart loses what interfaces have put on the links.
  if (cycle != origin_) {
    for (const Link& link : share.flits) {
      move(link, share, kinds_[link.from_kind].tx, kinds_[link.to_kind].rx);
    }
    for (const Link& link : share.returns) move_returns(link);
  }
  for (const Outside& outside : share.flits_in) take(outside, wires);
  for (const Outside& outside : share.returns_in) take_returns(outside, wires);
  std::uint64_t stepped = 0;
  for (const auto& [k, g] : share.groups) {
    step_group(k, g, cycle);
    stepped += groups_[k][g].rests ? 0 : 1;
  }
  return stepped;
}

// Flits from lane to lane.
void GateNetwork::move(const Link& link, Share& share, const FlitFields& from,
                        const FlitFields& to) {
  const std::uint64_t* const out = kinds_[link.from_kind].gates->out(0);
  std::uint64_t* const in = kinds_[link.to_kind].gates->in(0);
  const std::size_t from_words = kinds_[link.from_kind].out.words;
  const std::size_t to_words = kinds_[link.to_kind].in.words;
  const std::vector<LaneMoves::Word>& words = link.moves.words();
  share.active.clear();
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    const std::uint64_t valid =
        link.moves.moved(words[i], out + from.valid.of(link.from_port) * from_words);
    if (valid == 0) continue;
    in[to.valid.of(link.to_port) * to_words + words[i].to] |= valid;
    share.active.push_back(i);
  }
  if (share.active.empty()) return;
  const auto copy = [&](const Field& a, const Field& b) {
    for (std::uint32_t bit = 0; bit < std::min(a.width, b.width); ++bit) {
      const std::uint64_t* const source = out + (a.of(link.from_port) + bit) * from_words;
      std::uint64_t* const target = in + (b.of(link.to_port) + bit) * to_words;
      for (const std::uint32_t i : share.active) {
        const LaneMoves::Word& word = words[i];
        std::uint64_t& lane_bits = target[word.to];
        lane_bits = (lane_bits & ~word.lanes) | link.moves.moved(word, source);
      }
    }
  };
  copy(from.last, to.last);
  copy(from.parity, to.parity);
  copy(from.vc, to.vc);
  copy(from.stamp, to.stamp);
  copy(from.data, to.data);
}

// Credits, or Buffer-Full, from the lane of the receiver to that of the sender.
void GateNetwork::move_returns(const Link& link) {
  const Kind& receiver = kinds_[link.from_kind];
  const Kind& sender = kinds_[link.to_kind];
  const std::uint64_t* const out = receiver.gates->out(0);
  std::uint64_t* const in = sender.gates->in(0);
  const std::uint32_t bits = std::min(receiver.returned.width, sender.granted.width);
  for (std::uint32_t bit = 0; bit < bits; ++bit) {
    const std::uint64_t* const source =
        out + std::size_t{receiver.returned.of(link.from_port) + bit} * receiver.out.words;
    std::uint64_t* const target =
        in + std::size_t{sender.granted.of(link.to_port) + bit} * sender.in.words;
    for (const LaneMoves::Word& word : link.moves.words()) {
      target[word.to] |= link.moves.moved(word, source);
    }
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

// A group without any input whose state stays as it is, but for the clock, needs no further step
// until an input comes; then the clock is set.
void GateNetwork::step_group(std::uint32_t k, std::uint32_t g, std::uint64_t cycle) {
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
  if (!any && group.rests) return;
  std::uint64_t* const state = kind.gates->state(g);
  const std::size_t size = std::size_t{kind.library->state()} * words;
  const auto set_clock = [&](std::uint64_t value) {
    for (std::size_t bit = 0; bit < kind.now.size(); ++bit) {
      fill(state + std::size_t{kind.now[bit]} * words, words, (value >> bit & 1) != 0);
    }
  };
  if (group.rests) set_clock(cycle - origin_);
  group.rests = false;
  if (any) return kind.gates->step(g);
  set_clock(0);
  group.before.assign(state, state + size);
  set_clock(cycle - origin_);
  kind.gates->step(g);
  set_clock(0);
  group.rests = std::equal(group.before.begin(), group.before.end(), state);
  set_clock(cycle - origin_ + 1);
}

void GateNetwork::publish(const BlockRange& range, Wires& wires, Wires::Writer& writer,
                          Counters& counters) {
  const std::uint32_t thread = share_of_[range.first_block];
  if (thread == kOpen) return;
  const Share& share = shares_[thread];
  for (const auto& [k, g] : share.groups) {
    if (!groups_[k][g].rests) {
      kinds_[k].gates->outputs(g);
      put_flits(k, g, writer);
      if (is_nic(k)) count_entered(g, counters);
    }
    // A group at rest calls for nothing any more.
    if (is_nic(k)) nics_->show(g);
  }
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
      sides.fill(0);
      const auto put = [&](const Field& field, unsigned lsb) {
        for (unsigned bit = 0; bit < field.width; ++bit) {
          sides[lsb + bit] = out[std::size_t{field.of(q) + bit} * words];
        }
      };
      put(tx.valid, FlitSides::kValid);
      put(tx.last, FlitSides::kLast);
      put(tx.parity, FlitSides::kParity);
      put(tx.vc, FlitSides::kVc);
      put(tx.stamp, FlitSides::kStamp);
      transpose64(sides.data());
      FlitData flit;
      for (std::uint64_t m = valid; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        flit.word[0] = data[0][i];
        for (unsigned part = 1; part < flit_words; ++part) flit.word[part] = data[part][i];
        writer.note(links[i], flit.word.data(), sides[i]);
        if ((shown >> i & 1) != 0) writer.show(links[i], flit.word.data(), sides[i]);
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
