// The protocol of gdb, without a socket: packets damaged and unknown, and what a debugger does.
#include "sim/processor/gdb_stub.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "sim/base/error.hpp"
#include "tests/unit/rv32_asm.hpp"

namespace {

using namespace weft;
using namespace weft::rv32_asm;

constexpr std::uint32_t kGdbMemory = 0x10000;

std::string packet_of(const std::string& payload) {
  unsigned sum = 0;
  for (const char c : payload) sum += static_cast<unsigned char>(c);
  return fmt::format("${}#{:02x}", payload, sum & 0xFF);
}

/// What gdb sends, all at once, and what it is sent. Who waits for more finds the connection
/// closed.
class Script : public ByteStream {
 public:
  explicit Script(std::string sends) : sends_(std::move(sends)) {}
  int read(bool waits) override {
    if (at_ < sends_.size()) return static_cast<unsigned char>(sends_[at_++]);
    return waits || closed ? kClosed : kNothing;
  }
  void write(std::string_view bytes) override { got_ += bytes; }
  const std::string& got() const { return got_; }
  void add(const std::string& more) { sends_ += more; }
  bool closed = false;

 private:
  std::string sends_, got_;
  std::size_t at_ = 0;
};

// x1 = 1, x2 = 2, store x1 at 0x9000 (in x3), end with code 5.
const std::vector<Instruction> kStores = {
    addi(1, 0, 1), addi(2, 0, 2),          lui(3, 0x9000),          sw(1, 3, 0),
    addi(4, 0, 5), lui(5, WEFT_MMIO_BASE), sw(4, 5, WEFT_REG_EXIT), addi(0, 0, 0)};

/// A core with a stub. `run` steps it as long as it runs.
struct Debugged {
  explicit Debugged(const std::string& sends, const std::vector<Instruction>& words = kStores)
      : script(sends), stub(script), core(program(words), Memory(kGdbMemory), Job{}) {
    core.attach(&stub);
  }
  void run(unsigned cycles = 100) {
    NicStatus status;
    status.desc_free = 4;
    for (unsigned i = 0; i < cycles && core.state() == ProcessorState::kRunning; ++i) {
      core.step(status, cycle++);
    }
  }

  Script script;
  GdbStub stub;
  Rv32Core core;
  std::uint64_t cycle = 0;
};

/// The reply to one packet before the first instruction.
std::string reply_to(const std::string& payload) {
  Debugged debugged(packet_of(payload));
  debugged.run(1);
  const std::string& got = debugged.script.got();
  REQUIRE(got.size() >= 5);
  CHECK(got.substr(0, 2) == "+$");
  const std::string reply = got.substr(2, got.size() - 5);
  CHECK(packet_of(reply) == got.substr(1));
  return reply;
}

/// What is sent for a sequence of packets, without the acknowledgements.
std::string replies_to(const std::vector<std::string>& payloads,
                       const std::vector<Instruction>& words = kStores) {
  std::string sends = packet_of("QStartNoAckMode");
  for (const std::string& payload : payloads) sends += packet_of(payload);
  Debugged debugged(sends, words);
  debugged.run();
  std::string text;
  const std::string& got = debugged.script.got();
  for (std::size_t at = 0; (at = got.find('$', at)) != std::string::npos; ++at) {
    text += got.substr(at + 1, got.find('#', at) - at - 1) + " ";
  }
  return text.substr(3);  // "OK " of no acknowledgements.
}

}  // namespace

