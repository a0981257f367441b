// Lockstep bench of the AXI4-Lite subordinate. Besides model against RTL, a manager and a file of
// registers are kept here: every access gets one response, in order, the right one, and a register
// is written exactly as often as an access says.
#include <algorithm>
#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "sim/bus/axi_lite.hpp"
#include "tb/lib/bench.hpp"
#include "tb/nic/stimulus.hpp"

namespace {

using namespace weft;

// 1024 registers, of which every fifth does not exist and every seventh refuses odd values.
struct Registers {
  std::array<std::uint32_t, 1024> value = {};

  static bool exists(std::uint32_t addr) { return addr / 4 % 5 != 4; }
  static bool refuses(std::uint32_t addr, std::uint32_t data) {
    return !exists(addr) || (addr / 4 % 7 == 3 && data % 2 != 0);
  }
};

// The manager's side: accesses that were accepted and have no response yet.
class Manager {
 public:
  // Inputs of a cycle: what was offered and not accepted stays.
  void drive(RandomStream& random, AxiLite::In& in) {
    if (!in.aw_valid && addr_.next(random)) {
      in.aw_valid = true;
      in.aw_addr = any_address(random);
    }
    if (!in.w_valid && data_.next(random)) {
      in.w_valid = true;
      in.w_data = static_cast<std::uint32_t>(random());
      in.w_strb = random.below(8) < 6 ? 0xf : static_cast<std::uint8_t>(random.below(16));
    }
    if (!in.ar_valid && read_.next(random)) {
      in.ar_valid = true;
      in.ar_addr = any_address(random);
    }
    in.b_ready = take_b_.next(random);
    in.r_ready = take_r_.next(random);
  }

  // What the cycle with these inputs and outputs means; `before`: the registers in this cycle.
  void see(const AxiLite::In& in, const AxiLite::Shown& out, Registers& registers) {
    // A response on R is that of the read before.
    const std::size_t waits = out.r_valid ? 1 : 0;
    if (reads_.size() > waits) {
      Read& read = reads_[waits];
      read.seen.push_back(registers.value[read.addr / 4]);
    }
    if (out.wen) {
      // A response on B is that of the write before.
      const std::size_t i = out.b_valid ? 1 : 0;
      tb::expect(i < std::min(addrs_.size(), datas_.size()), "a write without an access");
      tb::expect(writes_register(i), "a write of part of a register");
      tb::expect(out.waddr == addrs_[i] && out.wdata == datas_[i].first,
                 "address and data written");
      if (!Registers::refuses(out.waddr, out.wdata)) registers.value[out.waddr / 4] = out.wdata;
      ++performed_[i];
    }
    if (out.b_valid && in.b_ready) {
      tb::expect(!addrs_.empty() && !datas_.empty(), "a response without a write");
      const auto [data, strb] = datas_.front();
      const bool error = writes_register(0) ? Registers::refuses(addrs_.front(), data)
                                            : addrs_.front() % 4 != 0 || strb != 0;
      tb::expect(out.b_resp == (error ? AxiResp::kSlvErr : AxiResp::kOkay), "response to a write");
      tb::expect(performed_[0] == writes_register(0), "writes performed");
      performed_ = {performed_[1], 0};
      addrs_.pop_front();
      datas_.pop_front();
      ++ended_;
    }
    if (out.r_valid && in.r_ready) {
      tb::expect(!reads_.empty(), "a response without a read");
      const Read& read = reads_.front();
      const bool error = read.addr % 4 != 0 || !Registers::exists(read.addr);
      tb::expect(out.r_resp == (error ? AxiResp::kSlvErr : AxiResp::kOkay), "response to a read");
      const bool known =
          std::find(read.seen.begin(), read.seen.end(), out.r_data) != read.seen.end();
      tb::expect(error ? out.r_data == 0 : known, "data read");
      reads_.pop_front();
      ++ended_;
    }
    if (in.aw_valid && out.aw_ready) addrs_.push_back(in.aw_addr);
    if (in.w_valid && out.w_ready) datas_.push_back({in.w_data, in.w_strb});
    if (in.ar_valid && out.ar_ready) reads_.push_back({in.ar_addr, {}});
    tb::expect(addrs_.size() <= 2 && datas_.size() <= 2 && reads_.size() <= 2, "accesses accepted");
  }

  std::uint64_t ended() const { return ended_; }

 private:
  struct Read {
    std::uint32_t addr;
    std::vector<std::uint32_t> seen;
  };

  bool writes_register(std::size_t i) const {
    return datas_[i].second == 0xf && addrs_[i] % 4 == 0;
  }
  static std::uint32_t any_address(RandomStream& random) {
    // Few registers, so that reads meet writes.
    const auto addr = static_cast<std::uint32_t>(4 * random.below(random.below(4) == 0 ? 1024 : 8));
    return random.below(8) == 0 ? addr + static_cast<std::uint32_t>(random.below(4)) : addr;
  }

  tb::Pressure addr_, data_, read_, take_b_, take_r_;
  std::deque<std::uint32_t> addrs_;
  std::deque<std::pair<std::uint32_t, std::uint8_t>> datas_;
  std::deque<Read> reads_;
  std::array<unsigned, 2> performed_ = {};  // Writes to a register for the two oldest accesses.
  std::uint64_t ended_ = 0;
};

// Until the end of the point or a reset; true after a reset.
bool life(tb::Bench& bench, RtlInstance& rtl) {
  auto ports = bench.ports<AxiLite>(rtl, NoConfig{});
  AxiLite model;
  Manager manager;
  Registers registers;
  AxiLite::In in;
  // An access was accepted in the cycle before, and its response is due in this cycle.
  bool write_accepted = false, write_due = false, read_accepted = false, read_due = false;
  for (; bench.running(); bench.next()) {
    // Outputs on AXI depend on registers alone: they do not change with the inputs.
    const AxiLite::Out before = model.out();
    bench.equal("b_valid_o", rtl.port("b_valid_o").get(), before.b_valid);
    bench.equal("r_valid_o", rtl.port("r_valid_o").get(), before.r_valid);
    manager.drive(bench.random, in);
    const std::uint32_t raddr = before.raddr & ~3u, waddr = before.waddr & ~3u;
    in.rdata = registers.value[raddr / 4];
    in.rrefused = !Registers::exists(raddr);
    in.wrefused = Registers::refuses(waddr, before.wdata);
    ports.drive(in);
    rtl.eval();
    const AxiLite::Shown out{before, model.wen(in.b_ready)};
    bench.equal(ports, out);
    if (write_due) bench.equal("b_valid_o in time", out.b_valid, true);
    if (read_due) bench.equal("r_valid_o in time", out.r_valid, true);
    if (bench.reset_now(rtl)) return true;
    const std::uint64_t ended = manager.ended();
    manager.see(in, out, registers);
    bench.transferred(manager.ended() - ended);
    const bool addr = in.aw_valid && out.aw_ready, data = in.w_valid && out.w_ready;
    const bool read = in.ar_valid && out.ar_ready;
    write_due = write_accepted && (in.b_ready || !out.b_valid);
    read_due = read_accepted && (in.r_ready || !out.r_valid);
    write_accepted = addr && data;
    read_accepted = read;
    model.step(in);
    rtl.tick();
    in.aw_valid &= !addr;
    in.w_valid &= !data;
    in.ar_valid &= !read;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "axi_lite", [](tb::Bench& bench) {
    RtlInstance rtl = bench.point({}, 1);
    while (life(bench, rtl)) bench.next();
  });
}
