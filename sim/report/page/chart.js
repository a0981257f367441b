// Frames of charts: drawing area, axes, scales.
'use strict';

/** An SVG with a drawing area; it is as wide as its place. */
function makeChart(parent, name, width, height, margin) {
  const svg = d3.select(parent).append('svg')
    .attr({class: `chart ${name}`, viewBox: `0 0 ${width} ${height}`, role: 'img',
      'aria-label': name});
  const area = svg.append('g').attr('transform', `translate(${margin.left},${margin.top})`);
  return {
    svg, area,
    width: width - margin.left - margin.right,
    height: height - margin.top - margin.bottom,
  };
}

/** A linear or logarithmic scale over values and into a range. */
function makeScale(values, log, range, fromZero) {
  const usable = values.filter((value) => isNumber(value) && (!log || value > 0));
  let [low, high] = usable.length ? d3.extent(usable) : log ? [1, 10] : [0, 1];
  if (log) {
    if (low === high) [low, high] = [low / 2, high * 2];
    const room = Math.pow(high / low, 0.04);
    return d3.scale.log().domain([low / room, high * room]).range(range);
  }
  if (fromZero) low = Math.min(low, 0);
  if (low === high) [low, high] = [low - (low === 0 ? 0 : 1), high + 1];
  const room = (high - low) * 0.05;
  return d3.scale.linear().domain([low === 0 ? 0 : low - room, high + room]).range(range);
}

/** Whole powers of ten have labels, and where these are few their 2 and 5 fold too. */
function logLabel(scale) {
  const [low, high] = scale.domain();
  const decades = Math.log10(high / low);
  return (value) => {
    const first = Math.round(value / Math.pow(10, Math.floor(Math.log10(value) + 1e-9)));
    const few = decades > 2.5 ? [1] : decades > 0.7 ? [1, 2, 5] : [1, 2, 3, 4, 5, 6, 7, 8, 9];
    return few.includes(first) ? shown(value) : '';
  };
}

/** Whether names fit beside each other below a chart; else they are slanted. */
function fitBeside(names, width) {
  return d3.max(names, (name) => name.length) * names.length * 7 < width * 0.9;
}

/** Axes at the bottom and left with labels, and lines of a grid. */
function drawAxes(chart, x, y, xLabel, yLabel, options) {
  const {area, width, height} = chart;
  const {xLog, yLog, xTicks, noGrid} = options || {};
  const bottom = d3.svg.axis().scale(x).orient('bottom').outerTickSize(0);
  if (xTicks) bottom.tickValues(xTicks);
  else if (xLog) bottom.tickFormat(logLabel(x));
  else if (x.ticks) bottom.ticks(8).tickFormat(shown);
  const left = d3.svg.axis().scale(y).orient('left').outerTickSize(0);
  if (yLog) left.tickFormat(logLabel(y));
  else if (y.ticks) left.ticks(6).tickFormat(shown);
  if (!noGrid) {
    const grid = d3.svg.axis().scale(y).orient('left').tickSize(-width, 0).tickFormat('');
    if (!yLog) grid.ticks(6);
    area.append('g').attr('class', 'grid').call(grid);
  }
  const below = area.append('g').attr({class: 'axis x', transform: `translate(0,${height})`})
    .call(bottom);
  area.append('g').attr('class', 'axis y').call(left);
  if (!x.ticks && !fitBeside(x.domain(), width)) {
    below.selectAll('text').attr({transform: 'rotate(-28)', dx: '-.6em', dy: '.6em'})
      .style('text-anchor', 'end');
  }
  area.append('text').attr({class: 'label', x: width / 2, y: height + (options.xRoom || 38)})
    .style('text-anchor', 'middle').text(xLabel);
  area.append('text').attr({class: 'label', transform: 'rotate(-90)', x: -height / 2, y: -52})
    .style('text-anchor', 'middle').text(yLabel);
}
