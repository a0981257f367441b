// Packet fields: rtl/weft_pkg.sv against sim/packet/packet.hpp, and the bit positions themselves.
#include "sim/packet/packet.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <bit>
#include <cctype>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>

#include "sim/base/installation.hpp"
#include "sim/buffer/input_buffer.hpp"
#include "sim/buffer/ram.hpp"
#include "sim/router/route/route.hpp"
#include "sw/include/weft_job.h"

namespace {

// The `localparam int unsigned Name = sum;` lines of the package, the sums, or products, of names
// and numbers worked out, and those of VC sets.
std::map<std::string, unsigned> package_figures() {
  std::ifstream in(weft::source_dir() / "rtl/weft_pkg.sv");
  REQUIRE(in);
  std::map<std::string, unsigned> figures;
  for (std::string line; std::getline(in, line);) {
    const std::size_t equals = line.find(" = "), end = line.find(';');
    if (line.find("localparam") == line.npos || equals == line.npos) continue;
    REQUIRE_MESSAGE(end > equals, line);
    const std::string left = line.substr(0, line.find_last_not_of(' ', equals) + 1);
    std::string right = line.substr(equals + 3, end - equals - 3);
    // Constants of so many bits among them: `localparam logic [VcSetW-1:0] Name = 3'dNUMBER;`.
    if (const std::size_t base = right.find("'d"); base != right.npos) right.erase(0, base + 2);
    std::istringstream terms(right);
    const bool product = right.find(" * ") != right.npos;
    unsigned sum = product ? 1 : 0;
    for (std::string term; terms >> term;) {
      if (term == (product ? "*" : "+")) continue;
      const bool digits = std::isdigit(static_cast<unsigned char>(term.front())) != 0;
      REQUIRE_MESSAGE((digits || figures.count(term) == 1), term);
      const unsigned value = digits ? static_cast<unsigned>(std::stoul(term)) : figures[term];
      sum = product ? sum * value : sum + value;
    }
    figures[left.substr(left.rfind(' ') + 1)] = sum;
  }
  return figures;
}

}  // namespace

TEST_CASE("weft_pkg.sv and packet.hpp hold the same figures") {
  const std::map<std::string, unsigned> ours = {
      {"AddrW", weft::kAddrW},
      {"MaxAddrW", weft::kMaxAddrW},
      {"LenW", weft::kLenW},
      {"TagW", weft::kTagW},
      {"OffW", weft::kOffW},
      {"MemAddrW", weft::kMemAddrW},
      {"MsgLenW", weft::kMsgLenW},
      {"GapW", weft::kGapW},
      {"CtrlW", weft::kCtrlW},
      {"StartW", weft::kStartW},
      {"CtrlRoundRobin", weft::kCtrlRoundRobin},
      {"TagOtherWay", weft::kTagOtherWay},
      {"TagClass", weft::kTagClass},
      {"CountW", weft::kCountW},
      {"StampW", weft::kStampW},
      {"DigitParamW", weft::kDigitParamW},
      {"MaxDims", WEFT_MAX_DIMS},
      {"CoordsW", WEFT_MAX_DIMS * weft::kDigitParamW},
      {"NumRxCounts", weft::kNumRxCounts},
      {"RxDepth", weft::kRxDepth},
      {"RamDepth", weft::kRamDepth},
      {"HdrDstLsb", weft::kHdrDstLsb},
      {"HdrLenLsb", weft::kHdrLenLsb},
      {"HdrTagLsb", weft::kHdrTagLsb},
      {"HdrEomLsb", weft::kHdrEomLsb},
      {"HdrW", weft::kHdrW},
      {"RouteDigit", static_cast<unsigned>(weft::Route::kDigit)},
      {"RouteSwitch", static_cast<unsigned>(weft::Route::kSwitch)},
      {"VcSetW", weft::kVcSetW},
      {"VcAny", static_cast<unsigned>(weft::VcSet::kAny)},
      {"VcLow", static_cast<unsigned>(weft::VcSet::kLow)},
      {"VcHigh", static_cast<unsigned>(weft::VcSet::kHigh)},
      {"VcSame", static_cast<unsigned>(weft::VcSet::kSame)},
      {"VcFirst", static_cast<unsigned>(weft::VcSet::kFirst)},
      {"VcNext", static_cast<unsigned>(weft::VcSet::kNext)},
      {"NumberedVcs", weft::kNumberedVcs},
      {"DatelineFixed", static_cast<unsigned>(weft::DatelineRule::kFixed)},
      {"DatelineBalanced", static_cast<unsigned>(weft::DatelineRule::kBalanced)},
      {"DatelineCrossing", static_cast<unsigned>(weft::DatelineRule::kCrossing)},
      {"ReduceOpW", weft::kReduceOpW},
      {"OpStore", static_cast<unsigned>(weft::ReduceOp::kStore)},
      {"OpSum", static_cast<unsigned>(weft::ReduceOp::kSum)},
      {"OpProd", static_cast<unsigned>(weft::ReduceOp::kProd)},
      {"OpMax", static_cast<unsigned>(weft::ReduceOp::kMax)},
      {"OpMin", static_cast<unsigned>(weft::ReduceOp::kMin)},
      {"OpMean", static_cast<unsigned>(weft::ReduceOp::kMean)},
      {"ReduceTypeW", weft::kReduceTypeW},
      {"TypeInt32", static_cast<unsigned>(weft::ReduceType::kInt32)},
      {"TypeInt64", static_cast<unsigned>(weft::ReduceType::kInt64)},
      {"TypeFp32", static_cast<unsigned>(weft::ReduceType::kFp32)},
      {"MeanCountW", weft::kMeanCountW},
      {"TagReduce", weft::kTagReduce},
      {"ReduceLatency", weft::kReduceLatency},
      {"MeanLatency", weft::kMeanLatency},
  };
  CHECK(package_figures() == ours);
}

