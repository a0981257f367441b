// All-to-all in slots of one packet time, by a table that the simulator has computed for the network
// (sim/schedule): with it no link carries two packets in a slot, and the busiest link is busy in
// nearly every slot. Each row says in which slot a message starts, and to whom it goes.
//
// All nodes count slots from the same cycle: they start together, or leave a hardware barrier in
// one cycle. The driver holds back the first message of each controller until its slot begins; all
// others are timed by the gap of the message before them on the same controller, which is the number
// of slots between the two. Controllers take messages in turn, so that a message for a later slot
// is fetched from memory before that begins.
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

static inline void wait_until(struct weft_all_to_all* all, uint32_t cycle) {
  int32_t left = (int32_t)(cycle - weft_reg_read(WEFT_REG_CYCLE));
  while (left > 64 && all->own.flits != 0) {
    weft_copy_or_sleep(&all->own);
    left = (int32_t)(cycle - weft_reg_read(WEFT_REG_CYCLE));
  }
  if (left > 2) {
    weft_pause((uint32_t)left);
  }
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
  const struct weft_slot* const rows = (const struct weft_slot*)weft_mem(job->table);
  uint32_t base = weft_reg_read(WEFT_REG_CYCLE);
  uint32_t held = job->controllers;
  do {
    const uint32_t packets = (part.flits + job->packet_flits - 1) / job->packet_flits;
    const uint32_t slot = part.flits + packets;
    weft_order(part.flits, part.offset, 0, 0);
    for (uint32_t i = 0; i < job->table_rows; ++i) {
      const uint32_t to = rows[i].to;
      const uint32_t when = rows[i].when;
      if (i < held || (when & WEFT_SLOT_HELD) != 0) {
        wait_until(&all, base + (when >> 16) * slot);
      }
      while (weft_free() == 0) {
        weft_copy_or_sleep(&all.own);
      }
      weft_reg_write(WEFT_REG_TAG_GAP, (when & 0xFF07) | (when & 0xF0) << 12);
      weft_post(to & 0xFFFF, all.send_base + (to >> 16) * all.block);
    }
    all.posted += job->table_rows;
    base += job->table_slots * slot;
    held = 0;
  } while (weft_next_part(&all, job, &part));
  return weft_end(&all);
}
