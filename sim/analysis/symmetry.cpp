// Proofs of symmetries.
#include "sim/analysis/symmetry.hpp"

#include <algorithm>
#include <bit>

#include "sim/analysis/route_check.hpp"
#include "sim/router/route/route_unit.hpp"

namespace weft {
namespace {

// Digits of an address, as fields of its bits.
class Digits {
 public:
  explicit Digits(const Graph& graph) {
    std::uint32_t lsb = 0;
    for (const std::uint32_t width : graph.dim_bits) {
      fields_.push_back({lsb, static_cast<std::uint32_t>(low_mask(width))});
      lsb += width;
    }
  }

  std::uint32_t digit(std::uint32_t address, std::uint32_t dimension) const {
    return address >> fields_[dimension].lsb & fields_[dimension].mask;
  }
  // The only dimension in which two addresses differ; kOpen: none, or several.
  std::uint32_t differing(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t found = kOpen;
    for (std::uint32_t d = 0; d < fields_.size(); ++d) {
      if (digit(a, d) == digit(b, d)) continue;
      if (found != kOpen) return kOpen;
      found = d;
    }
    return found;
  }

 private:
  struct Field {
    std::uint32_t lsb, mask;
  };
  std::vector<Field> fields_;
};

// Checks a network against the definition of Product.
class ProductProof {
 public:
  explicit ProductProof(const Graph& graph) : graph_(graph), digits_(graph) {}

  std::optional<Product> product() {
    if (!graph_.has_routers() || graph_.blocks.size() != 2 * std::size_t{graph_.nodes}) return {};
    if (graph_.aggregators > 0) {
      product_.units = graph_.dims[0];
      product_.first_line = 1;
    }
    if (!has_units() || !has_nodes()) return {};
    for (std::uint32_t u = 0; u < product_.units; ++u) {
      product_.ports = std::max(product_.ports, router(u).num_out);
    }
    product_.of.assign(std::size_t{product_.units} * product_.ports, kOpen);
    if (!find_dimensions()) return {};
    const std::uint32_t size = *std::max_element(graph_.dims.begin(), graph_.dims.end());
    size_ = size;
    ends_.assign(product_.of.size() * size, {});
    nic_ends_.assign(product_.of.size() + std::size_t{product_.units} * graph_.nic_links, {});
    for (std::uint32_t rank = 0; rank < graph_.nodes; ++rank) {
      if (!has_links(rank)) return {};
    }
    return std::move(product_);
  }

 private:
  const Block& router(std::uint32_t rank) const { return graph_.blocks[graph_.nodes + rank]; }
  std::uint32_t unit(std::uint32_t rank) const { return rank % product_.units; }

  // Whether each node has a router, the same for each unit, and addresses are the digits of ranks.
  bool has_nodes() const {
    std::vector<std::uint32_t> digits(graph_.dims.size());
    for (std::uint32_t rank = 0; rank < graph_.nodes; ++rank) {
      std::uint32_t address = 0, lsb = 0;
      for (std::size_t d = 0; d < digits.size(); ++d) {
        address |= digits[d] << lsb;
        lsb += graph_.dim_bits[d];
      }
      const Block &nic = graph_.blocks[rank], &own = router(rank), &first = router(unit(rank));
      if (nic.kind != Block::Kind::kNic || own.kind != Block::Kind::kRouter) return false;
      if (own.shape != first.shape || own.num_out != first.num_out) return false;
      if (graph_.address[rank] != address || own.own != address) return false;
      for (std::size_t d = 0; d < digits.size() && ++digits[d] == graph_.dims[d]; ++d) {
        digits[d] = 0;
      }
    }
    return true;
  }

  // Whether route units see the digits of this network and route by dimension.
  bool has_units() const {
    const auto sizes = [](const std::vector<std::uint32_t>& list, std::uint32_t less) {
      std::vector<std::uint32_t> coords;
      for (const std::uint32_t n : list) {
        if (n != less) coords.push_back(n - less);
      }
      return coords;
    };
    for (const RouterTileConfig& shape : graph_.router_shapes) {
      if (!shape.traits().by_dimension) return false;
      if (sizes(shape.route.max_coords, 0) != sizes(graph_.dims, 1)) return false;
    }
    return true;
  }

