// Latencies of packets: mean, median, 99th percentile and longest, and their histogram.
'use strict';

const MOST_BARS = 110;

/** Bars of equal width over pairs of cycles and packets. */
function barsOf(latencies) {
  const least = d3.min(latencies, (pair) => pair[0]);
  const most = d3.max(latencies, (pair) => pair[0]);
  const width = Math.max(1, Math.ceil((most - least + 1) / MOST_BARS));
  const bars = d3.range(Math.floor((most - least) / width) + 1)
    .map((bar) => ({begin: least + bar * width, end: least + (bar + 1) * width, packets: 0}));
  for (const [cycles, packets] of latencies) {
    bars[Math.floor((cycles - least) / width)].packets += packets;
  }
  return bars;
}

function drawHistogram(parent, latencies, latency, log) {
  d3.select(parent).selectAll('svg').remove();
  const chart = makeChart(parent, 'histogram', 1000, 330,
    {left: 70, right: 20, top: 34, bottom: 48});
  const bars = barsOf(latencies);
  const x = d3.scale.linear().domain([bars[0].begin, bars[bars.length - 1].end])
    .range([0, chart.width]);
  const most = d3.max(bars, (bar) => bar.packets);
  const y = log ? d3.scale.log().domain([0.5, most * 1.3]).range([chart.height, 0])
    : d3.scale.linear().domain([0, most * 1.08]).range([chart.height, 0]);
  drawAxes(chart, x, y, 'latency [cycles]', 'packets', {yLog: log});
  chart.area.selectAll('rect.bar').data(bars.filter((bar) => bar.packets > 0)).enter()
    .append('rect').attr({
      class: 'bar',
      x: (bar) => x(bar.begin),
      width: (bar) => Math.max(1, x(bar.end) - x(bar.begin) - 0.6),
      y: (bar) => y(bar.packets),
      height: (bar) => chart.height - y(bar.packets),
      fill: COLOURS[0],
    })
    .each(function addText(bar) {
      const cycles = bar.end - bar.begin > 1 ? `${shown(bar.begin)} to ${shown(bar.end - 1)}`
        : shown(bar.begin);
      explain(this, () => [`${cycles} cycles`, `${shown(bar.packets)} packets`]);
    });
  const marks = [['mean', latency.mean], ['median', latency.p50], ['99 %', latency.p99],
    ['longest', latency.max]].filter(([, value]) => isNumber(value));
  // Labels that would overlap are put in rows.
  const ends = [];
  for (const [name, value] of marks.sort((a, b) => a[1] - b[1])) {
    const at = x(value), text = `${name} ${shown(value)}`, half = text.length * 3.3;
    const centre = Math.min(Math.max(at, half), chart.width - half);
    let row = 0;
    while (ends[row] > centre - half - 4) ++row;
    ends[row] = centre + half;
    chart.area.append('line').attr({class: 'mark', x1: at, x2: at, y1: -4, y2: chart.height});
    chart.area.append('text').attr({class: 'note', x: centre, y: -8 - 13 * row})
      .style('text-anchor', 'middle').text(text);
  }
}

function drawLatency(parent, run) {
  const latency = run.latency;
  if (!latency || !latency.packets) return;
  parent.append(make('h3', {}, 'Latency of packets'));
  parent.append(makeTable(
    [{head: 'packets'}, {head: 'mean'}, {head: 'median'}, {head: '99 % within'}, {head: 'longest'}],
    [[latency.packets, latency.mean, latency.p50, latency.p99, latency.max]]));
  const latencies = (run.detail && run.detail.latencies) || [];
  if (!latencies.length) return;
  const place = make('div');
  const control = makeSwitch('packets on a logarithmic scale', 'latency-log', false,
    (log) => drawHistogram(place, latencies, latency, log));
  parent.append(make('div', {class: 'controls'}, control.node), place);
  drawHistogram(place, latencies, latency, false);
}
