// The drawing of a network on a canvas, which stays smooth with thousands of links.
'use strict';

const MAP_HEIGHT = 640;

/** Palette of the parts of the drawing that have no number. */
function mapColours() {
  return isDark()
    ? {page: '#14181d', block: '#46525f', edge: '#8794a2', text: '#e4e8ec', none: '#39434d',
      chosen: '#ffffff'}
    : {page: '#ffffff', block: '#dfe4ea', edge: '#7d8995', text: '#1d2329', none: '#d9dde2',
      chosen: '#000000'};
}

/** The number at the end of a name, or the name. */
function shortName(name) {
  const digits = /(\d+)$/.exec(name);
  return digits ? digits[1] : name;
}

class LinkMap {
  /** `onHover(event, line, block)` is called with what lies under the pointer, or nothing. */
  constructor(parent, detail, onHover) {
    this.detail = detail;
    this.layout = layOut(detail);
    this.chosen = null;
    this.pending = false;
    this.canvas = make('canvas', {class: 'map', tabindex: '0'});
    parent.append(this.canvas);
    this.zoom = d3.behavior.zoom().on('zoom', () => this.later());
    // The wheel alone scrolls the page.
    this.canvas.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) event.stopImmediatePropagation();
    }, true);
    d3.select(this.canvas).call(this.zoom);
    this.canvas.addEventListener('mousemove', (event) => onHover(event, ...this.under(event)));
    this.canvas.addEventListener('mouseleave', (event) => onHover(event, null, null));
    this.place();
    addEventListener('resize', () => {
      if (this.canvas.parentNode.clientWidth !== this.width) {
        this.place();
        this.draw();
      }
    });
    onColours(() => this.draw());
  }

  /** Size of the canvas, and the whole network in it. */
  place() {
    const {left, right, top, bottom} = this.layout.box;
    this.width = this.canvas.parentNode.clientWidth || 1100;
    const scale = Math.min(this.width / (right - left), MAP_HEIGHT / (bottom - top), 150);
    this.height = Math.max(120, Math.ceil((bottom - top) * scale));
    this.fine = Math.max(2, devicePixelRatio || 1);
    this.canvas.width = this.width * this.fine;
    this.canvas.height = this.height * this.fine;
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.aspectRatio = `${this.width} / ${this.height}`;
    this.home = {
      scale,
      translate: [(this.width - (right + left) * scale) / 2,
        (this.height - (bottom + top) * scale) / 2],
    };
    this.zoom.scaleExtent([scale * 0.7, scale * 40]).size([this.width, this.height])
      .scale(scale).translate(this.home.translate);
  }

  reset() {
    this.zoom.scale(this.home.scale).translate(this.home.translate);
    this.later();
  }

  zoomBy(factor) {
    const [least, most] = this.zoom.scaleExtent();
    const scale = Math.max(least, Math.min(most, this.zoom.scale() * factor));
    const by = scale / this.zoom.scale(), [x, y] = this.zoom.translate();
    const cx = this.width / 2, cy = this.height / 2;
    this.zoom.scale(scale).translate([cx - (cx - x) * by, cy - (cy - y) * by]);
    this.later();
  }

  /** What is drawn: the colour of each link (null: it has no number), and which are shown. */
  show(valueOf, isShown, isBlockShown, most) {
    const {lines} = this.layout;
    this.colouring = {valueOf, isBlockShown, most, ofBlocks: this.greatestOfBlocks(valueOf, isShown)};
    this.lines = lines.filter((line) => isShown(this.detail.links[line.index]));
    // The busiest lie on top.
    this.lines.sort((a, b) => (valueOf(this.detail.links[a.index]) || 0) -
      (valueOf(this.detail.links[b.index]) || 0));
    this.canvas.dataset.links = new Set(this.lines.map((line) => line.index)).size;
    this.draw();
  }

  /** Of each block the greatest number of its links that are shown; interfaces have its colour. */
  greatestOfBlocks(valueOf, isShown) {
    const greatest = new Map();
    for (const link of this.detail.links.filter(isShown)) {
      for (const block of [link.from, link.to]) {
        greatest.set(block, Math.max(greatest.get(block) || 0, valueOf(link) || 0));
      }
    }
    return greatest;
  }

  choose(index) {
    this.chosen = index;
    this.later();
  }

  later() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
    });
  }

  draw() {
    if (!this.colouring) return;
    const context = this.canvas.getContext('2d'), colours = mapColours();
    const scale = this.zoom.scale(), [dx, dy] = this.zoom.translate();
    context.setTransform(this.fine, 0, 0, this.fine, 0, 0);
    context.fillStyle = colours.page;
    context.fillRect(0, 0, this.width, this.height);
    const at = ([x, y]) => [dx + x * scale, dy + y * scale];
    const seen = ([x, y]) => x > -60 && x < this.width + 60 && y > -60 && y < this.height + 60;
    const even = evenColours(isDark()), {valueOf, most} = this.colouring;
    this.canvas.dataset.drawn = 0;
    let drawn = 0;
    for (const line of this.lines) {
      const points = line.points.map(at);
      if (!points.some(seen) && points.length === 2 && scale > this.home.scale * 4) continue;
      const value = valueOf(this.detail.links[line.index]);
      const colour = value === null || value === 0 ? colours.none : even(value / most);
      this.drawLine(context, points, colour, scale);
      if (line.label && scale > 42) this.drawLabel(context, line.label, at, colours, scale);
      ++drawn;
    }
    this.canvas.dataset.drawn = drawn;
    for (const line of this.lines) {
      if (line.index === this.chosen) {
        this.drawLine(context, line.points.map(at), colours.chosen, scale * 1.6);
      }
    }
    this.drawBlocks(context, at, colours, scale);
  }

  drawLine(context, points, colour, scale) {
    const width = Math.max(1, scale * 0.034), tip = Math.max(3, scale * 0.085);
    const [ex, ey] = points[points.length - 1], [px, py] = points[points.length - 2];
    const length = Math.hypot(ex - px, ey - py) || 1;
    const ux = (ex - px) / length, uy = (ey - py) / length;
    const head = Math.min(tip, length * 0.8);
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(...points[0]);
    for (const point of points.slice(1, -1)) context.lineTo(...point);
    context.lineTo(ex - ux * head * 0.7, ey - uy * head * 0.7);
    context.stroke();
    context.beginPath();
    context.moveTo(ex, ey);
    context.lineTo(ex - ux * head - uy * head * 0.45, ey - uy * head + ux * head * 0.45);
    context.lineTo(ex - ux * head + uy * head * 0.45, ey - uy * head - ux * head * 0.45);
    context.fill();
  }

  drawLabel(context, label, at, colours, scale) {
    context.fillStyle = colours.text;
    context.font = `${Math.min(11, scale * 0.12)}px sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(shortName(label.text), ...at(label.at));
  }

  drawBlocks(context, at, colours, scale) {
    const {blocks} = this.detail, {ofBlocks, most} = this.colouring, even = evenColours(isDark());
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.lineWidth = 1;
    context.strokeStyle = colours.edge;
    blocks.forEach((block, b) => {
      if (!this.colouring.isBlockShown(block)) return;
      const [x, y] = at([block.x, block.y]), half = this.layout.sizes[b] * scale;
      if (x < -half || y < -half || x > this.width + half || y > this.height + half) return;
      const fill = block.kind !== 'nic' ? colours.block
        : ofBlocks.get(b) ? even(ofBlocks.get(b) / most) : colours.edge;
      context.fillStyle = fill;
      context.beginPath();
      if (block.kind === 'nic') context.arc(x, y, Math.max(half, 1.5), 0, 2 * Math.PI);
      else context.rect(x - half, y - half, 2 * half, 2 * half);
      context.fill();
      if (half < 7) return;
      context.stroke();
      const text = shortName(block.name);
      context.font = `${Math.min(13, half * 0.9, 3.2 * half / text.length)}px sans-serif`;
      context.fillStyle = d3.lab(fill).l > 60 ? '#1d2329' : '#ffffff';
      context.fillText(text, x, y);
    });
  }

  /** The link and the block at the place of an event; a block covers the links below it. */
  under(event) {
    if (!this.lines) return [null, null];
    const place = this.canvas.getBoundingClientRect(), zoomed = this.width / place.width;
    const scale = this.zoom.scale(), [dx, dy] = this.zoom.translate();
    const x = ((event.clientX - place.left) * zoomed - dx) / scale;
    const y = ((event.clientY - place.top) * zoomed - dy) / scale;
    const block = this.detail.blocks.find((one, b) => this.colouring.isBlockShown(one) &&
      Math.max(Math.abs(one.x - x), Math.abs(one.y - y)) < Math.max(this.layout.sizes[b],
        3 / scale));
    if (block) return [null, block];
    return [nearestLine(this.lines, x, y, 7 / scale), null];
  }
}
