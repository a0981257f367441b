// The links of the emitted top in whose wires faults can be injected, and what its blocks in links
// have counted.
#include "sim/engine/top_links.hpp"

#include <algorithm>

namespace weft {

TopLinks::TopLinks(const Graph& graph, bool parity, RtlInstance& rtl)
    : rtl_(rtl),
      protected_(graph.protection != Protection::kNone),
      links_(graph.links.size()),
      point_(graph.links.size()) {
  for (const std::uint32_t l : injected_links(graph)) {
    point_[l] = static_cast<std::uint32_t>(points_.size());
    Point& point = points_.emplace_back();
    point.wires = link_wires(graph, l, parity);
    point.back.resize((point.wires.back + 63) / 64);
  }
  constexpr std::array kNames = {"valid", "last", "data", "vc", "stamp", "check", "back"};
  for (const LinkSignal& signal : fault_signals(graph, parity)) {
    if (points_.empty()) break;
    const auto which = static_cast<std::size_t>(
        std::find(kNames.begin(), kNames.end(), signal.name) - kNames.begin());
    signals_[which] = {rtl.port("fault_" + signal.name + "_i"),
                       rtl.port("wire_" + signal.name + "_o"), signal.width};
  }
  if (!protected_) return;
  errors_ = rtl.port("counted_errors_o");
  retries_ = rtl.port("counted_retries_o");
  lost_ = rtl.port("counted_lost_o");
  stuck_ = rtl.port("counted_stuck_o");
}

void TopLinks::begin_faults() {
  for (std::size_t p = 0; p < points_.size(); ++p) take(p);
}

// Sets the masks; the receivers' ends change with them.
void TopLinks::end_faults() {
  for (std::size_t p = 0; p < points_.size(); ++p) invert(p);
  rtl_.eval();
}

void TopLinks::take(std::size_t p) {
  Point& point = points_[p];
  Flit& flit = point.driven.flit;
  flit.valid = read(kValid, p, 0, 1) != 0;
  flit.last = read(kLast, p, 0, 1) != 0;
  for (unsigned bit = 0; bit < point.wires.data; bit += 64) {
    if (point.wires.data - bit == 1) {
      flit.parity = read(kData, p, bit, 1) != 0;
    } else {
      flit.word(bit / 64) = read(kData, p, bit, 64);
    }
  }
  if (point.wires.vc != 0) {
    flit.vc = static_cast<std::uint16_t>(read(kVc, p, 0, point.wires.vc));
    flit.stamp = static_cast<std::uint16_t>(read(kStamp, p, 0, point.wires.stamp));
  }
  if (point.wires.check != 0) {
    point.driven.check = static_cast<std::uint32_t>(read(kCheck, p, 0, point.wires.check));
  }
  for (unsigned bit = 0; bit < point.wires.back; bit += 64) {
    point.back[bit / 64] = read(kBack, p, bit, std::min(64u, point.wires.back - bit));
  }
  point.word = point.driven;
  point.driven_back = point.back;
}

void TopLinks::invert(std::size_t p) {
  Point& point = points_[p];
  Flit& flit = point.word.flit;
  const Flit& driven = point.driven.flit;
  // As LinkPaths: an unprotected receiver reads the other wires only with Data-Valid.
  if (!protected_ && !flit.valid) flit = {};
  invert(kValid, p, 0, 1, flit.valid != driven.valid);
  invert(kLast, p, 0, 1, flit.last != driven.last);
  for (unsigned bit = 0; bit < point.wires.data; bit += 64) {
    if (point.wires.data - bit == 1) {
      invert(kData, p, bit, 1, flit.parity != driven.parity);
    } else {
      invert(kData, p, bit, 64, flit.word(bit / 64) ^ driven.word(bit / 64));
    }
  }
  if (point.wires.vc != 0) {
    invert(kVc, p, 0, point.wires.vc, flit.vc ^ driven.vc);
    invert(kStamp, p, 0, point.wires.stamp, flit.stamp ^ driven.stamp);
  }
  if (point.wires.check != 0) {
    invert(kCheck, p, 0, point.wires.check, point.word.check ^ point.driven.check);
  }
  for (unsigned bit = 0; bit < point.wires.back; bit += 64) {
    invert(kBack, p, bit, std::min(64u, point.wires.back - bit),
           point.back[bit / 64] ^ point.driven_back[bit / 64]);
  }
}

// Sum of a counter over all links.
std::uint64_t TopLinks::count(const RtlPort& counter) const {
  std::uint64_t sum = 0;
  for (std::size_t l = 0; l < links_; ++l) {
    sum += counter.bits(static_cast<unsigned>(l * kCountW), kCountW);
  }
  return sum;
}

LinkCounts TopLinks::counts() const {
  if (!protected_) return {};
  LinkCounts all = before_;
  all += {count(errors_), count(retries_), count(lost_)};
  return all;
}

std::vector<std::uint32_t> TopLinks::stuck() const {
  std::vector<std::uint32_t> links;
  for (std::uint32_t l = 0; l < links_ && protected_; ++l) {
    if (stuck_.bits(l * kCountW, kCountW) != 0) links.push_back(l);
  }
  return links;
}

}  // namespace weft
