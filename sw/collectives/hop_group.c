// All-to-all grouped by direction and hops: seed 000, examples 1 and 2, for any number of
// dimensions, torus and mesh.
//
// Every piece of data is sent along one dimension at a time. All pieces that travel the same number
// of hops are sent in one step, which a barrier ends. Packets over different numbers of hops are
// therefore never in flight together, and with gap hops-1 each link carries the packets of its
// senders in turn.
//
// Rounds. There are as many as dimensions, D. Blocks have 1 area or D. With one, round r serves
// dimension r (example 1). With D, round r serves all dimensions, dimension e area (e + r) mod D
// ([0085]-[0113]: X a b c, Y b c a, Z c a b), so that each area is served once in every dimension
// and all links are loaded at the same time. A step sends over h hops, up and down, h = 1, 2, ..
// to the most. If the dimensions served have different sizes their last steps coincide ([0110]
// leaves the order open), so that the longest routes of all share a step. There is a barrier
// between steps, and with D areas also after the last one. (With D = 1 both are example 1.)
//
// Destinations. At any time block v (a rank, as its coordinates) at node n has in the dimensions
// already served the coordinates of its origin, in the others those of its destination. When
// dimension e is served, a piece with v_e = n_e stays; one with v_e = t != n_e is sent to the node
// with coordinate t, where it becomes the block with v_e := n_e. At the end block v is that from
// rank v.
//
// Buffers. A piece has q dimensions left: those not served in which v differs from n.
//   - A piece that was never sent is in the send area, which is never written.
//   - A piece that was sent is in receive buffer 0 if q is even, in buffer 1 if q is odd.
// The last transfer thus ends in buffer 0, the receive area proper; the block that stays here is
// copied there. No piece is overwritten before it has been sent: in a round a node receives as
// block w a single piece, if w_e != its own coordinate n_e, with q dimensions left. The piece that
// was block w here before has one more left, e itself: the sender differs from this node in e only,
// so both pieces differ from their nodes in the same other dimensions. It is therefore in the other
// buffer, or in the send area. Blocks with w_e = n_e are not written in the round. The barrier
// ensures that a forwarded piece has been read from memory before its buffer is written in the next
// round: all messages of a round have been stored when it ends.
//
// Directions. At k/2 hops of an even ring there is one partner, both directions are equally long,
// and half of the pieces take each. A single remaining piece alternately takes the direction that
// the network prefers and the other. Every link of a dimension of size k then carries
// N/k * floor(k*k/4) / 2 blocks, the minimum of any all-to-all; where a number is odd a link
// carries one packet more.
//
// Order. The pieces are counted by their offsets from this node, so that all nodes of a torus do
// the same at the same time, and after a hardware barrier post in the same cycle. The steps are
// prepared before the barrier.
#include "sw/collectives/hop_steps.h"

/// Areas of a block.
static uint32_t areas_of(const struct weft_job* job) {
  return job->areas == 0 ? job->dim_count : job->areas;
}

static struct weft_refusal refuse(const struct weft_job* job) {
  uint32_t reach = 0, half = 0;  // At most half of the nodes of a ring or line share a link.
  for (uint32_t i = 0; i < job->dim_count; ++i) {
    if (job->dims[i] < 2) {
      return (struct weft_refusal){"dims", "dimensions of 2 nodes or more"};
    }
    if (hop_reach(job, i) > reach) {
      reach = hop_reach(job, i);
    }
    half = job->dims[i] / 2 > half ? job->dims[i] / 2 : half;
  }
  if (areas_of(job) != 1 && areas_of(job) != job->dim_count) {
    return (struct weft_refusal){"areas", "1, or as many as there are dimensions"};
  }
  if (job->message_flits % areas_of(job) != 0) {
    return (struct weft_refusal){"message_flits",
                                 "a length that the areas divide: with areas 1 any, with \"auto\" "
                                 "multiples of the number of dimensions"};
  }
  return hop_refuse(job, reach, half);
}

WEFT_COLLECTIVE_WITH(hop_group, WEFT_ALL_TO_ALL, WEFT_CONTROLLERS_BY_WAYS,
                     "all-to-all along one dimension at a time, grouped by hops (seed 000, "
                     "examples 1 and 2)",
                     .buffers = 2, .by_hops = 1, .cuts_blocks = WEFT_CUTS_PACKETS,
                     .refuse = refuse);

