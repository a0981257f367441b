// A memory behind AXI4, as a subordinate of the benches: accepts bursts, answers them after random
// times, beats of different ids interleaved, now and then with an error, and checks what it gets.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/bus/axi_read.hpp"
#include "sim/bus/axi_write.hpp"
#include "tb/lib/bench.hpp"
#include "tb/nic/stimulus.hpp"

namespace weft::tb {

/// Words by byte address; those that were never written have random ones of their own.
class AxiContents {
 public:
  explicit AxiContents(unsigned data_w) : words_(data_w / 64) {}

  FlitData read(std::uint64_t addr) const {
    if (const auto found = written_.find(addr); found != written_.end()) return found->second;
    FlitData data;
    for (unsigned w = 0; w < words_; ++w) data.word[w] = mix64(addr + 8 * w);
    return data;
  }
  void write(std::uint64_t addr, const FlitData& data) { written_[addr] = data; }

 private:
  unsigned words_;
  std::unordered_map<std::uint64_t, FlitData> written_;
};

/// What AR and AW have in common: no burst leaves a page or the bus width, and a valid stays.
class BurstCheck {
 public:
  explicit BurstCheck(const AxiMemoryConfig& config) : config_(config) {}

  void see(const AxiBurst& burst, bool ready) {
    if (was_.valid) expect(burst == was_, "a burst changed before it was accepted");
    was_ = ready ? AxiBurst{} : burst;
    if (!burst.valid) return;
    expect(burst.id < config_.lanes, "id of a lane");
    expect((1u << burst.size) == config_.bytes() && burst.kind == 1, "size and kind");
    expect(burst.addr % config_.bytes() == 0, "aligned address");
    const std::uint64_t last = burst.addr + std::uint64_t{burst.len} * config_.bytes();
    expect(burst.addr / 4096 == last / 4096, "a burst within its page");
  }

 private:
  AxiMemoryConfig config_;
  AxiBurst was_;
};

/// Read side of the memory.
class AxiReadSide {
 public:
  AxiReadSide(const AxiMemoryConfig& config, const AxiContents& contents)
      : check_(config), contents_(contents), bytes_(config.bytes()) {}

  /// AR's ready and the beat of this cycle.
  void drive(RandomStream& random, bool& ar_ready, AxiRead::Beat& r) {
    ar_ready = accept_.next(random);
    r = {};
    if (bursts_.empty() || !send_.next(random)) return;
    // Mostly on with the burst of the beat before; else any.
    if (last_ >= bursts_.size() || random.below(4) == 0) last_ = random.below(bursts_.size());
    Burst& burst = bursts_[last_];
    r.valid = true;
    r.id = burst.of.id;
    r.data = contents_.read(burst.of.addr + std::uint64_t{burst.sent} * bytes_);
    r.resp = random.below(8) != 0 ? AxiResp::kOkay : static_cast<AxiResp>(random.below(4));
    r.last = burst.sent == burst.of.len;
    errors_ += is_error(r.resp);
    ++burst.sent;
    if (r.last) bursts_.erase(bursts_.begin() + static_cast<std::ptrdiff_t>(last_));
  }
  /// AR in this cycle; after `drive`.
  void see(const AxiBurst& ar, bool ready) {
    check_.see(ar, ready);
    if (!ar.valid || !ready) return;
    for (const Burst& burst : bursts_) expect(burst.of.id != ar.id, "one burst of an id");
    bursts_.push_back({ar, 0});
  }
  std::uint32_t errors() const { return errors_; }  ///< Beats with an error.

 private:
  struct Burst {
    AxiBurst of;
    std::uint32_t sent;
  };

  BurstCheck check_;
  const AxiContents& contents_;
  unsigned bytes_;
  Pressure accept_, send_;
  std::vector<Burst> bursts_;
  std::size_t last_ = 0;
  std::uint32_t errors_ = 0;
};

/// Write side of the memory. The words of a burst are in the memory from its response on.
class AxiWriteSide {
 public:
  AxiWriteSide(const AxiMemoryConfig& config, AxiContents& contents)
      : check_(config), contents_(contents), bytes_(config.bytes()) {}

  /// AW's and W's ready and the response of this cycle.
  void drive(RandomStream& random, bool& aw_ready, bool& w_ready, AxiWrite::Response& b) {
    aw_ready = accept_.next(random);
    w_ready = take_.next(random);
    b = {};
    if (complete_.empty() || !answer_.next(random)) return;
    const std::size_t any = random.below(complete_.size());
    const Burst& burst = complete_[any];
    b.valid = true;
    b.id = burst.of.id;
    for (std::size_t k = 0; k < burst.words.size(); ++k) {
      contents_.write(burst.of.addr + k * bytes_, burst.words[k]);
    }
    b.resp = random.below(8) != 0 ? AxiResp::kOkay : static_cast<AxiResp>(random.below(4));
    errors_ += is_error(b.resp);
    complete_.erase(complete_.begin() + static_cast<std::ptrdiff_t>(any));
  }
  /// AW and W in this cycle; after `drive`.
  void see(const AxiBurst& aw, bool aw_ready, const AxiWrite::Beat& w, bool w_ready) {
    check_.see(aw, aw_ready);
    if (was_.valid) expect(w == was_, "a beat changed before it was accepted");
    was_ = w_ready ? AxiWrite::Beat{} : w;
    // A beat is not on W before its burst is on AW.
    if (aw.valid && !seen_) offered_.push_back({aw, {}});
    seen_ = aw.valid && !aw_ready;
    if (aw.valid && aw_ready) {
      for (const std::uint32_t id : open_) expect(id != aw.id, "one burst of an id");
      open_.push_back(aw.id);
    }
    if (w.valid) expect(!offered_.empty(), "a beat before its burst");
    if (w.valid && w_ready) {
      Burst& burst = offered_.front();
      expect(w.last == (burst.words.size() == burst.of.len), "last beat");
      burst.words.push_back(w.data);
      if (w.last) {
        ended_.push_back(std::move(burst));
        offered_.pop_front();
      }
    }
    // A response may come once the burst and its last beat were accepted.
    if (!ended_.empty() && !open_.empty() && open_.front() == ended_.front().of.id) {
      complete_.push_back(std::move(ended_.front()));
      ended_.pop_front();
      open_.pop_front();
    }
    for (const Burst& burst : complete_) {
      for (const std::uint32_t other : open_) {
        expect(burst.of.id != other, "one burst of an id");
      }
    }
  }
  std::uint32_t errors() const { return errors_; }  ///< Responses with an error.
  /// A burst was accepted, its response not given.
  bool busy() const { return !open_.empty() || !offered_.empty() || !complete_.empty(); }

 private:
  struct Burst {
    AxiBurst of;
    std::vector<FlitData> words;  // Words that have arrived.
  };

  BurstCheck check_;
  AxiContents& contents_;
  unsigned bytes_;
  Pressure accept_, take_, answer_;
  std::deque<Burst> offered_;       // Bursts on AW with beats missing.
  std::deque<std::uint32_t> open_;  // Ids of bursts accepted on AW and not complete.
  std::deque<Burst> ended_;         // Bursts whose last beat was accepted.
  std::vector<Burst> complete_;     // Bursts without a response.
  AxiWrite::Beat was_;
  bool seen_ = false;  // The burst on AW was there in the cycle before.
  std::uint32_t errors_ = 0;
};

}  // namespace weft::tb
