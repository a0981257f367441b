// Why links idled: the cycles of all links between routers by cause, a bar for each run.
'use strict';

// Moved flits are green, waits warm, links without a packet blue and grey.
const CAUSE_COLOURS = {
  header: '#1b7f4b', body: '#5cb88a', credit: '#d9483b', vc: '#e98b2a', pipeline: '#8a63c9',
  hol_blocked: '#b0307a', gap_upstream: '#c9b037', nothing_backlog: '#33629f',
  nothing_barrier: '#5b8fcf', nothing_program: '#93bbe6', nothing_end: '#b4bcc6',
  nothing_source: '#8b95a1',
};

function causeColour(cause, index) {
  return CAUSE_COLOURS[cause] || colourOf(index);
}

/** Bars of {name, causes}, `causes` being link-cycles by cause; shares of each bar, or cycles. */
function drawLossBars(parent, bars, causes, asShare) {
  d3.select(parent).selectAll('svg').remove();
  const height = bars.length <= 12 ? 30 : 18;
  const letters = d3.max(bars, (bar) => Math.min(bar.name.length, 44));
  const left = Math.max(70, letters * 6.7 + 14);
  const chart = makeChart(parent, 'losses', 1000, bars.length * height + 58,
    {left, right: 24, top: 8, bottom: 50});
  const total = (bar) => sum(Object.values(bar.causes)) || 1;
  const most = asShare ? 100 : d3.max(bars, total);
  const x = d3.scale.linear().domain([0, most]).range([0, chart.width]);
  const y = d3.scale.ordinal().domain(d3.range(bars.length)).rangeBands([0, chart.height], 0.25);
  chart.area.append('g').attr({class: 'axis', transform: `translate(0,${chart.height})`})
    .call(d3.svg.axis().scale(x).orient('bottom').ticks(8).outerTickSize(0).tickFormat(shown));
  chart.area.append('text').attr({class: 'label', x: chart.width / 2, y: chart.height + 38})
    .style('text-anchor', 'middle')
    .text(asShare ? 'cycles of links between routers [%]' : 'cycles of links between routers');
  bars.forEach((bar, b) => {
    const name = bar.name.length > 44 ? `${bar.name.slice(0, 43)}…` : bar.name;
    const label = chart.area.append('text').attr({class: 'label', x: -8,
      y: y(b) + y.rangeBand() / 2, dy: '.35em'}).style('text-anchor', 'end').text(name);
    explain(label.node(), () => [bar.name]);
    let before = 0;
    causes.forEach(([cause, help], c) => {
      const cycles = bar.causes[cause] || 0;
      if (!cycles) return;
      const part = asShare ? 100 * cycles / total(bar) : cycles;
      const rect = chart.area.append('rect').attr({class: 'loss', x: x(before), y: y(b),
        width: x(part), height: y.rangeBand(), fill: causeColour(cause, c)});
      explain(rect.node(), () => [bar.name, `${cause.replace(/_/g, ' ')}: ${help}`,
        `${shown(cycles)} link-cycles, ${(100 * cycles / total(bar)).toFixed(1)} %`]);
      before += part;
    });
  });
}

/** The section with a heading of its own, of one or several runs. */
function drawLosses(parent, bars, words, heading) {
  if (!bars.length) return;
  const found = new Set(bars.flatMap((bar) => Object.entries(bar.causes)
    .filter(([, cycles]) => cycles > 0).map(([cause]) => cause)));
  const causes = words.causes.filter(([cause]) => found.has(cause));
  parent.append(make('h3', {}, heading));
  const place = make('div');
  const control = makeSwitch('cycles instead of shares', 'losses-cycles', false,
    (on) => drawLossBars(place, bars, causes, !on));
  parent.append(make('div', {class: 'controls'}, control.node),
    makeLegend(causes.map(([cause, help], c) =>
      [causeColour(cause, c), cause.replace(/_/g, ' '), help])), place);
  drawLossBars(place, bars, causes, true);
}
