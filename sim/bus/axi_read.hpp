// Read lanes of a network interface to the read channels of an AXI4 manager, cycle model of
// rtl/bus/weft_axi_read.sv (rtl/bus/README.md, axi_read).
#pragma once

#include <array>
#include <cstdint>

#include "sim/arbiter/rr_arbiter.hpp"
#include "sim/bus/axi.hpp"

namespace weft {

/// Each run of words that a lane reads becomes bursts; a lane has at most one outstanding.
class AxiRead {
 public:
  using Config = AxiMemoryConfig;

  /// A beat on R.
  struct Beat {
    bool valid = false;
    std::uint32_t id = 0;  ///< Number of the lane.
    FlitData data;         ///< The word.
    AxiResp resp = AxiResp::kOkay;
    bool last = false;  ///< Last beat of its burst.

    bool operator==(const Beat&) const = default;
  };
  /// Fields of R, by the widths of an id and of a word.
  template <class IdWidth, class Width>
  static constexpr auto beat_fields(IdWidth id_w, Width data_w);
  struct In {
    std::uint64_t base = 0;     ///< Byte address of the node's memory, a multiple of 4096.
    std::uint32_t mem_ren = 0;  ///< Lanes that request a word.
    std::array<MemRequest, Config::kMaxLanes> mem_read = {};  ///< Requests of these lanes.
    bool ar_ready = false;                                    ///< AR: the burst is accepted.
    Beat r;                                                   ///< R.
  };
  struct Out {
    AxiBurst ar;               ///< AR.
    FlitData mem_rdata;        ///< The word of the beat in the cycle before.
    std::uint32_t errors = 0;  ///< Beats with an error.
  };

  /// Values of the output ports.
  struct Shown : Out {
    std::uint32_t mem_rready = 0;  ///< `ready()`.
    bool r_ready = true;           ///< Always.
  };
  static constexpr auto ports();  // sim/bus/axi_read_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit AxiRead(const Config& config)
      : config_(config.checked("axi_read")), arbiter_({config.lanes}) {
    reset();
  }

  void reset() {
    arbiter_.reset();
    bursts_ = 0;
    out_ = {.ar = config_.none(), .mem_rdata = {}, .errors = 0};
  }

  const Out& out() const { return out_; }

  /// Lanes whose requests are accepted in this cycle: that of the beat.
  static std::uint32_t ready(const Beat& r) { return r.valid ? 1u << r.id : 0; }

  /// One clock edge; returns the outputs after it.
  const Out& step(const In& in) {
    const std::uint32_t without = in.mem_ren & ~bursts_;
    if (in.r.valid) {
      out_.mem_rdata = in.r.data;
      if (is_error(in.r.resp)) ++out_.errors;
      if (in.r.last) bursts_ &= ~(1u << in.r.id);
    }
    const RrArbiter::Out granted = arbiter_.out();
    const bool load = granted.gnt != 0 && (in.ar_ready || !out_.ar.valid);
    if (load) {
      out_.ar = config_.burst(granted.idx, in.mem_read[granted.idx], in.base);
      bursts_ |= 1u << granted.idx;
    } else if (in.ar_ready) {
      out_.ar = config_.none();
    }
    arbiter_.step({without, load});
    return out_;
  }

 private:
  friend class RtlState;  // Sets counters of model and RTL (sim/verilated/rtl_state.hpp).

  Config config_;
  RrArbiter arbiter_;
  std::uint32_t bursts_ = 0;  // Lanes with a burst.
  Out out_;
};

}  // namespace weft
