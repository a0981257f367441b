// The network as lines: where blocks and links lie, in units of the distance of neighbours.
'use strict';

/** Half-widths of blocks, small enough that interfaces stand apart from their switches. */
function sizesOf(detail) {
  const isInterface = detail.blocks.map((block) => block.kind === 'nic');
  let nearest = Infinity, nearestSwitch = Infinity;
  for (const link of detail.links) {
    const a = detail.blocks[link.from], b = detail.blocks[link.to];
    const distance = Math.hypot(a.x - b.x, a.y - b.y);
    if (distance === 0) continue;
    if (isInterface[link.from] !== isInterface[link.to]) nearest = Math.min(nearest, distance);
    else nearestSwitch = Math.min(nearestSwitch, distance);
  }
  const ofSwitch = Math.min(0.17, 0.5 * nearest, 0.34 * nearestSwitch);
  const ofInterface = Math.min(0.06, 0.2 * nearest);
  return isInterface.map((is) => (is ? ofInterface : ofSwitch));
}

/**
 * Finds switches on a straight line between others, which a link must go around: a grid of cells of
 * one unit holds the switches.
 */
function makeObstacles(detail) {
  const cells = new Map();
  detail.blocks.forEach((block, b) => {
    if (block.kind === 'nic') return;
    const key = `${Math.round(block.x)},${Math.round(block.y)}`;
    if (!cells.has(key)) cells.set(key, []);
    cells.get(key).push(b);
  });
  return (from, to) => {
    const a = detail.blocks[from], b = detail.blocks[to];
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    if (length < 1.2) return false;
    const checked = new Set();
    for (let step = 1; step < length * 2; ++step) {
      const t = step / (length * 2);
      const x = Math.round(a.x + t * (b.x - a.x)), y = Math.round(a.y + t * (b.y - a.y));
      for (let dx = -1; dx <= 1; ++dx) {
        for (let dy = -1; dy <= 1; ++dy) {
          for (const c of cells.get(`${x + dx},${y + dy}`) || []) {
            if (c === from || c === to || checked.has(c)) continue;
            checked.add(c);
            const p = detail.blocks[c];
            const along = ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / length;
            const beside = ((p.x - a.x) * (b.y - a.y) - (p.y - a.y) * (b.x - a.x)) / length;
            if (along > 0 && along < length && Math.abs(beside) < 0.2) return true;
          }
        }
      }
    }
    return false;
  };
}

const WRAP_LENGTH = 0.42;

/** Points from block to block, `lane` units to the right of the straight line, `bow` more between. */
function lineBetween(a, b, before, after, lane, bow) {
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  if (length === 0) return [];
  const ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
  const begin = Math.min(before, length / 2), end = length - Math.min(after, length / 2);
  const steps = bow ? 12 : 1;
  return d3.range(steps + 1).map((step) => {
    const along = begin + (end - begin) * step / steps;
    const t = along / length, side = lane + 4 * bow * t * (1 - t);
    return [a.x + ux * along - uy * side, a.y + uy * along + ux * side];
  });
}

/** Both ends of a link that closes a ring: it leaves the drawing beyond one and enters at the other. */
function stubsOf(a, b, before, after, lane) {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const ux = (a.x - b.x) / length, uy = (a.y - b.y) / length;
  const at = (block, along, side) =>
    [block.x + ux * along + uy * side, block.y + uy * along - ux * side];
  const beyond = WRAP_LENGTH + 0.1;
  return [
    {points: [at(a, before, -lane), at(a, before + WRAP_LENGTH, -lane)],
      label: {text: b.name, at: at(a, before + beyond, 0)}},
    {points: [at(b, -after - WRAP_LENGTH, -lane), at(b, -after, -lane)],
      label: {text: a.name, at: at(b, -after - beyond, 0)}},
  ];
}

/**
 * The lines of all links: {index, points, label}, `index` into detail.links; a link that closes a
 * ring has two, with the name of the other end. The directions between two blocks lie side by side.
 */
function layOut(detail) {
  placeBlocks(detail);
  const sizes = sizesOf(detail), isBlocked = makeObstacles(detail), {blocks} = detail;
  const lanes = new Map();
  const keyOf = (link) => `${link.from},${link.to},${link.wrap ? 1 : 0}`;
  for (const link of detail.links) lanes.set(keyOf(link), (lanes.get(keyOf(link)) || 0) + 1);
  const taken = new Map(), lines = [];
  detail.links.forEach((link, index) => {
    const a = blocks[link.from], b = blocks[link.to], key = keyOf(link);
    const before = sizes[link.from], after = sizes[link.to];
    const lane = taken.get(key) || 0, room = 0.8 * Math.min(before, after);
    taken.set(key, lane + 1);
    const side = (lane + 0.5) * Math.min(0.11, room / lanes.get(key));
    if (link.wrap) {
      const [out, back] = stubsOf(a, b, before, after, side);
      // One name is enough where a link goes the other way, too.
      if (lane > 0) out.label = null;
      if (lane > 0 || lanes.has(keyOf({from: link.to, to: link.from, wrap: true}))) {
        back.label = null;
      }
      lines.push({index, ...out}, {index, ...back});
      return;
    }
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const bow = isBlocked(link.from, link.to) ? Math.min(0.16 * length, 0.9) : 0;
    const points = lineBetween(a, b, before, after, side, bow);
    if (points.length) lines.push({index, points, label: null});
  });
  return {sizes, lines, box: boxOf(blocks, lines)};
}

function boxOf(blocks, lines) {
  const xs = blocks.map((block) => block.x), ys = blocks.map((block) => block.y);
  let [left, right] = d3.extent(xs), [top, bottom] = d3.extent(ys);
  for (const line of lines) {
    for (const [x, y] of line.points) {
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  const margin = 0.35;
  return {left: left - margin, right: right + margin, top: top - margin, bottom: bottom + margin};
}

function distanceToSegment(x, y, [ax, ay], [bx, by]) {
  const dx = bx - ax, dy = by - ay, square = dx * dx + dy * dy;
  const t = square === 0 ? 0
    : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / square));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

/** The line nearest to a point, no further than `reach`; null: none. */
function nearestLine(lines, x, y, reach) {
  let best = null, least = reach;
  for (const line of lines) {
    for (let p = 1; p < line.points.length; ++p) {
      const distance = distanceToSegment(x, y, line.points[p - 1], line.points[p]);
      if (distance < least) {
        least = distance;
        best = line;
      }
    }
  }
  return best;
}
