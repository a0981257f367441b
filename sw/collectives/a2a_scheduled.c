// All-to-all in slots of one packet time, by a table that the simulator has computed for the
// network (sim/schedule): with it no link carries two packets in a slot, and the busiest link is
// busy in nearly every slot. Each row says in which slot a message starts, and where it goes.
//
// All nodes count slots from the same cycle: they start together, or leave a hardware barrier in
// one cycle. Every message is posted with the cycle in which it starts, so the processor runs ahead
// as far as the descriptor queue and the controllers' buffers go, and a message for a later slot
// is fetched from memory before that begins. Controllers take messages in turn.
//
// Blocks go in parts of a packet or less (job->part_flits). Each part repeats the table, as many
// slots later as that has. The last packets are in memory some slots after it; the shorter the
// slots are, the sooner.
#include "sw/include/weft_all_to_all.h"

static struct weft_refusal refuse(const struct weft_job* job) {
  if (job->sync != WEFT_SYNC_NONE) {
    return (struct weft_refusal){"sync", "none: its slots keep the nodes in step"};
  }
  if (job->gap != 0) {
    return (struct weft_refusal){"gap", "none: its slots make the gaps"};
  }
  return (struct weft_refusal){NULL, NULL};
}

WEFT_COLLECTIVE_WITH(a2a_scheduled, WEFT_ALL_TO_ALL, WEFT_CONTROLLERS_BY_UNITS,
                     "all-to-all in packet-time slots computed for the network, in which no link "
                     "has a conflict: any network of up to 4096 nodes",
                     .buffers = 1, .cuts_blocks = WEFT_CUTS_PARTS, .scheduled = 1, .timed = 1,
                     .refuse = refuse);

/// As weft_copy_or_sleep, in pieces of 64 bytes and about twice as fast: with four controllers and
/// more the loop of the messages leaves a processor little time for its own block.
static __attribute__((noinline)) void copy_or_sleep(struct weft_background_copy* copy) {
  const uint32_t piece = 64 / WEFT_FLIT_BYTES;
  if (copy->flits < piece) {
    weft_copy_or_sleep(copy);
    return;
  }
  const uint32_t* const source = (const uint32_t*)weft_mem(copy->from);
  uint32_t* const target = (uint32_t*)weft_mem(copy->to);
#pragma GCC unroll 16
  for (uint32_t i = 0; i < 16; ++i) {
    target[i] = source[i];
  }
  copy->to += 64;
  copy->from += 64;
  copy->flits -= piece;
}

/// Cycles until slot 0 starts, in which each controller gets its first message: a fixed number and
/// an additional one for each controller. The second pair is for processors on which instructions
/// take no time.
#define LEAD_CYCLES 56
#define LEAD_CYCLES_EACH WEFT_SLOT_CYCLES
#define LEAD_WITHOUT_INSTRUCTIONS 6
#define LEAD_WITHOUT_INSTRUCTIONS_EACH 1

static inline uint32_t first_slot(const struct weft_job* job) {
  const uint32_t begin = weft_reg_read(WEFT_REG_CYCLE);
  if (weft_reg_read(WEFT_REG_CYCLE) != begin) {
    return begin + LEAD_CYCLES + LEAD_CYCLES_EACH * job->controllers;
  }
  return begin + LEAD_WITHOUT_INSTRUCTIONS + LEAD_WITHOUT_INSTRUCTIONS_EACH * job->controllers;
}

/// Waits for all nodes at the barrier; they leave this in one cycle if it is a hardware one.
/// Returns the messages sent.
static __attribute__((noinline)) uint32_t meet(const struct weft_job* job) {
  struct weft_all_to_all all = weft_start(job, 1, WEFT_NO_TURNS);
  all.own.flits = 0;
  weft_window(job->recv_base, job->recv_bytes);
  weft_barrier(&all, job);
  return all.headers;
}

/// Posts a part of every block. Slot 0 starts in cycle `base`, a slot takes `slot` cycles, and the
/// part for rank 0 is at byte `from`. A function by itself, so that its loop is as short as it can
/// be, and that little is done before the first message.
static __attribute__((noinline)) void post_part(const struct weft_job* job, uint32_t base,
                                                uint32_t slot, uint32_t from,
                                                struct weft_background_copy* own) {
  const struct weft_slot* row = (const struct weft_slot*)weft_mem(job->table);
  const struct weft_slot* const end = row + job->table_rows;
  do {
    while (weft_free() == 0) {
      copy_or_sleep(own);
    }
    weft_start_at(base + row->slot * slot);
    weft_reg_write(WEFT_REG_TAG_GAP, row->tag);
    weft_post(row->to, from + row->from);
  } while (++row != end);
}

/// Sleeps until all is copied, sent and received. The last message comes last: little is done then.
static __attribute__((noinline)) int end(uint32_t posted, uint32_t headers,
                                         struct weft_background_copy* own) {
  while (own->flits != 0) {
    copy_or_sleep(own);
  }
  weft_wait_sent(posted + headers);
  weft_wait_received(0, posted);
  return WEFT_OK;
}

int weft_main(void) {
  const struct weft_job* const job = weft_job();
  if (refuse(job).member != NULL) {
    return WEFT_UNSUPPORTED_JOB;
  }
  uint32_t headers = 0;
  if (job->start != WEFT_START_LOADED) {
    headers = meet(job);
  }
  uint32_t base = first_slot(job);
  const uint32_t offset = job->rank * job->message_flits * WEFT_FLIT_BYTES;
  struct weft_background_copy own = {job->recv_base + offset, job->send_base + offset,
                                     job->message_flits};
  uint32_t posted = 0;
  for (uint32_t done = 0; done < job->message_flits;) {
    const uint32_t left = job->message_flits - done;
    const uint32_t flits = left < job->part_flits ? left : job->part_flits;
    const uint32_t slot = flits + 1 + job->slot_slack;
    weft_reg_write(WEFT_REG_LEN, flits);
    weft_reg_write(WEFT_REG_OFFSET, offset + done * WEFT_FLIT_BYTES);
    if (job->table_rows != 0) {
      post_part(job, base, slot, job->send_base + done * WEFT_FLIT_BYTES, &own);
    }
    posted += job->table_rows;
    base += job->table_slots * slot;
    done += flits;
  }
  return end(posted, headers, &own);
}
