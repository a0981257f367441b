// The heat map of links: what colours them, its legend, the numbers of a link, the busiest links.
'use strict';

const MOST_WITH_INTERFACES = 64;  // Nodes up to which links of interfaces are shown at first.

/** What can colour links: {key, text, help, of}, `of` giving a number or null. */
function linkMeasures(run, words) {
  const cycles = run.cycles || 1;
  const measures = [
    {key: 'flits', text: 'flits', help: 'moved in the whole run', of: (link) => link.flits},
    {key: 'rate', text: 'flits per cycle', help: 'flits over the cycles of the run',
      of: (link) => link.flits / cycles},
  ];
  const found = new Set(run.detail.links.flatMap((link) => Object.keys(link.idle || {})));
  const known = words.causes.filter(([cause]) => found.has(cause));
  const others = [...found].filter((cause) => !words.causes.some(([name]) => name === cause));
  for (const [cause, help] of [...known, ...others.map((name) => [name, ''])]) {
    const text = ['header', 'body'].includes(cause) ? `cycles with ${cause}` : `idle: ${cause}`;
    measures.push({key: cause, text: text.replace(/_/g, ' '), help: `cycles: ${help}`,
      of: (link) => (link.idle && cause in link.idle ? link.idle[cause] : link.idle ? 0 : null)});
  }
  return measures;
}

function drawScale(parent, measure, most) {
  d3.select(parent).selectAll('svg').remove();
  const width = 420, chart = makeChart(parent, 'colours', width, 46,
    {left: 10, right: 40, top: 4, bottom: 26});
  chart.svg.style('max-width', `${width}px`);
  const even = evenColours(isDark()), steps = 128;
  chart.area.selectAll('rect').data(d3.range(steps)).enter().append('rect').attr({
    x: (step) => step * chart.width / steps,
    width: chart.width / steps + 0.5,
    height: chart.height,
    'shape-rendering': 'crispEdges',
    fill: (step) => even(step / (steps - 1)),
  });
  const x = d3.scale.linear().domain([0, most]).range([0, chart.width]);
  chart.area.append('g').attr({class: 'axis', transform: `translate(0,${chart.height})`})
    .call(d3.svg.axis().scale(x).orient('bottom').ticks(5).outerTickSize(0).tickFormat(shown));
  parent.dataset.measure = measure.key;
  parent.dataset.most = most;
}

function linkLines(run, link) {
  const {blocks} = run.detail, end = (block, port) =>
    (isNumber(port) ? `${blocks[block].name} port ${port}` : blocks[block].name);
  const idle = Object.entries(link.idle || {}).filter(([, cycles]) => cycles > 0);
  return [
    `link ${link.link}: ${end(link.from, link.from_port)} → ${end(link.to, link.to_port)}`,
    `${link.class}${link.wrap ? ', closes a ring' : ''}` +
      `${link.stages ? `, ${link.stages} registers` : ''}`,
    `${shown(link.flits)} flits, ${shown(link.flits / (run.cycles || 1))} a cycle`,
    ...idle.map(([cause, cycles]) => `${cause.replace(/_/g, ' ')}: ${shown(cycles)} cycles`),
  ];
}

function blockLines(run, block) {
  const index = run.detail.blocks.indexOf(block);
  const node = block.kind === 'nic' && (run.detail.nodes || []).find((one) => one.rank === index);
  const lines = [`${block.name} (${block.kind})`];
  if (node) {
    lines.push(`${shown(node.flits_sent)} flits sent, ${shown(node.flits_received)} received`);
    if (isNumber(node.job_end)) {
      lines.push(`job from cycle ${shown(node.job_start)} to ${shown(node.job_end)}`);
    }
  }
  return lines;
}

/** The ten links with the greatest numbers; pressing a row marks its link in the drawing. */
function drawBusiest(parent, run, links, measure, choose) {
  const {blocks} = run.detail;
  const busiest = links.filter((link) => measure.of(link) !== null)
    .sort((a, b) => measure.of(b) - measure.of(a)).slice(0, 10);
  const cycles = run.cycles || 1, extra = !['flits', 'rate'].includes(measure.key);
  const heads = ['link', 'from', 'to', 'class', 'flits', 'flits per cycle'];
  if (extra) heads.push(measure.text);
  const table = makeTable(heads.map((head) => ({head})), busiest.map((link) => [
    link.link, blocks[link.from].name, blocks[link.to].name, link.class, link.flits,
    link.flits / cycles, ...(extra ? [measure.of(link)] : [])]));
  table.classList.add('busiest');
  const rows = [...table.querySelectorAll('tbody tr')];
  rows.forEach((row, r) => {
    row.classList.add('selectable');
    row.addEventListener('click', () => {
      const again = row.classList.contains('chosen');
      rows.forEach((one) => one.classList.remove('chosen'));
      if (!again) row.classList.add('chosen');
      choose(again ? null : run.detail.links.indexOf(busiest[r]));
    });
  });
  parent.replaceChildren(make('h3', {}, `The busiest links, by ${measure.text}`), table);
}

function drawLinks(parent, run, words) {
  const {detail} = run;
  if (!detail || !detail.links || !detail.links.length) return;
  parent.append(make('h3', {}, 'Links'));
  const measures = linkMeasures(run, words);
  const isInterface = (link) => link.class === 'interface';
  const inner = detail.links.some((link) => !isInterface(link));
  const nodes = detail.blocks.filter((block) => block.kind === 'nic').length;
  const state = {measure: measures[0], interfaces: !inner || nodes <= MOST_WITH_INTERFACES};

  const place = make('div'), scale = make('div', {class: 'scale'}), top = make('div');
  const says = make('p', {class: 'faint'});
  const map = new LinkMap(place, detail, (event, line, block) => {
    showTooltip(event, line ? linkLines(run, detail.links[line.index])
      : block ? blockLines(run, block) : null);
  });
  const update = () => {
    const {measure, interfaces} = state;
    const isShown = (link) => interfaces || !isInterface(link);
    const links = detail.links.filter(isShown);
    const most = d3.max(links, (link) => measure.of(link) || 0) || 1;
    map.show(measure.of, isShown, (block) => interfaces || block.kind !== 'nic', most);
    drawScale(scale, measure, most);
    says.textContent = `${shown(links.length)} links; colour: ${measure.text} (${measure.help}); ` +
      `grey: none${interfaces ? '; a node: its busiest link' : ''}`;
    drawBusiest(top, run, links, measure, (index) => map.choose(index));
  };
  const controls = make('div', {class: 'controls'},
    makeMenu('colour', 'measure', measures.map((one) => [one.key, one.text]), 'flits', (key) => {
      state.measure = measures.find((one) => one.key === key);
      update();
    }).node);
  if (inner && detail.links.some(isInterface)) {
    controls.append(makeSwitch('links of interfaces', 'interfaces', state.interfaces, (on) => {
      state.interfaces = on;
      update();
    }).node);
  }
  controls.append(
    make('span', {}, makeButton('+', 'zoom-in', () => map.zoomBy(1.5)), ' ',
      makeButton('−', 'zoom-out', () => map.zoomBy(1 / 1.5)), ' ',
      makeButton('whole network', 'zoom-reset', () => map.reset())),
    make('span', {class: 'faint'}, 'drag to move, Ctrl and the wheel to zoom'));
  // The canvas is measured where it stands.
  parent.append(controls, scale, says, place, top);
  map.place();
  onColours(() => drawScale(scale, state.measure, Number(scale.dataset.most)));
  update();
}