  // Finds the dimension of each port, from the first link that leaves by it; false if it cannot.
  bool find_dimensions() {
    for (std::uint32_t rank = 0; rank < graph_.nodes; ++rank) {
      const Block& block = router(rank);
      for (std::uint32_t port = 0; port < block.num_out; ++port) {
        std::uint32_t& dimension = product_.of[unit(rank) * product_.ports + port];
        const std::uint32_t link = graph_.out_link[block.first_out + port];
        if (dimension != kOpen || link == kOpen) continue;
        const std::uint32_t to = graph_.links[link].dst_block;
        if (to < graph_.nodes) continue;
        dimension = digits_.differing(block.own, graph_.blocks[to].own);
        if (dimension == kOpen) return false;
      }
    }
    return true;
  }

  // Where a link leads; the digit is that in its dimension.
  struct End {
    std::uint32_t digit = kUnknown, port = 0;

    bool operator==(const End&) const = default;
  };
  static constexpr std::uint32_t kUnknown = kOpen - 1;

  static bool same(End& known, const End& end) {
    if (known.digit == kUnknown) known = end;
    return known == end;
  }

  bool has_links(std::uint32_t rank) {
    for (std::uint32_t i = 0; i < graph_.nic_links; ++i) {
      const std::uint32_t link = graph_.out_link[graph_.blocks[rank].first_out + i];
      if (link == kOpen || graph_.links[link].dst_block != graph_.nodes + rank) return false;
      End& known = nic_ends_[product_.of.size() + unit(rank) * graph_.nic_links + i];
      if (!same(known, {0, graph_.links[link].dst_port})) return false;
    }
    const Block& block = router(rank);
    for (std::uint32_t port = 0; port < block.num_out; ++port) {
      const std::uint32_t link = graph_.out_link[block.first_out + port];
      const std::size_t own = unit(rank) * product_.ports + port;
      const std::uint32_t dimension = product_.of[own];
      const Link* const to = link == kOpen ? nullptr : &graph_.links[link];
      if (dimension == kOpen) {  // A link to the own interface, or no link.
        if (to != nullptr && to->dst_block != rank) return false;
        if (!same(nic_ends_[own], to != nullptr ? End{0, to->dst_port} : End{kOpen, 0})) {
          return false;
        }
        continue;
      }
      End end = {kOpen, 0};
      if (to != nullptr) {
        const std::uint32_t there = graph_.blocks[to->dst_block].own;
        if (to->dst_block < graph_.nodes || digits_.differing(block.own, there) != dimension) {
          return false;
        }
        end = {digits_.digit(there, dimension), to->dst_port};
      }
      if (!same(ends_[own * size_ + digits_.digit(block.own, dimension)], end)) return false;
    }
    return true;
  }

