// Exchange between the processes that share a fabric.
#include "sim/share/fabric_cut.hpp"

#include <algorithm>

#include "sim/fabric/unit_tree.hpp"

namespace weft {
namespace {

// After the last value of a list.
constexpr std::uint32_t kEnd = ~0u;

}  // namespace

WireCut::WireCut(const NetworkShare& share, const Graph& graph, Wires& wires)
    : wires_(wires), cuts_(share.processes().count()) {
  const unsigned own = share.processes().number();
  for (std::uint32_t l = 0; l < graph.links.size(); ++l) {
    const Link& link = graph.links[l];
    if (link.src_block == kOpen) continue;
    const unsigned from = share.of_block(link.src_block), to = share.of_block(link.dst_block);
    if (from == to) continue;
    const std::uint32_t place =
        wires.credit_place[graph.blocks[link.src_block].first_out + link.src_port];
    if (from == own) {
      cuts_[to].out.push_back(l);
      cuts_[to].out_port.push_back(place);
    }
    if (to == own) {
      cuts_[from].in.push_back(l);
      cuts_[from].in_port.push_back(place);
    }
  }
}

void WireCut::write_back(const Cut& cut, Parcel& parcel) const {
  const std::size_t words = wires_.credit_words;
  for (std::uint32_t i = 0; i < cut.in_port.size(); ++i) {
    const std::uint32_t place = cut.in_port[i];
    if (words == 0) {
      if (wires_.full[place] != 0) parcel.put(i);
      continue;
    }
    const std::uint64_t* const credit = &wires_.credit[place * words];
    if (std::all_of(credit, credit + words, [](std::uint64_t word) { return word == 0; })) continue;
    parcel.put(i);
    parcel.put(credit, words);
  }
  parcel.put(kEnd);
}

void WireCut::read_back(const Cut& cut, Parcel& parcel) {
  const std::size_t words = wires_.credit_words;
  for (const std::uint32_t place : cut.out_port) {
    if (words == 0) wires_.full[place] = 0;
    std::fill_n(wires_.credit.begin() + static_cast<std::ptrdiff_t>(place * words), words, 0);
  }
  for (auto i = parcel.take<std::uint32_t>(); i != kEnd; i = parcel.take<std::uint32_t>()) {
    const std::uint32_t place = cut.out_port[i];
    if (words == 0) wires_.full[place] = 1;
    parcel.take(wires_.credit.data() + place * words, words);
  }
}

void WireCut::write(std::vector<Parcel>& to, bool forward_only) const {
  for (unsigned process = 0; process < cuts_.size(); ++process) {
    const Cut& cut = cuts_[process];
    if (cut.out.empty() && cut.in.empty()) continue;
    for (std::uint32_t i = 0; i < cut.out.size(); ++i) {
      if (!wires_.arrives(cut.out[i])) continue;
      to[process].put(i);
      to[process].put(wires_.arriving(cut.out[i]));
    }
    to[process].put(kEnd);
    if (!forward_only) write_back(cut, to[process]);
  }
}

void WireCut::read(std::vector<Parcel>& from, bool forward_only) {
  for (unsigned process = 0; process < cuts_.size(); ++process) {
    const Cut& cut = cuts_[process];
    if (cut.out.empty() && cut.in.empty()) continue;
    for (const std::uint32_t link : cut.in) wires_.valid[link] = 0;
    Parcel& parcel = from[process];
    for (auto i = parcel.take<std::uint32_t>(); i != kEnd; i = parcel.take<std::uint32_t>()) {
      wires_.valid[cut.in[i]] = 1;
      parcel.take(wires_.flit[cut.in[i]]);
    }
    if (!forward_only) read_back(cut, parcel);
  }
}

TreeCut::TreeCut(const NetworkShare& share, const Graph& graph) : to_(share.processes().count()) {
  const UnitTree tree(graph);
  const unsigned own = share.processes().number();
  for (const std::uint32_t n : share.nodes()) {
    const auto touch = [&](std::uint32_t neighbour) {
      const unsigned process = share.of_block(neighbour);
      if (process != own && (to_[process].empty() || to_[process].back() != n))
        to_[process].push_back(n);
    };
    if (n != tree.root()) touch(tree[n].parent);
    for (unsigned c = 0; c < tree[n].num_child; ++c) touch(tree[n].children[c]);
  }
}

}  // namespace weft
