// Shared by the drivers of collectives on arrays: rounds of transfers that a sender starts only
// after the receiver is ready, members, and arrays in turns.
#ifndef WEFT_REDUCTION_H
#define WEFT_REDUCTION_H

#include "weft_dissemination.h"
#include "weft_pieces.h"

// Mailboxes: a word for each slot, in the receive window before the array. Before the window, where
// others cannot write, are the words that this unit sends to the mailboxes of others.

#define WEFT_MAIL_BYTES (WEFT_MAIL_SLOTS * WEFT_FLIT_BYTES)

// The last slots are those of the barrier by messages between turns: of the nodes below this one in
// a binary tree of all nodes, and of the one above. Rounds use the slots before them.
#define WEFT_ROUND_SLOTS (WEFT_MAIL_SLOTS - WEFT_ROUND_TRANSFERS)
#define WEFT_BELOW_SLOT WEFT_ROUND_SLOTS
#define WEFT_ABOVE_SLOT (WEFT_BELOW_SLOT + 2)

static inline uint32_t* weft_mailbox(const struct weft_reduction* r, uint32_t slot) {
  return (uint32_t*)weft_mem(r->mail + slot * WEFT_FLIT_BYTES);
}

/// Whether `value` or a later one has arrived in the slot.
static inline int weft_mail_came(const struct weft_reduction* r, uint32_t slot, uint32_t value) {
  return *(volatile uint32_t*)weft_mailbox(r, slot) >= value;
}

/// Messages to slots `first` to before `end` in this turn: each slot gets 1, 2, 3 ...
static inline uint32_t weft_mails(const struct weft_reduction* r, uint32_t first, uint32_t end) {
  uint32_t mails = 0;
  for (uint32_t i = first; i < end; ++i) {
    mails += *(volatile uint32_t*)weft_mailbox(r, i);
  }
  return mails;
}

/// Whether barriers are made of messages.
static inline int weft_software(const struct weft_reduction* r) {
  return r->job->barrier != WEFT_BARRIER_HARDWARE;
}

/// Messages with data that have been stored and came by incoming link `link`, where the only others
/// are those of barriers.
static inline uint32_t weft_link_data(const struct weft_reduction* r, uint32_t link) {
  return weft_software(r) ? weft_link_tag_received(link, WEFT_TAG_DATA) +
                                weft_link_tag_received(link, WEFT_TAG_PARTIAL)
                          : weft_link_received(link);
}

/// Whether in this turn `others` messages under WEFT_TAG_READY have arrived in addition to those
/// for the first `slots` slots of rounds. The counter is read before the slots: a message that
/// arrives in between makes the count too low, never too high.
static inline int weft_ready_besides_mails(const struct weft_reduction* r, uint32_t slots,
                                           uint32_t others) {
  const uint32_t came = weft_received(WEFT_TAG_READY) - r->ready_before;
  others += weft_mails(r, 0, slots);
  if (!weft_reached(came, others)) {
    return 0;
  }
  // Nodes below may have ended the turn.
  return !weft_software(r) ||
         weft_reached(came, others + weft_mails(r, WEFT_BELOW_SLOT, WEFT_BELOW_SLOT + 2));
}

/// Writes `value` into another unit's slot; sleeps until a descriptor is free. The caller does not
/// write the slot again before the other unit has seen the value.
static inline void weft_mail(struct weft_reduction* r, uint32_t to_rank, uint32_t slot,
                             uint32_t value) {
  const uint32_t local = r->job->recv_base - WEFT_MAIL_BYTES + slot * WEFT_FLIT_BYTES;
  *(uint32_t*)weft_mem(local) = value;
  weft_send_unchecked(to_rank, local, 1, slot * WEFT_FLIT_BYTES, WEFT_TAG_READY, 0);
  ++r->posted;
}

// Rounds.

/// One transfer in each direction: a piece sent to one unit, and one received from the same or
/// another.
struct weft_transfer {
  uint32_t to, from;             ///< Ranks, or WEFT_NOBODY.
  struct weft_range send, take;  ///< Empty if there is no such unit.
  uint32_t spread;               ///< Least number of messages of a piece that is long enough.
  enum weft_ways ways;
  uint32_t shift;  ///< Shift of what is sent, as in weft_outgoing.
  uint32_t slot;   ///< Mailbox of `from` to which this unit writes that it is ready.
};

