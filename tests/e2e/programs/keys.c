// Two groups of nodes, by even and odd rank: each writes its members' windows for that group, and
// all write a window for everyone. With argument 1 node 0 also sends to node 1 under the key of its
// own group, and with 2 under a key that no window has: nothing is to be written.
#include "weft_hal.h"

#define GROUP_BYTES \
  1024U           // Of the window of a group, where the area begins, and of that for all behind it.
#define FLITS 5U  // Flits of a message.
#define ALL_KEY 3U
#define GUARD 0x5A5A5A5AU

static void fill(uint32_t base, uint32_t value) {
  uint32_t* words = (uint32_t*)weft_mem(base);
  for (uint32_t i = 0; i < FLITS * WEFT_FLIT_BYTES / 4; ++i) {
    words[i] = value + i;
  }
}

// Whether a window has the blocks of the ranks that are `first` modulo `step`, and nothing else.
static void check(uint32_t base, uint32_t first, uint32_t step) {
  const struct weft_job* job = weft_job();
  const uint32_t words = FLITS * WEFT_FLIT_BYTES / 4;
  for (uint32_t rank = 0; rank < job->nodes; ++rank) {
    const uint32_t* got = (const uint32_t*)weft_mem(base + rank * words * 4);
    const int sends = rank != job->rank && rank % step == first;
    for (uint32_t i = 0; i < words; ++i) {
      weft_check(got[i] == (sends ? 1000 * rank + i : GUARD), "word of rank", rank);
    }
  }
}

int weft_main(void) {
  const struct weft_job* job = weft_job();
  const uint32_t group = job->rank % 2, bytes = FLITS * WEFT_FLIT_BYTES;
  const uint32_t own = job->recv_base, all = job->recv_base + GROUP_BYTES;
  const uint32_t members = (job->nodes + 1 - group) / 2;
  for (uint32_t at = 0; at < 2 * GROUP_BYTES; at += 4) {
    *(uint32_t*)weft_mem(own + at) = GUARD;
  }
  weft_window_for(0, 7, 0, 0);  // Nobody writes it, and no window has key 0.
  weft_window_for(1, 1 + group, own, GROUP_BYTES);
  weft_window_for(2, ALL_KEY, all, GROUP_BYTES);
  weft_barrier_enter();
  while (!weft_barrier_done(1)) {
    weft_wfi();
  }
  fill(job->send_base, 1000 * job->rank);
  for (uint32_t i = 1; i < job->nodes; ++i) {
    const uint32_t to = (job->rank + i) % job->nodes;
    weft_key(ALL_KEY);
    weft_send(to, job->send_base, FLITS, job->rank * bytes, 1, 0);
    weft_key(1 + group);
    if (to % 2 == group) {
      weft_send(to, job->send_base, FLITS, job->rank * bytes, 0, 0);
    } else if (job->rank == 0 && to == 1 && weft_argument(0) != 0) {
      if (weft_argument(0) == 2) weft_key(0);
      weft_send(to, job->send_base, FLITS, 0, 0, 0);
    }
  }
  weft_wait_received(0, members - 1);
  weft_wait_received(1, job->nodes - 1);
  if (weft_argument(0) != 0 && job->rank == 1) {
    while (weft_reg_read(WEFT_REG_REFUSED) == 0) {
      weft_wfi();
    }
  }
  check(own, group, 2);
  check(all, 0, 1);
  return 0;
}
