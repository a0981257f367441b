// An all-to-all by reduction into memory: every block is added to the zeros at its address.
// Further passes leave it unchanged, if each of their words is combined exactly once.
#include "weft_hal.h"

static uint32_t barriers, passes;

static void barrier(void) {
  weft_barrier_enter();
  ++barriers;
  while (!weft_barrier_done(barriers)) {
    weft_wfi();
  }
}

// Sends every other node a block, which begins `step` bytes after that of the previous node, to the
// place of rank `place` times; at the end all have them in memory.
static void pass(uint32_t op, uint32_t type, uint32_t count, uint32_t step, uint32_t place) {
  const struct weft_job* job = weft_job();
  const uint32_t others = job->nodes - 1;
  const uint32_t bytes = job->message_flits * WEFT_FLIT_BYTES;
  weft_reduce(op, type, count);
  barrier();  // All have the setting.
  for (uint32_t i = 1; i <= others; ++i) {
    const uint32_t to = (job->rank + i) % job->nodes;
    // Bit 2 of the tag has a meaning of its own.
    const uint32_t tag = WEFT_TAG_REDUCE | (i % 2 == 0 ? WEFT_TAG_OTHER_WAY : 0);
    weft_send(to, job->send_base + to * step, job->message_flits, place * bytes, tag, 0);
  }
  ++passes;
  weft_wait_sent(passes * others);
  weft_wait_received(WEFT_TAG_REDUCE, passes * others);
  barrier();
}

// The same with one block for all: words a, a + b, a + 2b, ... in both halves.
static void pass_of(uint32_t op, uint32_t type, uint32_t count, uint32_t a, uint32_t b,
                    uint32_t place) {
  const struct weft_job* job = weft_job();
  uint32_t* words = (uint32_t*)weft_mem(job->send_base);
  for (uint32_t i = 0; i < job->message_flits; ++i) {
    words[2 * i] = words[2 * i + 1] = a + i * b;
  }
  pass(op, type, count, 0, place);
}

int weft_main(void) {
  const struct weft_job* job = weft_job();
  const uint32_t bytes = job->message_flits * WEFT_FLIT_BYTES;
  const uint32_t own = job->rank * bytes;
  weft_copy(job->recv_base + own, job->send_base + own, job->message_flits);
  pass(WEFT_OP_SUM, WEFT_TYPE_INT64, 0, bytes, job->rank);
  pass_of(WEFT_OP_SUM, WEFT_TYPE_INT32, 0, 0xFFFFFF00, 7, job->rank);
  pass_of(WEFT_OP_SUM, WEFT_TYPE_INT32, 0, 0x100, 0xFFFFFFF9, job->rank);
  pass_of(WEFT_OP_MEAN, WEFT_TYPE_INT32, 1, 0, 0, job->rank);
  pass_of(WEFT_OP_PROD, WEFT_TYPE_INT32, 0, 1, 0, job->rank);
  pass_of(WEFT_OP_MAX, WEFT_TYPE_INT64, 0, 0x80000000, 0, job->rank);
  pass_of(WEFT_OP_MIN, WEFT_TYPE_INT32, 0, 0x7FFFFFFF, 0, job->rank);
  // All add to the same words at once, and take the same away again.
  pass_of(WEFT_OP_SUM, WEFT_TYPE_INT32, 0, 3, 5, 0);
  pass_of(WEFT_OP_SUM, WEFT_TYPE_INT32, 0, -3U, -5U, 0);
  return WEFT_OK;
}
