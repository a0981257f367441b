// All-to-all grouped by direction and hops: seed 000, examples 1 and 2, for any number of
// dimensions, torus and mesh.
//
// Every piece of data is sent along one dimension at a time. All pieces that travel the same number
// of hops are sent in one step, which a barrier ends. Packets over different numbers of hops are
// therefore never in flight together, and with gap hops-1 each link carries the packets of its
// senders in turn.
//
// Rounds. There are as many as dimensions of 2 nodes or more, D; others do not count. Blocks have 1
// area or D, whose lengths differ by one flit at most, the longer ones first. With one, round r
// serves dimension r (example 1). With D, round r serves all dimensions, dimension e area (e + r)
// mod D
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
#include "sw/collectives/hop_group_pieces.h"

static struct weft_refusal refuse(const struct weft_job* job) {
  uint32_t reach = 0, half = 0;  // At most half of the nodes of a ring or line share a link.
  uint32_t dims = 0;
  for (uint32_t i = 0; i < job->dim_count; ++i) {
    dims += job->dims[i] > 1;
    if (hop_reach(job, i) > reach) {
      reach = hop_reach(job, i);
    }
    half = job->dims[i] / 2 > half ? job->dims[i] / 2 : half;
  }
  if (job->areas > 1 && job->areas != dims) {
    return (struct weft_refusal){"areas",
                                 "1, or as many as there are dimensions of 2 nodes or "
                                 "more"};
  }
  return hop_refuse(job, reach, half);
}

WEFT_COLLECTIVE_WITH(hop_group, WEFT_ALL_TO_ALL, WEFT_CONTROLLERS_BY_WAYS,
                     "all-to-all along one dimension at a time, grouped by hops (seed 000, "
                     "examples 1 and 2)",
                     .buffers = 2, .by_hops = 1, .cuts_blocks = WEFT_CUTS_PACKETS,
                     .refuse = refuse);

/// Sends the current piece; register OFFSET has been written.
static inline void send_piece(const struct way* way, const struct heading* to) {
  weft_reg_write(WEFT_REG_TAG_GAP, to->order);
  weft_post_when_free(to->address, way->source + to->local);
}

/// Sends a turn of a dimension: one or two messages.
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

/// The messages of a step: all first packets of the pieces, then all second ones, ... `uneven`: the
/// packets of the dimensions may have different lengths.
static inline __attribute__((always_inline)) void send_packets(struct group* g, int uneven) {
  const uint32_t parts = g->cut[!uneven].parts;
  for (uint32_t part = 1;; ++part) {
    const struct hop_cut* const cut = &g->cut[1];
    if (!uneven) {
      weft_reg_write(WEFT_REG_LEN, part < parts ? cut->flits : cut->last);
    }
    for (struct way* way = g->first; uneven && way != g->end; ++way) {
      way->flits = part < way->cut->parts ? way->cut->flits : way->cut->last;
      way->turns_now = part <= way->cut->parts ? way->turns : 0;
    }
    g->single = (part + g->round) & 1;
    for (uint32_t turn = 0; turn < g->turns; ++turn) {
      for (struct way* way = g->first; way != g->end; ++way) {
        if (turn < (uneven ? way->turns_now : way->turns)) {
          if (uneven) {
            weft_reg_write(WEFT_REG_LEN, way->flits);
          }
          send_turn(g, way, turn);
        }
      }
    }
    if (part == parts) {
      break;
    }
    for (struct way* way = g->first; way != g->end; ++way) {
      way->area += way->cut->flits * WEFT_FLIT_BYTES;
    }
    begin_packets(g);
  }
  for (struct way* way = g->first; way != g->end; ++way) {
    way->area = way->begin;
    g->all.posted += way->cut->parts * ((way->turn == ONE ? 1 : 2) * way->turns - way->odd);
  }
}

/// Not inlined, so that each loop has the registers to itself.
static __attribute__((noinline)) void send_even(struct group* g) {
  send_packets(g, 0);
}
static __attribute__((noinline)) void send_uneven(struct group* g) {
  send_packets(g, 1);
}

