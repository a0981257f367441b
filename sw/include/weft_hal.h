// What a collective driver knows of the machine. A driver is `int weft_main(void)` in
// sw/collectives/<name>.c; it returns 0, or a code that the simulator reports as a failure.
//
// Everything here stands on six primitives. On RV32 they are memory-mapped registers, an
// instruction and plain pointers; natively the simulator provides them as functions.
#ifndef WEFT_HAL_H
#define WEFT_HAL_H

#include <stddef.h>
#include <stdint.h>

#include "weft_registers.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_MAX_DIMS 8
#define WEFT_FLIT_BYTES 8
#define WEFT_MAX_GAP 255              // Packet times that a message can ask for.
#define WEFT_GAP_HOPS 0xFFFFFFFFU     // As job->gap: the hops of the way less one,
#define WEFT_GAP_SHARERS 0xFFFFFFFEU  // or the nodes whose packets share a link of it less one.
#define WEFT_TAG_OTHER_WAY 4          // Tag bit, see weft_order.
#define WEFT_TAG_REDUCE 1             // Tag bit of messages that are reduced, see weft_reduce.

/// How a driver spaces its messages.
enum weft_sync {
  WEFT_SYNC_NONE = 0,     ///< As fast as the descriptor queue takes them.
  WEFT_SYNC_LOCAL = 1,    ///< Message m + C only after m messages came in, C = controllers; for
                          ///< C = 1 the rule of seed 004 (4.1).
  WEFT_SYNC_BARRIER = 2,  ///< A barrier of all nodes between phases.
};

/// How nodes wait for each other.
enum weft_barrier_kind {
  WEFT_BARRIER_SOFTWARE = 0,  ///< By messages without a body.
  WEFT_BARRIER_HARDWARE = 1,  ///< By the barrier unit (seed 000 [0052]).
};

/// How nodes come to their jobs. On RV32 the program finds it in register a0 when it starts.
enum weft_start_kind {
  WEFT_START_LOADED = 0,   ///< They find them in their memories.
  WEFT_START_NETWORK = 1,  ///< Rank 0 does, the administration node (seed 000 [0055]), and sends
                           ///< all others theirs.
};

/// What an interface makes of a word in memory and one that comes in (seed 003).
enum weft_op {
  WEFT_OP_STORE = 0,  ///< The one that comes in.
  WEFT_OP_SUM = 1,
  WEFT_OP_PROD = 2,
  WEFT_OP_MAX = 3,
  WEFT_OP_MIN = 4,
  WEFT_OP_MEAN = 5,  ///< The sum, divided.
};

/// Elements of a word, the first in its low bits.
enum weft_type {
  WEFT_TYPE_INT32 = 0,  ///< Two of 32 bits, signed.
  WEFT_TYPE_INT64 = 1,  ///< One of 64 bits, signed.
  WEFT_TYPE_FP32 = 2,   ///< Two IEEE 754 numbers of single precision.
};

/// Order of the dimensions of system boards (seed 003, examples 1 and 2).
enum weft_dimension_order {
  WEFT_ORDER_ALPHABETICAL = 0,  ///< W, X, Y, Z.
  WEFT_ORDER_BANDWIDTH = 1,     ///< By falling bandwidth.
};

/// Codes that a driver returns.
enum weft_result {
  WEFT_OK = 0,
  WEFT_UNSUPPORTED_JOB = 4,  ///< The job is one that its weft_collective refuses.
};

/// What this node is told before it starts. Addresses are byte addresses in its memory. Block d
/// of the send area (message_flits flits) is for rank d; block s of the receive area is from s.
struct weft_job {
  uint32_t rank;                     ///< This node, 0 to nodes - 1.
  uint32_t nodes;                    ///< Nodes that take part.
  uint32_t dim_count;                ///< Used places of dims and dim_bits.
  uint32_t dims[WEFT_MAX_DIMS];      ///< Nodes along each dimension, the fastest first.
  uint32_t dim_bits[WEFT_MAX_DIMS];  ///< Width of each digit of an address, the fastest lowest.
  uint32_t message_flits;            ///< Length of one block, flits.
  uint32_t gap;                      ///< Silence after each packet, packet times (seed 000 [0043]),
                                     ///< WEFT_GAP_HOPS or WEFT_GAP_SHARERS.
  uint32_t sync;                     ///< enum weft_sync.
  uint32_t send_base;                ///< Send area.
  uint32_t recv_base;                ///< Receive area.
  uint32_t recv_bytes;    ///< Size of the receive area, bytes: as many buffers of a block
                          ///< for each node as the collective asks for, side by side.
  uint32_t memory_bytes;  ///< Size of the memory, bytes.
  uint32_t controllers;   ///< Send controllers of the NIC, 1 or more.
  uint32_t packet_flits;  ///< Most body flits of a packet.
  uint32_t barrier;       ///< enum weft_barrier_kind.
  uint32_t wraps;         ///< Bit i: dimension i is a ring, else a line.
  uint32_t areas;         ///< Areas of a block that take different ways (seed 000
                          ///< [0081]); 0: what the collective likes best.
  uint32_t part_flits;    ///< Longest message of a block, flits: message_flits, or less where
                          ///< packets of one message could overtake each other.
  uint32_t start;         ///< enum weft_start_kind.
};

