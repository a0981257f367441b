// Start-up over the network (seed 000 [0055], [0059]). Only rank 0, the administration node, has
// its job in its memory. Every other node opens its receive window over the address of its job and
// waits; rank 0 sends it that job. Then each node opens the window that the job names, and the
// driver starts when all have done so: no message of the job arrives at a closed window.
//
// The other nodes open their windows in their first instructions, long before rank 0 has staged the
// first job.
//
// Start-up messages have tag 3; a write of WEFT_REG_JOB_START subtracts their number from the
// counts of this tag. A driver's message under tag 3 may arrive at a node that has not started, and
// be counted as its start message. This is harmless: its sender has started, so all windows are
// open, and the start message that arrives later is counted instead of the driver's.
#include "weft_hal.h"

#define TAG 3
/// Room for a job: a multiple of the widest flit, as a node does not know the width before it has
/// its job.
#define JOB_BYTES 256U

/// Jobs that may be in flight at the same time, one after the other from WEFT_STAGE_BASE.
#define SLOTS 2

_Static_assert(sizeof(struct weft_job) <= JOB_BYTES, "a job has room");
_Static_assert(offsetof(struct weft_job, packet_flits) % 8 == 4 &&
                   offsetof(struct weft_job, flit_bytes) + 4 ==
                       offsetof(struct weft_job, packet_flits),
               "both arrive in one flit, by which a node knows how many are to come");
_Static_assert(WEFT_JOB_BASE + JOB_BYTES <= WEFT_STAGE_BASE, "a job ends before the staged ones");
_Static_assert(WEFT_STAGE_BASE + SLOTS * JOB_BYTES <= WEFT_PROGRAM_BASE,
               "the staged jobs end before the program");

struct boot {
  const struct weft_job* job;
  uint32_t posted;    ///< Start-up messages posted so far.
  uint32_t received;  ///< Start-up messages received so far.
};

/// Flits that a job takes.
static uint32_t job_flits(const struct weft_job* job) {
  return ((uint32_t)sizeof *job + WEFT_FLIT_BYTES - 1) / WEFT_FLIT_BYTES;
}

/// Messages that a job is cut into, one packet each, as packets of one message may overtake each
/// other.
static uint32_t parts(const struct weft_job* job) {
  return (job_flits(job) + job->packet_flits - 1) / job->packet_flits;
}

/// Posts to `address` `flits` flits from byte `local_address`, for byte `offset` of the window
/// there. All go through one controller, so that they are sent in the order of posting.
static void post(struct boot* boot, uint32_t address, uint32_t local_address, uint32_t flits,
                 uint32_t offset) {
  weft_order(flits, offset, TAG | WEFT_CONTROLLER(1), 0);
  weft_post_when_free(address, local_address);
  ++boot->posted;
}

static void wait_received(struct boot* boot, uint32_t count) {
  boot->received += count;
  weft_wait_received(TAG, boot->received);
}

/// Whether a job arrived without an error: its words add up to 0.
static int is_good(const struct weft_job* job) {
  const uint32_t* const words = (const uint32_t*)job;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < sizeof *job / sizeof *words; ++i) {
    sum += words[i];
  }
  return sum == 0;
}

/// Sends all others their jobs, which differ in the rank only.
static void send_jobs(struct boot* boot) {
  const struct weft_job* const job = boot->job;
  const uint32_t flits = job_flits(job);
  for (uint32_t to = 1; to < job->nodes; ++to) {
    const uint32_t slot = WEFT_STAGE_BASE + to % SLOTS * JOB_BYTES;
    if (to <= SLOTS) {
      weft_copy(slot, WEFT_JOB_BASE, flits);
    } else {
      weft_wait_sent((to - SLOTS) * parts(job));  // The job that was staged here before.
    }
    struct weft_job* const staged = weft_mem(slot);
    staged->rank = to;
    staged->check = job->check - to;
    const uint32_t address = weft_address_in(job, to);
    for (uint32_t at = 0; at < flits; at += job->packet_flits) {
      const uint32_t left = flits - at;
      post(boot, address, slot + at * WEFT_FLIT_BYTES,
           left < job->packet_flits ? left : job->packet_flits, at * WEFT_FLIT_BYTES);
    }
  }
}

/// Waits for this node's job. Memory is zero before, so a packet length that is not 0 shows that
/// the first message has arrived, and tells the number of messages. Returns whether the job is
/// good.
static int receive_job(struct boot* boot) {
  weft_window(WEFT_JOB_BASE, JOB_BYTES);
  while (boot->job->packet_flits == 0) {
    weft_wfi();
  }
  if (boot->job->flit_bytes == 0) {
    return 0;
  }
  wait_received(boot, parts(boot->job));
  return is_good(boot->job);
}

/// Waits until all windows are open, by messages without a body: all nodes send one to rank 0, and
/// rank 0 answers down a tree. A node starts when it has the answer, which may reach the last nodes
/// after data of others.
static void meet_by_messages(struct boot* boot) {
  const struct weft_job* const job = boot->job;
  if (job->rank == 0) {
    wait_received(boot, job->nodes - 1);
  } else {
    post(boot, weft_address_in(job, 0), WEFT_JOB_BASE, 0, 0);
    wait_received(boot, 1);
  }
  const uint32_t first = 2 * job->rank + 1;
  for (uint32_t to = first; to < first + 2 && to < job->nodes; ++to) {
    post(boot, weft_address_in(job, to), WEFT_JOB_BASE, 0, 0);
  }
}

int weft_boot(int (*entry)(void)) {
  // Not by weft_job(), whose result the compiler may assume to be constant.
  struct boot boot = {(const struct weft_job*)weft_mem(WEFT_JOB_BASE), 0, 0};
  if (boot.job->nodes != 0) {
    send_jobs(&boot);
  } else if (!receive_job(&boot)) {
    return WEFT_EXIT_JOB;
  }
  weft_window(boot.job->recv_base, boot.job->recv_bytes);
  if (boot.job->barrier == WEFT_BARRIER_HARDWARE) {
    weft_barrier_enter();
    while (!weft_barrier_done(1)) {
      weft_wfi();
    }
  } else {
    meet_by_messages(&boot);
  }
  weft_wait_sent(boot.posted);
  weft_reg_write(WEFT_REG_JOB_START, boot.received);
  return entry();
}
