// The job: the parameters that a node has in its memory before its driver starts, and their values.
#ifndef WEFT_JOB_H
#define WEFT_JOB_H

#include <stdint.h>

#define WEFT_MAX_DIMS 8
#define WEFT_MAX_GAP 255              // Packet times that a message can ask for.
#define WEFT_GAP_HOPS 0xFFFFFFFFU     // Value of job->gap: the hops of the route less one.
#define WEFT_GAP_SHARERS 0xFFFFFFFEU  // Value of job->gap: the sharers of a route's link less one.

/// How a driver spaces its messages.
enum weft_sync {
  WEFT_SYNC_NONE = 0,     ///< As fast as the descriptor queue takes them.
  WEFT_SYNC_LOCAL = 1,    ///< Message m + C only after m messages have arrived, C = controllers;
                          ///< for C = 1 the rule of seed 004 (4.1).
  WEFT_SYNC_BARRIER = 2,  ///< A barrier of all nodes between phases.
};

/// How nodes wait for each other.
enum weft_barrier_kind {
  WEFT_BARRIER_SOFTWARE = 0,  ///< By messages without a body.
  WEFT_BARRIER_HARDWARE = 1,  ///< By the barrier unit (seed 000 [0052]).
};

/// How nodes get their jobs. On RV32 the program finds this value in register a0 when it starts.
enum weft_start_kind {
  WEFT_START_LOADED = 0,   ///< Every job is in its node's memory.
  WEFT_START_NETWORK = 1,  ///< Only rank 0, the administration node (seed 000 [0055]), has its job
                           ///< in memory; it sends all other nodes theirs.
};

/// How an interface combines a word in memory with a received word (seed 003).
enum weft_op {
  WEFT_OP_STORE = 0,  ///< The received word replaces the other.
  WEFT_OP_SUM = 1,
  WEFT_OP_PROD = 2,
  WEFT_OP_MAX = 3,
  WEFT_OP_MIN = 4,
  WEFT_OP_MEAN = 5,  ///< The sum, divided (weft_reduce).
};

/// Elements of a word; the first is in its low bits.
enum weft_type {
  WEFT_TYPE_INT32 = 0,  ///< Two of 32 bits, signed.
  WEFT_TYPE_INT64 = 1,  ///< One of 64 bits, signed.
  WEFT_TYPE_FP32 = 2,   ///< Two IEEE 754 numbers of single precision.
};

/// Order of the dimensions of system boards (seed 003, examples 1 and 2).
enum weft_dimension_order {
  WEFT_ORDER_ALPHABETICAL = 0,  ///< W, X, Y, Z.
  WEFT_ORDER_BANDWIDTH = 1,     ///< By decreasing bandwidth.
};

/// Codes that a driver returns.
enum weft_exit_code {
  WEFT_OK = 0,
  WEFT_UNSUPPORTED_JOB = 4,  ///< The job is one that its weft_collective refuses.
};

/// Parameters of this node's driver. Addresses are byte addresses in its memory. Block d of the
/// send area (message_flits flits) is for rank d; block s of the receive area is from rank s.
struct weft_job {
  uint32_t rank;                     ///< This node, 0 to nodes - 1.
  uint32_t nodes;                    ///< Nodes that take part.
  uint32_t dim_count;                ///< Used elements of dims and dim_bits.
  uint32_t dims[WEFT_MAX_DIMS];      ///< Nodes along each dimension, the fastest first.
  uint32_t dim_bits[WEFT_MAX_DIMS];  ///< Width of each digit of an address, the fastest lowest.
  uint32_t message_flits;            ///< Length of one block, flits.
  uint32_t gap;                      ///< Inter-packet gap, packet times (seed 000 [0043]),
                                     ///< WEFT_GAP_HOPS or WEFT_GAP_SHARERS.
  uint32_t sync;                     ///< enum weft_sync.
  uint32_t send_base;                ///< Send area.
  uint32_t recv_base;                ///< Receive area.
  uint32_t recv_bytes;    ///< Size of the receive area, bytes: as many buffers of a block
                          ///< for each node as the collective asks for, side by side.
  uint32_t memory_bytes;  ///< Size of the memory, bytes.
  uint32_t flit_bytes;    ///< Bytes of a flit: 8 times a power of two. In the same 8 bytes as
                          ///< `packet_flits`.
  uint32_t packet_flits;  ///< Most body flits of a packet.
  uint32_t controllers;   ///< Send controllers of the NIC, 1 or more.
  uint32_t barrier;       ///< enum weft_barrier_kind.
  uint32_t wraps;         ///< Bit i: dimension i is a ring, else a line.
  uint32_t areas;         ///< Areas of a block that take different routes (seed 000
                          ///< [0081]); 0: the collective's default.
  uint32_t part_flits;    ///< Longest message of a block, flits: message_flits, or less where
                          ///< packets of one message could overtake each other, or where a
                          ///< schedule is faster so.
  uint32_t start;         ///< enum weft_start_kind.
  uint32_t table;         ///< Of collectives with .scheduled: struct weft_slot, table_rows times,
                          ///< by rising slot.
  uint32_t table_rows;    ///< Messages of one part of every block: nodes - 1.
  uint32_t table_slots;   ///< Slots until the table may be repeated.
  uint32_t slot_slack;    ///< Cycles of a slot in addition to those of a part's packet.
  uint32_t check;         ///< Makes the sum of all words 0, modulo 2^32.
};

