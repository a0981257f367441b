// Replays a dependency trace: each node runs its operations (calc, send, recv) as soon as those
// that they require have ended or started. A node has one processor: an operation that is ready
// waits while another one computes or is being sent, and those that are ready run in the order in
// which they became so. A receive takes no time of the processor: it waits in a list of its own.
//
// Every message has a place of its own in the receiver's window. Its words are never 0, so the last
// word of each part tells that the part is there, whatever other messages overtake it; the words
// are only looked at after the count of stored messages has changed.
#include "sw/include/weft_collective.h"
#include "sw/include/weft_trace.h"

WEFT_COLLECTIVE_WITH(goal, WEFT_TRACE, WEFT_CONTROLLERS_1,
                     "replays a dependency trace (GOAL): computing, sends and receives of each "
                     "rank with what each requires",
                     .cuts_blocks = WEFT_CUTS_PARTS);

struct list {
  uint32_t first, last;  // Operations; 0: none.
};

struct replay {
  uint32_t left;        // Operations that have not ended.
  struct list ready;    // Operations all of whose dependencies are met.
  struct list waiting;  // Receives that have started.
  uint32_t stored;      // Messages that were stored when the waiting receives were last looked at.
  uint32_t part_flits;
  uint32_t phases;  // enum weft_trace_phases.
  uint32_t phase;   // Name of the phase that was named last.
};

static inline struct weft_trace_op* op_at(uint32_t address) {
  return (struct weft_trace_op*)weft_mem(address);
}

static inline uint32_t word_at(uint32_t address) {
  return *(const volatile uint32_t*)weft_mem(address);
}

static void append(struct list* list, uint32_t op) {
  op_at(op)->next = 0;
  if (list->first == 0) {
    list->first = op;
  } else {
    op_at(list->last)->next = op;
  }
  list->last = op;
}

// Meets one dependency of each operation in a list of words.
static void release(struct replay* r, uint32_t word, uint32_t end) {
  for (; word != end; word += 4) {
    const uint32_t op = word_at(word);
    if (--op_at(op)->waits == 0) {
      append(&r->ready, op);
    }
  }
}

static inline void enter_phase(struct replay* r, uint32_t name) {
  if (r->phases != WEFT_TRACE_PHASES_NONE && r->phase != name) {
    r->phase = name;
    weft_phase(name != 0 ? (const char*)weft_mem(name) : NULL);
  }
}

static void end(struct replay* r, const struct weft_trace_op* op) {
  --r->left;
  release(r, op->at_end, op->after);
}

static void send(const struct replay* r, const struct weft_trace_op* op) {
  uint32_t offset = op->offset;
  uint32_t from = op->from;
  uint32_t left = op->amount;
  while (left != 0) {
    const uint32_t flits = left < r->part_flits ? left : r->part_flits;
    while (weft_free() == 0) {
      weft_wfi();
    }
    weft_reg_write(WEFT_REG_LEN, flits);
    weft_reg_write(WEFT_REG_OFFSET, offset);
    weft_post(op->to, from);
    offset += flits * WEFT_FLIT_BYTES;
    from += flits * WEFT_FLIT_BYTES;
    left -= flits;
  }
}

// Whether all parts of a receive's message are there.
static int complete(const struct replay* r, struct weft_trace_op* op) {
  while (word_at(op->poll) != 0) {
    if (op->poll == op->last) {
      return 1;
    }
    const uint32_t part = r->part_flits * WEFT_FLIT_BYTES;
    op->poll = op->last - op->poll > part ? op->poll + part : op->last;
  }
  return 0;
}

static void end_receive(struct replay* r, const struct weft_trace_op* op) {
  if (r->phases == WEFT_TRACE_PHASES_OPERATIONS) {
    enter_phase(r, op->name);
  }
  end(r, op);
}

// Ends the receives whose messages have arrived.
static void look(struct replay* r) {
  uint32_t before = 0;
  for (uint32_t at = r->waiting.first; at != 0;) {
    struct weft_trace_op* const op = op_at(at);
    const uint32_t next = op->next;
    if (complete(r, op)) {
      if (before == 0) {
        r->waiting.first = next;
      } else {
        op_at(before)->next = next;
      }
      if (next == 0) {
        r->waiting.last = before;
      }
      end_receive(r, op);
    } else {
      before = at;
    }
    at = next;
  }
}

static void start(struct replay* r, uint32_t at) {
  struct weft_trace_op* const op = op_at(at);
  release(r, op->at_start, op->at_end);
  if (op->kind == WEFT_TRACE_RECV) {
    if (complete(r, op)) {
      end_receive(r, op);
    } else {
      append(&r->waiting, at);
    }
    return;
  }
  enter_phase(r, op->name);
  if (op->kind == WEFT_TRACE_SEND) {
    send(r, op);
  } else if (op->amount != 0) {
    weft_pause(op->amount);
  }
  end(r, op);
}

int weft_main(void) {
  const struct weft_trace_job* const job =
      (const struct weft_trace_job*)weft_mem(WEFT_ARRAY_JOB_BASE);
  struct replay r = {.left = job->operations,
                     .ready = {job->first, job->last},
                     .part_flits = job->part_flits,
                     .phases = job->phases};
  weft_reg_write(WEFT_REG_TAG_GAP, weft_job()->gap << 8);
  while (r.left != 0) {
    const uint32_t stored = weft_received(0);
    if (stored != r.stored) {
      r.stored = stored;
      look(&r);
    }
    const uint32_t next = r.ready.first;
    if (next != 0) {
      r.ready.first = op_at(next)->next;
      start(&r, next);
    } else if (r.left != 0) {
      enter_phase(&r, op_at(r.waiting.first)->name);
      weft_wfi();
    }
  }
  return WEFT_OK;
}