/// Transfers that a unit makes in parallel. A piece is sent after its receiver has written to the
/// mailbox slot of the transfer that it is in the same round. Pieces of two rounds are therefore
/// never counted together, and no piece is reduced into an address where a reduction is in
/// progress.
struct weft_round {
  uint32_t count;  ///< Number of transfers.
  uint32_t tag;    ///< Tag of the pieces received.
  uint32_t sent;   ///< Tag of the pieces sent.
  uint32_t slot;   ///< Mailbox of the first transfer, which its receiver writes when it is ready.
  uint32_t value;  ///< Value that the receiver writes; increases each time a slot is used again.
  uint32_t ready;  ///< Bits of transfers whose receivers are ready.
  struct weft_transfer transfers[WEFT_ROUND_TRANSFERS];
  struct weft_outgoings pieces;
  struct weft_outgoing room[WEFT_ROUND_TRANSFERS];
};

/// Begins a round: tells the senders that this unit is ready.
static inline void weft_begin_round(struct weft_reduction* r, struct weft_round* round) {
  round->ready = 0;
  weft_begin_pieces(&round->pieces, round->room, round->count);
  for (uint32_t i = 0; i < round->count; ++i) {
    const struct weft_transfer* t = &round->transfers[i];
    struct weft_outgoing* out = &round->pieces.out[i];
    if (t->from != WEFT_NOBODY) {
      r->due[round->tag] += weft_pieces(r->job, weft_length(t->take), t->spread).count;
      weft_mail(r, t->from, t->slot, round->value);
    }
    if (t->to == WEFT_NOBODY) {
      *out = (struct weft_outgoing){.count = 1};  // Nothing is left to send.
    } else {
      *out = weft_outgoing(r, t->to, t->send, round->sent, t->spread);
      out->ways = t->ways;
      out->shift = t->shift;
    }
  }
}

/// Advances a round as far as possible without waiting. Returns whether it is over: all pieces to
/// send posted, all pieces to receive in memory.
static inline int weft_advance_round(struct weft_reduction* r, struct weft_round* round) {
  for (uint32_t i = 0; i < round->count; ++i) {
    if ((round->ready >> i & 1) == 0 && weft_mail_came(r, round->slot + i, round->value)) {
      round->ready |= 1U << i;
    }
  }
  return weft_post_some(r, &round->pieces, round->ready) &&
         weft_reached(weft_received(round->tag), r->due[round->tag]);
}

/// Runs the whole round; sleeps while there is nothing to do.
static inline void weft_run_round(struct weft_reduction* r, struct weft_round* round) {
  weft_begin_round(r, round);
  while (!weft_advance_round(r, round)) {
    weft_wfi();
  }
}

/// A round of one transfer, to and from a rank or WEFT_NOBODY, in at least `spread` messages if the
/// pieces are long enough. `slot` is its mailbox; the position in the receiver's memory is higher
/// by `shift` flits.
static inline void weft_one_transfer(struct weft_reduction* r, uint32_t to, uint32_t from,
                                     uint32_t slot, uint32_t tag, struct weft_range send,
                                     struct weft_range take, uint32_t spread, uint32_t shift) {
  struct weft_round round;
  round.count = 1;
  round.tag = round.sent = tag;
  round.slot = slot;
  round.value = 1;
  round.transfers[0] = (struct weft_transfer){.to = to,
                                              .from = from,
                                              .send = send,
                                              .take = take,
                                              .spread = spread,
                                              .shift = shift,
                                              .slot = slot};
  weft_run_round(r, &round);
}

// Members: the main units, board by board, or all nodes where there are no boards.

/// Units of a board.
static inline uint32_t weft_units(const struct weft_reduction* r) {
  return r->at->mains + r->at->aggregators;
}

/// This node's number among the members; WEFT_NOBODY for an aggregation unit.
static inline uint32_t weft_member(const struct weft_reduction* r) {
  const uint32_t units = weft_units(r);
  return r->at->unit < r->at->mains ? r->job->rank / units * r->at->mains + r->at->unit
                                    : WEFT_NOBODY;
}
static inline uint32_t weft_member_rank(const struct weft_reduction* r, uint32_t member) {
  const uint32_t units = weft_units(r);
  return member / r->at->mains * units + member % r->at->mains;
}

/// The number of the next board, or node, along a dimension, up or down.
static inline uint32_t weft_ring_next(const struct weft_dimension* dim, uint32_t number, int up) {
  return (number + (up ? 1 : dim->size - 1)) % dim->size;
}

