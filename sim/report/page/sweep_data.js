// A sweep as columns and curves.
'use strict';

// What a reader sees for a column; any other is its name and unit.
const AXIS_LABELS = {
  'offered_rate': 'offered rate [flits/node/cycle]',
  'accepted_rate': 'accepted rate [flits/node/cycle]',
  'workload.rate': 'offered rate [flits/node/cycle]',
  'latency_mean': 'mean latency [cycles]',
  'latency_p50': 'median latency [cycles]',
  'latency_p99': '99th percentile of latency [cycles]',
  'latency_max': 'largest latency [cycles]',
  'cycles': 'time [cycles]',
  'ratio': 'cycles / lower bound',
  'bound_cycles': 'lower bound [cycles]',
  'router.vc_depth': 'buffer per VC [flits]',
  'workload.message_flits': 'message [flits]',
  'workload.packet_flits': 'packet [flits]',
  'topology.dims': 'nodes',
};
const RATES = ['offered_rate', 'accepted_rate', 'workload.rate'];
const ORDINATES = ['latency_mean', 'ratio', 'cycles'];  // The first that has values.
const WIDE = 20;  // From this quotient of the values on a scale is logarithmic at first.

/** The place at which the lists of a column differ, if it is one; null: there are none. */
function placeThatDiffers(cells) {
  const lists = cells.filter(Array.isArray);
  if (!lists.length || lists.some((list) => list.length !== lists[0].length)) return null;
  const places = lists[0].map((_, p) => p)
    .filter((p) => lists.some((list) => list[p] !== lists[0][p]));
  if (lists[0].length === 1) return 0;
  return places.length === 1 ? places[0] : null;
}

class Sweep {
  constructor(data) {
    this.name = data.name;
    this.columns = data.columns;
    this.names = data.columns.map((column) => column.name);
    this.all = data.rows.map((cells, r) => {
      const row = new Map(cells.map((cell, c) => [this.names[c], cell]));
      return {get: (name) => (row.has(name) ? row.get(name) : null), losses: data.losses[r]};
    });
    this.places = new Map(this.names.map((name) =>
      [name, placeThatDiffers(this.all.map((row) => row.get(name)))]));
    this.settings = data.columns.filter((column) => column.setting && column.name !== 'seed')
      .map((column) => column.name);
    // Runs that were made at the same time have ended in any order.
    const rank = (a, b) => this.settings.reduce(
      (order, name) => order || this.compare(name, a, b), 0);
    this.all.sort(rank);
    this.rows = this.all.filter((row) => row.get('status') === 0);
    this.failed = this.all.filter((row) => row.get('status') !== 0);
  }

  /**
   * A cell of a run as a number, or null. Sizes like [8, 8] are so many nodes; of other lists, like
   * the arguments of programs, it is the element that differs in the sweep, if one does.
   */
  number(row, name) {
    const cell = row.get(name);
    if (!Array.isArray(cell)) return isNumber(cell) ? cell : null;
    if (!/(^|\.)dims$/.test(name)) {
      const one = cell[this.places.get(name)];
      return isNumber(one) ? one : null;
    }
    return cell.length && cell.every(isNumber) ? cell.reduce((product, one) => product * one, 1)
      : null;
  }

  /** The order of two runs by a column: numbers before texts, nothing last. */
  compare(name, a, b) {
    const x = this.number(a, name), y = this.number(b, name);
    if (x !== null && y !== null) return x - y;
    if (x !== null || y !== null) return x !== null ? -1 : 1;
    const p = a.get(name), q = b.get(name);
    if (p === null || q === null) return p === q ? 0 : p === null ? 1 : -1;
    return shown(p).localeCompare(shown(q), 'en', {numeric: true});
  }

  /** Distinct values of a column, as JSON texts. */
  distinct(name, rows) {
    return [...new Set((rows || this.rows).map((row) => JSON.stringify(row.get(name))))];
  }

  varies(name) {
    return this.distinct(name).length > 1;
  }

  isNumeric(name) {
    return this.rows.some((row) => this.number(row, name) !== null);
  }

  /** Columns of numbers; of those that are figures only where they differ. */
  numeric() {
    return this.names.filter((name) => name !== 'status' && this.isNumeric(name));
  }

  defaultX() {
    if (this.names.includes('offered_rate') && this.isNumeric('offered_rate')) {
      return 'offered_rate';
    }
    const varying = this.settings.filter((name) => this.varies(name));
    return varying.find((name) => this.isNumeric(name)) || varying[0] || this.numeric()[0] ||
      this.names[0];
  }

