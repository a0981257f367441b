// Buffers that get words against the contract, as faults on wires bring them: such a word is lost,
// and nothing else is touched.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "sim/buffer/fifo.hpp"
#include "sim/router/input_unit.hpp"

namespace weft {
namespace {

Flit overflow_word(unsigned vc, std::uint64_t data) {
  Flit flit;
  flit.valid = true;
  flit.last = true;
  flit.vc = static_cast<std::uint16_t>(vc);
  flit.data = data;
  return flit;
}

TEST_CASE("a word too many for a VC of a router is lost, and no other VC has it") {
  InputUnit unit({.num_vc = 2, .depth = 2});
  const auto arrives = [&](unsigned vc, std::uint64_t data) {
    unit.eval(overflow_word(vc, data), {});
    unit.tick();
  };
  arrives(1, 100);
  for (std::uint64_t word = 0; word < 5; ++word) arrives(0, word);
  CHECK(unit.occupancy(0) == 2);
  CHECK(unit.held(0, 0).data == 0);
  CHECK(unit.held(0, 1).data == 1);
  CHECK(unit.occupancy(1) == 1);
  CHECK(unit.held(1, 0).data == 100);
}

TEST_CASE("a word for a VC that a router does not have is lost") {
  InputUnit unit({.num_vc = 3, .depth = 2});
  CHECK_FALSE(unit.expects_head(3));
  unit.eval(overflow_word(3, 1), {});
  unit.tick();
  for (unsigned vc = 0; vc < 3; ++vc) CHECK_FALSE(unit.valid(vc));
}

TEST_CASE("a word for a full FIFO is lost") {
  Fifo<std::uint64_t> fifo(3);
  for (std::uint64_t word = 0; word < 20; ++word) fifo.push(word);
  REQUIRE(fifo.count() == 3);
  for (std::uint64_t word = 0; word < 3; ++word) {
    CHECK(fifo.front() == word);
    fifo.pop();
  }
  CHECK(fifo.empty());
}

}  // namespace
}  // namespace weft