/// Class of a piece: whether it was sent before, and whether at the receiver it has an odd number
/// of dimensions left.
enum { TO_GO = 1, MOVED = 2, PIECES = 4 };

/// The class if the piece differs from this node's coordinates in one more dimension.
static inline uint32_t then(uint32_t piece, uint32_t kind) {
  return kind == MOVED ? piece | MOVED : piece ^ TO_GO;
}

/// A dimension other than the one that is served: a digit of the counter of pieces.
struct digit {
  uint32_t part;  ///< Contribution of v's coordinate to the offset of a block, bytes; in the inner
                  ///< digit always that of this node's coordinate.
  uint32_t unit;  ///< Increment of the offset per node,
  uint32_t span;  ///< and per dimension.
  uint32_t left;  ///< Steps until v's coordinate is this node's again; then it is `size`.
  uint32_t size;  ///< Nodes.
  uint32_t me;    ///< Coordinate of this node.
  uint32_t kind;  ///< MOVED if the area was served in this dimension, else TO_GO.
};

/// A message's receiver and its order to the NIC.
struct heading {
  uint32_t order;    ///< For the register TAG_GAP.
  uint32_t address;  ///< Of the receiver.
  uint32_t local;    ///< Contribution of its coordinate to the offset of a block, bytes.
};

enum { UP, DOWN };

/// A dimension that is served, and its pieces.
struct way {
  // Of the step:
  uint32_t turns;
  enum {
    BOTH,
    ONE,
    HALVES
  } turn;        ///< A turn is a piece up and down, or in the only direction,
                 ///< or one piece up and the next down;
  uint32_t odd;  ///< then, where this is set, the last turn is a single piece.
  struct heading heading[2];
  // The current piece, without its heading:
  uint32_t source;        ///< Byte address,
  uint32_t target;        ///< and offset at the receiver.
  uint32_t source_inner;  ///< Added to them when the inner digit starts to differ from this node's
  uint32_t target_inner;  ///< coordinate.
  struct digit inner;
  struct digit outer[WEFT_MAX_DIMS - 2];
  struct digit* outer_end;
  uint32_t area;  ///< Offset of the area in its block, bytes.
  uint32_t home;  ///< Contribution of this node's coordinate to the offset of a block, bytes.
  // Of the job:
  uint32_t size;
  uint32_t me;       ///< Coordinate of this node.
  uint32_t unit;     ///< Increment of the offset of a block per node, bytes.
  uint32_t shift;    ///< Position of the digit in the address.
  uint32_t address;  ///< This node's, without this digit.
  uint32_t pieces;   ///< In one direction.
};

struct group {
  struct weft_all_to_all all;
  const struct weft_job* job;
  struct way* first;  ///< The dimensions that the round serves, from here
  struct way* end;    ///< to before here.
  uint32_t areas;
  uint32_t round;
  uint32_t steps;   ///< Of the round.
  uint32_t turns;   ///< Most turns of a dimension in this step.
  uint32_t single;  ///< Whether single pieces take the direction that the network prefers.
  /// Of block 0, for the current packets of the pieces: byte address,
  uint32_t source[PIECES];
  uint32_t target[PIECES];  ///< and offset at the receiver.
  struct hop_cut cut;
  struct way way[WEFT_MAX_DIMS];
};

/// Computes the addresses of the current piece from its digits; the inner one has this node's
/// coordinate.
static inline void find_piece(const struct group* g, struct way* way) {
  uint32_t offset = way->area + way->inner.part;
  uint32_t piece = 0;
  for (const struct digit* digit = way->outer; digit != way->outer_end; ++digit) {
    offset += digit->part;
    piece = digit->left != digit->size ? then(piece, digit->kind) : piece;
  }
  const uint32_t inner = then(piece, way->inner.kind);
  way->source = offset + g->source[piece];
  way->target = offset + way->home + g->target[piece];
  way->source_inner = g->source[inner] - g->source[piece];
  way->target_inner = g->target[inner] - g->target[piece];
}

/// Increment of the offset for the step of a digit to `left`; the last coordinate wraps to 0. Has
/// no branch, which nodes would take at different times.
static inline uint32_t step_to(const struct digit* digit, uint32_t left) {
  return digit->unit - (digit->span & (0U - (left == digit->me)));
}