// Begin and end.

// The interface needs 25 cycles with means, 7 otherwise, and a few for the register.
#define WEFT_SETTLE_MEAN_CYCLES 40
#define WEFT_SETTLE_CYCLES 14

/// Messages that weft_settle counts: mails, and those of barriers if these are made of messages.
static inline uint32_t weft_stray_messages(int software) {
  uint32_t count = weft_received(WEFT_TAG_READY);
  if (software) {
    count += weft_received(WEFT_TAG_DATA) + weft_received(WEFT_TAG_BOARD) +
             weft_received(WEFT_TAG_PARTIAL);
  }
  return count;
}

/// Waits until the operation set last is in effect. The interface applies it while no message is on
/// its way into memory. Before this unit announces that it is ready for the next round only mails
/// and messages of a barrier can arrive, and few of them. If none was counted during a pause of
/// `cycles`, none was on its way at the start of the pause. How often the loop repeats depends on
/// timing, so no message may depend on it.
static inline void weft_settle(int software, uint32_t cycles) {
  uint32_t messages;
  do {
    messages = weft_stray_messages(software);
    weft_pause(cycles);
  } while (weft_stray_messages(software) != messages);
}

/// For functions that are rare: inlined they would cost the loops around them registers.
#define WEFT_APART __attribute__((noinline, unused))

/// A barrier of all nodes by messages without a body, in two rounds with the tags `first` and
/// `second`. No node that has not entered may be waiting for other messages with these tags, as it
/// would count those of the barrier.
static WEFT_APART void weft_node_barrier_by_messages(struct weft_reduction* r, uint32_t first,
                                                     uint32_t second) {
  const struct weft_job* job = r->job;
  struct weft_background_copy none = {0, 0, 0};
  uint32_t radix = 2, tag = first;
  while (radix * radix < job->nodes) {
    ++radix;
  }
  for (uint32_t span = 1; span < job->nodes; span *= radix, tag = second) {
    weft_write_order(0, 0, WEFT_OF_BARRIER | tag, 0);
    const uint32_t told = weft_tell_round(job, span, radix, &none);
    r->posted += told;
    r->due[tag] += told;
    while (!weft_reached(weft_arrived(tag), r->due[tag])) {
      weft_wfi();
    }
  }
}

/// A barrier of all nodes, of the kind that the job asks for; the tags as in
/// weft_node_barrier_by_messages.
static inline void weft_node_barrier(struct weft_reduction* r, uint32_t first, uint32_t second) {
  if (weft_software(r)) {
    weft_node_barrier_by_messages(r, first, second);
    return;
  }
  weft_barrier_enter();
  ++r->barriers;
  while (!weft_barrier_done(r->barriers)) {
    weft_wfi();
  }
}

/// Sets the operation of odd tags; from now on a mean divides if `last`, and only adds otherwise.
/// To be called when all pieces that this unit has announced to be ready for have arrived.
static inline void weft_set_operation(struct weft_reduction* r, int last) {
  const int divides = last && r->array->op == WEFT_OP_MEAN;
  weft_reduce(r->array->op, r->array->type, divides ? r->array->members : 1);
  if (divides) {
    weft_settle(weft_software(r), WEFT_SETTLE_MEAN_CYCLES);
  }
}

/// Sets the operation (weft_set_operation) before a barrier after which others may send at once. A
/// barrier made of messages leaves the interface no time of its own in which it would apply the
/// operation.
static inline void weft_set_operation_before_barrier(struct weft_reduction* r, int last) {
  weft_set_operation(r, last);
  if (!weft_software(r)) {
    return;
  }
  if (r->segment.lo == 0) {
    weft_settle(1, WEFT_SETTLE_CYCLES);  // Later turns begin with it.
  }
}

