// gdb at the processor of one node, for the time of a run.
#pragma once

#include <string>

#include "sim/engine/engine.hpp"
#include "sim/processor/gdb_socket.hpp"
#include "sim/processor/gdb_stub.hpp"
#include "sim/workload/workload.hpp"

namespace weft {

/// The processor waits for gdb before its first instruction, and gdb controls what it executes. The
/// cycles of the run are the same as without gdb.
class GdbSession {
 public:
  /// Why every flit is stepped: gdb sees memory as it is in each cycle, and a run that it holds
  /// cannot be started again.
  static constexpr const char* kStepped = "gdb debugs a program";

  /// `program`: file of the RV32 program. `endpoints` must be those of RV32 processors and outlive
  /// it. Throws ConfigError where the port cannot be used.
  GdbSession(const GdbOptions& options, const std::string& program, Endpoints& endpoints)
      : socket_(options.port, "node " + std::to_string(options.node), program),
        stub_(socket_),
        core_(
            std::get<PartArray<ProcessorEndpoint<Rv32Core>>>(endpoints)[options.node].processor()) {
    core_.attach(&stub_);
  }
  ~GdbSession() { core_.attach(nullptr); }
  GdbSession(const GdbSession&) = delete;
  GdbSession& operator=(const GdbSession&) = delete;

  /// To be called from time to time between two cycles: handles an interrupt of the program by gdb.
  void poll() { stub_.poll(core_); }
  /// Tells gdb that the run ends, and why: gdb may then inspect a program that has not ended.
  void run_ended(const std::string& why) { stub_.run_ended(core_, why); }

 private:
  GdbSocket socket_;
  GdbStub stub_;
  Rv32Core& core_;
};

}  // namespace weft