/// The inner digit has wrapped: carries into the others. After a full count all have their first
/// values again.
static __attribute__((noinline)) void carry(const struct group* g, struct way* way) {
  way->inner.left = way->inner.size;
  for (struct digit* digit = way->outer; digit != way->outer_end; ++digit) {
    --digit->left;
    digit->part += step_to(digit, digit->left);
    if (digit->left != 0) {
      break;
    }
    digit->left = digit->size;
  }
  find_piece(g, way);
}

/// Advances to the next piece.
static inline void next_piece(const struct group* g, struct way* way) {
  const uint32_t left = way->inner.left - 1;
  if (left == 0) {
    carry(g, way);
    return;
  }
  const uint32_t step = step_to(&way->inner, left);
  uint32_t source = way->source + step, target = way->target + step;
  if (left == way->inner.size - 1) {
    source += way->source_inner;
    target += way->target_inner;
  }
  way->inner.left = left;
  way->source = source;
  way->target = target;
}

/// Sends the current piece; register OFFSET has been written.
static inline void send_piece(const struct way* way, const struct heading* to) {
  weft_reg_write(WEFT_REG_TAG_GAP, to->order);
  weft_post_when_free(to->address, way->source + to->local);
}

/// One or two messages of a dimension.
static inline void send_turn(struct group* g, struct way* way, uint32_t turn) {
  weft_reg_write(WEFT_REG_OFFSET, way->target);
  if (way->turn == BOTH) {
    send_piece(way, &way->heading[UP]);
    send_piece(way, &way->heading[DOWN]);
  } else if (way->turn == ONE) {
    send_piece(way, &way->heading[0]);
  } else if (way->odd && turn + 1 == way->turns) {
    send_piece(way, &way->heading[g->single ^ (way->me & 1)]);
  } else {
    send_piece(way, &way->heading[UP]);
    next_piece(g, way);
    weft_reg_write(WEFT_REG_OFFSET, way->target);
    send_piece(way, &way->heading[DOWN]);
  }
  next_piece(g, way);
}

/// Computes the addresses of the first pieces, before the next packets of all pieces of a step.
static void begin_packets(struct group* g) {
  for (struct way* way = g->first; way != g->end; ++way) {
    find_piece(g, way);
  }
}

/// The messages of a step: all first packets of the pieces, then all second ones, ... Not inlined,
/// so that the loop has the registers to itself.
static __attribute__((noinline)) void send_step(struct group* g) {
  uint32_t ahead = g->cut.flits * WEFT_FLIT_BYTES;
  for (uint32_t part = 1;; ++part) {
    const int last = part == g->cut.parts;
    weft_reg_write(WEFT_REG_LEN, last ? g->cut.last : g->cut.flits);
    g->single = (part + g->round) & 1;
    for (uint32_t turn = 0; turn < g->turns; ++turn) {
      for (struct way* way = g->first; way != g->end; ++way) {
        if (turn < way->turns) {
          send_turn(g, way, turn);
        }
      }
    }
    ahead = last ? ahead - part * ahead : ahead;  // Back to the first.
    for (uint32_t piece = 0; piece < PIECES; ++piece) {
      g->source[piece] += ahead;
      g->target[piece] += ahead;
    }
    if (last) {
      break;
    }
    begin_packets(g);
  }
  for (struct way* way = g->first; way != g->end; ++way) {
    g->all.posted += g->cut.parts * ((way->turn == ONE ? 1 : 2) * way->turns - way->odd);
  }
}

/// Prepares a step of the round, the first is 1.
static void prepare_step(struct group* g, uint32_t step) {
  const struct weft_job* const job = g->job;
  const uint32_t bound = job->controllers == 2 * job->dim_count;
  g->turns = 0;
  for (struct way* way = g->first; way != g->end; ++way) {
    const uint32_t e = (uint32_t)(way - g->way), reach = hop_reach(job, e);
    const uint32_t hops = step + reach - g->steps;  // Not above 0 before its first step.
    const uint32_t gap = hop_gap(job, hops, hop_sharers(job, e, hops)) << 8;
    const uint32_t ring = job->wraps >> e & 1, odd = way->me & 1;
    const uint32_t up = way->me + hops, down = way->me - hops;
    const uint32_t over = up >= way->size, under = way->me < hops;
    const uint32_t to[2] = {up - (way->size & (0U - over)), down + (way->size & (0U - under))};
    const uint32_t in_reach = hops - 1 < reach;
    const uint32_t exists[2] = {in_reach & (ring | !over), in_reach & (ring | !under)};
    const uint32_t halves = ring & (2 * hops == way->size);
    way->turn = halves ? HALVES : exists[UP] & exists[DOWN] ? BOTH : ONE;
    way->odd = halves & way->pieces;
    way->turns = exists[UP] | exists[DOWN] ? (way->pieces + way->odd) >> halves : 0;
    g->turns = way->turns > g->turns ? way->turns : g->turns;
    for (uint32_t i = UP; i <= DOWN; ++i) {
      // With a single partner both elements are its heading.
      const uint32_t n = exists[i] ? i : 1 - i;
      const uint32_t other_way = (odd ^ n) & halves;
      way->heading[i] = (struct heading){
          gap | (WEFT_CONTROLLER(2 * e + n + 1) & (0U - bound)) | WEFT_TAG_OTHER_WAY * other_way,
          way->address + (to[n] << way->shift), to[n] * way->unit};
    }
  }
  begin_packets(g);
}