TEST_CASE("gdb: damaged packets are asked for again, and replies repeated") {
  const std::string good = packet_of("p1");
  for (const std::string& bad :
       {std::string("$p1#00"), std::string("$p1#zz"), std::string("$p1#a"), std::string("$#01"),
        "$" + std::string(GdbPackets::kMostBytes + 1, 'p') + "#00"}) {
    Debugged debugged(bad + "x" + good);
    debugged.run(1);
    CAPTURE(bad.substr(0, 20));
    CHECK(debugged.script.got() == "-+" + packet_of("00000000"));
  }
  Debugged cut("$p3" + good + "-+--");  // A packet that is cut off; three nacks of the reply.
  cut.run(1);
  const std::string reply = packet_of("00000000");
  CHECK(cut.script.got() == "+" + reply + reply + reply + reply);
  Debugged quiet(packet_of("QStartNoAckMode") + "$p1#00-" + good);
  quiet.run(1);
  CHECK(quiet.script.got() == "+" + packet_of("OK") + reply);
  Debugged closed("$p1#");  // The program then runs on its own, to its end.
  closed.run();
  CHECK(closed.stub.gone());
  CHECK(closed.core.port().exit_code() == 5);
}

TEST_CASE("gdb: what is not known is answered by nothing, what is malformed by an error") {
  for (const char* unknown : {"", "vCont?", "vMustReplyEmpty", "Z3,9000,4", "Z9,9000,4", "qC",
                              "qSymbol::", "!", "b", "\x80"}) {
    CAPTURE(unknown);
    CHECK(reply_to(unknown) == "");
  }
  for (const char* malformed : {"m",
                                "m9000",
                                "m9000,",
                                "m9000,4x",
                                "m123456789,4",
                                "m9000,0",
                                "M9000,4",
                                "M9000,4:0102",
                                "M9000,4:0102030405",
                                "M9000,2:010g",
                                "M9000,1:1",
                                "X9000,2:a",
                                "X9000,1:}",
                                "p",
                                "p21",
                                "p100000000",
                                "P1",
                                "P1=",
                                "P1=00",
                                "P1=000000000",
                                "P21=00000000",
                                "G",
                                "G00",
                                "cx",
                                "s1x",
                                "C",
                                "C05x",
                                "Z0,1000",
                                "Z2,9000",
                                "z0,1000,4",
                                "z2,9000,4",
                                "qRcmd,1",
                                "qXfer:features:read:target.xml:0",
                                "qXfer:features:read:target.xml:,"}) {
    CAPTURE(malformed);
    CHECK(reply_to(malformed) == "E16");
  }
  for (const char* nowhere :
       {"m10000,4", "mffffffff,4", "mf0000000,4", "Mfffe,4:01020304", "Mfffffffe,4:01020304",
        "M1000,4:00000000", "Mffe,4:00000000", "M101c,8:0000000000000000", "Z0,1002,4", "Z0,1020,4",
        "Z0,ffc,4", "Z2,fffe,4", "Z2,9000,0", "Z2,9000,41"}) {
    CAPTURE(nowhere);
    CHECK(reply_to(nowhere) == "E0e");
  }
  CHECK(reply_to("qXfer:features:read:other.xml:0,10") == "E00");
}

TEST_CASE("gdb: registers, memory and the description of the processor") {
  CHECK(reply_to("?") == "S05");
  CHECK(reply_to("Hg0") == "OK");
  CHECK(reply_to("qAttached") == "1");
  CHECK(reply_to("qSupported:swbreak+") == "PacketSize=4000;qXfer:features:read+;QStartNoAckMode+");
  CHECK(reply_to("g") == std::string(256, '0') + "00100000");
  CHECK(reply_to("p20") == "00100000");
  CHECK(replies_to({"P7=78563412", "p7", "P0=01000000", "p0", "P20=04100000", "p20"}) ==
        "OK 78563412 OK 00000000 OK 04100000 ");
  const std::string all = "01000000" + std::string(240, '1') + "08000000" + "10100000";
  CHECK(replies_to({"G" + all, "g", "s"}) ==
        "OK 00000000" + all.substr(8) + " S05 ");  // x0 stays 0.
  CHECK(reply_to("m1000,8") == "9300100013012000");
  CHECK(reply_to("mfffe,100") == "0000");  // What there is.
  CHECK(reply_to("m0,ffffffff").size() == GdbPackets::kMostBytes);
  CHECK(replies_to({"M9001,3:a1B2c3", "m9000,5", "X9004,4:}\x03}\x04}]z", "m9004,4", "X9000,0:"}) ==
        "OK 00a1b2c300 OK 23247d7a OK ");
  const std::string whole = reply_to("qXfer:features:read:target.xml:0,4000");
  CHECK(whole.starts_with("l<?xml"));
  CHECK(whole.find("<architecture>riscv:rv32</architecture>") != std::string::npos);
  CHECK(whole.find("<reg name=\"pc\" bitsize=\"32\" regnum=\"32\"") != std::string::npos);
  CHECK(reply_to("qXfer:features:read:target.xml:6,20") == "m" + whole.substr(7, 32));
  CHECK(reply_to("qXfer:features:read:target.xml:4000,20") == "l");
  CHECK(reply_to("qRcmd,6379636c65") == "300a");  // "cycle": "0\n"
  CHECK(reply_to("qRcmd,61").starts_with("6d6f6e69746f72"));
}

