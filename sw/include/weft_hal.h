// Hardware abstraction of the collective drivers: NIC, memory, sleep. A driver is `int
// weft_main(void)` in sw/collectives/<name>.c; it returns 0, or a code that the simulator reports
// as a failure. Longer than 400 lines: what every driver includes, with the primitives first.
//
// All functions here use eight primitives. On RV32 they are memory-mapped registers, an instruction
// and plain pointers; natively the simulator provides them as functions.
#ifndef WEFT_HAL_H
#define WEFT_HAL_H

#include <stddef.h>
#include <stdint.h>

#include "weft_job.h"
#include "weft_registers.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_TAG_OTHER_WAY 4  // Tag bit, see weft_order.
#define WEFT_TAG_REDUCE 1     // Tag bit of messages that are reduced, see weft_reduce.

/// The driver. Natively the build gives each collective's a name of its own.
int weft_main(void);

/// Start-up over the network: receives this node's job, or on rank 0 sends all other nodes theirs;
/// when all are ready calls the driver `entry` and returns its code. Called instead of the driver
/// in jobs with WEFT_START_NETWORK; memory at WEFT_JOB_BASE is zero before, except on rank 0.
/// Returns WEFT_EXIT_JOB where the job did not arrive as it was sent.
int weft_boot(int (*entry)(void));

// The primitives.

#ifdef __riscv
// Accesses of memory and of registers pass each other in many processors, but not in the modelled
// one: -DWEFT_FENCES orders them there (rtl/bus/README.md, what a driver must do).
#ifdef WEFT_FENCES
#define WEFT_FENCE(before, after) __asm__ volatile("fence " #before ", " #after ::: "memory")
#else
#define WEFT_FENCE(before, after) __asm__ volatile("" ::: "memory")
#endif

/// Reads a NIC register. Memory is read anew afterwards: the NIC may have written it.
static inline uint32_t weft_reg_read(uint32_t reg) {
  const uint32_t value = *(volatile uint32_t*)(WEFT_MMIO_BASE + reg);
  WEFT_FENCE(i, rw);
  return value;
}

/// Writes a NIC register. Memory is written before: the NIC may read it.
static inline void weft_reg_write(uint32_t reg, uint32_t value) {
  WEFT_FENCE(rw, o);
  *(volatile uint32_t*)(WEFT_MMIO_BASE + reg) = value;
}

/// Sleeps until a register of the NIC has changed since the last weft_wfi returned; returns at
/// once if one has already. May return for a change that the caller does not wait for.
static inline void weft_wfi(void) {
  __asm__ volatile("wfi" ::: "memory");
}

/// Lets `cycles` cycles pass, or one more; for what takes a known time without news from the NIC.
static inline void weft_pause(uint32_t cycles) {
  __asm__ volatile("1: addi %0, %0, -2\n\tbgtz %0, 1b" : "+r"(cycles) : : "memory");
}

/// The byte at an address of this node's memory.
static inline void* weft_mem(uint32_t address) {
  return (void*)(uintptr_t)address;
}

/// Prints a line with node, cycle, `text` and `value` on standard error.
static inline void weft_print(const char* text, uint32_t value) {
  weft_reg_write(WEFT_REG_TEXT, (uint32_t)(uintptr_t)text);
  weft_reg_write(WEFT_REG_PRINT, value);
}

/// Puts a value into the run's result (`values`), with `name`, node and cycle.
static inline void weft_result(const char* name, uint32_t value) {
  weft_reg_write(WEFT_REG_TEXT, (uint32_t)(uintptr_t)name);
  weft_reg_write(WEFT_REG_RESULT, value);
}

/// Ends the run, which has failed, with a message: node, cycle, `text` and `value`.
static inline void weft_fail(const char* text, uint32_t value) {
  weft_reg_write(WEFT_REG_TEXT, (uint32_t)(uintptr_t)text);
  weft_reg_write(WEFT_REG_FAIL, value);
}