/// Prepares a round: which dimensions it serves, and their pieces.
static void prepare_round(struct group* g) {
  const uint32_t dims = g->job->dim_count;
  const uint32_t area_bytes = g->all.block / g->areas;
  g->first = g->areas == 1 ? &g->way[g->round] : g->way;
  g->end = g->areas == 1 ? g->first + 1 : g->way + dims;
  g->steps = 0;
  for (struct way* way = g->first; way != g->end; ++way) {
    const uint32_t e = (uint32_t)(way - g->way);
    const uint32_t reach = hop_reach(g->job, e);
    g->steps = reach > g->steps ? reach : g->steps;
    way->area = (e + g->round) % g->areas * area_bytes;
    way->inner = (struct digit){.left = 1, .size = 1};  // Where there is no other dimension.
    way->outer_end = way->outer;
    for (uint32_t i = 1; i < dims; ++i) {
      const uint32_t d = e + i < dims ? e + i : e + i - dims;
      const struct way* const other = &g->way[d];
      struct digit* const digit = i == 1 ? &way->inner : way->outer_end++;
      *digit = (struct digit){.part = other->home,
                              .unit = other->unit,
                              .span = other->size * other->unit,
                              .left = other->size,
                              .size = other->size,
                              .me = other->me,

                              .kind = (g->areas == 1 ? d < e : i <= g->round) ? MOVED : TO_GO};
    }
  }
}

/// Reads the dimensions from the job.
static void describe(struct group* g) {
  const struct weft_job* const job = g->job;
  const uint32_t own = weft_address(job->rank);
  uint32_t shift = 0, unit = g->all.block, rank = job->rank;
  for (uint32_t e = 0; e < job->dim_count; ++e) {
    struct way* const way = &g->way[e];
    way->size = job->dims[e];
    way->me = rank % way->size;
    way->unit = unit;
    way->home = way->me * unit;
    way->shift = shift;
    way->address = own - (way->me << shift);
    way->pieces = job->nodes / way->size;
    rank /= way->size;
    unit *= way->size;
    shift += job->dim_bits[e];
  }
}

int weft_main(void) {
  struct group g;
  g.job = weft_job();
  if (refuse(g.job).member != NULL) {
    return WEFT_UNSUPPORTED_JOB;
  }
  weft_window(g.job->recv_base, g.job->recv_bytes);
  g.all = hop_start(g.job);
  g.areas = areas_of(g.job);
  const uint32_t second = g.job->nodes * g.all.block;
  for (uint32_t piece = 0; piece < PIECES; ++piece) {
    const uint32_t odd = piece & TO_GO;
    // At this node it has one more dimension left, so it is in the other buffer.
    g.source[piece] = piece & MOVED ? g.job->recv_base + (odd ? 0 : second) : g.job->send_base;
    g.target[piece] = odd ? second : 0;
  }
  g.cut = hop_cut(g.job, g.job->message_flits / g.areas);
  describe(&g);
  const uint32_t rounds = g.job->dim_count;
  uint32_t step = 1;
  g.round = 0;
  prepare_round(&g);
  prepare_step(&g, step);
  for (;;) {
    send_step(&g);
    if (++step > g.steps) {
      step = 1;
      if (++g.round < rounds) {
        prepare_round(&g);
      } else if (g.areas == 1) {
        break;
      }
    }
    prepare_step(&g, step);
    hop_end_step(&g.all, g.job, step == 1);  // The next round forwards what this one stores.
    if (g.round == rounds) {
      break;
    }
  }
  return weft_end(&g.all);
}
