// Shared by the drivers of collectives on arrays: the array's address, how it is cut into pieces,
// and rounds of transfers that a sender starts only after the receiver is ready.
//
// Every unit keeps the array at the same address of its memory, so that a piece has the same
// address on both sides of a transfer. Positions and lengths are in flits from the array's first. A
// unit that needs only a part of the array does not touch the rest.
#ifndef WEFT_REDUCTION_H
#define WEFT_REDUCTION_H

#include "weft_collective.h"

/// Tags. The interface reduces messages whose tag is odd (WEFT_TAG_REDUCE) where the register
/// REDUCE names an operation, and stores all others.
enum weft_reduction_tag {
  WEFT_TAG_DATA = 0,     ///< Data to be stored.
  WEFT_TAG_BOARD = 1,    ///< Data to be reduced, from a main unit of the own board.
  WEFT_TAG_READY = 2,    ///< The receiver is ready; and data to be stored, from a main unit.
  WEFT_TAG_PARTIAL = 3,  ///< Data to be reduced, from elsewhere.
};

#define WEFT_NOBODY UINT32_MAX
#define WEFT_LEAST_MESSAGE 8  // Flits, of pieces that have as many.
#define WEFT_MOST_MESSAGE 32  // Flits: messages of others, control messages too, wait that long.

/// A piece of the array, from `lo` to before `hi`.
struct weft_range {
  uint32_t lo, hi;
};

static inline uint32_t weft_length(struct weft_range range) {
  return range.hi - range.lo;
}

/// Piece `i` of `count`, cut as evenly as flits allow, the longer ones first.
static inline struct weft_range weft_cut(struct weft_range range, uint32_t i, uint32_t count) {
  const uint32_t length = weft_length(range) / count, longer = weft_length(range) % count;
  const uint32_t lo = range.lo + i * length + (i < longer ? i : longer);
  return (struct weft_range){lo, lo + length + (i < longer ? 1 : 0)};
}

/// One node's part in a reduction.
struct weft_reduction {
  const struct weft_job* job;
  const struct weft_array_job* array;
  const struct weft_connections* at;
  struct weft_range segment;  ///< What is reduced at present.
  uint32_t mail;              ///< Byte address of the mailboxes.
  uint32_t posted;            ///< Messages so far.
  uint32_t ready_before;      ///< Messages under WEFT_TAG_READY before this turn.
  uint32_t due[4];            ///< Messages that are to be stored, by counter.
  uint32_t barriers;          ///< Hardware barriers so far.
  uint32_t transits;          ///< Steps through main units' memories so far.
  uint32_t most_under_way;    ///< Messages posted and not sent, with data.
};

/// Byte address of a position in this unit's memory.
static inline uint32_t weft_place(const struct weft_reduction* r, uint32_t position) {
  return r->job->send_base + position * WEFT_FLIT_BYTES;
}

/// Member `i`'s block of the whole array, or what of it is reduced at present: reduce_scatter and
/// allgather give every member one, cut as evenly as flits allow.
static inline struct weft_range weft_block_of(const struct weft_reduction* r, uint32_t i) {
  const struct weft_range all = {0, r->job->message_flits};
  struct weft_range block = weft_cut(all, i, r->array->members);
  block.lo = block.lo > r->segment.lo ? block.lo : r->segment.lo;
  block.hi = block.hi < r->segment.hi ? block.hi : r->segment.hi;
  return block.lo < block.hi ? block : (struct weft_range){r->segment.lo, r->segment.lo};
}

/// How a piece is cut into messages: all but the last have `length` flits. An empty piece is sent
/// as a message without a body, so that a receiver can count the pieces of a sender, and a sender
/// of empty pieces does not run ahead of it.
struct weft_pieces {
  uint32_t length, count;
};

/// Cuts a piece into messages for `spread` parallel lanes. A lane's time is its flits, a header for
/// each message, and the length of the last message once more, since it is written to memory after
/// it has arrived completely. The time is least if a lane has as many messages as a message has
/// flits.
static inline struct weft_pieces weft_pieces(const struct weft_job* job, uint32_t flits,
                                             uint32_t spread) {
  const uint32_t lane = (flits + spread - 1) / spread;
  uint32_t length = WEFT_LEAST_MESSAGE;
  while (length * length < lane) {
    length *= 2;
  }
  length = length < lane ? length : lane;
  length = length < WEFT_MOST_MESSAGE ? length : WEFT_MOST_MESSAGE;
  length = length < job->part_flits ? length : job->part_flits;
  return (struct weft_pieces){length, length == 0 ? 1 : (flits + length - 1) / length};
}

/// The direction in which messages go round a ring if both are equally long.
enum weft_ways {
  WEFT_WAY_USUAL = 0,  ///< Up from even coordinates, down from odd ones.
  WEFT_WAY_OTHER = 1,
  WEFT_WAY_BOTH = 2,  ///< Alternating: as many messages as there are controllers in each.
};

