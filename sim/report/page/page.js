// Draws the sections of a report from the data of the page.
'use strict';

/** How to get the optional parts that a run does not have. */
function drawHints(parent, run) {
  const hints = [];
  if (!run.detail) {
    hints.push(['--detail', 'gives the drawing of links, the histogram of latencies and what ' +
      'happens over time']);
  }
  // Links between crossbars have no such causes.
  if (!run.losses && isNumber(run.full_rate_depth)) {
    hints.push(['--losses', 'gives why links between routers idle']);
  }
  for (const [option, text] of hints) {
    parent.append(make('p', {class: 'hint screen'}, make('code', {}, `weft run ${option}`),
      ` ${text}.`));
  }
}

function drawRun(parent, run, words, ownLosses) {
  drawSummary(parent, run, words);
  drawLatency(parent, run);
  drawLinks(parent, run, words);
  drawTime(parent, run);
  if (ownLosses) drawLosses(parent, lossesOf([run]), words, 'Where the cycles of links go');
  drawValues(parent, run.values);
  drawLists(parent, run);
  drawHints(parent, run);
}

function lossesOf(runs) {
  return runs.filter((run) => run.losses && run.losses.link_cycles)
    .map((run) => ({name: run.name, causes: run.losses.link_cycles}));
}

function drawReport() {
  const {words, results} = JSON.parse(document.getElementById('data').textContent);
  const main = document.getElementById('report'), contents = document.getElementById('contents');
  const addSection = (id, title, draw) => {
    // A page of one result may have its name as title.
    const named = results.length < 2 && title === document.title;
    const section = make('section', {id}, named ? null : make('h2', {}, title));
    main.append(section);
    // What cannot be drawn does not take the rest with it.
    try {
      draw(section);
    } catch (error) {
      section.append(make('p', {class: 'bad'}, `The rest cannot be drawn: ${error.message}`));
      console.error(error.stack);
    }
    contents.append(make('a', {href: `#${id}`}, title));
  };
  const runs = results.filter((result) => result.kind === 'run');
  const together = lossesOf(runs).length > 1;
  if (together) {
    addSection('losses', 'Losses', (section) =>
      drawLosses(section, lossesOf(runs), words, 'Where the cycles of links go, of all runs'));
  }
  results.forEach((result, r) => {
    addSection(`result-${r}`, result.name, (section) => (result.kind === 'sweep'
      ? drawSweep(section, result, words) : drawRun(section, result, words, !together)));
  });
  if (results.length < 2) contents.remove();
}

drawReport();
