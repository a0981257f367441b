// Checkpoint state of the loop of engine `model`; part of sim/engine/span_loop.hpp.
#pragma once

#include "sim/base/items.hpp"
#include "sim/engine/span_loop.hpp"

namespace weft {

// The resumed run has the same parts of the network, in whichever processes and threads they are.
template <class Net>
template <class Archive>
void SpanLoop<Net>::archive_state(Archive& archive) {
  const unsigned parts = division_.shares.parts();
  archive_packets(archive);
  archive_items(
      archive, parts, [this](unsigned part) { return division_.owns(part); },
      [&](unsigned part) {
        PartState& p = own(part);
        archive(p.powers, p.network, *p.nodes, p.sums, p.counters);
        mail_.archive_to(archive, part, parts, now());
      });
  const auto owns = [this](std::uint32_t block) { return division_.owns_block(block); };
  archive_items(archive, static_cast<std::uint32_t>(run_.graph.blocks.size()), owns,
                [&](std::uint32_t block) { network_.archive_block(archive, block); });
  archive_items(archive, run_.graph.nodes, owns, [&](std::uint32_t n) {
    nodes_.archive_node(archive, n);
    if (barriers_) barriers_->archive_node(archive, n);
    if (combines_) combines_->archive_node(archive, n);
    archive_endpoint(archive, run_.endpoints, n);
  });
  if constexpr (Archive::is_loading::value) check_loaded();
}

// Checks that all numbers in the loaded state are those of something that exists.
template <class Net>
void SpanLoop<Net>::check_loaded() {
  require_loaded(cycle() == run_.checkpoint->begin(), "another cycle");
  std::vector<std::vector<std::uint32_t>> blocks(division_.parts());
  for (std::uint32_t b = 0; b < run_.graph.blocks.size(); ++b) {
    blocks[division_.of_block[b]].push_back(b);
  }
  // Parts that belong to no share have neither nodes nor numbers for packets.
  const unsigned parts = division_.shares.parts();
  for (unsigned part = division_.first_own; part < std::min(division_.end_own, parts); ++part) {
    const PartState& p = own(part);
    const LoadedPackets packets(p.packets, nodes_.ranks, run_.graph.header);
    for (std::uint32_t i = p.packets.first(); i < p.packets.end(); ++i) {
      require_loaded(p.nodes->good_header(p.packets[i], packets), "a packet that goes to no node");
    }
    require_loaded(p.packets.good_lists(), "terms of the digest that are not there");
    p.network.check_loaded(network_, part, blocks[part], now(), packets);
    p.nodes->check_loaded(now(), packets);
    for (unsigned from = 0; from < parts && cycle() != 0; ++from) {
      const Mail& mail = mail_.to(part, from, now() - 1);
      require_loaded(p.packets.good_mail(mail), "a packet of another part that is not there");
      p.network.check_mail(network_, part, mail, packets);
    }
  }
}

// A packet is archived with the part that made it; if it is or ends in another part, some of its
// state is there. A process takes what concerns it from the items of all parts.
template <class Net>
template <class Archive>
void SpanLoop<Net>::archive_packets(Archive& archive) {
  const unsigned parts = division_.shares.parts();
  const auto concerns = [this](unsigned part) {
    return Archive::is_loading::value || division_.owns(part);
  };
  std::vector<Packets::Abroad> abroad(parts);
  if constexpr (!Archive::is_loading::value) {
    for (unsigned part = division_.first_own; part < std::min(division_.end_own, parts); ++part) {
      for (unsigned from = 0; from < parts; ++from) {
        own(part).packets.expect(mail_.to(part, from, now() - 1));
      }
    }
  }
  archive_items(archive, parts, concerns, [&](unsigned part) {
    if (division_.owns(part)) {
      archive(own(part).packets);
    } else if constexpr (Archive::is_loading::value) {
      parts_[0]->packets.load_others(archive, part);
    }
  });
  if constexpr (!Archive::is_loading::value) abroad = parts_[0]->packets.abroad();
  archive_items(archive, parts, concerns, [&](unsigned part) {
    archive(abroad[part]);
    if constexpr (Archive::is_loading::value) parts_[0]->packets.take_abroad(part, abroad[part]);
  });
}

}  // namespace weft
