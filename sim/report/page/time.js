// What happened when: phases of the nodes' programs as bars, flits of classes of links as curves.
'use strict';

const MOST_ROWS = 64;  // Nodes up to which all rows are as high as is readable.

/** The rows of nodes and their phases: a job first, then what the programs named. */
function drawPhases(parent, detail, cycles) {
  const phases = detail.phases || [];
  const jobs = (detail.nodes || []).filter((node) => isNumber(node.job_end));
  if (!phases.length && !jobs.length) return;
  parent.append(make('h3', {}, 'Nodes over time'));
  const nodes = [...new Set([...phases.map((phase) => phase.node), ...jobs.map((job) => job.rank)])]
    .sort((a, b) => a - b);
  const rowOf = new Map(nodes.map((node, row) => [node, row]));
  const names = [...new Set(phases.map((phase) => phase.name))];
  const height = nodes.length <= 16 ? 18 : nodes.length <= MOST_ROWS ? 11 : 8;
  const last = Math.max(cycles, d3.max(phases, (phase) => phase.end) || 0);
  const place = make('div', {class: nodes.length > MOST_ROWS ? 'scroll phases-place'
    : 'phases-place'});
  parent.append(makeLegend([
    ...(jobs.length ? [['var(--line)', 'job', 'from the start of the job to its end']] : []),
    ...names.map((name, n) => [colourOf(n), name])]), place);

  const chart = makeChart(place, 'phases', 1000, nodes.length * height + 62,
    {left: 70, right: 20, top: 8, bottom: 54});
  const x = d3.scale.linear().domain([0, last]).range([0, chart.width]);
  const y = d3.scale.linear().domain([0, nodes.length]).range([0, nodes.length * height]);
  drawAxes(chart, x, y, 'cycle', 'node', {noGrid: true});
  const every = Math.max(1, Math.ceil(14 / height)) * (nodes.length > 16 ? 2 : 1);
  const ranks = nodes.filter((node, row) => row % every === 0);
  chart.area.select('.axis.y').call(d3.svg.axis().scale(y).orient('left').outerTickSize(0)
    .tickValues(ranks.map((node) => rowOf.get(node) + 0.5)).tickFormat((row) => nodes[row - 0.5]));
  const bar = (node, begin, end) => {
    const left = x(begin), width = Math.max(0.8, x(end) - left), gap = height * 0.12;
    return `M${left.toFixed(1)},${(y(rowOf.get(node)) + gap).toFixed(1)}h${width.toFixed(1)}` +
      `v${(height - 2 * gap).toFixed(1)}h${(-width).toFixed(1)}z`;
  };
  chart.area.append('path').attr({class: 'job',
    d: jobs.map((job) => bar(job.rank, job.job_start, job.job_end)).join('') || 'M0,0'});
  names.forEach((name, n) => {
    chart.area.append('path').attr({class: 'phase', fill: colourOf(n),
      d: phases.filter((phase) => phase.name === name)
        .map((phase) => bar(phase.node, phase.begin, phase.end)).join('')});
  });
  chart.svg.attr('data-bars', phases.length);

  const byNode = d3.map();
  for (const phase of phases) {
    if (!byNode.has(phase.node)) byNode.set(phase.node, []);
    byNode.get(phase.node).push(phase);
  }
  const over = chart.area.append('rect').attr({width: chart.width, height: nodes.length * height,
    fill: 'transparent'});
  explain(over.node(), (event) => {
    const box = over.node().getBoundingClientRect();
    const node = nodes[Math.floor((event.clientY - box.top) / box.height * nodes.length)];
    const cycle = x.invert((event.clientX - box.left) / box.width * chart.width);
    const reach = last / chart.width * 2;
    const here = (byNode.get(node) || [])
      .filter((phase) => phase.begin - reach <= cycle && cycle <= phase.end + reach);
    const job = jobs.find((one) => one.rank === node);
    return [`node ${node}, cycle ${shown(Math.round(cycle))}`,
      ...here.slice(0, 4).map((phase) => `${phase.name}: ${shown(phase.begin)} to ` +
        `${shown(phase.end)}, ${shown(phase.end - phase.begin)} cycles`),
      job && `job: ${shown(job.job_start)} to ${shown(job.job_end)}`];
  });
}

/** Flits a cycle on the links of each class, in each interval. */
function drawActivity(parent, activity) {
  if (!activity || !activity.flits.some((flits) => flits.length)) return;
  parent.append(make('h3', {}, 'Flits over time, by class of links'));
  const {interval, classes} = activity;
  parent.append(makeLegend(classes.map((name, c) => [colourOf(c), name])));
  const place = make('div');
  parent.append(place);
  const chart = makeChart(place, 'activity', 1000, 300, {left: 70, right: 20, top: 12, bottom: 48});
  const curves = activity.flits.map((flits) => flits.map((count, i) =>
    ({cycle: (i + 0.5) * interval, rate: count / interval, begin: i * interval})));
  const intervals = d3.max(curves, (curve) => curve.length);
  const x = d3.scale.linear().domain([0, intervals * interval]).range([0, chart.width]);
  const y = makeScale(curves.flatMap((curve) => curve.map((one) => one.rate)), false,
    [chart.height, 0], true);
  drawAxes(chart, x, y, 'cycle', 'flits per cycle', {});
  const line = d3.svg.line().x((one) => x(one.cycle)).y((one) => y(one.rate));
  curves.forEach((curve, c) => {
    chart.area.append('path').datum(curve).attr({class: 'curve', d: line})
      .style('stroke', colourOf(c));
  });
  const over = chart.area.append('rect').attr({width: chart.width, height: chart.height,
    fill: 'transparent'});
  explain(over.node(), (event) => {
    const box = over.node().getBoundingClientRect();
    const i = Math.min(intervals - 1,
      Math.max(0, Math.floor((event.clientX - box.left) / box.width * intervals)));
    return [`cycles ${shown(i * interval)} to ${shown((i + 1) * interval - 1)}`,
      ...curves.map((curve, c) => curve[i] && `${classes[c]}: ${shown(curve[i].rate)} a cycle`)];
  });
}

function drawTime(parent, run) {
  if (!run.detail) return;
  drawPhases(parent, run.detail, run.cycles);
  drawActivity(parent, run.detail.activity);
}
