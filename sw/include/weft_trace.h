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
                      ///< dependency is met when this one starts.
  uint32_t at_end;    ///< First of the words for operations of which one dependency is met when
                      ///< this one has ended.
  uint32_t after;     ///< End of these words.
  uint32_t next;      ///< Next in the list of operations that are ready, or that wait for a
                      ///< message.
  uint32_t amount;    ///< Calc: cycles; send: flits.
  uint32_t to;        ///< Send: network address.
  uint32_t offset;    ///< Send: byte offset of the message in the receiver's window.
  uint32_t from;      ///< Send: address of the body.
  uint32_t poll;      ///< Receive: a word that is not 0 once the next part of the message has
                      ///< arrived.
  uint32_t last;      ///< Receive: the word of the last part.
  uint32_t name;      ///< Name of its phase; 0 without phases.
};

/// What a node knows of its trace, at WEFT_ARRAY_JOB_BASE.
struct weft_trace_job {
  uint32_t operations;
  uint32_t first;       ///< First of the operations that are ready at the start; 0: none.
  uint32_t last;        ///< Last of the operations that are ready at the start; 0: none.
  uint32_t part_flits;  ///< Longest message: a packet if packets may overtake each other.
  uint32_t phases;      ///< enum weft_trace_phases.
};

#endif