  defaultY() {
    return ORDINATES.find((name) => this.names.includes(name) && this.isNumeric(name)) ||
      this.numeric()[0];
  }

  label(name) {
    const column = this.columns.find((one) => one.name === name);
    const place = this.places.get(name);
    if (/(^|\.)arguments$/.test(name) && place !== null) return `argument ${place}`;
    return AXIS_LABELS[name] || (column.unit ? `${name} [${column.unit}]` : name);
  }

  /** Whether the labels of the sweep tell the value of a setting, which needs no words then. */
  isTold(name) {
    const values = new Map();
    for (const row of this.all) {
      const label = row.get('label');
      if (!label) return false;
      if (!values.has(label)) values.set(label, new Set());
      values.get(label).add(JSON.stringify(row.get(name)));
    }
    return [...values.values()].every((set) => set.size === 1);
  }

  /** What a run is, in words: the settings that differ in the sweep. */
  wordsOf(row) {
    const words = ['series', 'label', ...this.settings, 'engine', 'seed']
      .filter((name) => this.names.includes(name) && this.distinct(name, this.all).length > 1)
      .filter((name) => name === 'label' || !this.isTold(name))
      .filter((name) => row.get(name) !== null && row.get(name) !== '')
      .map((name) => inWords(name, row.get(name)));
    return words.join(', ') || this.name;
  }

  /** The setting that changes along a curve: a measured abscissa follows from one. */
  along(x, series) {
    const varying = this.settings.filter((name) => this.varies(name) && name !== series);
    const numbers = varying.filter((name) => this.isNumeric(name));
    return [x, 'workload.rate', ...numbers].find((name) =>
      this.settings.includes(name) && name !== series) || null;
  }

  /**
   * Curves through the means of the seeds: one for each combination of the settings that are not
   * along it. With `series` they have the names and colours of that column.
   */
  curves(x, y, series) {
    const along = this.along(x, series);
    const others = ['series', 'engine', ...this.settings].filter((name) =>
      this.names.includes(name) && name !== along && this.varies(name));
    if (series && !others.includes(series)) others.push(series);
    const isCategory = !this.isNumeric(x), groups = new Map();
    for (const row of this.rows) {
      const at = isCategory ? JSON.stringify(row.get(x)) : this.number(row, x);
      if (at === null || this.number(row, y) === null) continue;
      const key = JSON.stringify(others.map((name) => row.get(name)));
      if (!groups.has(key)) groups.set(key, new Map());
      const place = JSON.stringify(along ? row.get(along) : row.get(x));
      const points = groups.get(key);
      if (!points.has(place)) points.set(place, []);
      points.get(place).push(row);
    }
    const nameOf = (rows) => {
      const labels = new Set(rows.map((row) => row.get('label')));
      const label = labels.size === 1 && rows[0].get('label') && this.varies('label');
      const words = series ? [series] : label
        ? ['label', ...others.filter((name) => !this.isTold(name))] : others;
      return words.filter((name) => rows[0].get(name) !== null && rows[0].get(name) !== '')
        .map((name) => inWords(name, rows[0].get(name))).join(', ') || this.name;
    };
    const names = [];
    return [...groups.values()].map((points) => {
      const list = [...points.values()].map((rows) => this.pointOf(rows, x, y, isCategory));
      if (!isCategory) list.sort((a, b) => a.order - b.order || a.x - b.x);
      const name = nameOf(list.flatMap((point) => point.rows));
      if (!names.includes(name)) names.push(name);
      return {name, colour: colourOf(names.indexOf(name)), points: list};
    });
  }

  pointOf(rows, x, y, isCategory) {
    const along = this.along(x, null);
    const values = rows.map((row) => this.number(row, y));
    const place = isCategory ? inWords(x, rows[0].get(x))
      : sum(rows.map((row) => this.number(row, x))) / rows.length;
    const order = along ? this.number(rows[0], along) : place;
    return {
      rows, x: place, order: isNumber(order) ? order : 0,
      y: sum(values) / values.length, least: d3.min(values), most: d3.max(values),
      saturated: rows.some((row) => row.get('saturated') === true),
      unsteady: rows.some((row) => row.get('steady') === false),
    };
  }

  /** Of rates linear, as load curves have it; of other values by how far apart they are. */
  isWide(name) {
    const values = this.rows.map((row) => this.number(row, name)).filter(isNumber);
    return !RATES.includes(name) && values.length > 0 && d3.min(values) > 0 &&
      d3.max(values) >= WIDE * d3.min(values);
  }
}