/// One dimension of the network as a node's connection table has it.
struct weft_dimension {
  uint32_t size;        ///< Boards, or nodes, along it.
  uint32_t coordinate;  ///< The own one.
  uint32_t rank_step;   ///< To the rank of the one whose coordinate is higher by one.
  uint32_t links;       ///< That lead along it to a neighbouring board, in each direction; both
                        ///< directions together where they lead to the same one.
};

/// Connection table of a node (seed 003: network configuration management unit), which it finds in
/// its memory: of a system board's unit, or of a node of another network, which is the only unit of
/// its board then.
struct weft_connections {
  uint32_t mains;                             ///< Main units of a board.
  uint32_t aggregators;                       ///< Aggregation units of a board.
  uint32_t unit;                              ///< This one on its board, the main units first.
  uint32_t dim_count;                         ///< Used places of dims.
  struct weft_dimension dims[WEFT_MAX_DIMS];  ///< W, X, Y, Z on boards.
};

/// What a node of a collective on arrays finds in its memory beside its job. The array has
/// message_flits flits and begins at send_base in every node; the receive area is the mailboxes
/// before it, and the array's first turn.
struct weft_array_job {
  uint32_t members;     ///< Nodes that have an array.
  uint32_t turn_flits;  ///< Most flits that are worked on at a time.
  uint32_t op;          ///< enum weft_op.
  uint32_t type;        ///< enum weft_type.
  uint32_t order;       ///< enum weft_dimension_order.
  uint32_t root;        ///< Member where a broadcast begins, or a reduction ends.
  uint32_t chunks;      ///< Pieces of a turn that follow each other through the stages, 1 or more.
  uint32_t steps;       ///< Steps between boards after which it ends; UINT32_MAX: all.
  /// Steps along X, Y and Z are stored in main units' memories behind the array, in two rooms of so
  /// many flits each; 0: they go through main units' routers alone.
  uint32_t transit_flits;
  struct weft_connections at;
};

/// Most units of a board.
#define WEFT_MOST_UNITS 64

/// Mailbox slots of collectives on arrays, a flit each.
#define WEFT_MAIL_SLOTS 128

/// Most transfers that a node makes side by side in one round of such a collective.
#define WEFT_ROUND_TRANSFERS 8

// The primitives.

#ifdef __riscv
/// Reads a NIC register. Memory is read anew afterwards: the NIC may have written it.
static inline uint32_t weft_reg_read(uint32_t reg) {
  const uint32_t value = *(volatile uint32_t*)(WEFT_MMIO_BASE + reg);
  __asm__ volatile("" ::: "memory");
  return value;
}

/// Writes a NIC register. Memory is written before: the NIC may read it.
static inline void weft_reg_write(uint32_t reg, uint32_t value) {
  __asm__ volatile("" ::: "memory");
  *(volatile uint32_t*)(WEFT_MMIO_BASE + reg) = value;
}

/// Sleeps until a register of the NIC has changed since the last weft_wfi returned; returns at
/// once if one has already. May return for a change that the caller does not wait for.
static inline void weft_wfi(void) {
  __asm__ volatile("wfi" ::: "memory");
}

/// Lets so many cycles pass, or one more; for what takes a known time without news from the NIC.
static inline void weft_pause(uint32_t cycles) {
  __asm__ volatile("1: addi %0, %0, -2\n\tbgtz %0, 1b" : "+r"(cycles) : : "memory");
}

/// The byte at an address of this node's memory.
static inline void* weft_mem(uint32_t address) {
  return (void*)(uintptr_t)address;
}

