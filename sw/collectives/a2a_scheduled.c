// All-to-all in slots of one packet time, by a table that the simulator has computed for the
// network (sim/schedule): with it no link carries two packets in a slot, and the busiest link is
// busy in nearly every slot. Each row says in which slot a message starts, and to whom it goes.
//
// All nodes count slots from the same cycle: they start together, or leave a hardware barrier in
// one cycle. The driver holds back the first message of each controller until its slot begins; all
// others are timed by the gap of the message before them on the same controller, which is the
// number of slots between the two. Controllers take messages in turn, so that a message for a later
// slot is fetched from memory before that begins.
//
// Blocks longer than a packet go in parts where packets could overtake each other. Each part
// repeats the table, as many slots later as that has.
#include "sw/include/weft_all_to_all.h"

static struct weft_refusal refuse(const struct weft_job* job) {
  if (job->sync != WEFT_SYNC_NONE) {
    return (struct weft_refusal){"sync", "none: its slots keep the nodes in step"};
  }
  if (job->gap != 0) {
    return (struct weft_refusal){"gap", "none: its slots make the gaps"};
  }
  return weft_refuse_wide(job);
}

WEFT_COLLECTIVE_WITH(a2a_scheduled, WEFT_ALL_TO_ALL, WEFT_CONTROLLERS_BY_UNITS,
                     "all-to-all in packet-time slots computed for the network, in which no link "
                     "has a conflict: any network of up to 4096 nodes",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PARTS, .scheduled = 1,
                     .refuse = refuse);

/// As weft_copy_or_sleep, in pieces of 8 flits and about twice as fast: with four controllers and
/// more the loop of the messages leaves a processor little time for its own block.
static inline void copy_or_sleep(struct weft_background_copy* copy) {
  if (copy->flits < 8) {
    weft_copy_or_sleep(copy);
    return;
  }
  const uint32_t* const source = (const uint32_t*)weft_mem(copy->from);
  uint32_t* const target = (uint32_t*)weft_mem(copy->to);
#pragma GCC unroll 16
  for (uint32_t i = 0; i < 16; ++i) {
    target[i] = source[i];
  }
  copy->to += 8 * WEFT_FLIT_BYTES;
  copy->from += 8 * WEFT_FLIT_BYTES;
  copy->flits -= 8;
}

static inline void wait_until(struct weft_all_to_all* all, uint32_t cycle) {
  int32_t left = (int32_t)(cycle - weft_reg_read(WEFT_REG_CYCLE));
  while (left > 64 && all->own.flits != 0) {
    copy_or_sleep(&all->own);
    left = (int32_t)(cycle - weft_reg_read(WEFT_REG_CYCLE));
  }
  if (left > 2) {
    weft_pause((uint32_t)left);
  }
}

/// Cycles that a processor on which instructions take time needs to post such a word, or a row of
/// the table, at most; and those of one on which they take none.
#define WORD_CYCLES 24
#define ROW_CYCLES 32
#define CYCLES_WITHOUT_INSTRUCTIONS 2

/// Sends the first word of the own block to its place by each controller, with a gap that ends in
/// the same cycle for all, or a cycle earlier (a packet time of one word is two cycles), so that
/// the messages after them start together. Returns that cycle.
static inline uint32_t start_together(struct weft_all_to_all* all, const struct weft_job* job) {
  const uint32_t own = weft_address_in(job, job->rank);
  const uint32_t controllers = job->controllers;
  const uint32_t offset = job->rank * job->message_flits * WEFT_FLIT_BYTES;
  weft_order(1, offset, 2, 0);
  const uint32_t begin = weft_reg_read(WEFT_REG_CYCLE);
  const int takes_time = weft_reg_read(WEFT_REG_CYCLE) != begin;
  const uint32_t each = takes_time ? WORD_CYCLES + ROW_CYCLES : 2 * CYCLES_WITHOUT_INSTRUCTIONS;
  const uint32_t start = begin + each * (controllers < 8 ? controllers : 8);
  for (uint32_t i = 0; i < controllers; ++i) {
    while (weft_free() == 0) {
      weft_wfi();
    }
    const int32_t left = (int32_t)(start - weft_reg_read(WEFT_REG_CYCLE));
    const uint32_t gap = left > 0 ? (uint32_t)left / 2 : 0;
    weft_reg_write(WEFT_REG_TAG_GAP, 2 | gap << 8 | WEFT_ROUND_ROBIN);
    weft_post(own, job->send_base + offset);
  }
  all->headers += controllers;
  return start;
}

int weft_main(void) {
  const struct weft_job* const job = weft_job();
  if (refuse(job).member != NULL) {
    return WEFT_UNSUPPORTED_JOB;
  }
  struct weft_part part = weft_first_part(job);
  struct weft_all_to_all all = weft_start(job, 1, WEFT_NO_TURNS);
  weft_window(job->recv_base, job->recv_bytes);
  if (job->start != WEFT_START_LOADED) {
    weft_barrier(&all, job);
  }
  const struct weft_slot* const begin = (const struct weft_slot*)weft_mem(job->table);
  const struct weft_slot* const end = begin + job->table_rows;
  uint32_t base = start_together(&all, job);
  const struct weft_slot* held = begin + job->controllers;
  do {
    const uint32_t packets = (part.flits + job->packet_flits - 1) / job->packet_flits;
    const uint32_t slot = part.flits + packets;
    const uint32_t send_base = all.send_base;
    const uint32_t block = all.block;
    weft_order(part.flits, part.offset, 0, 0);
    for (const struct weft_slot* row = begin; row != end; ++row) {
      const uint32_t to = row->to;
      const uint32_t when = row->when;
      // One of slot 0 waits for the header before it.
      if ((row < held && when >> 16 != 0) || (when & WEFT_SLOT_HELD) != 0) {
        wait_until(&all, base + (when >> 16) * slot);
      }
      while (weft_free() == 0) {
        copy_or_sleep(&all.own);
      }
      weft_reg_write(WEFT_REG_TAG_GAP, (when & 0xFF07) | (when & 0xF0) << 12);
      weft_post(to & 0xFFFF, send_base + (to >> 16) * block);
    }
    all.posted += job->table_rows;
    base += job->table_slots * slot;
    held = begin;
  } while (weft_next_part(&all, job, &part));
  return weft_end(&all);
}
