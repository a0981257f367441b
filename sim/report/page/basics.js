// What the parts of a report share: elements, numbers, tables, controls, the tooltip, colours.
// Data come from anywhere: they reach the page as text nodes only, never as markup.
'use strict';

/** An element with attributes and children; a child that is no element becomes text. */
function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  for (const child of children) {
    if (child === null || child === undefined) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

/** A number as a reader wants it: whole with separators, else four digits. */
function shown(value) {
  if (typeof value !== 'number') {
    if (value === null || value === undefined) return '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return value.toLocaleString('en-US');
  const size = Math.abs(value);
  if (size >= 1e15 || size < 1e-3) return value.toExponential(3);
  const digits = size >= 1000 ? 0 : 3 - Math.floor(Math.log10(size));
  return value.toLocaleString('en-US', {maximumFractionDigits: Math.min(digits, 6)});
}

function isNumber(value) {
  return typeof value === 'number' && isFinite(value);
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/** A list that is no sizes of dimensions. */
function listInWords(list) {
  return list.map((one) => (isNumber(one) ? String(one) : inWords('', one))).join(', ');
}

/** Settings in words: torus 8 × 8, vc_depth 20, arguments 1, 16. */
function inWords(path, value) {
  const key = path.slice(path.lastIndexOf('.') + 1);
  if (Array.isArray(value)) {
    return key === 'dims' ? value.map(shown).join(' × ') : `${key} ${listInWords(value)}`.trim();
  }
  if (value !== null && typeof value === 'object') {
    const words = {};
    for (const name of Object.keys(value).sort()) words[name] = inWords(name, value[name]);
    const network = ['kind', 'dims'].filter((name) => name in words).map((name) => words[name]);
    delete words.kind;
    delete words.dims;
    return [network.join(' '), ...Object.values(words)].filter((part) => part).join(', ');
  }
  const plain = ['kind', 'collective', 'traffic', 'processor', 'engine', 'series', 'label',
    'picked'];
  if (typeof value === 'string' && plain.includes(key)) return value.replace(/_/g, ' ');
  return `${key} ${shown(value)}`;
}

/** A table of cells; a column is {head, help}, a row a list of values. */
function makeTable(columns, rows) {
  const isOf = columns.map((column, c) => rows.some((row) => typeof row[c] === 'number'));
  const align = (c) => (isOf[c] ? 'number' : null);
  const head = make('tr', {}, ...columns.map((column, c) =>
    make('th', {class: align(c), title: column.help || null}, column.head)));
  const body = rows.map((row) => make('tr', {}, ...row.map((value, c) =>
    make('td', {class: align(c)}, value instanceof Node ? value : shown(value)))));
  return make('table', {}, make('thead', {}, head), make('tbody', {}, ...body));
}

/** A table that may be long. */
function scrolled(table) {
  return make('div', {class: 'scroll'}, table);
}

/** A menu of [value, text]; `change` gets the value that is selected. */
function makeMenu(label, name, options, value, change) {
  const select = make('select', {name}, ...options.map(([of, text]) =>
    make('option', {value: of}, text)));
  select.value = value;
  select.addEventListener('change', () => change(select.value));
  return {node: make('label', {}, label, select), select};
}

function makeSwitch(label, name, value, change) {
  const input = make('input', {type: 'checkbox', name});
  input.checked = value;
  input.addEventListener('change', () => change(input.checked));
  return {node: make('label', {}, input, label), input};
}

function makeButton(label, name, press) {
  const button = make('button', {type: 'button', name}, label);
  button.addEventListener('click', press);
  return button;
}

/** Shows lines of text beside the pointer, or hides them where there are none. */
function showTooltip(event, lines) {
  let box = document.getElementById('tooltip');
  if (!box) {
    box = make('div', {id: 'tooltip', hidden: ''});
    document.body.append(box);
  }
  box.hidden = !lines;
  if (!lines) return;
  box.textContent = lines.filter((line) => line).join('\n');
  const size = box.getBoundingClientRect();
  const left = event.clientX + 16 + size.width > innerWidth ? event.clientX - 12 - size.width
    : event.clientX + 16;
  const top = Math.min(event.clientY + 14, innerHeight - size.height - 6);
  box.style.left = `${Math.max(left, 4)}px`;
  box.style.top = `${Math.max(top, 4)}px`;
}

/** Lines of text appear while the pointer is over a node. */
function explain(node, lines) {
  node.addEventListener('mousemove', (event) => showTooltip(event, lines(event)));
  node.addEventListener('mouseleave', (event) => showTooltip(event, null));
}

/** Curves and kinds of things, told apart on a light and on a dark page. */
const COLOURS = ['#3b7dd8', '#e07b28', '#2f9e62', '#cf4a46', '#8a63c9', '#8f6a4f', '#d763a8',
  '#7a8290', '#a09a22', '#2ba7b8'];

function colourOf(index) {
  return COLOURS[index % COLOURS.length];
}

/** A list of colours and what they mean. */
function makeLegend(entries) {
  return make('div', {class: 'legend'}, ...entries.map(([colour, text, help]) => {
    const sample = make('i');
    sample.style.background = colour;
    return make('span', {title: help || null}, sample, text);
  }));
}

const darkScreen = matchMedia('(prefers-color-scheme: dark)');
let onPaper = false;

function isDark() {
  return darkScreen.matches && !onPaper;
}

/** Calls `draw` when the colours change; charts of SVG follow the style sheet by themselves. */
function onColours(draw) {
  darkScreen.addEventListener('change', draw);
  addEventListener('beforeprint', () => {
    onPaper = true;
    draw();
  });
  addEventListener('afterprint', () => {
    onPaper = false;
    draw();
  });
}

/**
 * A scale from 0 to 1 whose lightness (CIE L) changes evenly, away from the page's, so that equal
 * differences look equal: yellow, red, violet.
 */
function evenColours(dark) {
  const steps = 256;
  const table = d3.range(steps).map((step) => {
    const t = step / (steps - 1);
    const lightness = dark ? 30 + 62 * t : 88 - 64 * t;
    const part = dark ? 1 - t : t;
    return d3.hcl(95 - 165 * part, (dark ? 34 : 36) + (dark ? 20 : 26) * Math.sin(Math.PI * part), lightness).toString();
  });
  return (t) => table[Math.round(Math.max(0, Math.min(1, t)) * (steps - 1))];
}
