// What the drivers of reductions share: where the array lies, how it is cut, and rounds of
// transfers that no side begins before the other is ready.
//
// Every unit keeps the array at the same place of its memory, so that a piece has the same place
// on both sides of a transfer. Positions and lengths are in flits from the array's first. A unit
// that needs only a part of the array leaves the rest alone.
#ifndef WEFT_REDUCTION_H
#define WEFT_REDUCTION_H

#include "weft_collective.h"

/// Tags. The interface reduces messages whose tag is odd (WEFT_TAG_REDUCE) where the register
/// REDUCE names an operation, and stores all others.
enum weft_reduction_tag {
  WEFT_TAG_DATA = 0,     ///< Data to be stored.
  WEFT_TAG_BOARD = 1,    ///< Data to be reduced, from a main unit of the own board.
  WEFT_TAG_READY = 2,    ///< The other side is ready; and data to be stored, from a main unit.
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
  struct weft_range turn;   ///< What is reduced at present.
  uint32_t mail;            ///< Byte address of the mailboxes.
  uint32_t posted;          ///< Messages so far.
  uint32_t ready_before;    ///< Messages under WEFT_TAG_READY before this turn.
  uint32_t due[4];          ///< Messages that are to be stored, by counter.
  uint32_t barriers;        ///< Hardware barriers so far.
  uint32_t transits;        ///< Steps through main units' memories so far.
  uint32_t most_under_way;  ///< Messages posted and not sent, with data.
};

/// Byte address of a position in the own memory.
static inline uint32_t weft_place(const struct weft_reduction* r, uint32_t position) {
  return r->job->send_base + position * WEFT_FLIT_BYTES;
}

/// How a piece goes: as messages of `length` flits but for the last. One of no flits goes as a
/// message without a body: so whoever takes pieces in turn knows of each that its sender was
/// there, and neither runs ahead of the other by pieces that are empty.
struct weft_pieces {
  uint32_t length, count;
};

/// How a piece goes over `spread` lanes that work side by side. A lane's time is its flits, a
/// header for each message, and at the end the last message once more, which is written to memory
/// when it has come whole: least where messages are as long as their number.
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

/// Which way round a ring messages go where both are equally long.
enum weft_ways {
  WEFT_WAY_USUAL = 0,  ///< Up from even coordinates, down from odd ones.
  WEFT_WAY_OTHER = 1,
  WEFT_WAY_BOTH = 2,  ///< As many messages as there are controllers one way, and so on in turn.
};