/// This node's job.
static inline const struct weft_job* weft_job(void) {
  extern const struct weft_job weft_job_block;  // The linker script puts it at WEFT_JOB_BASE.
  return &weft_job_block;
}
#else
uint32_t weft_reg_read(uint32_t reg);
void weft_reg_write(uint32_t reg, uint32_t value);
void weft_wfi(void);
void weft_pause(uint32_t cycles);
void* weft_mem(uint32_t address);
#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // The function has the name of the struct, as C allows.
#endif
const struct weft_job* weft_job(void);
#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif
#endif

// Who and where.

/// What this node is told of a collective on arrays.
static inline const struct weft_array_job* weft_array(void) {
  return (const struct weft_array_job*)weft_mem(WEFT_ARRAY_JOB_BASE);
}

/// This node's rank.
static inline uint32_t weft_rank(void) {
  return weft_job()->rank;
}

/// Nodes that take part.
static inline uint32_t weft_nodes(void) {
  return weft_job()->nodes;
}

/// Network address of a rank in a job's network: its mixed-radix digits, each in its own field, the
/// fastest lowest.
static inline uint32_t weft_address_in(const struct weft_job* job, uint32_t rank) {
  uint32_t address = 0;
  uint32_t shift = 0;
  for (uint32_t i = 0; i < job->dim_count; ++i) {
    address |= rank % job->dims[i] << shift;
    rank /= job->dims[i];
    shift += job->dim_bits[i];
  }
  return address;
}

/// The same in that of this node's job.
static inline uint32_t weft_address(uint32_t rank) {
  return weft_address_in(weft_job(), rank);
}

// Messages.

/// Opens the receive window: `bytes` bytes from byte address `base`, both multiples of 8. Others'
/// offsets count from `base`. A window that is open already and stays as it is never closes.
static inline void weft_window(uint32_t base, uint32_t bytes) {
  weft_reg_write(WEFT_REG_RX_BASE, base);
  weft_reg_write(WEFT_REG_RX_SIZE, bytes);
}

/// Free places in the descriptor queue.
static inline uint32_t weft_free(void) {
  return weft_reg_read(WEFT_REG_FREE);
}

/// Sets what the orders that follow have in common: `flits` flits for byte `remote_offset` of the
/// receiver's window. `tag` is 0 to 7, with WEFT_CONTROLLER or without, `gap` 0 to 255 packet
/// times. The registers keep their values, so that weft_post writes only what changes from message
/// to message.
///
/// Where both ways round a ring are equally long a message to another node of the same ring goes up
/// from even coordinates and down from odd ones; with WEFT_TAG_OTHER_WAY in its tag it goes the
/// other way.
static inline void weft_order(uint32_t flits, uint32_t remote_offset, uint32_t tag, uint32_t gap) {
  weft_reg_write(WEFT_REG_LEN, flits);
  weft_reg_write(WEFT_REG_OFFSET, remote_offset);
  weft_reg_write(WEFT_REG_TAG_GAP, tag | gap << 8);
}

/// Sends the order to a network address (weft_address) with the body from byte `local_address`. The
/// descriptor queue has a free place.
static inline void weft_post(uint32_t to_address, uint32_t local_address) {
  weft_reg_write(WEFT_REG_DST, to_address);
  weft_reg_write(WEFT_REG_ADDR, local_address);
  weft_reg_write(WEFT_REG_POST, 1);
}

/// The same when the descriptor queue has a free place; sleeps until then.
static inline void weft_post_when_free(uint32_t to_address, uint32_t local_address) {
  while (weft_free() == 0) {
    weft_wfi();
  }
  weft_post(to_address, local_address);
}

/// Sends `flits` flits from byte address `local_address` into the receive window of `to_rank` at
/// byte `remote_offset`; sleeps while the descriptor queue is full. `tag` is 0 to 7, `gap` 0 to
/// 255 packet times.
static inline void weft_send(uint32_t to_rank, uint32_t local_address, uint32_t flits,
                             uint32_t remote_offset, uint32_t tag, uint32_t gap) {
  weft_order(flits, remote_offset, tag, gap);
  weft_post_when_free(weft_address(to_rank), local_address);
}

/// From here on messages that come in with WEFT_TAG_REDUCE in their tag are
/// reduced into memory: every word becomes `op` (enum weft_op) of what is there and what comes,
/// taken as elements of `type` (enum weft_type); with WEFT_OP_MEAN their sum divided by `count`, 1
/// to 65535, which is looked at with it only. After reset such messages are stored like others. For
/// collectives with .reduces.
///
/// To be called before such messages can come in: a link takes the setting over when nothing of any
/// tag has been on its way into memory for 6 cycles, 25 if means were made. weft_reduction.h has a
/// way to wait for that (weft_settle).
/// Two messages for the same words must not be under way together: the second is sent after the
/// first was counted as stored (weft_received).
static inline void weft_reduce(uint32_t op, uint32_t type, uint32_t count) {
  weft_reg_write(WEFT_REG_REDUCE, op | type << 3 | count << 16);
}

