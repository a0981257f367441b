// Bounded delivery on a ring of routers, by search of all its states (scripts/bound.sh): every
// packet arrives within a number of cycles, whatever the nodes inject and when. The routers are the
// Verilated tile that `weft emit` writes. A tile's outputs depend on its registers alone, so each
// step of one tile from one state is evaluated once and remembered; a state of the ring is a number
// for each of its nodes.
//
// A node is a tile and its interface, which is reduced to what the tile sees of it:
// - It injects as `inject_unit` does with `InOrder`, on VC 0. In each cycle in which a header could
//   be injected there is none, or a packet of 1 or 2 flits for any destination; the second flit
//   follows when there is a credit.
// - It accepts a flit in every cycle: its buffer's 4 credits cover the way of a credit back.
//
// What is left out of a state decides nothing: words that a FIFO does not hold, and port and VC of
// a packet of which no flit has left. All buffers have one slot, so that no pointer moves.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "Vtile.h"
#include "Vtile__Syms.h"
#include "Vtile___024root.h"
#include "state_table.hpp"
#include "verilated_syms.h"

namespace {

constexpr unsigned kMostNodes = 4, kVcs = 2, kPorts = 3, kLocal = 2;
constexpr uint64_t kSrc = uint64_t{1} << 16, kMarked = uint64_t{1} << 32,
                   kOtherWay = uint64_t{1} << 62;

struct Flit {
  uint64_t data = 0;
  bool last = false;
  unsigned vc = 0;
  auto operator<=>(const Flit&) const = default;
};

// A packet, offered or injected: for the nodes 1 to `reach` further up, of 1 or 2 flits; 0: none.
unsigned distance_of(unsigned packet) {
  return (packet + 1) / 2;
}
unsigned flits_of(unsigned packet) {
  return 2 - packet % 2;
}

struct Interface {
  uint8_t credits = 1;
  uint8_t second = 0;   // 1: the second flit of a packet is to be injected; 2: of the marked one
  uint8_t offered = 0;  // the marked packet
};

struct Node {
  std::string memory;  // of the tile
  Interface interface;
  unsigned address;
  std::array<unsigned, 2> sent;  // flits on its links up and down, by number
  unsigned credits;              // credits that it returns: of its links from below (2 VCs) and
                                 // from above
  unsigned choices;              // what it may inject
  bool arrived;  // the last flit of the marked packet is on its link to the interface
};

[[noreturn]] void stop(const char* why) {
  std::printf("stopped: %s\n", why);
  std::exit(2);
}

// The Verilated tile: its memory is taken and put back as a whole.
class Tile {
 public:
  Tile() {
    top.rst_ni = 0;
    clock();
    top.rst_ni = 1;
    top.eval();
    for (const auto& [scope, content] : *Verilated::scopeNameMap()) {
      if (content->varsp() == nullptr) continue;
      for (const auto& [name, variable] : *content->varsp()) {
        if (std::string(name).ends_with("_q"))
          registers_[std::string(scope) + "." + name] = {static_cast<char*>(variable.datap()),
                                                         variable.totalSize()};
      }
    }
  }
  void clock() {
    for (const int level : {0, 1, 0}) {
      top.clk_i = level;
      top.eval();
    }
  }
  std::string memory() {
    return {reinterpret_cast<const char*>(top.rootp->vlSymsp), sizeof(Vtile__Syms)};
  }
  void set_memory(const std::string& memory) {
    std::copy(memory.begin(), memory.end(), reinterpret_cast<char*>(top.rootp->vlSymsp));
  }
  void drive(unsigned port, const Flit& flit) {
    top.rx_valid_i |= 1 << port;
    top.rx_last_i |= flit.last << port;
    top.rx_vc_i |= flit.vc << port;
    top.rx_data_i[2 * port] = static_cast<uint32_t>(flit.data);
    top.rx_data_i[2 * port + 1] = flit.data >> 32;
  }
  void drive_nothing() {
    top.rx_valid_i = top.rx_last_i = top.rx_vc_i = top.tx_credit_i = 0;
    for (unsigned i = 0; i < 2 * kPorts; i++) top.rx_data_i[i] = 0;
  }
  bool sends(unsigned port) const { return top.tx_valid_o >> port & 1; }
  Flit sent(unsigned port) const {
    return {top.tx_data_o[2 * port] | uint64_t{top.tx_data_o[2 * port + 1]} << 32,
            (top.tx_last_o >> port & 1) != 0, static_cast<unsigned>(top.tx_vc_o >> port & 1)};
  }
  // The registers that decide what follows.
  std::string state() const {
    std::string state;
    for (const auto& [name, value] : registers_) {
      const std::string scope = name.substr(0, name.rfind('.'));
      const std::string part = name.substr(scope.size());
      if ((part == ".port_q" || part == ".vc_q") && holds(scope + ".head_q")) continue;
      if (part == ".mem_q" && !holds(scope + ".count_q")) continue;
      state.append(value.first, value.second);
    }
    return state;
  }
  Vtile top;

