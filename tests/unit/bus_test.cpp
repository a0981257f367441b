// Blocks that put an interface into a system on chip: figures out of range are refused, bursts end
// where they must, and messages stay below the ids of packets, by plain counting.
#include <doctest/doctest.h>

#include <string>

#include "sim/base/error.hpp"
#include "sim/bus/axi_nic.hpp"
#include "sim/packet/register_map.hpp"
#include "sim/processor/nic_port.hpp"
#include "sw/include/weft_registers.h"

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
  CHECK(bus_complaint<RegisterBlock>(RegisterBlock::Config{.header = {20, 64, 4, 7}}) == "");
  CHECK(bus_complaint<RegisterBlock>(RegisterBlock::Config{.header = {20, 64, 4, 8}}) ==
        "register_block: keys of 4 bits and ids of 8, expected: less than 12 bits together");
}

TEST_CASE("offsets beyond those below key and id are refused, and refused writes counted") {
  struct Point {
    PacketForm header;
    std::uint32_t flits;  // Flits that offsets can address.
  };
  for (const auto& [header, flits] :
       {Point{{16, 64}, 1u << 20}, Point{{16, 64, 3}, 1u << 17}, Point{{16, 64, 0, 4}, 1u << 16},
        Point{{18, 128, 2, 6}, 1u << 8}}) {
    RegisterBlock block({.header = header, .mem_flits = 1u << 20});
    RegisterBlock::In in;
    in.wen = true;
    in.raddr = WEFT_REG_REFUSED_WRITES;
    in.status.desc_free = 8;
    std::uint32_t refused = 0;
    const auto accepts = [&](std::uint32_t reg, std::uint32_t value) {
      in.waddr = reg;
      in.wdata = value;
      const RegisterBlock::Out& out = block.eval(in);
      CHECK(out.rdata == refused);
      CHECK(!out.rrefused);
      refused += out.wrefused;
      block.tick();
      return !out.wrefused;
    };
    CHECK(!accepts(WEFT_REG_REFUSED_WRITES, 0));
    CHECK(accepts(WEFT_REG_LEN, 1));
    CHECK(accepts(WEFT_REG_OFFSET, (flits - 1) * header.data_w / 8));
    CHECK(!accepts(WEFT_REG_OFFSET, flits * header.data_w / 8));
    CHECK(accepts(WEFT_REG_POST, 0));
    in.wen = false;
    const RegisterBlock::Out& posted = block.eval(in);
    CHECK(posted.desc_valid);
    CHECK(posted.desc.off == flits - 1);
    CHECK(posted.rdata == 2);
    in.wen = true;
    CHECK(accepts(WEFT_REG_LEN, 2));
    CHECK(!accepts(WEFT_REG_POST, 0));
    CHECK(accepts(WEFT_REG_OFFSET, (flits - 2) * header.data_w / 8));
    CHECK(accepts(WEFT_REG_POST, 0));
    CHECK(refused == 3);
  }
}

TEST_CASE("both decoders have the registers of the map, and no others") {
  RegisterBlock block({.barrier = true, .combine = true, .mem_flits = 512});
  for (std::uint32_t offset = 0; offset < 0x200; ++offset) {
    CAPTURE(offset);
    const Register* const row = find_register(offset);
    const bool readable = row != nullptr && row->readable();
    RegisterBlock::In in;
    in.raddr = offset;
    CHECK(block.eval(in).rrefused == !readable);
    NicPort port(4096, 1);
    port.read(offset);
    CHECK(port.faulted() == !readable);
    // No value is accepted for a register that cannot be written; for others, one of these.
    in.status.desc_free = 1;
    in.waddr = offset;
    in.wen = true;
    bool accepted = false;
    for (in.wdata = 0; in.wdata < 2; ++in.wdata) accepted |= !block.eval(in).wrefused;
    const bool conditional = offset == WEFT_REG_START || offset == WEFT_REG_COMBINE_POST;
    CHECK(accepted == (row != nullptr && row->writable() && !conditional));
  }
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