TEST_CASE("gdb: steps, breakpoints, watchpoints and the end of the program") {
  CHECK(replies_to({"s", "s", "p20", "p1", "p2", "c"}) ==
        "S05 S05 08100000 01000000 02000000 W05 ");
  CHECK(replies_to({"Z0,1008,4", "Z1,1014,4", "c", "p20", "c", "p20", "z1,1014,4", "?", "c"}) ==
        "OK OK S05 08100000 S05 14100000 OK S05 W05 ");
  CHECK(replies_to({"Z0,1008,4", "z0,1008,4", "C05", "?"}) == "OK OK W05 ");
  CHECK(replies_to({"c1010"}) == "W05 ");  // Without the store, at another pc.
  // Before its own store, which gdb then steps over without the watchpoint.
  for (const char* part : {"Z2,9000,4", "Z2,9003,1", "Z2,8ffe,3"}) {
    CAPTURE(part);
    const std::string erase = "z" + std::string(part).substr(1);
    const std::string at = fmt::format("{:s}", std::string(part).substr(3, 4));
    CHECK(replies_to({part, "c", "p20", erase, "s", "m9000,1", "c"}) ==
          "OK T05watch:" + at + "; 0c100000 OK S05 01 W05 ");
  }
  CHECK(replies_to({"Z2,9004,4", "c"}) == "OK W05 ");
  CHECK(replies_to({"Z2,8fff,1", "c"}) == "OK W05 ");
  // A change by others is seen before the next instruction; what gdb writes is none.
  Debugged debugged(packet_of("QStartNoAckMode") + packet_of("Z2,9100,4") +
                    packet_of("M9102,1:07") + packet_of("c") + packet_of("p20"));
  debugged.run(2);
  debugged.core.memory().store<std::uint32_t>(0x9100, 9);
  CHECK(debugged.script.got().find("watch") == std::string::npos);
  debugged.run(1);
  CHECK(debugged.script.got().ends_with(packet_of("T05watch:9100;") + packet_of("08100000")));
  std::vector<std::string> many;
  for (unsigned i = 0; i <= GdbStub::kMostWatches; ++i)
    many.push_back(fmt::format("Z2,{:x},4", 0x9000 + 4 * i));
  CHECK(replies_to(many).ends_with("OK E0e "));
}

TEST_CASE("gdb: an instruction takes its cycle with a debugger, too") {
  Debugged debugged(packet_of("c"));
  Rv32Core alone(program(kStores), Memory(kGdbMemory), Job{});
  CHECK(debugged.core.run_ahead(10) == 0);
  CHECK(debugged.core.uses_memory());
  const NicStatus status;
  for (unsigned cycle = 0; cycle < 7; ++cycle) {
    alone.step(status, cycle);
    debugged.core.step(status, cycle);
    CHECK(alone.pc() == debugged.core.pc());
    CHECK(alone.state() == debugged.core.state());
  }
  CHECK(alone.port().exit_cycle() == debugged.core.port().exit_cycle());
}