/// Prepares a step of the round, numbered from 1.
static void prepare_step(struct group* g, uint32_t step) {
  const struct weft_job* const job = g->job;
  const uint32_t bound = job->controllers == 2 * job->dim_count;
  g->turns = 0;
  for (struct way* way = g->first; way != g->end; ++way) {
    const uint32_t e = way->dim, reach = hop_reach(job, e);
    const uint32_t hops = step + reach - g->steps;  // Not above 0 before its first step.
    const uint32_t gap = hop_gap(job, hops, hop_sharers(job, e, hops)) << 8;
    const uint32_t ring = job->wraps >> e & 1, odd = way->me & 1;
    const uint32_t up = way->me + hops, down = way->me - hops;
    const uint32_t over = up >= way->size, under = way->me < hops;
    const uint32_t to[2] = {up - (way->size & (0U - over)), down + (way->size & (0U - under))};
    const uint32_t in_reach = hops - 1 < reach;
    const uint32_t exists[2] = {in_reach & (ring | !over), in_reach & (ring | !under)};
    const uint32_t halves = ring & (2 * hops == way->size);
    const uint32_t pieces = way->cut->last == 0 && g->longer != 0 ? 0 : way->pieces;  // Empty area.
    way->turn = halves ? HALVES : exists[UP] & exists[DOWN] ? BOTH : ONE;
    way->odd = halves & pieces;
    way->turns = exists[UP] | exists[DOWN] ? (pieces + way->odd) >> halves : 0;
    g->turns = way->turns > g->turns ? way->turns : g->turns;
    for (uint32_t i = UP; i <= DOWN; ++i) {
      // With a single partner both elements are its heading.
      const uint32_t n = exists[i] ? i : 1 - i;
      const uint32_t other_way = (odd ^ n) & halves;
      way->heading[i] = (struct heading){gap | (WEFT_CONTROLLER(way->link + n + 1) & (0U - bound)) |
                                             WEFT_TAG_OTHER_WAY * other_way,
                                         way->address + (to[n] << way->shift), to[n] * way->unit};
    }
  }
  begin_packets(g);
}

/// Prepares a round: which dimensions it serves, and their pieces.
static void prepare_round(struct group* g) {
  const uint32_t dims = g->dims;
  const uint32_t area_flits = g->job->message_flits / g->areas;
  g->first = g->areas == 1 ? &g->way[g->round] : g->way;
  g->end = g->areas == 1 ? g->first + 1 : g->way + dims;
  g->steps = 0;
  for (struct way* way = g->first; way != g->end; ++way) {
    const uint32_t e = (uint32_t)(way - g->way);
    const uint32_t reach = hop_reach(g->job, way->dim);
    g->steps = reach > g->steps ? reach : g->steps;
    const uint32_t area = (e + g->round) % g->areas;
    // Areas before this one that are longer.
    const uint32_t before = area < g->longer ? area : g->longer;
    way->cut = &g->cut[area >= g->longer];
    way->begin = way->area = (area * area_flits + before) * WEFT_FLIT_BYTES;
    way->inner = (struct digit){.left = 1, .size = 1};  // Used if there is no other dimension.
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
  const uint32_t own = weft_address_in(weft_job(), job->rank);
  uint32_t shift = 0, unit = g->all.block, rank = job->rank;
  g->dims = 0;
  for (uint32_t e = 0; e < job->dim_count; ++e) {
    const uint32_t size = job->dims[e];
    struct way* const way = &g->way[g->dims];
    if (size > 1) {
      way->dim = e;
      way->link = 2 * g->dims;
      way->size = size;
      way->me = rank % size;
      way->unit = unit;
      way->home = way->me * unit;
      way->shift = shift;
      way->address = own - (way->me << shift);
      way->pieces = job->nodes / size;
      ++g->dims;
    }
    rank /= size;
    unit *= size;
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
  describe(&g);
  g.areas = g.job->areas == 0 ? g.dims : g.job->areas;
  const uint32_t second = g.job->nodes * g.all.block;
  for (uint32_t piece = 0; piece < PIECES; ++piece) {
    const uint32_t odd = piece & TO_GO;
    // At this node it has one more dimension left, so it is in the other buffer.
    g.source[piece] = piece & MOVED ? g.job->recv_base + (odd ? 0 : second) : g.job->send_base;
    g.target[piece] = odd ? second : 0;
  }
  const uint32_t area_flits = g.job->message_flits / g.areas;
  g.longer = g.job->message_flits - g.areas * area_flits;
  if (g.longer != 0) {
    g.cut[0] = hop_cut(g.job, area_flits + 1);
  }
  g.cut[1] = hop_cut(g.job, area_flits);
  const uint32_t rounds = g.dims;
  uint32_t step = 1;
  g.round = 0;
  prepare_round(&g);
  prepare_step(&g, step);
  for (;;) {
    if (g.longer == 0) {
      send_even(&g);
    } else {
      send_uneven(&g);
    }
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
