// The figures of a run: those that count in large print, all others in a table.
'use strict';

const ERRORS = {
  data: 'words differ from what they must be',
  order: 'packets were refused by a receiver',
  parity: 'packets were dropped for parity',
};

/** Why a run is not verified, in words; empty: it is. */
function failuresOf(run) {
  const failures = [];
  if (run.stopped) failures.push('ended by max_cycles or Ctrl-C before the work was done');
  for (const [kind, count] of Object.entries(run.errors || {})) {
    if (count > 0) failures.push(`${shown(count)} ${ERRORS[kind] || kind}`);
  }
  if (!run.verified && !failures.length) failures.push('the result does not say why');
  return failures;
}

function workloadInWords(workload) {
  if (!workload || typeof workload !== 'object') return '';
  const {collective, traffic, transfers, program, ...others} = workload;
  const names = [collective === 'program' ? null : collective,
    typeof traffic === 'string' ? traffic : null].filter((name) => name);
  if (Array.isArray(traffic)) names.push(traffic.map((part) => inWords('', part)).join(' + '));
  if (Array.isArray(transfers) && transfers.length) names.push(`${transfers.length} transfers`);
  if (program) names.push(`program ${program}`);
  const keys = Object.entries(others)
    .filter(([, value]) => value !== null && value !== '' &&
      (typeof value !== 'object' || (Array.isArray(value) && value.length && value.every(isNumber))))
    .map(([key, value]) => (Array.isArray(value) ? inWords(key, value)
      : `${key} ${shown(value)}`));
  return [names.join(' '), ...keys].filter((part) => part).join(', ');
}

function makeTile(label, figure, more, tone) {
  return make('div', {class: 'tile'},
    make('div', {class: 'label'}, label),
    make('div', {class: `figure ${tone || ''}`}, figure),
    make('div', {class: 'more'}, more));
}

/** What the checks of a run without errors say. */
function verifiedInWords(workload) {
  const {traffic, collective, expect} = workload || {};
  if (traffic) return 'every word of the packets that have arrived';
  if (collective !== 'program') return 'every word or packet at its destination';
  return 'the program returned 0 on every node, ' + (expect
    ? 'and has left the words that it must' : 'what it left in memory is not compared');
}

function makeTiles(run) {
  const tiles = make('div', {class: 'tiles'});
  tiles.append(makeTile('cycles', shown(run.cycles),
    run.startup_cycles ? `${shown(run.startup_cycles)} of them start-up` : ''));
  if (run.bound_cycles) {
    tiles.append(makeTile('lower bound', shown(run.bound_cycles),
      run.bound_by ? `cycles of any schedule, by ${run.bound_by}` : 'cycles of any schedule'));
  }
  const failures = failuresOf(run);
  if (isNumber(run.ratio) && !failures.length) {
    tiles.append(makeTile('ratio', run.ratio.toFixed(3), 'cycles over the lower bound'));
  }
  if (isNumber(run.accepted_rate)) {
    tiles.append(makeTile('accepted rate', shown(run.accepted_rate),
      `of ${shown(run.offered_rate)} offered, flits a node and cycle` +
        (run.saturated ? '; saturated' : run.steady === false ? '; not steady' : ''),
      run.saturated ? 'bad' : ''));
  }
  if (run.latency && isNumber(run.latency.mean)) {
    tiles.append(makeTile('mean latency', shown(run.latency.mean),
      `cycles; 99 % within ${shown(run.latency.p99)}`));
  }
  tiles.append(makeTile('checks', failures.length ? 'failed' : 'verified',
    failures.join('; ') || verifiedInWords(run.config.workload),
    failures.length ? 'bad' : 'good'));
  return tiles;
}

/** A value of a run by its JSON pointer. */
function valueAt(run, pointer) {
  return pointer.slice(1).split('/').reduce(
    (value, key) => (value === null || value === undefined ? value : value[key]), run);
}

// In large print, or in sections of their own.
const NOT_IN_TABLE = /^\/(losses|wrong_data|cycles$|verified$|ratio$|bound_|round_trip|latency)/;