  const Graph& graph_;
  Digits digits_;
  Product product_;
  std::uint32_t size_ = 0;     // Size of the largest dimension.
  std::vector<End> ends_;      // By unit, port and digit in the port's dimension.
  std::vector<End> nic_ends_;  // By port without a dimension, then by unit and link of interfaces.
};

// Whether the exclusive or with any of some bits maps each block to one of its class, and its links
// to the links of that block.
bool translations_proved(const Graph& graph) {
  const std::vector<std::uint32_t>& classes = graph.translations.block_class;
  if (!graph.has_routers() || classes.size() != graph.blocks.size()) return false;
  std::uint32_t invariant = ~std::uint32_t{0};
  for (const auto& unit : graph.route_units) invariant &= unit->invariant_bits();

  struct Class {
    std::uint32_t first = kOpen, bits = 0, size = 0;  // Bits in which addresses differ.
  };
  std::vector<Class> all(1 + *std::max_element(classes.begin(), classes.end()));
  std::uint32_t own_bits = 0;
  for (const Block& block : graph.blocks) own_bits |= block.own;
  std::vector<bool> seen[2];  // Addresses seen, of interfaces and of routers: no two are equal.
  for (auto& list : seen) list.resize(std::size_t{1} << std::bit_width(own_bits));

  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    const Block& block = graph.blocks[b];
    const bool router = b >= graph.nodes;
    if (router != (block.kind == Block::Kind::kRouter)) return false;
    if (!router && block.own != graph.address[b]) return false;
    if (seen[router][block.own]) return false;
    seen[router][block.own] = true;
    Class& own = all[classes[b]];
    if (own.first == kOpen) own.first = b;
    const Block& first = graph.blocks[own.first];
    if (block.kind != first.kind || block.shape != first.shape) return false;
    if (block.num_out != first.num_out) return false;
    own.bits |= block.own ^ first.own;
    ++own.size;
    const std::uint32_t moved = block.own ^ first.own;
    for (std::uint32_t port = 0; port < block.num_out; ++port) {
      const std::uint32_t link = graph.out_link[block.first_out + port];
      const std::uint32_t its_link = graph.out_link[first.first_out + port];
      if ((link == kOpen) != (its_link == kOpen)) return false;
      if (link == kOpen) continue;
      const Link &to = graph.links[link], &its = graph.links[its_link];
      if (to.dst_port != its.dst_port || classes[to.dst_block] != classes[its.dst_block]) {
        return false;
      }
      const std::uint32_t there = graph.blocks[to.dst_block].own;
      if (there != (graph.blocks[its.dst_block].own ^ moved)) return false;
    }
  }
  // All classes consist of one block for each combination of the same bits.
  return std::all_of(all.begin(), all.end(), [&](const Class& c) {
    return c.bits == all[0].bits && (c.bits & ~invariant) == 0 &&
           c.size == std::uint32_t{1} << std::popcount(c.bits);
  });
}

// A translation that adds one to a digit of all addresses, modulo its size: its effect on blocks
// follows from the links.
class DigitStep {
 public:
  DigitStep(const Graph& graph, std::uint32_t lsb, std::uint32_t width, std::uint32_t size)
      : graph_(graph), lsb_(lsb), width_(width), size_(size) {}

  // Whether this is a translation, and keeps `Translations::block_class`.
  bool proved() {
    std::vector<std::uint32_t> rank_of;
    for (std::uint32_t rank = 0; rank < graph_.nodes; ++rank) {
      const std::uint32_t address = graph_.address[rank];
      if (graph_.blocks[rank].own != address) return false;
      if (rank_of.size() <= address) rank_of.resize(address + 1, kOpen);
      if (rank_of[address] != kOpen) return false;
      rank_of[address] = rank;
    }
    image_.assign(graph_.blocks.size(), kOpen);
    for (std::uint32_t rank = 0; rank < graph_.nodes; ++rank) {
      const std::uint32_t address = step(graph_.address[rank]);
      if (address >= rank_of.size() || rank_of[address] == kOpen) return false;
      image_[rank] = rank_of[address];
      reached_.push_back(rank);
    }
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      if (!keeps(reached_[i])) return false;
    }
    return true;
  }

 private:
  std::uint32_t step(std::uint32_t address) const {
    const auto mask = static_cast<std::uint32_t>(low_mask(width_));
    const std::uint32_t digit = address >> lsb_ & mask;
    return (address & ~(mask << lsb_)) | (digit + 1 < size_ ? digit + 1 : 0) << lsb_;
  }

  // Effect on the ports of a block; none: its routes change.
  struct Ports {
    std::uint32_t inverted = 0;  // For a router.
    std::uint32_t step_in = 0;   // For a crossbar: outputs and detours, this number of each.

    std::uint32_t operator()(std::uint32_t port) const {
      if (step_in == 0) return port ^ inverted;
      return (port + 1) % step_in != 0 ? port + 1 : port + 1 - step_in;
    }
  };

  std::optional<Ports> ports_of(const Block& block, const Block& image) const {
    if (block.kind == Block::Kind::kNic) return Ports{};
    if (block.kind == Block::Kind::kRouter) {
      if (size_ != 2) return {};
      const auto inverted =
          graph_.route_units[block.shape]->inverted(block.own, std::uint32_t{1} << lsb_);
      if (!inverted || inverted->own != image.own) return {};
      return Ports{.inverted = inverted->ports};
    }
    const CrossbarConfig& shape = graph_.shapes[block.shape];
    const std::uint32_t differ = step(block.own) ^ image.own, end = lsb_ + width_;
    if (shape.route == Route::kSwitch) {
      if (differ != 0 || (lsb_ < shape.digit_lsb && end > shape.digit_lsb)) return {};
      return Ports{};
    }
    const std::uint32_t upper = shape.digit_lsb + shape.digit_w;
    if (shape.detour && differ >> upper != 0) return {};
    if (end <= shape.digit_lsb || lsb_ >= upper) return Ports{};
    if (lsb_ != shape.digit_lsb || end != upper || size_ != shape.num_out) return {};
    return Ports{.step_in = size_};
  }

