// The register of collectives: what the simulator knows of each driver.
#ifndef WEFT_COLLECTIVE_H
#define WEFT_COLLECTIVE_H

#include "weft_hal.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a collective must leave in every node's memory.
enum weft_kind {
  WEFT_ALL_TO_ALL = 0,  ///< Receive block s of node d is send block d of node s.
  // The next five are collectives on arrays: every main unit of a network of boards has one, or
  // every node elsewhere.
  WEFT_ALLREDUCE = 1,       ///< Every array becomes the reduction of all.
  WEFT_REDUCE_SCATTER = 2,  ///< Every array's own block becomes the reduction of all.
  WEFT_ALLGATHER = 3,       ///< Every array becomes the own blocks of all.
  WEFT_BROADCAST = 4,       ///< Every array becomes the root's array.
  WEFT_REDUCE = 5,          ///< The root's array becomes the reduction of all.
  // A collective without data.
  WEFT_BARRIER = 6,  ///< No node ends its program before all have entered (weft_enter).
  // A program of the user's.
  WEFT_PROGRAM = 7,  ///< Nothing is checked but the code that it returns.
  // A dependency trace.
  WEFT_TRACE = 8,  ///< Every message of the trace is in its receiver's memory (weft_trace.h).
};

/// The order in which a reduction combines the members' values; sw/README.md describes each.
enum weft_reduction_order {
  WEFT_NOT_REDUCED = 0,
  WEFT_REDUCED_BY_BOARDS = 1,  ///< Round each board, then pairs of boards by bits of coordinates.
  WEFT_REDUCED_BY_PAIRS = 2,   ///< Pairs of members by bits of their numbers, the lowest first.
  WEFT_REDUCED_BY_RING = 3,    ///< Piece i of as many as members: member i, i + 1, ... round all.
  WEFT_REDUCED_BY_BUCKET = 4,  ///< Round each board, then round the ring of each dimension.
  /// Not a specified order: the arrays hold numbers whose reduction is exact in any order.
  WEFT_REDUCED_IN_ANY_ORDER = 5,
  WEFT_REDUCED_BY_TREE = 6,  ///< Combining tree: the own value, then each child's subtree.
};

/// Send controllers that a collective asks for: the value of `nic.controllers` "auto".
enum weft_controllers {
  WEFT_CONTROLLERS_1 = 0,
  WEFT_CONTROLLERS_4 = 1,  ///< It runs with no other number.
  /// As many as are needed for the links between routers to be the bottleneck: 4 on a torus, 2 on a
  /// mesh (seed 004, table 1); 1 on crossbars, which have one link to a node. On networks that
  /// route by tables, this value and the following ones mean one for each link between routers at a
  /// node's router.
  WEFT_CONTROLLERS_BY_LINKS = 2,
  WEFT_CONTROLLERS_BY_WAYS = 3,  ///< One for each direction of every dimension; 1 on crossbars.
  /// On boards as many as a unit has links on its board, at most 8; elsewhere BY_WAYS.
  WEFT_CONTROLLERS_BY_UNITS = 4,
};

/// How long messages are.
enum weft_cuts {
  WEFT_CUTS_NOTHING = 0,  ///< As long as the blocks.
  WEFT_CUTS_PACKETS = 1,  ///< One packet each, whatever the length of the blocks.
  WEFT_CUTS_PARTS = 2,    ///< Parts of job->part_flits.
};

/// Why a collective refuses a job: a member of struct weft_job, and the values it accepts for it.
/// Both null: it accepts the job.
struct weft_refusal {
  const char* member;
  const char* accepted;
};

/// One collective as the simulator knows it.
struct weft_collective {
  const char* name;     ///< Also the name of its file and of its RV32 program, <name>.elf.
  enum weft_kind kind;  ///< What is checked afterwards.
  enum weft_controllers controllers;  ///< Number of controllers that it asks for.
  const char* description;            ///< One line for `weft list`.
  int (*entry)(void);                 ///< The driver, compiled for the native host.
  uint32_t buffers;  ///< Receive buffers that it needs, each of a block for every node.
  /// 1: takes the gaps "hops-1" and "sharers-1", has barriers for any `sync`.
  uint32_t by_hops;
  enum weft_cuts cuts_blocks;
  uint32_t boards;  ///< 1: runs on networks of boards alone.
  uint32_t halves;  ///< 1: boards along each dimension are a power of two.
  /// 1: a member's block of the array is not the contract's (weft_block_of) but the one that the
  /// steps between boards leave there.
  uint32_t blocks_by_boards;
  uint32_t pipelines;  ///< 1: takes chunks and transit, and ends after a number of steps.
  enum weft_reduction_order reduced_by;  ///< Order of its reductions.
  /// Null, or returns why the collective refuses a job.
  struct weft_refusal (*refuse)(const struct weft_job* job);
  uint32_t scheduled;  ///< 1: nodes get a table of slots (struct weft_slot) in their memory.
  uint32_t reduces;    ///< 1: its interfaces reduce into memory, see weft_reduce.
  /// 1: packets that one controller sends keep their order up to the router (`nic.in_order`
  /// "auto").
  uint32_t in_order;
  uint32_t timed;     ///< 1: it uses weft_start_at.
  uint32_t barriers;  ///< 1: it has barriers for any `sync`; if WEFT_BARRIER: by barrier units.
  uint32_t combines;  ///< 1: nodes have the combining tree, see weft_combine.
};

/// All collectives by rising name; their number goes to `count`. Native only.
const struct weft_collective* weft_collectives(size_t* count);

/// Enters a collective into the register; the name is that of its file. After the description come
/// designated initialisers of further members. Expands to nothing on RV32.
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

/// Enters a collective without further members.
#define WEFT_COLLECTIVE(name_, kind_, controllers_, description_) \
  WEFT_COLLECTIVE_WITH(name_, kind_, controllers_, description_, .buffers = 1)

#ifdef __cplusplus
}
#endif

#endif