/// Messages stored so far whose tag has the same low two bits; wraps at 2^32. Where packets of one
/// message could overtake each other (job->part_flits) these are packets: a longer message counts
/// for each.
static inline uint32_t weft_received(uint32_t tag) {
  return weft_reg_read(WEFT_REG_RECEIVED0 + 4 * (tag & 3));
}

/// Messages, or packets likewise, that came in so far whose tag has the same low two bits, perhaps
/// before they are in memory: enough for the rhythm of sending, not for reading the data. Wraps at 2^32.
static inline uint32_t weft_arrived(uint32_t tag) {
  return weft_reg_read(WEFT_REG_ARRIVED0 + 4 * (tag & 3));
}

/// Messages sent to the last flit so far; wraps at 2^32.
static inline uint32_t weft_sent(void) {
  return weft_reg_read(WEFT_REG_SENT);
}

/// Whether a counter that wraps has come to `count`.
static inline int weft_reached(uint32_t counter, uint32_t count) {
  return (int32_t)(counter - count) >= 0;
}

/// Sleeps until `count` messages in all were stored under `tag`.
static inline void weft_wait_received(uint32_t tag, uint32_t count) {
  while (!weft_reached(weft_received(tag), count)) {
    weft_wfi();
  }
}

/// Sleeps until `count` messages in all were sent.
static inline void weft_wait_sent(uint32_t count) {
  while (!weft_reached(weft_sent(), count)) {
    weft_wfi();
  }
}

// Hardware barrier.

/// This node enters its next barrier, which is released when all nodes have.
static inline void weft_barrier_enter(void) {
  weft_reg_write(WEFT_REG_BARRIER, 1);
}

/// Whether this node's barrier number `n`, from 1, has been released.
static inline int weft_barrier_done(uint32_t n) {
  return weft_reached(weft_reg_read(WEFT_REG_BARRIER), n);
}

// Copies within the node's memory.

/// Copies `flits` flits between byte addresses, both multiples of 8; the areas do not overlap.
static inline void weft_copy(uint32_t to, uint32_t from, uint32_t flits) {
  const uint32_t* source = (const uint32_t*)weft_mem(from);
  uint32_t* target = (uint32_t*)weft_mem(to);
  for (uint32_t i = 0; i < 2 * flits; ++i) {
    target[i] = source[i];
  }
}

/// A copy that goes on a piece at a time whenever the processor would sleep, so that it delays no
/// message. Addresses and lengths as in weft_copy.
struct weft_background_copy {
  uint32_t to;
  uint32_t from;
  uint32_t flits;  ///< What is left.
};

/// In place of weft_wfi in a waiting loop: moves the next piece, or sleeps when none is left.
static inline void weft_copy_or_sleep(struct weft_background_copy* copy) {
  const uint32_t piece = copy->flits < 4 ? copy->flits : 4;
  if (piece == 0) {
    weft_wfi();
    return;
  }
  weft_copy(copy->to, copy->from, piece);
  copy->to += piece * WEFT_FLIT_BYTES;
  copy->from += piece * WEFT_FLIT_BYTES;
  copy->flits -= piece;
}

// The register of collectives.

/// What a collective must leave in every node's memory.
enum weft_kind {
  WEFT_ALL_TO_ALL = 0,  ///< Receive block s of node d is send block d of node s.
  // On arrays, of which every main unit of a network of boards has one, or every node elsewhere.
  WEFT_ALLREDUCE = 1,       ///< Every array becomes the reduction of all.
  WEFT_REDUCE_SCATTER = 2,  ///< The own block of every array becomes that.
  WEFT_ALLGATHER = 3,       ///< Every array becomes the own blocks of all.
  WEFT_BROADCAST = 4,       ///< Every array becomes that of the root.
  WEFT_REDUCE = 5,          ///< The root's array becomes the reduction of all.
};

/// In which order a reduction joins the members' values; sw/README.md has them in words.
enum weft_fold {
  WEFT_FOLD_NONE = 0,
  WEFT_FOLD_BOARDS = 1,  ///< Round each board, then pairs of boards by bits of coordinates.
  WEFT_FOLD_PAIRS = 2,   ///< Pairs of members by bits of their numbers, the lowest first.
  WEFT_FOLD_RING = 3,    ///< Piece i of as many as members: member i, i + 1, ... round all.
  WEFT_FOLD_BUCKET = 4,  ///< Round each board, then round the ring of each dimension.
};

