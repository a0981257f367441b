// One cycle of the blocks of a network as gates.
#include <algorithm>
#include <array>
#include <bit>

#include "sim/engine/gate_network.hpp"
#include "sim/gates/lanes.hpp"

namespace weft {
namespace {

void clear(std::uint64_t* words, std::uint32_t count) {
  std::fill_n(words, count, std::uint64_t{0});
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
      clear(in + std::size_t{kind.rx.valid.first} * words, kind.in_ports * words);
      clear(in + std::size_t{kind.granted.first} * words,
            kind.out_ports * kind.granted.stride * words);
    }
  }
  // A restart loses what interfaces have put on the links.
  if (cycle != origin_) {
    for (const Link& link : share.returns) move_returns(link);
  }
  for (const Outside& outside : share.flits_in) take(outside, wires);
  for (const Outside& outside : share.returns_in) take_returns(outside, wires);
  std::uint64_t stepped = 0;
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
    share.stepped.clear();
    for (const std::uint32_t g : share.groups[k]) {
      take_rows(k, g);
      if (begin_step(k, g)) share.stepped.push_back(g);
    }
    kinds_[k].gates->step(share.stepped);
    for (const std::uint32_t g : share.stepped) {
      end_step(k, g);
      stepped += groups_[k][g].rests ? 0 : 1;
    }
  }
  return stepped;
}

// Credits, or Buffer-Full, from the lane of the receiver to that of the sender.
void GateNetwork::move_returns(const Link& link) {
  const Kind& receiver = kinds_[link.from_kind];
  const Kind& sender = kinds_[link.to_kind];
  const std::uint32_t bits = std::min(receiver.returned.width, sender.granted.width);
  for (std::uint32_t bit = 0; bit < bits; ++bit) {
    const std::size_t from = receiver.returned.of(link.from_port) + bit;
    const std::size_t to = sender.granted.of(link.to_port) + bit;
    link.moves.merge(receiver.gates->out(0) + from * receiver.out.words,
                     sender.gates->in(0) + to * sender.in.words);
  }
}

// Flits from the wires.
void GateNetwork::take(const Outside& outside, const Wires& wires) {
  std::array<std::uint64_t, kMaxFlitWords> words;
  for (std::uint64_t m = outside.lanes; m != 0; m &= m - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(m));
    if (wires.valid[outside.place[i]] == 0) continue;
    const Flit& flit = wires.flit[outside.place[i]];
    flit.store(words.data(), flit_words_);
    put_row(place_of(outside.kind, outside.port, outside.word * 64 + i), words.data(),
            sides_of(flit));
  }
}