function drawSummary(parent, run, words) {
  parent.append(makeTiles(run));
  const config = run.config;
  const rows = [
    ['network', inWords('', config.topology)],
    ['workload', workloadInWords(config.workload)],
    ['engine', run.stepped ? `${run.engine}, every flit stepped: ${run.stepped}` : run.engine],
    ['processor', config.processor],
  ].filter(([, value]) => value).map(([name, value]) => [name, String(value), '']);
  for (const [pointer, unit, help] of words.figures) {
    if (NOT_IN_TABLE.test(pointer) || pointer === '/engine' || pointer === '/stepped') continue;
    const value = valueAt(run, pointer);
    if (value === null || value === undefined || value === false) continue;
    if (/^\/(errors|faults|barriers$|startup)/.test(pointer) && value === 0) continue;
    if (pointer.startsWith('/barrier_') && !run.barriers) continue;
    rows.push([pointer.slice(1).replace(/\//g, ' ').replace(/_/g, ' '), shown(value),
      [unit, help].filter((part) => part).join(', ')]);
  }
  if (run.round_trip && isNumber(run.round_trip.mean)) {
    const {mean, p50, p99, max} = run.round_trip;
    rows.push(['round trip', `mean ${shown(mean)}, median ${shown(p50)}, 99 % within ` +
      `${shown(p99)}, longest ${shown(max)}`, 'cycles, with the reply']);
  }
  const table = makeTable([{head: ''}, {head: ''}, {head: ''}], rows);
  table.classList.add('summary');
  table.querySelector('thead').remove();
  table.querySelectorAll('td:last-child').forEach((cell) => cell.classList.add('faint'));
  parent.append(table);
  if (run.wrong_data) {
    parent.append(make('h3', {class: 'bad'}, 'The first word that differs'));
    parent.append(makeTable([{head: ''}, {head: ''}], flatten(run.wrong_data)));
  }
  if (run.notes && run.notes.length) {
    parent.append(make('h3', {}, 'Notes'));
    parent.append(make('ul', {class: 'notes'}, ...run.notes.map((note) => make('li', {}, note))));
  }
}

/** Pairs of path and text of all that is in an object. */
function flatten(object, prefix) {
  return Object.entries(object).flatMap(([key, value]) => {
    const path = prefix ? `${prefix} ${key}` : key;
    return value !== null && typeof value === 'object' ? flatten(value, path)
      : [[path.replace(/_/g, ' '), shown(value)]];
  });
}

/** Lists of a run that are tables by nature: transfers, regions of a partition. */
function drawLists(parent, run) {
  if (run.transfers && run.transfers.length) {
    parent.append(make('h3', {}, 'Transfers'));
    parent.append(scrolled(makeTable(
      [{head: 'from'}, {head: 'to'}, {head: 'posted in cycle'}, {head: 'arrived in cycle'}],
      run.transfers.map((one) => [one.from, one.to, one.start, one.end]))));
  }
  if (run.regions && run.regions.length) {
    parent.append(make('h3', {}, 'Regions'));
    parent.append(scrolled(makeTable(
      [{head: 'region'}, {head: 'nodes'}, {head: 'offered'}, {head: 'accepted'},
        {head: 'mean latency'}, {head: 'digest'}],
      run.regions.map((one, r) => [String(r), one.nodes, one.offered_rate, one.accepted_rate,
        one.latency && one.latency.mean, one.digest]))));
  }
}

/** What programs reported: every value, and per name a summary where there are several. */
function drawValues(parent, values) {
  if (!values || !values.length) return;
  parent.append(make('h3', {}, "Programs' values"));
  const names = d3.nest().key((one) => one.name).entries(values);
  if (names.some((one) => one.values.length > 1)) {
    const table = makeTable(
      [{head: 'name'}, {head: 'values'}, {head: 'mean'}, {head: 'least'}, {head: 'greatest'}],
      names.map(({key, values: list}) => {
        const all = list.map((one) => one.value);
        return [key, all.length, sum(all) / all.length, d3.min(all), d3.max(all)];
      }));
    table.classList.add('values-by-name');
    parent.append(table);
  }
  const table = makeTable([{head: 'name'}, {head: 'node'}, {head: 'cycle'}, {head: 'value'}],
    values.map((one) => [one.name, one.node, one.cycle, one.value]));
  table.classList.add('values');
  const all = make('details', {}, make('summary', {}, `all ${shown(values.length)} values`),
    scrolled(table));
  all.open = values.length <= 20;
  parent.append(all);
}
