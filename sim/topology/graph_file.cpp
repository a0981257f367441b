// Reading networks from files.
#include "sim/topology/graph_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <utility>

#include "sim/base/file_reader.hpp"
#include "sim/config/document.hpp"
#include "sim/config/key_row.hpp"
#include "sim/topology/addresses.hpp"
#include "sim/topology/graph_file_routes.hpp"
#include "sim/topology/table_routes.hpp"

namespace weft {
namespace {

constexpr std::size_t kMostBytes = 256u << 20;
constexpr unsigned kMemoryPerByte = 16;  // Memory per byte of the document.
constexpr std::uint64_t kAutoPort = kOpen;
constexpr Word kAuto[] = {{"auto", kAutoPort}};
constexpr const char* kRouterName = "the name of a router";

struct FileRouter {
  std::string name;
  std::uint32_t ports = kAutoPort;
  std::vector<std::uint32_t> coordinates;
};
constexpr Key kRouterKeys[] = {
    key<&FileRouter::name>({.name = "name", .required = true}),
    key<&FileRouter::ports>({.name = "ports", .most = kMostPorts, .words = kAuto}),
    key<&FileRouter::coordinates>(
        {.name = "coordinates", .most = kMaxNumber >> 32, .min_items = 1, .max_items = kMostDims}),
};

struct FileLink {
  std::string from, to;
  std::uint32_t from_port = kAutoPort, to_port = kAutoPort;
  std::uint32_t stages = 0;
  std::string link_class = "all";
  bool one_way = false;
};
constexpr Key kLinkKeys[] = {
    key<&FileLink::from>({.name = "from", .expected = kRouterName, .required = true}),
    key<&FileLink::to>({.name = "to", .expected = kRouterName, .required = true}),
    key<&FileLink::from_port>({.name = "from_port", .most = kMostPorts - 1, .words = kAuto}),
    key<&FileLink::to_port>({.name = "to_port", .most = kMostPorts - 1, .words = kAuto}),
    key<&FileLink::stages>({.name = "stages", .most = kMostStages}),
    key<&FileLink::link_class>({.name = "class", .expected = "the name of a class of links"}),
    key<&FileLink::one_way>({.name = "one_way"}),
};

// Whether this word, as the link of a fault (sim/topology/fault_links.hpp), stands for several
// links.
bool is_link_word(const std::string& name) {
  const std::size_t out = name.rfind(" out ");
  const bool port = out != std::string::npos && out + 5 < name.size() &&
                    name.find_first_not_of("0123456789", out + 5) == std::string::npos;
  return name == "all" || name == Graph::kInterfaceClass || port ||
         name.find(" -> ") != std::string::npos;
}

// Whether a name can be that of a block: an instance in hardware.
bool is_identifier(const std::string& name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

// A file's network while it is read.
class Reader {
 public:
  Reader(const JsonCursor& root, const Config& config, std::string file)
      : root_(root), config_(config), file_(std::move(file)) {
    root.only_keys({"dims", "routers", "nodes", "links", "routes", "vcs"});
  }

  TableNetwork read() {
    read_routers();
    read_nodes();
    read_links();
    check_reached();
    network_.own = shortest_or_up_down;
    if (!root_.has("routes")) {
      if (root_.has("vcs")) root_.member("vcs").refuse("\"vcs\" only beside \"routes\"");
      return std::move(network_);
    }
    network_.given = read_file_routes(root_, network_);
    network_.own = [given = *network_.given](const Config&, const TableNetwork&, unsigned) {
      return given;
    };
    return std::move(network_);
  }

 private:
  void read_routers() {
    const std::string expected =
        fmt::format("a list of 1 to {} objects with the keys name, ports, coordinates",
                    std::uint32_t{1} << kMaxAddrW);
    std::size_t places = 0;
    for (const JsonCursor& cursor :
         root_.at("routers", expected).elements(1, std::size_t{1} << kMaxAddrW, expected)) {
      FileRouter router;
      read_object(kRouterKeys, cursor, {}, &router);
      if (!is_identifier(router.name) || router.name.starts_with("nic_")) {
        cursor.member("name").refuse(
            "letters, digits and _, no digit first and not nic_, which interfaces are called");
      }
      const auto [entry, fresh] = numbers_.try_emplace(router.name, network_.routers());
      if (!fresh) {
        cursor.member("name").refuse(
            fmt::format("a name that no other router has (/routers/{} has it)", entry->second));
      }
      network_.add_router(router.name, 0);
      ports_.push_back(router.ports);
      if (network_.routers() == 1) places = router.coordinates.size();
      if (router.coordinates.size() != places) {
        cursor.refuse("coordinates of every router, as many of each, or of none");
      }
      if (!router.coordinates.empty()) network_.coordinates.push_back(router.coordinates);
    }
    used_out_.resize(network_.routers());
    used_in_.resize(network_.routers());
  }

  void read_nodes() {
    const std::string expected = fmt::format(
        "a list of 2 to {} names of routers, one for each node", std::uint32_t{1} << kMaxAddrW);
    const JsonCursor list = root_.at("nodes", expected);
    for (const JsonCursor& cursor : list.elements(2, std::size_t{1} << kMaxAddrW, expected)) {
      network_.router_of.push_back(router(cursor));
    }
    check_table_size(config_, network_.routers(), network_.nodes());
    network_.dims = {network_.nodes()};
    if (!root_.has("dims")) return;
    const JsonCursor dims = root_.member("dims");
    const std::string sizes =
        fmt::format("a list of 1 to {} sizes, together {} nodes", kMostDims, network_.nodes());
    network_.dims.clear();
    std::uint64_t product = 1;
    for (const JsonCursor& size : dims.elements(1, kMostDims, sizes)) {
      network_.dims.push_back(static_cast<std::uint32_t>(size.number(1, network_.nodes())));
      product = std::min<std::uint64_t>(product * network_.dims.back(), kOpen);
    }
    if (product != network_.nodes()) dims.refuse(sizes);
    check_address_bits(network_.dims, [&](const auto& what) { dims.refuse(what); });
  }

  std::uint32_t router(const JsonCursor& name) const {
    const auto found = numbers_.find(name.text(kRouterName));
    if (found == numbers_.end()) name.refuse("the name of one of the routers");
    return found->second;
  }

  void read_links() {
    network_.link_classes.clear();
    // Several routers without links are refused later, as nodes that are not reached.
    if (!root_.has("links")) return set_ports();
    const std::string expected = fmt::format(
        "a list of up to {} objects with the keys from, to, from_port, to_port, "
        "stages, class, one_way",
        kMostFileLinks);
    const std::vector<JsonCursor> cursors =
        root_.at("links", expected).elements(0, kMostFileLinks, expected);
    std::vector<FileLink> links(cursors.size());
    for (std::size_t i = 0; i < cursors.size(); ++i) {
      read_object(kLinkKeys, cursors[i], {}, &links[i]);
      const std::uint32_t from = router(cursors[i].member("from"));
      const std::uint32_t to = router(cursors[i].member("to"));
      if (from == to) cursors[i].member("to").refuse("another router than \"from\"");
      network_.links.push_back({from, links[i].from_port, to, links[i].to_port,
                                link_class(cursors[i], links[i].link_class),
                                static_cast<std::uint16_t>(links[i].stages)});
    }
    // First the given ports, then the lowest free ones.
    for (const bool given : {true, false}) {
      for (std::size_t i = 0; i < cursors.size(); ++i) {
        TableLink& link = network_.links[i];
        const bool both = !links[i].one_way;
        if ((links[i].from_port != kAutoPort) == given) {
          link.from_port = take(cursors[i], "from_port", link.from, link.from_port, true, both);
        }
        if ((links[i].to_port != kAutoPort) == given) {
          link.to_port = take(cursors[i], "to_port", link.to, link.to_port, both, true);
        }
      }
    }
    for (std::size_t i = 0; i < cursors.size(); ++i) {
      if (links[i].one_way) continue;
      TableLink back = network_.links[i];
      std::swap(back.from, back.to);
      std::swap(back.from_port, back.to_port);
      network_.links.push_back(back);
    }
    set_ports();
  }

  std::uint32_t link_class(const JsonCursor& link, const std::string& name) {
    if (link.has("class") && is_link_word(name)) {
      link.member("class").refuse(
          "another name: \"all\", \"interface\" and names of links, as \"r_0 out 0\" or "
          "\"r_0 -> r_1\", mean other links in the link of a fault");
    }
    auto& classes = network_.link_classes;
    const auto found = std::ranges::find(classes, name);
    if (found != classes.end()) return static_cast<std::uint32_t>(found - classes.begin());
    if (classes.size() == kMostLinkClasses) {
      link.member("class").refuse(fmt::format("one of at most {} classes", kMostLinkClasses));
    }
    classes.push_back(name);
    return static_cast<std::uint32_t>(classes.size() - 1);
  }

  // Takes a port for a link's end, out of the router, into it, or both; returns it.
  std::uint32_t take(const JsonCursor& link, const char* end, std::uint32_t router,
                     std::uint32_t port, bool out, bool in) {
    const std::uint64_t used = (out ? used_out_[router] : 0) | (in ? used_in_[router] : 0);
    if (port == kAutoPort) {
      port = static_cast<std::uint32_t>(std::countr_one(used));
      if (port >= kMostPorts) {
        link.refuse(fmt::format("routers with up to {} ports; {} has no other for this link",
                                kMostPorts, network_.names[router]));
      }
    } else if ((used >> port & 1) != 0) {
      link.member(end).refuse(
          fmt::format("a port of {} that no other link has", network_.names[router]));
    }
    if (out) used_out_[router] |= std::uint64_t{1} << port;
    if (in) used_in_[router] |= std::uint64_t{1} << port;
    return port;
  }

  // A router in hardware has at least 2 ports.
  void set_ports() {
    const auto nodes_at = network_.nodes_at();
    for (std::uint32_t r = 0; r < network_.routers(); ++r) {
      const auto used = static_cast<std::uint32_t>(std::bit_width(used_out_[r] | used_in_[r]));
      if (ports_[r] != kAutoPort && ports_[r] < used) {
        root_.member("routers").elements(1, ~std::size_t{0}, "")[r].member("ports").refuse(
            fmt::format("{} or more, the ports that its links have", used));
      }
      const std::uint32_t least = nodes_at[r].size() < 2 ? 2 - nodes_at[r].size() : 0;
      network_.ports[r] = std::max(ports_[r] != kAutoPort ? ports_[r] : used, least);
    }
  }

  // Checks that every node's router is reached from that of the first, and reaches it.
  void check_reached() const {
    for (const bool backwards : {false, true}) {
      const auto links = backwards ? network_.links_to() : network_.links_from();
      std::vector<bool> seen(network_.routers());
      std::vector<std::uint32_t> queue = {network_.router_of.front()};
      seen[queue.front()] = true;
      for (std::size_t i = 0; i < queue.size(); ++i) {
        for (const std::uint32_t l : links[queue[i]]) {
          const std::uint32_t to = backwards ? network_.links[l].from : network_.links[l].to;
          if (!seen[to]) queue.push_back(to);
          seen[to] = true;
        }
      }
      for (std::uint32_t rank = 0; rank < network_.nodes(); ++rank) {
        if (seen[network_.router_of[rank]]) continue;
        root_.member("nodes").elements(2, ~std::size_t{0}, "")[rank].refuse(fmt::format(
            "a router {} node 0 (at {}) over links", backwards ? "that reaches" : "reached from",
            network_.names[network_.router_of.front()]));
      }
    }
  }

  const JsonCursor& root_;
  const Config& config_;
  std::string file_;
  TableNetwork network_;
  std::map<std::string, std::uint32_t> numbers_;   // By name: the router.
  std::vector<std::uint32_t> ports_;               // Numbers of ports as given.
  std::vector<std::uint64_t> used_out_, used_in_;  // By router: a bit for each port.
};

}  // namespace

TableNetwork read_graph_file(const std::string& path, const Config& config) {
  const auto refuse = [&](const std::string& expected) {
    config.refuse_topology(expected, "file");
  };
  const FileText read = try_read_file(path, {.memory_per_byte = kMemoryPerByte});
  if (!read.error.empty()) {
    refuse(fmt::format("a file, by its path from the working directory ({})", read.error));
  }
  if (read.text.size() > kMostBytes) {
    refuse(fmt::format("a file of up to {} MiB (this has {}): up to {} links", kMostBytes >> 20,
                       read.text.size() >> 20, kMostFileLinks));
  }
  const nlohmann::json document = parse_document(read.text, path);
  const Source source(path);
  const JsonCursor root(document, source);
  if (!document.is_object()) root.refuse("an object with the keys routers, nodes, links");
  return Reader(root, config, path).read();
}

}  // namespace weft