// Flits from the rows into the lanes of a group.
void GateNetwork::take_rows(std::uint32_t k, std::uint32_t g) {
  Kind& kind = kinds_[k];
  const FlitFields& rx = kind.rx;
  const std::size_t words = kind.in.words;
  const PayloadForm& payload = kind.payload;
  std::array<std::uint64_t, 64> data;
  for (std::uint32_t p = 0; p < kind.in_ports; ++p) {
    for (std::uint32_t w = 0; w < words; ++w) {
      const std::uint32_t first_lane = (g * static_cast<std::uint32_t>(words) + w) * 64;
      const std::uint32_t first = place_of(k, p, first_lane);
      const std::uint64_t valid = Wires::gather(&rows_.valid[first], 64);
      if (valid == 0) continue;
      std::fill_n(&rows_.valid[first], 64, std::uint8_t{0});
      const auto each = [&](auto visit) {
        for (std::uint64_t m = valid; m != 0; m &= m - 1) {
          const auto i = static_cast<unsigned>(std::countr_zero(m));
          visit(i, &rows_.data[std::size_t{first + i} * flit_words_], rows_.sides[first + i]);
        }
      };
      // Lanes without a flit get 0.
      std::uint64_t* const in = kind.gates->in(g) + w;
      in[rx.valid.of(p) * words] = valid;
      const auto put = [&](std::size_t vector, std::uint64_t bits) { in[vector * words] = bits; };
      const auto put_field = [&](const Field& field, const std::uint64_t* rows) {
        for (unsigned bit = 0; bit < field.width; ++bit) put(field.of(p) + bit, rows[bit]);
      };
      const unsigned vc_lsb = 2, stamp_lsb = vc_lsb + rx.vc.width,
                     entry_lsb = stamp_lsb + rx.stamp.width;
      const auto put_sides = [&](const std::uint64_t* rows) {
        put_field(rx.last, rows);
        put_field(rx.parity, rows + 1);
        put_field(rx.vc, rows + vc_lsb);
        put_field(rx.stamp, rows + stamp_lsb);
        put_field(rx.entry, rows + entry_lsb);
      };
      const auto pack = [&](unsigned i, const std::uint64_t* row, std::uint64_t side) {
        return (side >> FlitSides::kLast & 1) | (side >> FlitSides::kParity & 1) << 1 |
               (side >> FlitSides::kVc & low_mask(rx.vc.width)) << vc_lsb |
               (side >> FlitSides::kStamp & low_mask(rx.stamp.width)) << stamp_lsb |
               entry_for(kind, p, first_lane + i, row) << entry_lsb;
      };
      const auto put_sides_alone = [&] {
        data.fill(0);
        each([&](unsigned i, const std::uint64_t* row, std::uint64_t side) {
          data[i] = pack(i, row, side);
        });
        transpose64(data.data());
        put_sides(data.data());
      };
      if (payload.width != 0) {
        data.fill(0);
        const bool apart = payload.sides_lsb == PayloadForm::kApart;
        const std::uint64_t sides_mask = apart ? 0 : low_mask(entry_lsb + rx.entry.width);
        const unsigned sides_lsb = apart ? 0 : payload.sides_lsb;
        const std::uint64_t free = low_mask(payload.width) << payload.lsb | sides_mask << sides_lsb;
        std::array<std::uint64_t*, 64> kept;
        each([&](unsigned i, const std::uint64_t* row, std::uint64_t side) {
          const std::uint64_t number = kind.table.take(first_lane + i);
          kept[i] = kind.table.data(first_lane + i, number);
          __builtin_prefetch(kept[i], 1);
          data[i] = (*row & ~free) | number << payload.lsb;
          if (!apart) data[i] |= pack(i, row, side) << sides_lsb;
        });
        each([&](unsigned i, const std::uint64_t* row, std::uint64_t) {
          copy_words(kept[i], row, flit_words_);
        });
        transpose64(data.data());
        for (const std::uint32_t bit : payload.bits) put(rx.data.of(p) + bit, data[bit]);
        if (apart) {
          put_sides_alone();
        } else {
          put_sides(&data[sides_lsb]);
        }
        continue;
      }
      put_sides_alone();
      for (unsigned part = 0; part < flit_words_; ++part) {
        data.fill(0);
        each([&](unsigned i, const std::uint64_t* row, std::uint64_t) { data[i] = row[part]; });
        transpose64(data.data());
        for (unsigned bit = 0; bit < std::min(64u, rx.data.width - part * 64); ++bit) {
          put(rx.data.of(p) + part * 64 + bit, data[bit]);
        }
      }
    }
  }
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

// A group without any input whose state stays as it is needs no further step until an input comes.
// Where packets have ages, a clock always counts. Returns whether the group must be stepped.
bool GateNetwork::begin_step(std::uint32_t k, std::uint32_t g) {
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
  group.rests = false;
  if (any) return true;
  const std::uint64_t* const state = kind.gates->state(g);
  group.before.assign(state, state + std::size_t{kind.library->state()} * words);
  return true;
}

void GateNetwork::end_step(std::uint32_t k, std::uint32_t g) {
  Group& group = groups_[k][g];
  if (!group.may_rest) return;
  group.rests = std::equal(group.before.begin(), group.before.end(), kinds_[k].gates->state(g));
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
  Kind& kind = kinds_[k];
  Group& group = groups_[k][g];
  const std::uint32_t words = kind.out.words;
  const FlitFields& tx = kind.tx;
  const PayloadForm& payload = kind.payload;
  std::array<std::array<std::uint64_t, 64>, kMaxFlitWords> data;
  std::array<std::uint64_t, 64> sides;
  FlitData flit;
  for (std::uint32_t q = 0; q < kind.out_ports; ++q) {
    for (std::uint32_t w = 0; w < words; ++w) {
      const std::uint64_t* const out = kind.gates->out(g) + w;
      const std::uint64_t valid = out[tx.valid.of(q) * words] & group.open[q * words + w];
      const std::uint64_t shown = valid & group.shown[q * words + w];
      std::uint64_t& before = group.valid[q * words + w];
      const std::uint32_t* const links = &group.links[(q * words + w) * 64];
      const std::uint32_t* const places = &group.places[(q * words + w) * 64];
      for (std::uint64_t m = before & ~shown; m != 0; m &= m - 1) {
        writer.clear(links[std::countr_zero(m)]);
      }
      before = shown;
      const std::uint64_t lost = out[tx.valid.of(q) * words] & ~valid;
      if ((valid | lost) == 0) continue;
      const auto gather = [&](unsigned lsb, unsigned width, std::uint64_t* rows) {
        gather_lanes(out + std::size_t{tx.data.of(q) + lsb} * words, words, width, rows);
      };
      if (payload.width != 0) {
        gather(payload.lsb, payload.width, data[0].data());
        // Flits that leave the network where no link is.
        for (std::uint64_t m = lost; m != 0; m &= m - 1) {
          const auto i = static_cast<unsigned>(std::countr_zero(m));
          kind.table.give_back((g * words + w) * 64 + i, data[0][i]);
        }
        for (std::uint64_t m = valid; m != 0; m &= m - 1) {
          const auto i = static_cast<unsigned>(std::countr_zero(m));
          __builtin_prefetch(kind.table.data((g * words + w) * 64 + i, data[0][i]));
        }
      } else {
        for (unsigned part = 0; part < flit_words_; ++part) {
          gather(part * 64, std::min(64u, tx.data.width - part * 64), data[part].data());
        }
      }
      gather_sides(kind, q, out, valid, sides);
      for (std::uint64_t m = valid; m != 0; m &= m - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(m));
        const std::uint64_t* row = flit.word.data();
        if (payload.width != 0) {
          const std::uint32_t lane = (g * words + w) * 64 + i;
          row = kind.table.data(lane, data[0][i]);
          kind.table.give_back(lane, data[0][i]);
        } else {
          for (unsigned part = 0; part < flit_words_; ++part) flit.word[part] = data[part][i];
        }
        writer.note(links[i], row, sides[i]);
        if (places[i] != kOpen) put_row(places[i], row, sides[i]);
        if ((shown >> i & 1) != 0) writer.show(links[i], row, sides[i]);
      }
    }
  }
}