/// A piece that is being sent, message by message.
struct weft_outgoing {
  uint32_t to;             ///< Address.
  struct weft_range left;  ///< The part that is not posted yet.
  uint32_t shift;          ///< Its address at the receiver is higher by so many flits, modulo 2^32.
  uint32_t length;         ///< Of a message, flits.
  uint32_t tag;
  enum weft_ways ways;
  uint32_t count;  ///< Messages so far, 1 or more in the end.
};

static inline struct weft_outgoing weft_outgoing(const struct weft_reduction* r, uint32_t rank,
                                                 struct weft_range piece, uint32_t tag,
                                                 uint32_t spread) {
  return (struct weft_outgoing){.to = weft_address(rank),
                                .left = piece,
                                .length = weft_pieces(r->job, weft_length(piece), spread).length,
                                .tag = tag};
}

/// Whether a message of it is still to be posted.
static inline int weft_is_left(const struct weft_outgoing* out) {
  return weft_length(out->left) != 0 || out->count == 0;
}

/// Posts the next message of a piece that is not all posted. A descriptor must be free.
static inline void weft_post_next(struct weft_reduction* r, struct weft_outgoing* out) {
  const uint32_t left = weft_length(out->left);
  const uint32_t flits = left < out->length ? left : out->length;
  const int other = out->ways == WEFT_WAY_BOTH ? (out->count / r->job->controllers & 1) != 0
                                               : out->ways == WEFT_WAY_OTHER;
  weft_order(flits, weft_place(r, out->left.lo + out->shift) - r->mail,
             out->tag | (other ? WEFT_TAG_OTHER_WAY : 0), 0);
  weft_post(out->to, weft_place(r, out->left.lo));
  out->left.lo += flits;
  ++out->count;
  ++r->posted;
}

/// Pieces that are sent in parallel, one message of each in turn. The owner supplies the array
/// `out`, as large as it needs: a program has 12 KiB of stack or less.
struct weft_outgoings {
  uint32_t count;
  uint32_t next;  ///< Piece whose turn it is.
  struct weft_outgoing* out;
};

/// `count` pieces, which are to be filled in.
static inline void weft_begin_pieces(struct weft_outgoings* all, struct weft_outgoing* room,
                                     uint32_t count) {
  *all = (struct weft_outgoings){.count = count, .out = room};
}

/// Posts messages while descriptors are free, up to the first message of a piece whose bit in
/// `may_go` is clear: the order of messages does not depend on which receiver is ready first.
/// Returns whether all are posted.
static inline int weft_post_some(struct weft_reduction* r, struct weft_outgoings* all,
                                 uint64_t may_go) {
  uint32_t whole = 0;  // Successive pieces that had nothing left to post.
  uint32_t i = all->next;
  while (whole < all->count && weft_free() != 0 &&
         !weft_reached(r->posted, weft_sent() + r->most_under_way)) {
    if (!weft_is_left(&all->out[i])) {
      ++whole;
    } else if ((may_go >> i & 1) == 0) {
      break;
    } else {
      weft_post_next(r, &all->out[i]);
      whole = 0;
    }
    i = i + 1 < all->count ? i + 1 : 0;
  }
  all->next = i;
  for (i = 0; i < all->count; ++i) {
    if (weft_is_left(&all->out[i])) {
      return 0;
    }
  }
  return 1;
}

/// Posts `count` pieces in parallel; sleeps while no descriptor is free.
static inline void weft_post_all(struct weft_reduction* r, struct weft_outgoing* pieces,
                                 uint32_t count) {
  struct weft_outgoings all;
  weft_begin_pieces(&all, pieces, count);
  while (!weft_post_some(r, &all, UINT64_MAX)) {
    weft_wfi();
  }
}

// Mailboxes: a word for each slot, in the receive window before the array. Before the window, where
// others cannot write, are the words that this unit sends to the mailboxes of others.

#define WEFT_MAIL_BYTES (WEFT_MAIL_SLOTS * WEFT_FLIT_BYTES)

static inline uint32_t* weft_mailbox(const struct weft_reduction* r, uint32_t slot) {
  return (uint32_t*)weft_mem(r->mail + slot * WEFT_FLIT_BYTES);
}

/// Whether `value` or a later one has arrived in the slot.
static inline int weft_mail_came(const struct weft_reduction* r, uint32_t slot, uint32_t value) {
  return *(volatile uint32_t*)weft_mailbox(r, slot) >= value;
}

/// Whether in this turn `others` messages under WEFT_TAG_READY have arrived besides those to the
/// first `slots` slots, each of which gets 1, 2, 3 ... The counter is read before the slots: a
/// message that arrives in between makes the count too low, never too high.
static inline int weft_ready_besides_mails(const struct weft_reduction* r, uint32_t slots,
                                           uint32_t others) {
  const uint32_t came = weft_received(WEFT_TAG_READY) - r->ready_before;
  for (uint32_t i = 0; i < slots; ++i) {
    others += *(volatile uint32_t*)weft_mailbox(r, i);
  }
  return weft_reached(came, others);
}

