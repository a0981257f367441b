// The section of a sweep: its chart with controls, failed runs, losses, the table of results.
'use strict';

function drawSweepControls(parent, sweep) {
  const numeric = sweep.numeric();
  if (!numeric.length) return;
  const choice = {x: sweep.defaultX(), y: sweep.defaultY(), series: ''};
  const isUsable = (name) => name !== 'failure' &&
    sweep.rows.some((row) => row.get(name) !== null && row.get(name) !== '');
  const place = make('div', {class: 'sweep-chart'});
  const draw = () => drawSweepChart(place, sweep, choice);
  const option = (name) => [name, name];
  // A scale starts as suits its column.
  const setLog = (axis, control) => {
    choice[`${axis}Log`] = sweep.isWide(choice[axis]);
    control.input.checked = choice[`${axis}Log`];
    control.input.disabled = !sweep.rows.some((row) => sweep.number(row, choice[axis]) > 0);
  };
  const xLog = makeSwitch('log x', 'x-log', false, (on) => {
    choice.xLog = on;
    draw();
  });
  const yLog = makeSwitch('log y', 'y-log', false, (on) => {
    choice.yLog = on;
    draw();
  });
  const y = makeMenu('y', 'y', numeric.map(option), choice.y, (name) => {
    choice.y = name;
    setLog('y', yLog);
    draw();
  });
  const x = makeMenu('x', 'x', sweep.names.filter(isUsable).map(option), choice.x, (name) => {
    choice.x = name;
    setLog('x', xLog);
    draw();
  });
  const bySeries = sweep.names.filter((name) => isUsable(name) && sweep.varies(name) &&
    sweep.distinct(name).length <= 40);
  const series = makeMenu('series', 'series',
    [['', 'all that differs'], ...bySeries.map(option)], '', (name) => {
      choice.series = name;
      draw();
    });
  setLog('x', xLog);
  setLog('y', yLog);
  parent.append(make('div', {class: 'controls'}, y.node, x.node, series.node, yLog.node,
    xLog.node), place);
  draw();
}

/** Lists and objects in words, all else as it is. */
function cellOf(name, value) {
  if (value === null || typeof value !== 'object') return value;
  return Array.isArray(value) && !/(^|\.)dims$/.test(name) ? listInWords(value)
    : inWords(name, value);
}

function drawSweepTable(parent, sweep) {
  parent.append(make('h3', {}, 'Results'));
  const state = {by: null, down: false, all: false};
  const same = sweep.names.filter((name) => sweep.distinct(name, sweep.all).length < 2);
  const place = make('div', {class: 'scroll results'}), says = make('p', {class: 'faint'});
  const draw = () => {
    const names = sweep.names.filter((name) => state.all || !same.includes(name));
    const rows = [...sweep.all];
    if (state.by !== null) {
      rows.sort((a, b) => {
        const order = sweep.compare(state.by, a, b);
        return state.down ? -order : order;
      });
    }
    const help = (name) => {
      const column = sweep.columns.find((one) => one.name === name);
      return [column.unit, column.help].filter((part) => part).join(', ');
    };
    const table = makeTable(names.map((name) => ({
      head: name + (name === state.by ? (state.down ? ' ▼' : ' ▲') : ''), help: help(name),
    })), rows.map((row) => names.map((name) => cellOf(name, row.get(name)))));
    table.querySelectorAll('th').forEach((cell, c) => {
      cell.classList.add('sortable');
      cell.dataset.column = names[c];
      cell.addEventListener('click', () => {
        state.down = state.by === names[c] && !state.down;
        state.by = names[c];
        draw();
      });
    });
    table.querySelectorAll('tbody tr').forEach((line, r) => {
      if (rows[r].get('status') !== 0) line.classList.add('bad');
    });
    place.replaceChildren(table);
    const named = same.filter((name) => sweep.all[0].get(name) !== null &&
      sweep.all[0].get(name) !== '');
    says.textContent = state.all || !named.length ? ''
      : `The same in all: ${named.map((name) => `${name} ${shown(sweep.all[0].get(name))}`)
        .join(', ')}.`;
  };
  if (same.length) {
    parent.append(make('div', {class: 'controls'},
      makeSwitch('columns that are the same in all', 'all-columns', false, (on) => {
        state.all = on;
        draw();
      }).node));
  }
  draw();
  parent.append(place, says);
}

function drawSweep(parent, data, words) {
  const sweep = new Sweep(data);
  const saturated = sweep.rows.filter((row) => row.get('saturated') === true).length;
  const tiles = make('div', {class: 'tiles'},
    makeTile('runs', shown(sweep.all.length), sweep.settings.filter((name) =>
      sweep.distinct(name, sweep.all).length > 1).join(', ')),
    makeTile('failed', shown(sweep.failed.length), '', sweep.failed.length ? 'bad' : 'good'));
  if (saturated) tiles.append(makeTile('saturated', shown(saturated), 'hollow in the chart'));
  const ratios = sweep.rows.map((row) => row.get('ratio')).filter(isNumber);
  if (ratios.length) {
    tiles.append(makeTile('ratio', `${d3.min(ratios).toFixed(3)} to ${d3.max(ratios).toFixed(3)}`,
      'cycles over the lower bound'));
  }
  parent.append(tiles);
  drawSweepControls(parent, sweep);
  if (sweep.failed.length) {
    parent.append(make('div', {class: 'failure'}, make('strong', {class: 'bad'}, 'Failed runs'),
      make('ul', {}, ...sweep.failed.map((row) => make('li', {}, `${sweep.wordsOf(row)}: ` +
        `${row.get('failure') || `status ${row.get('status')}`}`)))));
  }
  const bars = sweep.rows.filter((row) => row.losses)
    .map((row) => ({name: sweep.wordsOf(row), causes: row.losses}));
  drawLosses(parent, bars, words, 'Where the cycles of links go');
  drawSweepTable(parent, sweep);
}