/// From now on this node is in the phase `name` of its program, up to the next call or the
/// program's end; NULL or "": in none. The run's result has the phases with node and cycles.
/// One store on RV32.
static inline void weft_phase(const char* name) {
  weft_reg_write(WEFT_REG_PHASE, (uint32_t)(uintptr_t)name);
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
void weft_print(const char* text, uint32_t value);
void weft_result(const char* name, uint32_t value);
void weft_fail(const char* text, uint32_t value);
void weft_phase(const char* name);
#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // The function has the name of the struct, as C allows.
#endif
const struct weft_job* weft_job(void);
#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif
#endif

// Rank and address.

/// This node's parameters of a collective on arrays.
static inline const struct weft_array_job* weft_array(void) {
  return (const struct weft_array_job*)weft_mem(WEFT_ARRAY_JOB_BASE);
}

// WEFT_FLIT_BYTES: bytes of a flit, which messages and their addresses are multiples of. An RV32
// program is compiled for one width, so that it multiplies by a constant: for link.width_bits 64
// unless the compiler's command line defines another.
#ifndef __riscv
#define WEFT_FLIT_BYTES (weft_job()->flit_bytes)
#elif !defined WEFT_FLIT_BYTES
#define WEFT_FLIT_BYTES 8
#endif

/// Argument `i` of a program of the user's (workload.arguments), 0 if it was given fewer.
static inline uint32_t weft_argument(uint32_t i) {
  return i < 8 ? ((const struct weft_program_job*)weft_mem(WEFT_ARRAY_JOB_BASE))->arguments[i] : 0;
}

/// Ends the run with a message (weft_fail) unless `good` holds.
static inline void weft_check(int good, const char* text, uint32_t value) {
  if (!good) {
    weft_fail(text, value);
  }
}

// Programs of `weft cc --checked` check what they ask for, which takes time; others do not.
#ifdef WEFT_CHECKED
#define WEFT_CHECK(good, text, value) weft_check(good, text, value)
#else
#define WEFT_CHECK(good, text, value) ((void)0)
#endif

/// The clock cycle, low 32 bits; natively, where instructions take no time, that of the last wait.
static inline uint32_t weft_cycle(void) {
  return weft_reg_read(WEFT_REG_CYCLE);
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
/// fastest lowest. `rank` is not checked: a rank that does not exist gets the address of another
/// one. For collectives, whose ranks are right by construction and whose cycles are compared.
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

/// Network address of a rank in this job; a rank that does not exist ends the run (weft_check).
static inline uint32_t weft_address(uint32_t rank) {
  weft_check(rank < weft_nodes(), "weft_address, expected a rank below weft_nodes():", rank);
  return weft_address_in(weft_job(), rank);
}

// Messages.

/// Opens the receive window: `bytes` bytes from byte address `base`, both multiples of a flit.
/// Others' offsets count from `base`. A window that is open already and stays as it is never
/// closes.
static inline void weft_window(uint32_t base, uint32_t bytes) {
  weft_reg_write(WEFT_REG_RX_BASE, base);
  weft_reg_write(WEFT_REG_RX_SIZE, bytes);
}

/// Opens receive window `number` for messages with `key`; if several windows have one key, the one
/// of the lowest number is used, even if closed. weft_window is window 0 with key 0, as all windows
/// are closed at first. Needs the workload's keys windows and key_bits.
static inline void weft_window_for(uint32_t number, uint32_t key, uint32_t base, uint32_t bytes) {
  WEFT_CHECK(number < 8, "weft_window_for, expected a window of 0 to 7:", number);
  WEFT_CHECK(key < 256, "weft_window_for, expected a key of 0 to 255:", key);
  weft_reg_write(WEFT_REG_RX_KEY, WEFT_RX_WINDOW(number) | key);
  weft_window(base, bytes);
  weft_reg_write(WEFT_REG_RX_KEY, 0);
}

/// Messages posted from now on, including this library's, are for a window with this key; 0 at
/// first.
static inline void weft_key(uint32_t key) {
  weft_reg_write(WEFT_REG_KEY, key);
}

/// Free descriptors of the queue.
static inline uint32_t weft_free(void) {
  return weft_reg_read(WEFT_REG_FREE);
}

/// Writes the registers of weft_order, unchecked; the tag may have WEFT_OF_BARRIER, too.
static inline void weft_write_order(uint32_t flits, uint32_t remote_offset, uint32_t tag,
                                    uint32_t gap) {
  weft_reg_write(WEFT_REG_LEN, flits);
  weft_reg_write(WEFT_REG_OFFSET, remote_offset);
  weft_reg_write(WEFT_REG_TAG_GAP, tag | gap << 8);
}

/// Sets the fields that the following orders share: `flits` flits for byte `remote_offset` of the
/// receiver's window. `tag` is 0 to 7, with WEFT_CONTROLLER or without, `gap` 0 to 255 packet
/// times. The registers keep their values, so that weft_post writes only what changes from message
/// to message.
///
/// If both directions round a ring are equally long, a message to another node of the same ring
/// goes up from even coordinates and down from odd ones; with WEFT_TAG_OTHER_WAY in its tag it goes
/// in the other direction.
static inline void weft_order(uint32_t flits, uint32_t remote_offset, uint32_t tag, uint32_t gap) {
  WEFT_CHECK((tag & 0xFFFF) < 8, "weft_order, expected a tag of 0 to 7:", tag & 0xFFFF);
  WEFT_CHECK(gap < 256, "weft_order, expected a gap of 0 to 255:", gap);
  weft_write_order(flits, remote_offset, tag, gap);
}

/// The next posted message, and no other, is sent in clock cycle `cycle` (weft_reg_read of
/// WEFT_REG_CYCLE) at the earliest: its header is offered to its link then, and is on the link one
/// cycle later. It is fetched from memory before, behind at most one other packet of its
/// controller, so that a schedule keeps a link busy. Messages leave a controller in the order of
/// posting, whatever their starts. For collectives with .timed, and programs with workload.timed.
static inline void weft_start_at(uint32_t cycle) {
  weft_reg_write(WEFT_REG_START, cycle);
}

/// Posts the order to a network address (weft_address) with the body from byte `local_address`. The
/// descriptor queue must have a free descriptor.
static inline void weft_post(uint32_t to_address, uint32_t local_address) {
  weft_reg_write(WEFT_REG_DST, to_address);
  weft_reg_write(WEFT_REG_ADDR, local_address);
  weft_reg_write(WEFT_REG_POST, 1);
}

/// Posts the order (weft_post) when a descriptor is free; sleeps until then.
static inline void weft_post_when_free(uint32_t to_address, uint32_t local_address) {
  while (weft_free() == 0) {
    weft_wfi();
  }
  weft_post(to_address, local_address);
}

/// Sends like weft_send, but does not check `to_rank` (see weft_address_in).
static inline void weft_send_unchecked(uint32_t to_rank, uint32_t local_address, uint32_t flits,
                                       uint32_t remote_offset, uint32_t tag, uint32_t gap) {
  weft_order(flits, remote_offset, tag, gap);
  weft_post_when_free(weft_address_in(weft_job(), to_rank), local_address);
}

/// Sends `flits` flits from byte address `local_address` into the receive window of `to_rank` at
/// byte `remote_offset`; sleeps while the descriptor queue is full. `tag` is 0 to 7, `gap` 0 to
/// 255 packet times. A rank that does not exist ends the run (weft_check), with nothing sent.
static inline void weft_send(uint32_t to_rank, uint32_t local_address, uint32_t flits,
                             uint32_t remote_offset, uint32_t tag, uint32_t gap) {
  weft_check(to_rank < weft_nodes(), "weft_send, expected a rank below weft_nodes():", to_rank);
  weft_send_unchecked(to_rank, local_address, flits, remote_offset, tag, gap);
}

/// From now on received messages with WEFT_TAG_REDUCE in their tag are reduced into memory: every
/// word becomes `op` (enum weft_op) of the word in memory and the received word, interpreted as
/// elements of `type` (enum weft_type); with WEFT_OP_MEAN their sum divided by `count`, 1 to 65535,
/// which other operations ignore. After reset such messages are stored like others. For collectives
/// with .reduces, and programs with workload.reduces.
///
/// Must be called before such messages can arrive: a link applies the setting after no message of
/// any tag has been on its way into memory for 6 cycles, 25 after means. weft_settle in
/// weft_reduction.h waits for that.
/// Any number of messages may be reduced into the same words at the same time, one word after the
/// other, in an order that the interface chooses.
static inline void weft_reduce(uint32_t op, uint32_t type, uint32_t count) {
  weft_reg_write(WEFT_REG_REDUCE, op | type << 3 | count << 16);
}

/// Messages stored so far whose tag has the same low two bits; wraps at 2^32. Where packets of one
/// message could overtake each other (job->part_flits) packets are counted instead.
static inline uint32_t weft_received(uint32_t tag) {
  return weft_reg_read(WEFT_REG_RECEIVED0 + 4 * (tag & 3));
}

/// Messages stored so far by incoming link, 0 to 7, of all tags; send controller i has the outgoing
/// link with the same number. After a start-up over the network without a hardware barrier, a
/// message that was stored before this node started is not counted.
static inline uint32_t weft_link_received(uint32_t link) {
  return weft_reg_read(WEFT_REG_LINK_RECEIVED0 + 4 * (link & 7));
}

/// Messages stored so far by incoming link whose tag has the same low two bits.
static inline uint32_t weft_link_tag_received(uint32_t link, uint32_t tag) {
  return weft_reg_read(WEFT_REG_LINK_TAG_RECEIVED0 + 16 * (link & 7) + 4 * (tag & 3));
}

/// Messages, or packets as in weft_received, arrived so far whose tag has the same low two bits.
/// They may not be in memory yet: enough to pace sending, not to read the data. Wraps at 2^32.
static inline uint32_t weft_arrived(uint32_t tag) {
  return weft_reg_read(WEFT_REG_ARRIVED0 + 4 * (tag & 3));
}

/// Messages sent to the last flit so far; with nic.reliable, those that their destinations have
/// acknowledged. Wraps at 2^32.
static inline uint32_t weft_sent(void) {
  return weft_reg_read(WEFT_REG_SENT);
}

/// Whether a counter that wraps has reached `count`.
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

// Combining tree of all nodes. For collectives with .combines, and programs with workload.combines.

/// Orders that may be posted and not completed.
#define WEFT_COMBINE_ORDERS 2U

/// Posts this node's next order to the combining tree: its vector of `flits` flits at byte address
/// `from` is combined with those of all other nodes flit by flit, and the result is stored at byte
/// address `to`, which may be the same; it must not overlap the vector of another order that is not
/// completed. Both are multiples of a flit. `how`: operation (enum weft_op), type << 3 (enum
/// weft_type), WEFT_COMBINE_SILENT and WEFT_COMBINE_DISCARD, and of a mean the divisor << 16. All
/// nodes post the same orders: as long, and with the same operation, type and divisor. The
/// processor must not touch either vector before the order is completed.
static inline void weft_combine(uint32_t from, uint32_t to, uint32_t flits, uint32_t how) {
  weft_reg_write(WEFT_REG_COMBINE_ADDR, from);
  weft_reg_write(WEFT_REG_COMBINE_TO, to);
  weft_reg_write(WEFT_REG_COMBINE_LEN, flits);
  weft_reg_write(WEFT_REG_COMBINE_POST, how);
}

/// Whether this node's order number `n`, from 1, is completed: its result is in memory.
static inline int weft_combine_done(uint32_t n) {
  return weft_reached(weft_reg_read(WEFT_REG_COMBINE_DONE), n);
}

// Copies within the node's memory.

/// Copies `flits` flits between byte addresses, both multiples of 4; the areas do not overlap.
static inline void weft_copy(uint32_t to, uint32_t from, uint32_t flits) {
  const uint32_t* source = (const uint32_t*)weft_mem(from);
  uint32_t* target = (uint32_t*)weft_mem(to);
  for (uint32_t i = 0; i < WEFT_FLIT_BYTES / 4 * flits; ++i) {
    target[i] = source[i];
  }
}

/// A copy that advances one piece whenever the processor would sleep, so that it delays no message.
/// Addresses and lengths as in weft_copy.
struct weft_background_copy {
  uint32_t to;
  uint32_t from;
  uint32_t flits;  ///< Flits that are left to copy.
};

/// Replaces weft_wfi in a waiting loop: moves the next piece, or sleeps when none is left.
static inline void weft_copy_or_sleep(struct weft_background_copy* copy) {
  const uint32_t most = WEFT_FLIT_BYTES < 32 ? 32 / WEFT_FLIT_BYTES : 1;
  const uint32_t piece = copy->flits < most ? copy->flits : most;
  if (piece == 0) {
    weft_wfi();
    return;
  }
  weft_copy(copy->to, copy->from, piece);
  copy->to += piece * WEFT_FLIT_BYTES;
  copy->from += piece * WEFT_FLIT_BYTES;
  copy->flits -= piece;
}

#ifdef __cplusplus
}
#endif

#endif
