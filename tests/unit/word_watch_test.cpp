// What wrote an element of a memory last, from sequences of flits and writes.
#include "sim/workload/word_watch.hpp"

#include <doctest/doctest.h>

#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace weft {
namespace {

using nlohmann::json;
using By = LastWriter::By;

constexpr std::uint32_t kWindow = 0x100;  // Flits.

// A watch on the element at a byte address of node 2 in a ring of four with two links each way.
struct Watched {
  explicit Watched(std::uint32_t byte, std::optional<ReduceType> type = {}, bool parity = true)
      : config(parse_config({{"topology", {{"kind", "torus"}, {"dims", {4}}}},
                             {"link", {{"parity", parity}}},
                             {"nic", {{"controllers", 2}}},
                             {"workload", {{"collective", "reduce_binomial"}, {"bytes", 8}}}},
                            "test")),
        graph(build_graph(config)),
        watch(config, graph, wrong_at(byte, type)) {
    in.windows.base[0] = kWindow;
    in.windows.size[0] = 16;
  }

  WrongData wrong_at(std::uint32_t byte, std::optional<ReduceType> type) const {
    const std::uint64_t bits = std::uint64_t{1} << byte % kWordBytes * 8;
    return {graph,
            2,
            {.address = byte / kWordBytes,
             .expected = bits,
             .found = 0,
             .part = WrongWord::Part::kArray,
             .element_type = type}};
  }
  // A packet of `body` flits enters by a link; the parity of flit `bad` is wrong.
  void packet(unsigned link, const Header& header, std::uint32_t body, std::uint32_t bad = 99) {
    for (std::uint32_t f = 0; f <= body; ++f) {
      Flit flit = {.data = f == 0 ? header.pack() : f, .last = f == body, .valid = true};
      flit.parity = parity_of(flit.data, flit.last) != (f == bad);
      watch.arrive(link, flit, in);
    }
  }

  Config config;
  Graph graph;
  Nic::In in = {};
  WordWatch watch;
};

}  // namespace

TEST_CASE("a word is written by the packet that its link's interface writes") {
  Watched node(8 * (kWindow + 3));
  CHECK(node.watch.node() == 2);
  CHECK(node.watch.last_writer().by == By::kNothing);
  // On link 1 two packets arrive, on link 0 one before either is written. One ends before the word.
  node.packet(1, {.dst = 2, .src = 3, .off = 0, .len = 3, .tag = 1}, 3);
  node.packet(1, {.dst = 2, .src = 1, .off = 2, .len = 2, .tag = 2}, 2);
  node.packet(0, {.dst = 2, .src = 0, .off = 3, .len = 1, .tag = 1}, 1);
  for (std::uint32_t w = 0; w < 3; ++w) node.watch.write(1, kWindow + w, 10 + w);
  CHECK(node.watch.last_writer().by == By::kNothing);
  node.watch.write(0, kWindow + 3, 12);
  CHECK(node.watch.last_writer().by == By::kMessage);
  CHECK(node.watch.last_writer().cycle == 12);
  CHECK(node.watch.last_writer().source == 0u);
  CHECK(node.watch.last_writer().reduced);  // The lowest bit of the tag.
  node.watch.write(1, kWindow + 2, 13);
  node.watch.write(1, kWindow + 3, 14);
  CHECK(node.watch.last_writer().cycle == 14);
  CHECK(node.watch.last_writer().source == 1u);
  CHECK(node.watch.last_writer().tag == 2);
  CHECK_FALSE(node.watch.last_writer().reduced);
  node.watch.restart();
  CHECK(node.watch.last_writer().by == By::kNothing);
}

TEST_CASE("packets that the interface drops write nothing") {
  Watched node(8 * (kWindow + 1));
  node.packet(0, {.dst = 2, .src = 0, .off = 0, .len = 2}, 2, 0);  // Wrong parity of the header.
  node.packet(0, {.dst = 2, .src = 0, .off = 0, .len = 2}, 2, 2);  // Wrong parity of the tail.
  node.packet(0, {.dst = 3, .src = 0, .off = 0, .len = 2}, 2);     // A packet for another node.
  node.packet(0, {.dst = 2, .src = 0, .off = 0, .len = 3}, 2);     // A wrong length.
  node.packet(0, {.dst = 2, .src = 0, .off = 15, .len = 2}, 2);    // Beyond the window.
  node.packet(0, {.dst = 2, .src = 0, .off = 0, .len = 0}, 0);     // Without a body.
  node.packet(0, {.dst = 2, .src = 0x30, .off = 0, .len = 2}, 2);  // From an unknown address.
  node.packet(0, {.dst = 2, .src = 3, .off = 0, .len = 2}, 2, 99);
  node.watch.write(0, kWindow, 20);
  node.watch.write(0, kWindow + 1, 21);
  CHECK(node.watch.last_writer().cycle == 21);
  CHECK_FALSE(node.watch.last_writer().source.has_value());
  node.watch.write(0, kWindow, 22);
  node.watch.write(0, kWindow + 1, 23);
  CHECK(node.watch.last_writer().source == 3u);
}

TEST_CASE("words of a whole packet, as engine model writes them") {
  Watched node(8 * (kWindow + 5));
  const Header header = {.dst = 2, .src = 1, .off = 2, .len = 3, .tag = 3};
  node.watch.write(header, kWindow + 2, 3, 40);  // Ends before the word.
  node.watch.write(header, kWindow + 6, 3, 40);  // Begins after the word.
  CHECK(node.watch.last_writer().by == By::kNothing);
  node.watch.write(header, kWindow + 3, 3, 40);
  CHECK(node.watch.last_writer().cycle == 42);
  CHECK(node.watch.last_writer().source == 1u);
}

TEST_CASE("the combining tree, and stores of the processor to the element alone") {
  Watched high(8 * kWindow + 4, ReduceType::kFp32);
  high.watch.combine(kWindow + 1, 7);
  high.watch.step(0, 0xFFFFFFFF, 8);  // The other element of the word.
  CHECK(high.watch.last_writer().by == By::kNothing);
  high.watch.combine(kWindow, 9);
  CHECK(high.watch.last_writer().by == By::kCombiningTree);
  CHECK(high.watch.last_writer().cycle == 9);
  high.watch.step(0, std::uint64_t{1} << 32, 10);
  CHECK(high.watch.last_writer().by == By::kProcessor);
  CHECK(high.watch.last_writer().cycle == 10);

  Watched low(8 * kWindow, ReduceType::kInt32);
  low.watch.step(0, std::uint64_t{1} << 63, 8);
  CHECK(low.watch.last_writer().by == By::kNothing);
  low.watch.step(0, std::uint64_t{1} << 31, 9);
  CHECK(low.watch.last_writer().by == By::kProcessor);

  Watched whole(8 * kWindow, ReduceType::kInt64);
  whole.watch.step(0, std::uint64_t{1} << 63, 8);
  CHECK(whole.watch.last_writer().by == By::kProcessor);
}

}  // namespace weft