TEST_CASE("header fields lie where rtl/README.md says") {
  // From bit 0: dst 16, src 16, off 20, len 8, tag 3, eom 1; one field all ones at a time.
  using weft::Header;
  CHECK(Header{.dst = 0xffff}.pack() == 0x000000000000ffffu);
  CHECK(Header{.src = 0xffff}.pack() == 0x00000000ffff0000u);
  CHECK(Header{.off = 0xfffff}.pack() == 0x000fffff00000000u);
  CHECK(Header{.len = 0xff}.pack() == 0x0ff0000000000000u);
  CHECK(Header{.tag = 7}.pack() == 0x7000000000000000u);
  CHECK(Header{.eom = true}.pack() == 0x8000000000000000u);
  CHECK(Header{.dst = 0x10001}.pack() == 1);  // What does not fit stays out of the other fields.
}

TEST_CASE("addresses as wide as the nodes need leave the other bits to the offset") {
  using weft::Header;
  for (unsigned addr_w = weft::kAddrW; addr_w <= weft::kMaxAddrW; ++addr_w) {
    const weft::PacketForm form{addr_w};
    CAPTURE(addr_w);
    CHECK(form.off_w() == 52 - 2 * addr_w);
    CHECK(form.window_flits() == (1u << (52 - 2 * addr_w)));
    // Each field all ones at a time: together all bits, each once.
    const std::uint64_t fields[] = {Header{.dst = ~0u}.pack(form), Header{.src = ~0u}.pack(form),
                                    Header{.off = ~0u}.pack(form), Header{.len = ~0u}.pack(form),
                                    Header{.tag = ~0u}.pack(form), Header{.eom = true}.pack(form)};
    std::uint64_t sum = 0, any = 0;
    for (const std::uint64_t field : fields) sum += field, any |= field;
    CHECK(sum == ~std::uint64_t{0});
    CHECK(any == ~std::uint64_t{0});
    CHECK((fields[1] >> addr_w) == fields[0]);  // The source is next to the destination.
    CHECK(fields[3] == 0x0ff0000000000000u);
    CHECK(Header::unpack(0x5a5a123456789abcu, form).pack(form) == 0x5a5a123456789abcu);
  }
}

TEST_CASE("unpacking is the inverse of packing") {
  CHECK(
      rc::check([](std::uint64_t word) { RC_ASSERT(weft::Header::unpack(word).pack() == word); }));
}

TEST_CASE("parity over data and Data-End is even") {
  CHECK(rc::check([](std::uint64_t data, bool last) {
    unsigned ones = last ? 1 : 0;
    for (unsigned bit = 0; bit < 64; ++bit) ones += data >> bit & 1;
    RC_ASSERT((ones + (weft::parity_of(data, last) ? 1 : 0)) % 2 == 0);
  }));
}

TEST_CASE("the first window with a packet's key takes it, or none does") {
  const weft::PacketForm keyed = {.key_w = 2};
  CHECK(keyed.place_w() == 18);
  CHECK(keyed.window_flits() == 1u << 18);
  weft::ReceiveWindows windows;
  windows.base = {100, 200, 300, 0xFFFFFF};
  windows.size = {10, 10, 50, 4};
  windows.key = {1, 2, 1, 3};
  using Place = std::optional<std::uint32_t>;
  const auto place = [&](std::uint32_t key, std::uint32_t offset, std::uint32_t len) {
    return windows.place(key << 18 | offset, len, keyed, 4);
  };
  CHECK(place(1, 3, 7) == Place(103));
  CHECK(place(1, 4, 7) == Place());  // Window 2 has room, but is not asked.
  CHECK(place(2, 0, 10) == Place(200));
  CHECK(place(2, 11, 0) == Place());
  CHECK(place(2, 10, 0) == Place(210));
  CHECK(place(0, 0, 0) == Place());
  CHECK(place(3, 2, 2) == Place(1));  // Addresses wrap.
  CHECK(windows.place(3u << 18, 1, keyed, 3) == Place());
  // Without keys there is one window, and an offset has all bits.
  windows.key = {};
  windows.size[0] = 1u << 20;
  CHECK(windows.place(0xFFFFE, 2, {}, 1) == Place(100 + 0xFFFFE));
  CHECK(windows.place(0xFFFFE, 3, {}, 1) == Place());
  for (const unsigned bits : {0u, 1u, 8u}) {
    for (const unsigned count : {0u, 1u, 2u, 8u, 9u}) {
      CHECK(weft::ReceiveWindows::may_be(count, {.key_w = bits}) ==
            (count == 1 || (bits > 0 && (count == 2 || count == 8))));
    }
  }
  CHECK_FALSE(weft::ReceiveWindows::may_be(1, {.key_w = 9}));
}
