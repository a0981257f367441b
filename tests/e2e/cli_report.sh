#!/usr/bin/env bash
# Pages of `weft report`: errors, what a page may not load, and in headless Chromium what is drawn
# and what the controls change.
source "$(dirname "$0")/lib.sh"

# The results: an all-to-all with losses, traffic, and a sweep of which some runs fail or saturate.
$weft run torus32_uniform --set topology.dims=[4,4] --set processor=native --set \
  'workload={"collective": "a2a"}' --losses --links links.csv --json plain.json >/dev/null ||
  fail "the all-to-all does not run"
$weft run torus32_uniform --set topology.dims=[4,4] --set workload.rate=0.3 --set \
  workload.measure=2000 --latencies latencies.csv --json traffic_plain.json >/dev/null ||
  fail "the traffic does not run"
cat >sweep.json <<'END'
{"base": "torus32_uniform",
 "set": {"topology.dims": [4, 4], "workload.warmup": 200, "workload.measure": 300},
 "axes": [{"router.vcs": [1, 2, 4]}, {"router.vc_depth": [2, 8]},
          {"workload.rate": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]}]}
END
$weft sweep sweep.json -o load >/dev/null 2>&1
is "$?" 2 "status of a sweep with networks that can deadlock"
cat >kinds.json <<'END'
{"base": "torus32_uniform", "losses": true,
 "set": {"processor": "native", "topology.dims": [3, 3], "workload": {"collective": "a2a"}},
 "axes": [{"topology.kind": ["mesh", "torus"]}]}
END
$weft sweep kinds.json -o kinds >/dev/null 2>&1 || fail "the sweep of two kinds does not run"

# What --detail adds, by hand: blocks of a torus of n x n nodes, its links with their flits,
# phases and curves; names of untrusted text.
python3 - <<'END'
import csv, json, os