/// Writes `value` into another unit's slot; sleeps until a descriptor is free. The caller does not
/// write the slot again before the other unit has seen the value.
static inline void weft_mail(struct weft_reduction* r, uint32_t to_rank, uint32_t slot,
                             uint32_t value) {
  const uint32_t local = r->job->recv_base - WEFT_MAIL_BYTES + slot * WEFT_FLIT_BYTES;
  *(uint32_t*)weft_mem(local) = value;
  weft_send(to_rank, local, 1, slot * WEFT_FLIT_BYTES, WEFT_TAG_READY, 0);
  ++r->posted;
}

// Rounds.

/// One transfer in each direction: a piece sent to one unit, and one received from the same or
/// another.
struct weft_transfer {
  uint32_t to, from;             ///< Ranks, or WEFT_NOBODY.
  struct weft_range send, take;  ///< Empty without such a unit.
  uint32_t spread;               ///< Messages of a piece at least, where it is long enough.
  enum weft_ways ways;
  uint32_t shift;  ///< Of what is sent, as in weft_outgoing.
  uint32_t slot;   ///< Mailbox of `from` to which this unit writes that it is ready.
};

/// Transfers that a unit makes in parallel. A piece is sent after its receiver has written to the
/// mailbox slot of the transfer that it is in the same round. Pieces of two rounds are therefore
/// never counted together, and no piece is reduced into an address where a reduction is in
/// progress.
struct weft_round {
  uint32_t count;  ///< Of transfers.
  uint32_t tag;    ///< Of the pieces received,
  uint32_t sent;   ///< and of those sent.
  uint32_t slot;   ///< Mailbox of the first transfer, which its receiver writes when it is ready.
  uint32_t value;  ///< The value that it writes; increases each time a slot is used again.
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
      *out = (struct weft_outgoing){.count = 1};  // Nothing is left.
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

/// The whole round; sleeps while there is nothing to do.
static inline void weft_run_round(struct weft_reduction* r, struct weft_round* round) {
  weft_begin_round(r, round);
  while (!weft_advance_round(r, round)) {
    weft_wfi();
  }
}

/// A round of one transfer, to and from a rank or WEFT_NOBODY, in `spread` messages at least where
/// the pieces are long enough; `slot` is its mailbox, and the position in the receiver's memory is
/// higher by `shift` flits.
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

/// This node's number among the members; WEFT_NOBODY of an aggregation unit.
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

#define WEFT_SETTLE_CYCLES 40  // The interface needs 25, and a few for the register.

/// Waits until the operation set last is in effect. The interface applies it while no message is on
/// its way into memory. Before this unit announces that it is ready for the next round only mails
/// can arrive, and few of them. If none was counted during a pause, none was on its way at the
/// start of the pause. How often the loop repeats depends on timing, so no message may depend on
/// it.
static inline void weft_settle(void) {
  uint32_t mails;
  do {
    mails = weft_received(WEFT_TAG_READY);
    weft_pause(WEFT_SETTLE_CYCLES);
  } while (weft_received(WEFT_TAG_READY) != mails);
}

/// A hardware barrier of all nodes.
static inline void weft_node_barrier(struct weft_reduction* r) {
  weft_barrier_enter();
  ++r->barriers;
  while (!weft_barrier_done(r->barriers)) {
    weft_wfi();
  }
}

/// Sets the operation of odd tags; a mean divides from now on if `last`, and only adds before that.
/// To be called when all pieces that this unit has announced to be ready for have arrived.
static inline void weft_set_operation(struct weft_reduction* r, int last) {
  const int divides = last && r->array->op == WEFT_OP_MEAN;
  weft_reduce(r->array->op, r->array->type, divides ? r->array->members : 1);
  if (divides) {
    weft_settle();
  }
}

/// Opens the window for the part of the array that begins at `first`. The mailboxes overlay the
/// words before it, which are saved in `aside`. The window of the first part is open already when
/// the driver starts, so that faster units may send to it.
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

/// Runs `reduce` on the whole array, as many flits at a time as a receive window holds. Returns
/// WEFT_OK.
static inline int weft_in_turns(void (*reduce)(struct weft_reduction* r)) {
  const struct weft_job* job = weft_job();
  const struct weft_array_job* array = weft_array();
  struct weft_reduction r = {.job = job, .array = array, .at = &array->at};
  // Control messages should not queue after many others.
  r.most_under_way = job->controllers + 4;
  uint32_t aside[WEFT_MAIL_BYTES / 4];
  uint32_t first = 0;
  for (;;) {
    weft_open_turn(&r, first, aside);
    if (first != 0) {
      // After the barrier all units have ended the turn before and opened their windows for this.
      weft_node_barrier(&r);
    }
    reduce(&r);
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