 private:
  bool holds(const std::string& name) const {
    const auto found = registers_.find(name);
    return found != registers_.end() && *found->second.first != 0;
  }
  std::map<std::string, std::pair<char*, size_t>> registers_;
};

class Ring {
 public:
  using State = std::array<unsigned, kMostNodes>;

  Ring(unsigned nodes, unsigned reach) : size_(nodes), reach_(reach) {}

  uint64_t reset() {
    State state{};
    tile_.drive_nothing();
    for (unsigned i = 0; i < size_; i++) {
      tile_.top.own_i = i;
      tile_.top.eval();
      state[i] = number(i, {});
    }
    return pack(state);
  }
  unsigned options(uint64_t key) const {
    unsigned product = 1;
    const State state = unpack(key);
    for (unsigned i = 0; i < size_; i++) product *= nodes_[state[i]].choices;
    return product;
  }
  // One cycle: `option` is what all nodes inject, as one number.
  uint64_t step(uint64_t key, unsigned option) {
    const State state = unpack(key);
    State next{};
    for (unsigned i = 0; i < size_; i++) {
      const Node& below = nodes_[state[(i + size_ - 1) % size_]];
      const Node& above = nodes_[state[(i + 1) % size_]];
      const unsigned credits = (above.credits & 3) | (below.credits & 12);
      const unsigned choices = nodes_[state[i]].choices;
      next[i] = step_node(state[i], below.sent[0], above.sent[1], credits, option % choices);
      option /= choices;
    }
    return pack(next);
  }
  // The state `key`, but for a marked packet that node `source` offers.
  uint64_t offer(uint64_t key, unsigned source, unsigned packet) {
    State state = unpack(key);
    const auto [it, fresh] = offers_.try_emplace(uint64_t{state[source]} << 4 | packet, 0);
    if (fresh) {
      const Node& node = nodes_[state[source]];
      Interface interface = node.interface;
      interface.offered = static_cast<uint8_t>(packet);
      tile_.set_memory(node.memory);
      it->second = number(node.address, interface);
    }
    state[source] = it->second;
    return pack(state);
  }
  bool arrived(uint64_t key) const {
    const State state = unpack(key);
    return std::any_of(state.begin(), state.begin() + size_,
                       [&](unsigned node) { return nodes_[node].arrived; });
  }

 private:
  uint64_t pack(const State& state) const {
    uint64_t key = 0;
    for (unsigned i = 0; i < size_; i++) {
      if (state[i] >> 64 / size_ != 0) stop("too many states of a node for a key");
      key = key << 64 / size_ | state[i];
    }
    return key + 1;
  }
  State unpack(uint64_t key) const {
    State state{};
    key--;
    for (unsigned i = size_; i-- > 0; key >>= 64 / size_)
      state[i] = key & ((uint64_t{1} << 64 / size_) - 1);
    return state;
  }
  unsigned flit_number(const Flit& flit) {
    const unsigned fresh = flits_.size();
    const auto [it, inserted] = flit_numbers_.try_emplace(flit, fresh);
    if (inserted) flits_.push_back(flit);
    if (fresh == 64) stop("more than 64 different flits");
    return it->second;
  }
  // The number of a node with the tile as it is.
  unsigned number(unsigned address, const Interface& interface) {
    std::string state = tile_.state();
    state.push_back(static_cast<char>(address));
    state.append(reinterpret_cast<const char*>(&interface), sizeof interface);
    const auto [it, fresh] = numbers_.try_emplace(state, nodes_.size());
    if (!fresh) return it->second;
    Node node{tile_.memory(), interface, address, {}, tile_.top.rx_credit_o & 15u, 1, false};
    for (unsigned port = 0; port < kLocal; port++)
      node.sent[port] = tile_.sends(port) ? flit_number(tile_.sent(port)) : 0;
    if (tile_.sends(kLocal)) {
      const Flit flit = tile_.sent(kLocal);
      node.arrived = flit.last && (flit.data & kMarked) != 0;
    }
    if (interface.second == 0 && interface.offered == 0 && interface.credits != 0)
      node.choices = 1 + 2 * reach_;
    nodes_.push_back(std::move(node));
    return it->second;
  }
  // The flit that the interface injects, if any.
  bool inject(Interface& interface, unsigned address, unsigned choice, Flit& flit) const {
    if (interface.credits == 0) return false;
    if (interface.second != 0) {
      flit = {interface.second == 2 ? kMarked : 0, true, 0};
      interface.second = 0;
    } else {
      const bool marked = interface.offered != 0;
      const unsigned packet = marked ? interface.offered : choice;
      if (packet == 0) return false;
      const unsigned distance = distance_of(packet);
      // Half-way round, all packets go up.
      flit = {(address + distance) % size_ | address * kSrc | (marked ? kMarked : 0) |
                  (2 * distance == size_ && address % 2 == 1 ? kOtherWay : 0),
              flits_of(packet) == 1, 0};
      if (!flit.last) interface.second = marked ? 2 : 1;
      interface.offered = 0;
    }
    interface.credits--;
    return true;
  }
  unsigned step_node(unsigned number_of_node, unsigned from_below, unsigned from_above,
                     unsigned credits, unsigned choice) {
    uint64_t key = number_of_node;
    for (const unsigned input : {from_below, from_above}) key = key << 6 | input;
    key = (key << 4 | credits) << 4 | choice;
    const size_t at = steps_.slot(key + 1);
    if (steps_.keys[at] != 0) return steps_.values[at];

    const unsigned address = nodes_[number_of_node].address;
    Interface interface = nodes_[number_of_node].interface;
    tile_.set_memory(nodes_[number_of_node].memory);
    Flit flit;
    const bool injects = inject(interface, address, choice, flit);
    if (injects) tile_.drive(kLocal, flit);
    if (from_below != 0) tile_.drive(0, flits_[from_below]);
    if (from_above != 0) tile_.drive(1, flits_[from_above]);
    interface.credits += tile_.top.rx_credit_o >> kVcs * kLocal & 1;
    tile_.top.tx_credit_i = credits | (tile_.sends(kLocal) ? 1 << kVcs * kLocal : 0);
    tile_.top.own_i = address;
    tile_.clock();
    tile_.drive_nothing();
    tile_.top.eval();
    const unsigned next = number(address, interface);
    steps_.insert(key + 1, next);
    return next;
  }

