// Dependency traces: the operations of one node as collectives/goal.c replays them. The simulator
// compiles them from the trace (sim/workload/trace_work.cpp) and puts them into the node's memory
// before cycle 0. Addresses are byte addresses in that memory; 0 ends a list.
#ifndef WEFT_TRACE_H
#define WEFT_TRACE_H

#include "weft_hal.h"

/// What an operation does.
enum weft_trace_kind {
  WEFT_TRACE_CALC = 0,  ///< Keeps the processor busy.
  WEFT_TRACE_SEND = 1,  ///< Ends when the interface has taken its last message.
  WEFT_TRACE_RECV = 2,  ///< Ends when all of its message is in memory.
};

/// Which phases the driver names (weft_phase).
enum weft_trace_phases {
  WEFT_TRACE_PHASES_NONE = 0,
  WEFT_TRACE_PHASES_KINDS = 1,       ///< The kind of operation.
  WEFT_TRACE_PHASES_OPERATIONS = 2,  ///< Each operation, and the end of each receive.
};

/// An operation. The driver writes `waits`, `next` and `poll`.
struct weft_trace_op {
  uint32_t kind;      ///< enum weft_trace_kind.
  uint32_t waits;     ///< Dependencies that are not met yet.
  uint32_t at_start;  ///< First of the words with the addresses of operations of which one
                      ///< dependency is met when this one starts;
  uint32_t at_end;    ///< the first after them, of those when it has ended;
  uint32_t after;     ///< and the first after these.
  uint32_t next;      ///< In the list of operations that are ready, or that wait for a message.
  uint32_t amount;    ///< Calc: cycles; send: flits.
  uint32_t to;        ///< Send: network address.
  uint32_t offset;    ///< Send: of the message in the receiver's window, bytes.
  uint32_t from;      ///< Send: the body.
  uint32_t poll;      ///< Receive: a word that is not 0 once the next part of the message is there,
  uint32_t last;      ///< and that of the last part.
  uint32_t name;      ///< Of its phase; 0 without phases.
};

/// What a node knows of its trace, at WEFT_ARRAY_JOB_BASE.
struct weft_trace_job {
  uint32_t operations;
  uint32_t first;       ///< The operation that is ready first at the start,
  uint32_t last;        ///< and the last one that is; both 0 without operations.
  uint32_t part_flits;  ///< Longest message: a packet where packets overtake each other.
  uint32_t phases;      ///< enum weft_trace_phases.
};

#endif
