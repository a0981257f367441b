// Places for the blocks of a network that has no natural drawing: by forces between its switches.
'use strict';

const FORCE_UNIT = 60;  // Length of a link in the layout's own units.

/** Puts interfaces around their switches. */
function placeInterfaces(detail) {
  const around = new Map();
  for (const link of detail.links) {
    if (detail.blocks[link.from].kind !== 'nic') continue;
    if (!around.has(link.to)) around.set(link.to, new Set());
    around.get(link.to).add(link.from);
  }
  for (const [at, nics] of around) {
    [...nics].forEach((nic, n) => {
      const angle = 2 * Math.PI * (n / nics.size - 0.125);
      detail.blocks[nic].x = detail.blocks[at].x + 0.3 * Math.cos(angle);
      detail.blocks[nic].y = detail.blocks[at].y + 0.3 * Math.sin(angle);
    });
  }
}

/** Gives every block a place unless all have one. The same network is always drawn alike. */
function placeBlocks(detail) {
  if (detail.blocks.every((block) => isNumber(block.x) && isNumber(block.y))) return;
  const switches = d3.range(detail.blocks.length)
    .filter((b) => detail.blocks[b].kind !== 'nic');
  const number = new Map(switches.map((b, n) => [b, n]));
  // A circle to begin with: without it the layout begins anywhere.
  const radius = FORCE_UNIT * switches.length / (2 * Math.PI);
  const nodes = switches.map((b, n) => ({
    x: radius * Math.sin(2 * Math.PI * n / switches.length),
    y: -radius * Math.cos(2 * Math.PI * n / switches.length),
  }));
  const links = detail.links.filter((link) => number.has(link.from) && number.has(link.to))
    .map((link) => ({source: number.get(link.from), target: number.get(link.to)}));
  const force = d3.layout.force().size([0, 0]).nodes(nodes).links(links)
    .linkDistance(1.5 * FORCE_UNIT).charge(-4 * FORCE_UNIT).gravity(0.05).start();
  for (let step = 0; step < (switches.length > 300 ? 100 : 300); ++step) force.tick();
  force.stop();
  switches.forEach((b, n) => {
    detail.blocks[b].x = nodes[n].x / FORCE_UNIT;
    detail.blocks[b].y = nodes[n].y / FORCE_UNIT;
  });
  placeInterfaces(detail);
}