  unsigned size_, reach_;
  Tile tile_;
  std::vector<Flit> flits_{{}};
  std::map<Flit, unsigned> flit_numbers_;
  std::vector<Node> nodes_;
  std::unordered_map<std::string, unsigned> numbers_;
  std::unordered_map<uint64_t, unsigned> offers_;
  StateTable<uint32_t> steps_;
};

// Of each state with the marked packet the longest way to its arrival, in cycles: depth first.
class Longest {
 public:
  explicit Longest(Ring& ring) : ring_(ring) {}
  // From this state; exits when there is a way round a cycle of states.
  unsigned from(uint64_t start) {
    if (cycles_.insert(start, kOpen)) path_.push_back({start, ring_.options(start), 0, 0});
    while (!path_.empty()) {
      Open& open = path_.back();
      if (open.option == open.options) {
        const unsigned longest = open.longest;
        if (longest >= kOpen) stop("a way longer than a byte counts");
        cycles_.values[cycles_.slot(open.key)] = static_cast<uint8_t>(longest);
        path_.pop_back();
        if (!path_.empty()) path_.back().longest = std::max(path_.back().longest, longest + 1);
        continue;
      }
      const uint64_t next = ring_.step(open.key, open.option++);
      if (ring_.arrived(next)) {
        open.longest = std::max(open.longest, 1u);
      } else if (cycles_.insert(next, kOpen)) {
        path_.push_back({next, ring_.options(next), 0, 0});
      } else if (const unsigned known = cycles_.values[cycles_.slot(next)]; known != kOpen) {
        open.longest = std::max(open.longest, known + 1);
      } else {
        const auto same = [&](const Open& one) { return one.key == next; };
        const auto first = std::find_if(path_.begin(), path_.end(), same);
        std::printf("no bound: %zu cycles after its offer a packet is in a loop of %zu\n",
                    static_cast<size_t>(first - path_.begin()),
                    static_cast<size_t>(path_.end() - first));
        std::exit(1);
      }
    }
    return cycles_.values[cycles_.slot(start)];
  }
  size_t states() const { return cycles_.size; }

 private:
  static constexpr uint8_t kOpen = 255;
  struct Open {
    uint64_t key;
    unsigned options, option, longest;
  };
  Ring& ring_;
  StateTable<uint8_t> cycles_;
  std::vector<Open> path_;
};

}  // namespace

// ring_bound NODES REACH: destinations are 1 to REACH nodes further up.
int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const unsigned nodes = std::atoi(argv[1]), reach = std::atoi(argv[2]);
  Ring ring(nodes, reach);
  StateTable<bool> reached;
  std::vector<uint64_t> states{ring.reset()};
  reached.insert(states[0], true);
  for (size_t i = 0; i < states.size(); i++) {
    const unsigned options = ring.options(states[i]);
    for (unsigned option = 0; option < options; option++) {
      const uint64_t next = ring.step(states[i], option);
      if (reached.insert(next, true)) states.push_back(next);
    }
  }
  reached = {};
  unsigned bound = 0;
  size_t marked = 0;
  for (unsigned source = 0; source < nodes; source++) {
    for (unsigned packet = 1; packet <= 2 * reach; packet++) {
      Longest longest(ring);
      unsigned cycles = 0;
      for (const uint64_t state : states)
        cycles = std::max(cycles, longest.from(ring.offer(state, source, packet)));
      marked += longest.states();
      std::printf("%u to %u, %u flits: %u cycles\n", source, (source + distance_of(packet)) % nodes,
                  flits_of(packet), cycles);
      std::fflush(stdout);
      bound = std::max(bound, cycles);
    }
  }
  std::printf("bound %u cycles: %zu states, %zu with a marked packet\n", bound, states.size(),
              marked);
}
