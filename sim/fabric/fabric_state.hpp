// Checkpoint state of a fabric: functions of Fabric, of sim/fabric/fabric.hpp, which includes this
// file.
#pragma once

#include "sim/base/items.hpp"
#include "sim/fabric/fabric.hpp"

namespace weft {

template <class NicT, class SwitchT>
template <class Archive, class Owns>
void Fabric<NicT, SwitchT>::serialize(Archive& archive, const Owns& owns) {
  archive(origin_);
  archive_items(archive, static_cast<std::uint32_t>(graph_.blocks.size()), owns,
                [&](std::uint32_t b) { archive_at(archive, b); });
  // Each end of a link is archived by its process; an end without a block never changes.
  const auto links = static_cast<std::uint32_t>(graph_.links.size());
  const auto is_open = [this](std::uint32_t l) { return graph_.links[l].src_block == kOpen; };
  const auto receives = [&](std::uint32_t l) { return owns(graph_.links[l].dst_block); };
  const auto sends = [&](std::uint32_t l) {
    return is_open(l) ? receives(l) : owns(graph_.links[l].src_block);
  };
  const auto port = [this](std::uint32_t l) {
    return graph_.blocks[graph_.links[l].src_block].first_out + graph_.links[l].src_port;
  };
  archive_items(archive, links, sends, [&](std::uint32_t l) {
    if (is_open(l)) return;
    wires_.archive_sent(archive, l, port(l));
    if (links_) links_->archive_link(archive, l);
  });
  archive_items(archive, links, receives, [&](std::uint32_t l) {
    if (!is_open(l)) wires_.archive_returned(archive, port(l));
  });
  if constexpr (Archive::is_loading::value) {
    if (array_ == nullptr) return;
    // What an array publishes is not noted block by block.
    std::fill(stepped_.begin(), stepped_.end(), std::uint8_t{0});
    array_->resume(wires_, origin_);
  }
}

// Archives a block, or an interface with the units of the trees beside it.
template <class NicT, class SwitchT>
template <class Archive>
void Fabric<NicT, SwitchT>::archive_at(Archive& archive, std::uint32_t b) {
  const std::uint32_t words = (graph_.blocks[b].num_out + 63) / 64;
  archive(stepped_[b]);
  for (std::uint32_t w = 0; w < words; ++w) {
    const std::uint32_t at = first_mask_[b] + w;
    archive(valid_before_[at]);
    archive.require((valid_before_[at] & ~connected_[at]) == 0);
  }
  const auto is_open = [&](std::uint32_t i) {
    return graph_.links[graph_.blocks[b].first_in + i].src_block == kOpen;
  };
  if constexpr (kRouters) {
    archive(credit_before_[b]);
    archive.require(fits(&credit_before_[b], 1, graph_.blocks[b].num_in));
    for (std::uint32_t i = 0; i < graph_.blocks[b].num_in; ++i) {
      archive.require(!is_open(i) || (credit_before_[b] >> i & 1) == 0);
    }
  }
  if (b >= graph_.nodes) {
    next_block(archive, b, origin_);
    if constexpr (Archive::is_loading::value) {
      if (array_ != nullptr) return array_->load(archive, b);
    }
    SwitchT& block = switches_[b - graph_.nodes];
    archive(block);
    if constexpr (requires { block.empty(0u); }) {
      for (std::uint32_t i = 0; i < graph_.blocks[b].num_in; ++i) {
        archive.require(!is_open(i) || block.empty(i));
      }
    }
    return;
  }
  next_block(archive, b);
  archive(ports_[b].in, ports_[b].nic);
  for (std::uint32_t l = 0; l < nic_links_; ++l) {
    archive.require(ports_[b].nic.out().tx[l].vc < std::max(wires_.num_vc, 1u));
  }
  if (barriers_) barriers_->archive_node(archive, b);
  if (combines_) combines_->archive_node(archive, b);
  monitor_.archive_node(archive, b);
}

}  // namespace weft