/// Opens the window for the part of the array that begins at `first`. The mailboxes overlay the
/// words before it, which are saved in `aside`. The window of the first part is open already when
/// the driver starts, so that faster units may send to it. `aside`: at the end of the memory.
static inline void weft_open_turn(struct weft_reduction* r, uint32_t first, uint32_t* aside) {
  const struct weft_job* job = r->job;
  const uint32_t left = job->message_flits - first, most = r->array->segment_flits;
  r->segment = (struct weft_range){first, first + (left < most ? left : most)};
  r->mail = weft_place(r, first) - WEFT_MAIL_BYTES;
  if (first == 0) {
    r->ready_before = 0;
    weft_window(job->recv_base, job->recv_bytes);
    return;
  }
  r->ready_before = weft_received(WEFT_TAG_READY);
  for (uint32_t i = 0; i < WEFT_MAIL_BYTES / 4; ++i) {
    uint32_t* const word = (uint32_t*)weft_mem(r->mail + 4 * i);
    aside[i] = *word;
    *word = 0;
  }
  weft_window(r->mail, WEFT_MAIL_BYTES + weft_length(r->segment) * WEFT_FLIT_BYTES);
}

/// For barriers made of messages: waits until all nodes have ended the turn. Nodes that have not
/// may count messages with any tag, and their windows are still those of the turn. So the nodes
/// below this node in a tree tell it by mails that they and all below them have ended it, and the
/// node above tells it that all have. From here on `due` is exact for WEFT_TAG_READY, too.
static WEFT_APART void weft_end_turn_by_messages(struct weft_reduction* r) {
  const uint32_t rank = r->job->rank, nodes = r->job->nodes, below = 2 * rank + 1;
  for (uint32_t i = 0; i < 2; ++i) {
    while (below + i < nodes && !weft_mail_came(r, WEFT_BELOW_SLOT + i, 1)) {
      weft_wfi();
    }
  }
  // Some messages of the barrier before may not have arrived yet.
  while (!weft_reached(weft_received(WEFT_TAG_BOARD), r->due[WEFT_TAG_BOARD]) ||
         !weft_reached(weft_received(WEFT_TAG_READY),
                       r->due[WEFT_TAG_READY] + weft_mails(r, 0, WEFT_MAIL_SLOTS))) {
    weft_wfi();
  }
  r->due[WEFT_TAG_READY] = weft_received(WEFT_TAG_READY);
  if (rank != 0) {
    weft_mail(r, (rank - 1) / 2, WEFT_BELOW_SLOT + (rank - 1) % 2, 1);
    while (!weft_mail_came(r, WEFT_ABOVE_SLOT, 1)) {
      weft_wfi();
    }
    ++r->due[WEFT_TAG_READY];
  }
  for (uint32_t i = 0; i < 2 && below + i < nodes; ++i) {
    weft_mail(r, below + i, WEFT_ABOVE_SLOT, 1);
  }
}

/// After a turn's window is open: waits until all nodes have ended the turn before and opened
/// theirs.
static WEFT_APART void weft_begin_turn(struct weft_reduction* r) {
  weft_node_barrier(r, WEFT_TAG_BOARD, WEFT_TAG_READY);
  if (weft_software(r)) {
    r->ready_before = r->due[WEFT_TAG_READY];
    weft_wait_sent(r->posted);
    if (r->array->op == WEFT_OP_MEAN) {
      // The turn before has ended with a division, in which every message of the barrier keeps the
      // interface busy: data arrive when this node announces that it is ready.
      weft_reduce(r->array->op, r->array->type, 1);
      weft_settle(1, WEFT_SETTLE_MEAN_CYCLES);
    }
  }
}

/// Runs `reduce` on the whole array, as many flits at a time as a receive window holds. Returns
/// WEFT_OK.
static inline int weft_in_turns(void (*reduce)(struct weft_reduction* r)) {
  const struct weft_job* job = weft_job();
  const struct weft_array_job* array = weft_array();
  struct weft_reduction r = {.job = job, .array = array, .at = &array->at};
  // Control messages should not queue after many others.
  r.most_under_way = job->controllers + 4;
  uint32_t* const aside = (uint32_t*)weft_mem(job->memory_bytes - WEFT_MAIL_BYTES);
  uint32_t first = 0;
  for (;;) {
    weft_open_turn(&r, first, aside);
    if (first != 0) {
      weft_begin_turn(&r);
    }
    reduce(&r);
    if (r.segment.hi != job->message_flits && weft_software(&r)) {
      weft_end_turn_by_messages(&r);
    }
    weft_wait_sent(r.posted);
    for (uint32_t i = 0; first != 0 && i < WEFT_MAIL_BYTES / 4; ++i) {
      *(uint32_t*)weft_mem(r.mail + 4 * i) = aside[i];
    }
    first = r.segment.hi;
    if (first == job->message_flits) {
      return WEFT_OK;
    }
  }
}

#endif
