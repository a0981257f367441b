// The chart of a sweep.
'use strict';

/** Curves with points; those beyond saturation are hollow, and the lines to them broken. */
function drawSweepChart(parent, sweep, choice) {
  d3.select(parent).selectAll('*').remove();
  const {x: xName, y: yName, series, xLog, yLog} = choice;
  const isCategory = !sweep.isNumeric(xName);
  const fits = (point) => (!xLog || isCategory || point.x > 0) && (!yLog || point.y > 0);
  const curves = sweep.curves(xName, yName, series)
    .map((curve) => ({...curve, points: curve.points.filter(fits)}))
    .filter((curve) => curve.points.length);
  if (!curves.length) {
    parent.append(make('p', {class: 'faint'}, `No run has both ${xName} and ${yName}.`));
    return;
  }
  const points = curves.flatMap((curve) => curve.points);
  const names = isCategory ? [...new Set(points.map((point) => point.x))] : [];
  const below = isCategory && !fitBeside(names, 900) ? 100 : 50;
  const chart = makeChart(parent, 'sweep', 1000, 380 + below,
    {left: 76, right: 24, top: 14, bottom: below});
  const x = isCategory
    ? d3.scale.ordinal().domain(names).rangePoints([0, chart.width], names.length > 4 ? 0.6 : 1.2)
    : makeScale(points.map((point) => point.x), xLog, [0, chart.width], RATES.includes(xName));
  const y = makeScale(points.flatMap((point) => [point.y, point.least, point.most]), yLog,
    [chart.height, 0], !['ratio'].includes(yName));
  drawAxes(chart, x, y, sweep.label(xName), sweep.label(yName),
    {xLog: xLog && !isCategory, yLog, xRoom: below - 10});
  if (yName === 'ratio') drawReference(chart, y, [[0, 1], [chart.width, 1]], 'lower bound');
  if (yName === 'accepted_rate' && ['offered_rate', 'workload.rate'].includes(xName)) {
    const most = Math.min(x.domain()[1], y.domain()[1]);
    const least = Math.max(x.domain()[0], y.domain()[0]);
    drawReference(chart, y, [[x(least), least], [x(most), most]], 'accepted = offered');
  }
  for (const curve of curves) drawCurve(chart, sweep, curve, x, y, choice, isCategory);
  chart.svg.attr({'data-curves': curves.length, 'data-points': points.length});
  const entries = new Map(curves.map((curve) => [curve.name, curve.colour]));
  if (entries.size > 1 || series) {
    parent.append(makeLegend([...entries].map(([name, colour]) => [colour, name])));
  }
  if (points.some((point) => point.saturated)) {
    parent.append(make('p', {class: 'faint'}, 'Hollow points: beyond saturation.'));
  }
}

function drawReference(chart, y, ends, text) {
  const line = d3.svg.line().x((end) => end[0]).y((end) => y(end[1]));
  const [low, high] = y.domain(), last = ends[ends.length - 1];
  if (last[1] < low || last[1] > high) return;
  chart.area.append('path').datum(ends).attr({class: 'reference', d: line});
  chart.area.append('text').attr({class: 'note', x: last[0] - 4, y: y(last[1]) - 5})
    .style('text-anchor', 'end').text(text);
}

function drawCurve(chart, sweep, curve, x, y, choice, isCategory) {
  const line = d3.svg.line().x((point) => x(point.x)).y((point) => y(point.y));
  const {points} = curve;
  // Between names there is nothing to draw a line along.
  for (let p = 1; p < points.length && !isCategory; ++p) {
    chart.area.append('path').datum([points[p - 1], points[p]]).attr({class: 'curve', d: line})
      .style({stroke: curve.colour,
        'stroke-dasharray': points[p - 1].saturated || points[p].saturated ? '5 4' : null});
  }
  for (const point of points) {
    if (point.most > point.least && (!choice.yLog || point.least > 0)) {
      chart.area.append('line').attr({class: 'spread', x1: x(point.x), x2: x(point.x),
        y1: y(point.least), y2: y(point.most)}).style('stroke', curve.colour);
    }
    const circle = chart.area.append('circle').attr({
      class: `point${point.saturated ? ' saturated' : ''}`, cx: x(point.x), cy: y(point.y), r: 4.5,
    }).style({stroke: curve.colour, fill: point.saturated ? 'var(--page)' : curve.colour});
    explain(circle.node(), () => [
      sweep.wordsOf(point.rows[0]),
      `${choice.x}: ${shown(point.x)}`, `${choice.y}: ${shown(point.y)}`,
      point.rows.length > 1 &&
        `mean of ${point.rows.length} runs, ${shown(point.least)} to ${shown(point.most)}`,
      point.saturated ? 'saturated' : point.unsteady && 'not steady: a longer warmup or measure',
    ]);
  }
}