def torus(n, flits_of):
    blocks = [{"name": f"nic_{i}", "kind": "nic", "x": i % n + 0.3, "y": i // n + 0.3}
              for i in range(n * n)]
    blocks += [{"name": f"router_{i}", "kind": "router", "x": i % n, "y": i // n}
               for i in range(n * n)]
    links = []
    def add(a, b, of, wrap=False):
        link = {"link": 2 * len(links), "from": a, "from_port": 0, "to": b, "to_port": 1,
                "class": of, "stages": 0, "flits": flits_of(len(links)), "wrap": wrap}
        if of != "interface":
            link["idle"] = {"header": 3, "credit": 5 * len(links), "vc": len(links) % 7}
        links.append(link)
    for i in range(n * n):
        add(i, n * n + i, "interface")
        add(n * n + i, i, "interface")
        x, y = i % n, i // n
        for d, (to, last) in enumerate([((x + 1) % n + y * n, x == n - 1),
                                        (x + (y + 1) % n * n, y == n - 1)]):
            add(n * n + i, n * n + to, f"dimension {d}", last)
            add(n * n + to, n * n + i, f"dimension {d}", last)
    nodes = [{"rank": i, "flits_sent": 40 + i, "flits_received": 38, "job_start": i,
              "job_end": 300 + i} for i in range(n * n)]
    return {"blocks": blocks, "links": links, "nodes": nodes}

bad = "</script><script>document.title = 'broken'</script><!--<img src=x onerror=alert(1)>"
flits = [int(row["flits"]) for row in csv.DictReader(open("links.csv"))]
result = json.load(open("plain.json"))
detail = torus(4, lambda l: flits[l % len(flits)])
detail["phases"] = [{"node": i, "name": name, "begin": 20 * p + i, "end": 20 * p + i + 15}
                    for i in range(16) for p, name in enumerate(["reduce", "send", bad])]
detail["activity"] = {"interval": 16, "classes": ["interface", "dimension 0", bad],
                      "flits": [[3, 4, 5, 4], [1, 2, 3, 1], [2, 2, 2, 2]]}
result.update(detail=detail, unknown={"member": [1]}, notes=[bad])
result["values"] = [{"name": name, "node": i, "cycle": 9 * i, "value": i * i}
                    for i in range(3) for name in ("sum", bad)]
result["config"]["workload"]["program"] = bad
json.dump(result, open("a2a.json", "w"))

result = json.load(open("traffic_plain.json"))
rows = list(csv.DictReader(open("latencies.csv")))
result["detail"] = {**torus(8, lambda l: l), "latencies":
                    [[int(row["cycles"]), int(row["packets"])] for row in rows]}
json.dump(result, open("traffic.json", "w"))

result["detail"] = torus(32, lambda l: l % 97)
result["detail"]["phases"] = [{"node": i, "name": "job", "begin": b, "end": b + 9}
                              for i in range(1024) for b in range(0, 100, 10)]
json.dump(result, open("large.json", "w"))

def broken(name, **changes):
    result = json.load(open("a2a.json"))
    for path, value in changes.items():
        at = result
        *keys, last = path.split("__")
        for key in keys:
            at = at[int(key) if isinstance(at, list) else key]
        at[int(last) if isinstance(at, list) else last] = value
    json.dump(result, open(name, "w"))

broken("bad_end.json", detail__links__3__to=99)
broken("bad_flits.json", detail__links__3__flits="many")
broken("bad_idle.json", detail__links__2__idle__credit=[])
broken("bad_block.json", detail__blocks__0__x=None)
broken("bad_phase.json", detail__phases__5__node=-1)
broken("bad_curve.json", detail__activity__flits=[[1]])
broken("bad_pair.json", detail__latencies=[[1, 2, 3]])
broken("bad_errors.json", errors=5)
broken("bad_cycles.json", cycles="many")
good = json.load(open("a2a.json"))
json.dump({"config": good["config"], "engine": "model", "failure": "node 0, cycle 18: wrong",
           "values": []}, open("failed.json", "w"))
broken("bad_value.json", values=[{"name": "sum", "node": 0, "cycle": 1}])
json.dump({"blocks": 1}, open("other.json", "w"))

# A program that nothing compares with, a run with wrong data, a sweep of a program's arguments.
result = json.load(open("plain.json"))
result["config"]["workload"] = {"collective": "program", "program": "a.elf", "arguments": [3, 5]}
json.dump(result, open("program.json", "w"))
os.mkdir("arguments")
with open("arguments/results.jsonl", "w") as lines:
    for arguments in [16, 5], [9, 5]:
        result["config"]["workload"]["arguments"] = arguments
        result.update(status=0, settings={"workload.arguments": arguments})
        lines.write(json.dumps(result) + "\n")
broken("wrong.json", errors__data=7, verified=False,
       failure="7 data, 0 refused, 0 parity errors")
open("text.json", "w").write('{"config": {},\n "engine": model}\n')
END

report="$weft report"
# Unusable results: the file, where in it, and what is expected; no page is begun.
expect 2 "text.json: line 2, column 12: value \"model}\\n\": expected: JSON" \
  $report text.json -o page.html
expect 2 "other.json: /engine: missing: expected: a result of" $report other.json -o page.html
expect 2 "nowhere.json: cannot be read: No such file or directory" $report nowhere.json -o page.html
expect 2 "bad_end.json: /detail/links/3/to: value 99: expected: a whole number from 0 to 31" \
  $report bad_end.json -o page.html
expect 2 'bad_flits.json: /detail/links/3/flits: value "many": expected: a number' \
  $report plain.json bad_flits.json -o page.html
expect 2 "bad_idle.json: /detail/links/2/idle/credit: value []: expected: a number" \
  $report bad_idle.json -o page.html
expect 2 "bad_block.json: /detail/blocks/0/x: value null: expected: a number" \
  $report bad_block.json -o page.html
expect 2 "bad_phase.json: /detail/phases/5/node: value -1: expected: a whole number" \
  $report bad_phase.json -o page.html
expect 2 "bad_curve.json: /detail/activity/flits: " $report bad_curve.json -o page.html
expect 2 "bad_pair.json: /detail/latencies/0: value [1,2,3]" $report bad_pair.json -o page.html
expect 2 "bad_errors.json: /errors: value 5: expected: an object" \
  $report bad_errors.json -o page.html
expect 2 'bad_cycles.json: /cycles: value "many": expected: a number' \
  $report bad_cycles.json -o page.html
expect 2 'failed.json: /failure: value "node 0, cycle 18: wrong": expected: the result of a run' \
  $report failed.json -o page.html
expect 2 "bad_value.json: /values/0/value: missing" $report bad_value.json -o page.html
mkdir empty bare
: >empty/results.jsonl
expect 2 "empty/results.jsonl: expected: a line for each run" $report empty -o page.html
expect 2 "bare: expected: a folder with results.jsonl" $report bare -o page.html
cp -r load torn
printf '{"engine": "model"}\n' >>torn/results.jsonl
expect 2 "torn/results.jsonl: line 61: /config: missing" $report torn -o page.html
expect 2 "RESULT is required" $report -o page.html
expect 2 "-o is required" $report plain.json
cp plain.json same.json
ln -s same.json link.html
expect 2 "-o: value link.html: expected: a file that this command does not read" \
  $report same.json -o link.html
expect 2 "expected: a file that this command does not read" $report load -o load/results.csv
cmp -s plain.json same.json || fail "an input was written"
expect 2 "nowhere/page.html: cannot be written" $report plain.json -o nowhere/page.html
expect 2 "page.html: cannot be written: File too large" \
  bash -c 'ulimit -f 40; exec "$@"' bash $report plain.json -o page.html
ls page.html .page.html* >/dev/null 2>&1 && fail "a page of unusable results"
if unshare -rm mount -t tmpfs none /usr/share/javascript 2>/dev/null; then
  expect 2 "expected: the library d3: package libjs-d3 has it" unshare -rm bash -c \
    'mount -t tmpfs none /usr/share/javascript && exec "$@"' bash $report plain.json -o page.html
else
  echo "SKIPPED: no file system can be mounted here: report without d3"
fi

# Pages: one for each browser check.
expect 0 "all.html" $report a2a.json traffic.json load plain.json -o all.html \
  --title "Tori </title><script>document.title = 'broken'</script>"
expect 0 "large.html" $report large.json -o large.html
# A last line without its end is a run that was being written.
printf '{"engine": "mo' >>load/results.jsonl
expect 0 "small.html" $report plain.json kinds -o small.html
expect 0 "stopped.html" $report load -o stopped.html
expect 0 "words.html" $report program.json wrong.json arguments -o words.html
size=$(stat -c %s all.html)
((size < 2000000)) || fail "$size bytes of two networks and a sweep of 60 points"
# No element loads anything; names of XML namespaces are no addresses to load from.
for page in all.html small.html; do
  grep -qE '(src|href|action|data|poster)=["'\'']?(https?:)?//|@import|url\(' $page &&
    fail "$page loads something"
  grep -q 'default-src .none.' $page || fail "$page does not forbid loads"
done

cat >all.js <<'END'
const data = JSON.parse(one('#data').textContent).results;
const section = (r) => one(`#result-${r}`);
is(document.scripts.length, 3, 'scripts: names are no markup');
check(document.title.startsWith('Tori </title>'), `title: ${document.title}`);
is(all('img').length, 0, 'images');
is(all('main > section').length, 5, 'sections: losses of two runs, and four results');
is(all('nav a').length, 5, 'links of the contents');
check(!('unknown' in data[0]), 'a member that is not known was taken over');

// The all-to-all: its figures, links, bars, curves.
const tiles = (r) => [...section(r).querySelectorAll('.tile')].map((tile) => tile.textContent);
check(tiles(0).some((text) => text.includes(data[0].ratio.toFixed(3))), 'no tile of the ratio');
check(tiles(0).some((text) => text.includes('verified')), 'no tile of the checks');
check(section(0).querySelector('.notes').textContent.includes('<img src=x'), 'notes');
const canvas = section(0).querySelector('canvas'), links = data[0].detail.links;
is(Number(canvas.dataset.links), links.length, 'links in the drawing');
is(Number(canvas.dataset.drawn), links.length + links.filter((link) => link.wrap).length,
  'lines in the drawing, two for each link that closes a ring');
const ofBlocks = LinkMap.prototype.greatestOfBlocks.call({detail: data[0].detail},
  (link) => link.flits, () => true);
check(links.every((link) => ofBlocks.get(link.from) >= link.flits &&
  ofBlocks.get(link.to) >= link.flits), 'a node has not the colour of its busiest link');
const scale = section(0).querySelector('.scale');
is(Number(scale.dataset.most), Math.max(...links.map((link) => link.flits)), 'end of the scale');
for (const dark of [false, true]) {
  const lightness = d3.range(256).map((step) => d3.lab(evenColours(dark)(step / 255)).l);
  const even = (lightness[255] - lightness[0]) / 255;
  check(lightness.every((l, step) => Math.abs(l - lightness[0] - step * even) < 1),
    'the lightness of the colours does not change evenly');
}
const flits = canvas.toDataURL(), busiest = section(0).querySelector('.busiest').textContent;
is(section(0).querySelectorAll('.busiest tbody tr').length, 10, 'busiest links');
choose('measure', 'credit');
is(Number(scale.dataset.most), Math.max(...links.map((link) => (link.idle || {}).credit || 0)),
  'end of the scale of credit');
check(canvas.toDataURL() !== flits, 'the drawing is the same for another cause');
check(section(0).querySelector('.busiest').textContent !== busiest, 'the same busiest links');
const shown = canvas.toDataURL();
section(0).querySelector('.busiest tbody tr').click();
await frame();
check(canvas.toDataURL() !== shown, 'the link that was pressed is not marked');
toggle('interfaces');
is(Number(canvas.dataset.links), links.filter((link) => link.class !== 'interface').length,
  'links without those of interfaces');
const before = canvas.toDataURL();
section(0).querySelector('[name=zoom-in]').click();
await frame();
check(canvas.toDataURL() !== before, 'zooming changes nothing');
section(0).querySelector('[name=zoom-reset]').click();
await frame();
check(canvas.toDataURL() === before, 'the whole network is not as before');

// The wheel alone scrolls the page; with Ctrl it zooms. Dragging moves.
canvas.scrollIntoView();
const middle = canvas.getBoundingClientRect();
const pointer = (kind, x, more) => new kind.of(kind.name, {bubbles: true, cancelable: true,
  view: window, clientX: middle.left + x, clientY: middle.top + 100, ...more});
const wheel = {of: WheelEvent, name: 'wheel'}, mouse = (name) => ({of: MouseEvent, name});
canvas.dispatchEvent(pointer(wheel, 100, {deltaY: -200}));
await frame();
check(canvas.toDataURL() === before, 'the wheel alone zooms');
canvas.dispatchEvent(pointer(wheel, 100, {deltaY: -200, ctrlKey: true}));
await frame();
check(canvas.toDataURL() !== before, 'Ctrl and the wheel change nothing');
section(0).querySelector('[name=zoom-reset]').click();
await frame();
canvas.dispatchEvent(pointer(mouse('mousedown'), 100));
window.dispatchEvent(pointer(mouse('mousemove'), 150));
window.dispatchEvent(pointer(mouse('mouseup'), 150));
await frame();
check(canvas.toDataURL() !== before, 'dragging changes nothing');
section(0).querySelector('[name=zoom-reset]').click();
await frame();
check(canvas.toDataURL() === before, 'the whole network is not as before dragging');

// The pointer: every place of the drawing, until it is over a link and over a block.
toggle('interfaces');
canvas.scrollIntoView();
const box = canvas.getBoundingClientRect(), texts = [];
for (let x = 2; x < box.width; x += 6) {
  for (let y = 2; y < box.height; y += 12) {
    canvas.dispatchEvent(new MouseEvent('mousemove',
      {clientX: box.left + x, clientY: box.top + y, bubbles: true}));
    if (!one('#tooltip').hidden) texts.push(one('#tooltip').textContent);
  }
}
check(texts.some((text) => /^link \d+: router_\d+ port 0 → .*credit: \d/s.test(text)),
  'no numbers of a link');
check(texts.some((text) => /nic_3.*43 flits sent, 38 received.*job from/s.test(text)),
  'no numbers of a node');

is(Number(section(0).querySelector('svg.phases').dataset.bars), 48, 'phases');
is(section(0).querySelectorAll('path.phase').length, 3, 'kinds of phases');
is((section(0).querySelector('path.phase').getAttribute('d').match(/M/g) || []).length, 16,
  'bars of a kind of phase');
is(section(0).querySelectorAll('svg.activity .curve').length, 3, 'curves of classes');
is(section(0).querySelectorAll('.values tbody tr').length, 6, 'values');
is(section(0).querySelectorAll('.values-by-name tbody tr').length, 2, 'names of values');
check(section(0).querySelector('.values-by-name').textContent.includes('sum31.66704'),
  'mean, least and greatest value');

// Losses of two runs, one beside the other.
is(new Set([...one('#losses').querySelectorAll('rect.loss')].map((rect) =>
  rect.getAttribute('y'))).size, 2, 'bars of losses');
const axis = () => one('#losses svg .axis').textContent;
check(axis().endsWith('100'), 'shares of losses');
toggle('losses-cycles');
check(!axis().endsWith('100'), 'cycles of losses');

// Traffic: the histogram has all packets.
const bars = [...section(1).querySelectorAll('rect.bar')];
check(bars.length > 5, `${bars.length} bars of latencies`);
is(bars.reduce((total, bar) => total + bar.__data__.packets, 0), data[1].latency.packets,
  'packets in the histogram');
check(tiles(1).some((text) => text.includes('packets that have arrived')), 'checks of traffic');
const height = bars[bars.length - 1].getAttribute('height');
toggle('latency-log');
const last = [...section(1).querySelectorAll('rect.bar')].pop();
is(section(1).querySelectorAll('rect.bar').length, bars.length, 'bars on the other scale');
check(last.getAttribute('height') > height, 'the logarithmic scale changes nothing');
is(section(1).querySelectorAll('line.mark').length, 4, 'mean, median, 99 %, longest');

// The sweep: two curves of each number of VCs that works, failed runs, saturated points.
const chart = () => section(2).querySelector('svg.sweep');
is(Number(chart().dataset.curves), 4, 'curves');
is(chart().querySelectorAll('circle').length, 40, 'points');
const hollow = chart().querySelectorAll('circle.saturated').length;
check(hollow > 3 && hollow < 37, `${hollow} saturated points`);
is(section(2).querySelectorAll('.failure li').length, 20, 'failed runs');
check(section(2).querySelector('.failure li').textContent.includes('deadlock'), 'their cause');
is(section(2).querySelectorAll('.results tbody tr').length, 60, 'rows of the table');
is(one('select[name=y]').value, 'latency_mean', 'y at first');
is(one('select[name=x]').value, 'offered_rate', 'x at first');
const places = () => [...chart().querySelectorAll('circle')]
  .map((circle) => `${circle.getAttribute('cx')},${circle.getAttribute('cy')}`).join(' ');
let was = places();
const changed = (text) => {
  check(places() !== was, `${text} changes nothing`);
  was = places();
};
choose('y', 'accepted_rate');
changed('another y');
is(chart().querySelectorAll('.reference').length, 1, 'accepted = offered');
toggle('y-log');
changed('a logarithmic y');
choose('x', 'router.vc_depth');
changed('another x');
is(Number(chart().dataset.curves), 20, 'curves over the buffers: VCs and rates');
choose('series', 'router.vcs');
is(section(2).querySelectorAll('.sweep-chart .legend span').length, 2, 'names of curves');
is(new Set([...chart().querySelectorAll('circle')].map((circle) => circle.style.stroke)).size, 2,
  'colours of curves');
const column = (name) => {
  const heads = [...section(2).querySelectorAll('.results th')];
  return heads.findIndex((head) => head.dataset.column === name);
};
const sort = (name) => section(2).querySelectorAll('.results th')[column(name)].click();
const cells = (name) => [...section(2).querySelectorAll('.results tbody tr')]
  .map((row) => row.cells[column(name)].textContent).filter((text) => text)
  .map((text) => Number(text.replace(/,/g, '')));
sort('latency_mean');
check(cells('latency_mean').every((value, i, list) => !i || list[i - 1] <= value), 'sorting');
sort('latency_mean');
check(cells('latency_mean')[0] > cells('latency_mean')[39], 'sorting down');
is(column('engine'), -1, 'a column that is the same in all');
toggle('all-columns');
check(column('engine') > 0, 'all columns');

// Without --detail there is no empty section, but a line that says how to get it.
is(section(3).querySelectorAll('canvas, svg.histogram, svg.phases').length, 0, 'without detail');
check([...section(3).querySelectorAll('.hint')].some((hint) =>
  hint.textContent.includes('--detail')), 'no word of --detail');
is([...document.querySelectorAll('h3')].filter((head) =>
  head.nextElementSibling === null || head.nextElementSibling.tagName === 'H3').length, 0,
  'headings of nothing');
END
cat >small.js <<'END'
is(all('#result-0 rect.loss').length > 3, true, 'losses of one run in its section');
is(all('nav a').length, 2, 'contents');
is(new Set(all('#result-1 rect.loss').map((rect) => rect.getAttribute('y'))).size, 2,
  'losses of the runs of a sweep');
is(one('select[name=x]').value, 'topology.kind', 'names along x');
is(one('select[name=y]').value, 'ratio', 'y at first');
is(all('svg.sweep circle').length, 2, 'points at names');
END
cat >stopped.js <<'END'
is(all('.results tbody tr').length, 60, 'rows of a sweep that was stopped');
is(all('nav').length, 0, 'contents of one result');
is(all('h2').length, 0, 'the name once more below the title');
END
cat >words.js <<'END'
const tiles = (r) => one(`#result-${r} .tiles`).textContent;
check(tiles(0).includes('what it left in memory is not compared'), 'the checks of a program');
check(one('#result-0 table').textContent.includes('program a.elf, arguments 3, 5'), 'workload');
check(tiles(0).includes('ratio') && !tiles(1).includes('ratio'), 'the ratio of a run that failed');
check(tiles(1).includes('7 words differ'), 'words that differ');
const heads = [...all('#result-2 .results th')].map((head) => head.dataset.column);
const cells = [...all('#result-2 .results tbody tr')]
  .map((row) => row.cells[heads.indexOf('workload.arguments')].textContent);
is(cells.join('; '), '9, 5; 16, 5', 'arguments are no sizes');
check(one('svg.sweep').textContent.includes('argument 0'), 'the argument that differs');
const sweep = new Sweep(JSON.parse(one('#data').textContent).results[2]);
const [curve] = sweep.curves('workload.arguments', 'cycles', '');
is(curve.points.map((point) => point.x).join(), '9,16', 'points over it');
END
cat >large.js <<'END'
const canvas = one('canvas');
is(Number(canvas.dataset.links), 4096, 'links between routers');
// The fastest of several: the computer may have other work.
const times = [];
for (let i = 0; i < 8; ++i) {
  const begin = performance.now();
  one(i % 2 ? '[name=zoom-out]' : '[name=zoom-in]').click();
  await frame();
  times.push(performance.now() - begin);
}
check(Math.min(...times) < 500, `${times} ms for pictures of 4,096 links`);
toggle('interfaces');
is(Number(canvas.dataset.links), 6144, 'links');
is(Number(one('svg.phases').dataset.bars), 10240, 'phases');
check(one('.phases-place').classList.contains('scroll'), 'phases of many nodes scroll');
END
# What --detail writes itself: a network with a drawing of its own and one without.
cat >real.json <<'END'
{"topology": {"kind": "torus", "dims": [4, 4]}, "workload": {"collective": "a2a"}}
END
$weft run real.json --losses --detail --json torus.json >/dev/null || fail "--detail of a torus"
$weft run real.json --set 'topology={"kind": "dragonfly", "p": 2, "a": 2, "h": 1}' --detail \
  --json dragonfly.json >/dev/null || fail "--detail of a dragonfly"
cat >labels.json <<'END'
{"base": "real.json", "axes": [[{"router.vc_depth": 2, "router.vcs": 2, "label": "tight"},
  {"router.vc_depth": 8, "router.vcs": 4, "label": "roomy"}], {"workload.message_flits": [1, 4]}]}
END
$weft sweep labels.json -o labels >/dev/null || fail "the sweep with labels"
expect 0 "report          real.html" $report torus.json dragonfly.json labels -o real.html
cat >real.js <<'END'
const maps = all('canvas.map');
is(maps.length, 2, 'drawings');
is(all('path.job')[0].getAttribute('d').split('M').length - 1, 16, 'bars of jobs');
is(Number(maps[0].dataset.links), 64 + 32, 'links of the torus');
is(Number(maps[1].dataset.links), 6 + 6 + 24, 'links of the dragonfly');
const places = JSON.parse(one('#data').textContent).results[1].detail.blocks;
choose('x', 'workload.message_flits');
is(one('#result-2 .legend').textContent, 'tightroomy', 'labels name the curves');
check(places.every((block) => !('x' in block)), 'the dragonfly has a drawing of its own');
END
browser="python3 $source_dir/tests/e2e/browser.py"
output=$($browser real.html real.js all.html all.js small.html small.js stopped.html stopped.js \
  large.html large.js words.html words.js 2>&1) || fail "$output"

# The checks see a script that throws, a console error and a load.
wrong='drawReport(); console.error("wrong"); setTimeout(() => { throw Error("thrown"); });'
sed "s|^drawReport();|$wrong|" small.html >wrong.html
sed 's|</body>|<img src="other.png"></body>|; s|<meta http-equiv="Content[^>]*>||' small.html \
  >loads.html
echo 'await frame(); is(1, 2, "numbers");' >numbers.js
output=$($browser wrong.html numbers.js loads.html numbers.js 2>&1) &&
  fail "a page that throws passes"
for text in "numbers: 1, not 2" "console: ['wrong']" "Error: thrown" "loaded: file:"; do
  grep -qF "$text" <<<"$output" || fail "no \"$text\" in: $output"
done
finish