/// A piece on its way out, message by message.
struct weft_outgoing {
  uint32_t to;             ///< Address.
  struct weft_range left;  ///< What is not posted yet.
  uint32_t shift;          ///< Its place at the receiver comes so many flits later, modulo 2^32.
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

/// Posts the next message of a piece that is not all posted; the queue has a place.
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

/// Pieces that go side by side, their messages in turn. The room for them is the owner's, as large
/// as it needs: a program has 12 KiB of stack or less.
struct weft_outgoings {
  uint32_t count;
  uint32_t next;  ///< Whose turn it is.
  struct weft_outgoing* out;
};

/// `count` pieces, which are to be filled in.
static inline void weft_begin_pieces(struct weft_outgoings* all, struct weft_outgoing* room,
                                     uint32_t count) {
  *all = (struct weft_outgoings){.count = count, .out = room};
}

/// Posts messages as long as the queue has places for data, up to the first of a piece that
/// `may_go` has no bit for: whichever receiver is ready first, their order is the same. Returns
/// whether all are posted.
static inline int weft_post_some(struct weft_reduction* r, struct weft_outgoings* all,
                                 uint64_t may_go) {
  uint32_t whole = 0;  // Pieces since the last message that had nothing left to post.
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

/// Posts `count` pieces side by side, sleeping for places.
static inline void weft_post_all(struct weft_reduction* r, struct weft_outgoing* pieces,
                                 uint32_t count) {
  struct weft_outgoings all;
  weft_begin_pieces(&all, pieces, count);
  while (!weft_post_some(r, &all, UINT64_MAX)) {
    weft_wfi();
  }
}

// Mailboxes: a word for each slot, in the receive window before the array, and what this unit
// writes into others', out of reach of others, before that.

#define WEFT_MAIL_BYTES (WEFT_MAIL_SLOTS * WEFT_FLIT_BYTES)

static inline uint32_t* weft_mailbox(const struct weft_reduction* r, uint32_t slot) {
  return (uint32_t*)weft_mem(r->mail + slot * WEFT_FLIT_BYTES);
}

/// Whether `value` or a later one has come to the slot.
static inline int weft_mail_came(const struct weft_reduction* r, uint32_t slot, uint32_t value) {
  return *(volatile uint32_t*)weft_mailbox(r, slot) >= value;
}

/// Whether `others` messages under WEFT_TAG_READY have come in this turn beside those to the first
/// `slots` slots, each of which gets 1, 2, 3 ... The counter is read first: what comes meanwhile is
/// then a message too few, never one too many.
static inline int weft_came_beside_mails(const struct weft_reduction* r, uint32_t slots,
                                         uint32_t others) {
  const uint32_t came = weft_received(WEFT_TAG_READY) - r->ready_before;
  for (uint32_t i = 0; i < slots; ++i) {
    others += *(volatile uint32_t*)weft_mailbox(r, i);
  }
  return weft_reached(came, others);
}

/// Writes `value` into another unit's slot; sleeps for a place in the queue. It is not written
/// again before the other side has seen it.
static inline void weft_mail(struct weft_reduction* r, uint32_t to_rank, uint32_t slot,
                             uint32_t value) {
  const uint32_t local = r->job->recv_base - WEFT_MAIL_BYTES + slot * WEFT_FLIT_BYTES;
  *(uint32_t*)weft_mem(local) = value;
  weft_send(to_rank, local, 1, slot * WEFT_FLIT_BYTES, WEFT_TAG_READY, 0);
  ++r->posted;
}

// Rounds.

/// One transfer each way: a piece goes to one unit, and one comes from another or the same.
struct weft_transfer {
  uint32_t to, from;             ///< Ranks, or WEFT_NOBODY.
  struct weft_range send, take;  ///< Empty where there is nobody.
  uint32_t spread;               ///< Messages of a piece at least, where it is long enough.
  enum weft_ways ways;
  uint32_t shift;  ///< Of what is sent, as in weft_outgoing.
  uint32_t slot;   ///< Mailbox of `from` where this unit says that it is ready.
};

/// Transfers that a unit makes side by side. A piece is sent when its receiver is in the same round
/// and says so, in the mailbox slot of the transfer; so pieces of two rounds are never counted
/// together, and none is reduced into a place where another is not done.
struct weft_round {
  uint32_t count;  ///< Of transfers.
  uint32_t tag;    ///< Of the pieces that come,
  uint32_t sent;   ///< and of those that are sent.
  uint32_t slot;   ///< Mailbox of the first transfer, where its receiver says that it is ready.
  uint32_t value;  ///< What stands in the mailboxes then; rises where slots are used again.
  uint32_t ready;  ///< Bits of transfers whose receivers are ready.
  struct weft_transfer transfers[WEFT_ROUND_TRANSFERS];
  struct weft_outgoings pieces;
  struct weft_outgoing room[WEFT_ROUND_TRANSFERS];
};

/// Begins a round: says that this unit is ready.
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

/// Goes on with a round as far as it can without waiting. Returns whether it is over: all pieces
/// posted, all that were to come in memory.
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

// Begin and end.

#define WEFT_SETTLE_CYCLES 40  // Interfaces take 25, and a few for the register.

/// Waits until the operation set last is in force. An interface takes it over when nothing is on
/// its way into memory; what can come before this unit says that it is ready for the next round are
/// mails, and those are few. If no mail was counted in a pause, none was on its way when it began.
/// When mails come is a matter of time, so no message may depend on how often this is repeated.
static inline void weft_settle(void) {
  uint32_t mails;
  do {
    mails = weft_received(WEFT_TAG_READY);
    weft_pause(WEFT_SETTLE_CYCLES);
  } while (weft_received(WEFT_TAG_READY) != mails);
}

/// The operation of odd tags; a mean divides from now on if `last`, and only adds until then. To be
/// called when all that this unit is ready for has come.
static inline void weft_set_operation(struct weft_reduction* r, int last) {
  const int divides = last && r->array->op == WEFT_OP_MEAN;
  weft_reduce(r->array->op, r->array->type, divides ? r->array->members : 1);
  if (divides) {
    weft_settle();
  }
}

/// Opens the window for the part of the array that begins at `first`. The mailboxes come before it;
/// what the array has there is kept in `aside`. The window of the first part is the one that is
/// open when the driver starts, so that others may be faster.
static inline void weft_open_turn(struct weft_reduction* r, uint32_t first, uint32_t* aside) {
  const struct weft_job* job = r->job;
  const uint32_t left = job->message_flits - first, most = r->array->turn_flits;
  r->turn = (struct weft_range){first, first + (left < most ? left : most)};
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
  weft_window(r->mail, WEFT_MAIL_BYTES + weft_length(r->turn) * WEFT_FLIT_BYTES);
}

/// Runs `reduce` on the whole array, as many flits at a time as a receive window holds. Returns
/// WEFT_OK.
static inline int weft_in_turns(void (*reduce)(struct weft_reduction* r)) {
  const struct weft_job* job = weft_job();
  const struct weft_array_job* array = weft_array();
  struct weft_reduction r = {.job = job, .array = array, .at = &array->at};
  // Control messages are not to wait behind many others.
  r.most_under_way = job->controllers + 4;
  uint32_t aside[WEFT_MAIL_BYTES / 4];
  uint32_t first = 0;
  for (;;) {
    weft_open_turn(&r, first, aside);
    if (first != 0) {
      // All have come out of the turn before, and opened their windows for this one.
      weft_barrier_enter();
      ++r.barriers;
      while (!weft_barrier_done(r.barriers)) {
        weft_wfi();
      }
    }
    reduce(&r);
    weft_wait_sent(r.posted);
    for (uint32_t i = 0; first != 0 && i < WEFT_MAIL_BYTES / 4; ++i) {
      *(uint32_t*)weft_mem(r.mail + 4 * i) = aside[i];
    }
    first = r.turn.hi;
    if (first == job->message_flits) {
      return WEFT_OK;
    }
  }
}

#endif
