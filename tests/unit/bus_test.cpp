// Blocks that put an interface into a system on chip: figures out of range are refused, and bursts
// end where they must, by plain counting.
#include <doctest/doctest.h>

#include <string>

#include "sim/base/error.hpp"
#include "sim/bus/axi_nic.hpp"

using namespace weft;

namespace {

template <class Block, class Config>
std::string bus_complaint(const Config& config) {
  try {
    Block block(config);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("figures of a manager on AXI4 that are out of range are refused") {
  CHECK(bus_complaint<AxiRead>(AxiRead::Config{512, 16, 30}) == "");
  CHECK(bus_complaint<AxiRead>(AxiRead::Config{96, 1, 32}) ==
        "axi_read: data_w is 96, expected: 64, 128, 256 or 512");
  CHECK(bus_complaint<AxiWrite>(AxiWrite::Config{64, 17, 32}) ==
        "axi_write: lanes is 17, expected: 1 to 16");
  CHECK(bus_complaint<AxiWrite>(AxiWrite::Config{64, 0, 32}) ==
        "axi_write: lanes is 0, expected: 1 to 16");
  CHECK(bus_complaint<AxiRead>(AxiRead::Config{512, 1, 29}) ==
        "axi_read: axi_addr_w is 29, expected: 30 to 64");
  CHECK(bus_complaint<AxiNic>(AxiNic::Config{.nic = {.reduce = true}}).starts_with("nic: "));
  CHECK(bus_complaint<AxiNic>(AxiNic::Config{.axi_addr_w = 65}) ==
        "axi_read: axi_addr_w is 65, expected: 27 to 64");
}

TEST_CASE("a burst ends with its run or its page") {
  const AxiRead::Config config{128, 2, 32};  // 256 words of 16 bytes in a page.
  const auto burst = [&](std::uint32_t addr, std::uint32_t left) {
    return config.burst(1, {addr, left}, 0x40000000);
  };
  CHECK(burst(0, 255).len == 255);
  CHECK(burst(1, 255).len == 254);
  CHECK(burst(255, 9).len == 0);
  CHECK(burst(256, 9).len == 9);
  CHECK(burst(256, 9).addr == 0x40001000);
  CHECK(burst(250, 5).len == 5);
  CHECK(burst(250, 6).len == 5);
}