  // Whether a block and its image have the same routes and links.
  bool keeps(std::uint32_t b) {
    const Block &block = graph_.blocks[b], &image = graph_.blocks[image_[b]];
    const auto& classes = graph_.translations.block_class;
    if (block.kind != image.kind || block.shape != image.shape ||
        classes[b] != classes[image_[b]] || block.num_in != image.num_in ||
        block.num_out != image.num_out) {
      return false;
    }
    const auto ports = ports_of(block, image);
    if (!ports) return false;
    for (std::uint32_t port = 0; port < block.num_out; ++port) {
      const std::uint32_t link = graph_.out_link[block.first_out + port];
      const std::uint32_t its_link = graph_.out_link[image.first_out + (*ports)(port)];
      if ((link == kOpen) != (its_link == kOpen)) return false;
      if (link != kOpen && !leads(graph_.links[link], graph_.links[its_link])) return false;
    }
    return true;
  }

  // Whether `image` leads to the image of the block to which `link` leads.
  bool leads(const Link& link, const Link& image) {
    std::uint32_t& there = image_[link.dst_block];
    if (there == kOpen) {
      there = image.dst_block;
      reached_.push_back(link.dst_block);
    }
    if (there != image.dst_block) return false;
    // Crossbars have a detour for each of their first in-ports.
    const Block &block = graph_.blocks[link.dst_block], &its = graph_.blocks[there];
    if (block.kind != Block::Kind::kCrossbar || its.kind != block.kind) return true;
    const CrossbarConfig& shape = graph_.shapes[block.shape];
    if (!shape.detour) return true;
    if (link.dst_port >= shape.num_out) return image.dst_port >= shape.num_out;
    const auto ports = ports_of(block, its);
    return ports && image.dst_port == (*ports)(link.dst_port);
  }

  const Graph& graph_;
  std::uint32_t lsb_, width_, size_;
  std::vector<std::uint32_t> image_, reached_;
};

// Whether steps of all digits, or of all bits in networks of routers, are translations: these map
// every node to every other node.
bool digits_proved(const Graph& graph) {
  const std::vector<std::uint32_t>& classes = graph.translations.block_class;
  if (classes.size() != graph.blocks.size()) return false;
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    if (classes[rank] != classes[0]) return false;
  }
  std::uint32_t lsb = 0;
  for (std::size_t d = 0; d < graph.dims.size(); ++d) {
    const std::uint32_t width = graph.dim_bits[d];
    if (!graph.has_routers()) {
      if (graph.dims[d] > 1 && !DigitStep(graph, lsb, width, graph.dims[d]).proved()) return false;
    }
    for (std::uint32_t bit = 0; graph.has_routers() && bit < width; ++bit) {
      if (!DigitStep(graph, lsb + bit, 1, 2).proved()) return false;
    }
    lsb += width;
  }
  return true;
}

}  // namespace

std::optional<Product> product_of(const Graph& graph) {
  return ProductProof(graph).product();
}

std::vector<DimensionLine> lines_of(const Graph& graph, const Product& product) {
  std::vector<DimensionLine> lines;
  std::uint32_t stride = 1;
  for (std::uint32_t d = 0; d < graph.dims.size(); ++d) {
    const std::uint32_t size = graph.dims[d];
    for (std::uint32_t unit = 0; unit < product.units && d >= product.first_line; ++unit) {
      const auto ports = product.of.begin() + unit * product.ports;
      if (std::find(ports, ports + product.ports, d) == ports + product.ports) continue;
      lines.push_back({d, {}});
      for (std::uint32_t i = 0; i < size; ++i) lines.back().ranks.push_back(unit + i * stride);
    }
    stride *= size;
  }
  return lines;
}

bool has_translations(const Graph& graph) {
  if (graph.translations.words.empty()) return false;
  if (graph.translations.keep_ports) return translations_proved(graph);
  return graph.nodes > kExactNodes || digits_proved(graph);
}

}  // namespace weft