TEST_CASE("gdb: a program that fails stops with a signal, and then ends") {
  const auto fault = [](const std::vector<Instruction>& words) {
    const std::string got = replies_to({"c", "p20", "c"}, words);
    REQUIRE(got.starts_with("O"));
    return got.substr(got.find(' ') + 1);
  };
  CHECK(fault({addi(1, 0, 1), 0x00000000}) == "S04 04100000 X04 ");
  CHECK(fault({addi(1, 0, 1), lw(2, 1, 0)}) == "S0a 04100000 X0a ");
  CHECK(fault({lui(1, 0x10000), lw(2, 1, 0)}) == "S0b 04100000 X0b ");
  CHECK(fault({lui(1, 0x1000), sw(2, 1, 0)}) == "S0b 04100000 X0b ");
  CHECK(fault({j_type(0, 0x1000)}) == "S0b 00200000 X0b ");
  CHECK(fault({0x00000073}) == "S0c 00100000 X0c ");
  CHECK(fault({0x00100073}) == "S05 00100000 X05 ");
  CHECK(fault({lui(5, WEFT_MMIO_BASE), lw(1, 5, 0x180)}) == "S06 04100000 X06 ");
  // The reason comes first: "cycle 1: ..."
  CHECK(replies_to({"c"}, {addi(1, 0, 1), 0}).starts_with("O6379636c6520313a20696c6c6567616c"));
}

TEST_CASE("gdb: interrupts, of a program that runs and of one that sleeps; detach and kill") {
  const std::vector<Instruction> loop = {addi(1, 1, 1), j_type(0, -4)};
  const std::string begin = packet_of("QStartNoAckMode") + packet_of("c");
  Debugged runs(begin, loop);
  runs.run(5);
  runs.stub.poll(runs.core);  // Nothing is there.
  const std::string before = runs.script.got();
  runs.script.add("+\x03" + packet_of("p1") + packet_of("c"));
  runs.stub.poll(runs.core);
  CHECK(runs.script.got() == before);
  runs.run(5);
  CHECK(runs.script.got() == before + packet_of("S02") + packet_of("03000000"));
  runs.script.closed = true;
  runs.stub.poll(runs.core);
  CHECK(runs.stub.gone());
  runs.run(2);
  CHECK(runs.core.run_ahead(4) == 4);  // The core is left alone.

  Debugged sleeps(begin, {wfi(), wfi(), addi(1, 0, 1), j_type(0, 0)});
  sleeps.run(5);  // The first status is an event.
  REQUIRE(sleeps.core.state() == ProcessorState::kSleeping);
  sleeps.script.add("\x03" + packet_of("p20") + packet_of("P2=09000000") + packet_of("s"));
  sleeps.stub.poll(sleeps.core);
  CHECK(sleeps.script.got().ends_with(packet_of("S02") + packet_of("08100000") + packet_of("OK")));
  NicStatus news;
  news.rx_count[0] = 1;
  sleeps.core.step(news, 9);  // The core stops when it wakes, and the connection is closed then.
  CHECK(sleeps.script.got().ends_with(packet_of("S05")));
  CHECK(sleeps.core.reg(1) == 1);
  CHECK(sleeps.core.reg(2) == 9);

  Debugged killed(packet_of("s") + packet_of("k"));
  CHECK_THROWS_AS(killed.run(), CheckError);
  Debugged detached(packet_of("D"));
  detached.run();
  CHECK(detached.script.got() == "+" + packet_of("OK"));
  CHECK(detached.core.port().exit_code() == 5);

  Debugged unended(packet_of("c") + packet_of("p1") + packet_of("c"), loop);
  unended.run(3);
  unended.stub.run_ended(unended.core, "why");
  CHECK(unended.script.got() == "+" + packet_of("O7468652072756e20656e64733a207768790a") +
                                    packet_of("S06") + "+" + packet_of("02000000") + "+" +
                                    packet_of("X06"));
}
