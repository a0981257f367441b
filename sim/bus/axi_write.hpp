// Write lanes of a network interface to the write channels of an AXI4 manager, cycle model of
// rtl/bus/weft_axi_write.sv (rtl/bus/README.md, axi_write).
#pragma once

#include <array>
#include <cstdint>

#include "sim/arbiter/rr_arbiter.hpp"
#include "sim/bus/axi.hpp"

namespace weft {

/// Each run of words that a lane writes becomes bursts; a lane has at most one outstanding, and the
/// beats of one burst follow those of another.
class AxiWrite {
 public:
  using Config = AxiMemoryConfig;

  /// A beat on W; all but the strobes 0 without `valid`.
  struct Beat {
    bool valid = false;
    FlitData data;           ///< The word.
    std::uint64_t strb = 0;  ///< Strobes, one for each byte: all.
    bool last = false;       ///< Last beat of its burst.

    bool operator==(const Beat&) const = default;
  };
  /// A response on B.
  struct Response {
    bool valid = false;
    std::uint32_t id = 0;  ///< Number of the lane.
    AxiResp resp = AxiResp::kOkay;

    bool operator==(const Response&) const = default;
  };
  /// Fields of W.
  static constexpr auto beat_fields();
  template <class IdWidth>
  static constexpr auto response_fields(IdWidth id_w);
  struct In {
    std::uint64_t base = 0;     ///< Byte address of the node's memory, a multiple of 4096.
    std::uint32_t mem_wen = 0;  ///< Lanes that write a word.
    std::array<MemRequest, Config::kMaxLanes> mem_write = {};  ///< Requests of these lanes.
    std::array<FlitData, Config::kMaxLanes> mem_wdata = {};    ///< Words of these lanes.
    bool aw_ready = false;                                     ///< AW: the burst is accepted.
    bool w_ready = false;                                      ///< W: the beat is accepted.
    Response b;                                                ///< B.
  };
  struct Out {
    AxiBurst aw;               ///< AW.
    Beat w;                    ///< W.
    std::uint32_t errors = 0;  ///< Responses with an error.
  };

  /// Values of the output ports.
  struct Shown : Out {
    std::uint32_t mem_wready = 0;  ///< `ready()`.
    bool b_ready = true;           ///< Always.
  };
  static constexpr auto ports();  // sim/bus/axi_write_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit AxiWrite(const Config& config)
      : config_(config.checked("axi_write")), arbiter_({config.lanes}) {
    reset();
  }

  void reset() {
    arbiter_.reset();
    bursts_ = beats_ = 0;
    out_ = {.aw = config_.none(), .w = no_beat(), .errors = 0};
  }

  const Out& out() const { return out_; }

  /// Lanes whose requests are accepted in this cycle: that of a word that is loaded for W, except
  /// the last of a burst, and that of the response.
  std::uint32_t ready(const In& in) const {
    std::uint32_t lanes = in.b.valid ? 1u << in.b.id : 0;
    if (loads(in) && left(in) != 0) lanes |= 1u << arbiter_.out().idx;
    return lanes;
  }

  /// One clock edge; returns the outputs after it.
  const Out& step(const In& in) {
    const std::uint32_t without = in.mem_wen & ~bursts_;
    const unsigned lane = arbiter_.out().idx;
    const bool load = loads(in), begin = load && beats_ == 0;
    const std::uint32_t after = load ? left(in) : 0;
    if (begin) {
      out_.aw = config_.burst(lane, in.mem_write[lane], in.base);
    } else if (in.aw_ready) {
      out_.aw = config_.none();
    }
    if (load) {
      out_.w.valid = true;
      out_.w.data = in.mem_wdata[lane];
      out_.w.last = after == 0;
      beats_ = after;
    } else if (in.w_ready) {
      out_.w = no_beat();
    }
    if (in.b.valid) {
      bursts_ &= ~(1u << in.b.id);
      if (is_error(in.b.resp)) ++out_.errors;
    }
    if (begin) bursts_ |= 1u << lane;
    arbiter_.step({without, load && after == 0});
    return out_;
  }

 private:
  friend class RtlState;  // Sets counters of model and RTL (sim/verilated/rtl_state.hpp).

  Beat no_beat() const {
    return {.valid = false, .data = {}, .strb = ~std::uint64_t{0} >> (64 - config_.bytes())};
  }

  // Whether the granted lane's word is loaded for W. The first one of a burst goes with its AW.
  bool loads(const In& in) const {
    if (arbiter_.out().gnt == 0 || (out_.w.valid && !in.w_ready)) return false;
    return beats_ != 0 || in.aw_ready || !out_.aw.valid;
  }
  // Beats of the burst after the one that is being loaded.
  std::uint32_t left(const In& in) const {
    if (beats_ != 0) return beats_ - 1;
    const unsigned lane = arbiter_.out().idx;
    return config_.burst(lane, in.mem_write[lane], in.base).len;
  }

  Config config_;
  RrArbiter arbiter_;
  std::uint32_t bursts_ = 0;  // Lanes with a burst.
  std::uint32_t beats_ = 0;   // Beats of the burst on W that are not loaded yet; 0 between bursts.
  Out out_;
};

}  // namespace weft