// All fields of the flits on 64 lanes' out-ports but their data, by lane.
void GateNetwork::gather_sides(const Kind& kind, std::uint32_t q, const std::uint64_t* out,
                               std::uint64_t valid, std::array<std::uint64_t, 64>& sides) const {
  const FlitFields& tx = kind.tx;
  const std::uint32_t words = kind.out.words;
  const auto bits_of = [&](const Field& field, unsigned bit) {
    return out[std::size_t{field.of(q) + bit} * words];
  };
  // One bit of VC and no stamp, as in most networks: cheaper than a transposition.
  if (tx.vc.width <= 1 && tx.stamp.width == 0) {
    const std::uint64_t last = bits_of(tx.last, 0);
    const std::uint64_t parity = tx.parity.width != 0 ? bits_of(tx.parity, 0) : 0;
    const std::uint64_t vc = tx.vc.width != 0 ? bits_of(tx.vc, 0) : 0;
    for (std::uint64_t m = valid; m != 0; m &= m - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(m));
      sides[i] = (last >> i & 1) << FlitSides::kLast | (parity >> i & 1) << FlitSides::kParity |
                 std::uint64_t{1} << FlitSides::kValid | (vc >> i & 1) << FlitSides::kVc;
    }
    return;
  }
  sides.fill(0);
  sides[FlitSides::kValid] = valid;
  const auto put = [&](const Field& field, unsigned lsb) {
    for (unsigned bit = 0; bit < field.width; ++bit) sides[lsb + bit] = bits_of(field, bit);
  };
  put(tx.last, FlitSides::kLast);
  put(tx.parity, FlitSides::kParity);
  put(tx.vc, FlitSides::kVc);
  put(tx.stamp, FlitSides::kStamp);
  transpose64(sides.data());
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