/// A message of a schedule in slots of one packet time: what the driver writes for it.
struct weft_slot {
  uint32_t to;    ///< Network address.
  uint32_t from;  ///< Byte offset of its block in the send area.
  uint32_t tag;   ///< As in TAG_GAP, with the send controller and without a gap.
  uint32_t slot;  ///< Slot in which it starts.
};
/// Instructions that a2a_scheduled takes for a row of the table.
#define WEFT_SLOT_CYCLES 16

/// Cycles of allreduce_tree_links in addition to those of its data, measured; its picker has to
/// know them. For each step along a ring of a torus, of which RV32 processors serve all dimensions
/// at once, or along a line of a mesh; and for all legs of boards.
#define WEFT_RING_STEP_CYCLES(rv32, dims) ((rv32) ? 550 * (dims) * (dims) : 20)
#define WEFT_LINE_STEP_CYCLES 70
#define WEFT_BOARD_STREAM_CYCLES 850

/// One dimension of the network in a node's connection table.
struct weft_dimension {
  uint32_t size;        ///< Boards, or nodes, along it.
  uint32_t coordinate;  ///< This node's coordinate.
  uint32_t rank_step;   ///< Difference in rank to the node whose coordinate is higher by one.
  uint32_t links;       ///< Links along it to a neighbouring board, in each direction; if both
                        ///< directions lead to the same board, the links of both together.
};

/// Connection table in a node's memory (seed 003: network configuration management unit). On system
/// boards the node is a unit of a board; in other networks it counts as the only unit of its board.
struct weft_connections {
  uint32_t mains;                             ///< Main units of a board.
  uint32_t aggregators;                       ///< Aggregation units of a board.
  uint32_t unit;                              ///< This unit on its board, the main units first.
  uint32_t dim_count;                         ///< Used elements of dims.
  struct weft_dimension dims[WEFT_MAX_DIMS];  ///< W, X, Y, Z on boards.
  /// 1: a mesh or torus, in which a step along a dimension is a link, and with two send controllers
  /// for each dimension link 2 d of an interface leads up dimension d and 2 d + 1 down.
  uint32_t grid;
  /// Bit d: the routers of nodes that differ in dimension d alone are linked pairwise.
  uint32_t linked;
  uint32_t per_router;  ///< Nodes at each router, successive ranks; 1 where routers differ in their
                        ///< number.
};

/// Further parameters, in a node's memory, of a collective on arrays. The array has message_flits
/// flits and begins at send_base in every node; the receive area consists of the mailboxes before
/// it and the array's first turn.
struct weft_array_job {
  uint32_t members;        ///< Nodes that have an array.
  uint32_t segment_flits;  ///< Most flits that are processed at a time.
  uint32_t op;             ///< enum weft_op.
  uint32_t type;           ///< enum weft_type.
  uint32_t order;          ///< enum weft_dimension_order.
  uint32_t root;           ///< Member where a broadcast begins, or a reduction ends.
  uint32_t chunks;  ///< Pieces of a turn that follow each other through the stages, 1 or more.
  uint32_t steps;   ///< Steps between boards after which the collective ends; UINT32_MAX: all.
  /// Data of steps along X, Y and Z are stored in main units' memories after the array, in two
  /// buffers of this many flits each; 0: they pass main units' routers only.
  uint32_t transit_flits;
  uint32_t in_order;  ///< 1: messages that leave by one send controller arrive in order.
  struct weft_connections at;
};

/// Further parameters of a barrier, at the same place of a node's memory.
struct weft_barrier_job {
  uint32_t work_cycles;  ///< Cycles from the start of its job until the node may enter.
};

/// Further parameters of a program of the user's, at the same place.
struct weft_program_job {
  uint32_t argument_count;
  uint32_t arguments[8];  ///< Arguments; those beyond the count are 0.
};

/// Most units of a board.
#define WEFT_MOST_UNITS 64

/// Mailbox slots of collectives on arrays, a flit each.
#define WEFT_MAIL_SLOTS 128

/// Most transfers that a node makes in parallel in one round of a collective on arrays.
#define WEFT_ROUND_TRANSFERS 8

#endif