/// Send controllers that a collective calls for: what `nic.controllers` "auto" gives it.
enum weft_controllers {
  WEFT_CONTROLLERS_1 = 0,
  WEFT_CONTROLLERS_4 = 1,  ///< It runs with no other number.
  /// As many as it takes until the links between routers are the bound: 4 on a torus, 2 on a mesh
  /// (seed 004, table 1); 1 on crossbars, which have one link to a node.
  WEFT_CONTROLLERS_BY_LINKS = 2,
  WEFT_CONTROLLERS_BY_WAYS = 3,  ///< One for each direction of every dimension; 1 on crossbars.
  /// On boards as many as a unit has links on its board, at most 8; elsewhere BY_WAYS.
  WEFT_CONTROLLERS_BY_UNITS = 4,
};

/// What a collective that picks its algorithm has picked.
struct weft_choice {
  enum weft_fold fold;
  uint32_t order;  ///< As in struct weft_array_job.
};

/// How long messages are.
enum weft_cuts {
  WEFT_CUTS_NOTHING = 0,  ///< As long as the blocks.
  WEFT_CUTS_PACKETS = 1,  ///< One packet each, however long the blocks are.
  WEFT_CUTS_PARTS = 2,    ///< job->part_flits; where that is less than a block its RV32 program is
                          ///< <name>.parts.elf.
};

/// What of a job a collective refuses: a member of struct weft_job, and what it accepts there. Both
/// null: nothing.
struct weft_refusal {
  const char* member;
  const char* accepted;
};

/// One collective as the simulator knows it.
struct weft_collective {
  const char* name;     ///< Also the name of its file and of its RV32 program, <name>.elf.
  enum weft_kind kind;  ///< What is checked afterwards.
  enum weft_controllers controllers;  ///< What it calls for.
  const char* description;            ///< One line for `weft list`.
  int (*entry)(void);                 ///< The driver, compiled for this machine.
  uint32_t buffers;  ///< Receive buffers that it needs, each of a block for every node.
  /// 1: takes the gaps "hops-1" and "sharers-1", has barriers whatever sync says.
  uint32_t by_hops;
  enum weft_cuts cuts_blocks;
  uint32_t boards;      ///< 1: runs on networks of boards alone.
  uint32_t halves;      ///< 1: members, or boards along each dimension, are a power of two.
  uint32_t pipelines;   ///< 1: takes chunks and transit, and ends after a number of steps.
  enum weft_fold fold;  ///< Of reductions.
  /// Null, or what it picks for an array of so many flits instead of `fold` and order.
  struct weft_choice (*choose)(uint32_t flits, const struct weft_array_job* array);
  /// Null, or tells what the collective refuses of a job.
  struct weft_refusal (*refuse)(const struct weft_job* job);
  uint32_t reduces;  ///< 1: its interfaces reduce into memory, see weft_reduce.
};

/// All collectives by rising name; their number goes to `count`. Native only.
const struct weft_collective* weft_collectives(size_t* count);

/// The driver. Natively the build gives each collective's a name of its own.
int weft_main(void);

/// Start-up over the network: gets this node's job, or on rank 0 sends all others theirs; when all
/// are ready runs the driver `entry` and returns its code. Runs instead of the driver in jobs with
/// WEFT_START_NETWORK; WEFT_JOB_BASE is zero before but on rank 0.
int weft_boot(int (*entry)(void));

/// Enters a collective into the register; the name is that of its file. What stands behind the
/// description are designated initialisers of further members. Nothing on RV32.
#ifdef __riscv
#define WEFT_COLLECTIVE_WITH(name_, kind_, controllers_, description_, ...) \
  extern const struct weft_collective weft_collective_##name_
#else
#define WEFT_COLLECTIVE_WITH(name_, kind_, controllers_, description_, ...)            \
  extern const struct weft_collective weft_collective_##name_;                         \
  const struct weft_collective weft_collective_##name_ = {.name = #name_,              \
                                                          .kind = kind_,               \
                                                          .controllers = controllers_, \
                                                          .description = description_, \
                                                          .entry = weft_main,          \
                                                          __VA_ARGS__}
#endif

/// The same without further members.
#define WEFT_COLLECTIVE(name_, kind_, controllers_, description_) \
  WEFT_COLLECTIVE_WITH(name_, kind_, controllers_, description_, .buffers = 1)

#ifdef __cplusplus
}
#endif

#endif
