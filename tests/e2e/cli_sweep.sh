#!/usr/bin/env bash
# Sweeps: the points of a file, their results, failing points, resuming, unusable sweeps.
source "$(dirname "$0")/lib.sh"

base='{"topology": {"kind": "hier_crossbar", "dims": [4, 4]}, "processor": "native",
       "workload": {"collective": "a2a", "message_flits": 4}}'

# column FILE NAME: a column of results.csv, one value per line. Fields in quotes may hold commas.
column() {
  awk -v name="$2" '
    { n = 0; line = $0
      while (length(line) > 0) {
        if (match(line, /^"([^"]|"")*"/)) {
          value = substr(line, 2, RLENGTH - 2); gsub(/""/, "\"", value)
        } else {
          match(line, /^[^,]*/); value = substr(line, 1, RLENGTH)
        }
        line = substr(line, RLENGTH + 2); field[++n] = value
      }
      for (i = n + 1; i <= most; i++) field[i] = ""
      if (NR == 1) { for (i = 1; i <= n; i++) if (field[i] == name) at = i; most = n; next }
      print at ? field[at] : "no column " name }' "$1"
}

values() {
  column "$@" | paste -sd' '
}

# A product, the last axis fastest; an axis of several paths; the union of two series with one
# point in common, which is run once.
cat >product.json <<END
{"base": $base, "engine": "model", "limits": {"max_cycles": 100000},
 "series": [
   {"name": "depth", "axes": [{"router.vc_depth": [3, 8]}, {"workload.message_flits": [1, 2, 4]}]},
   {"name": "shape", "set": {"workload.sync": "none", "router.vc_depth": 8},
    "axes": [[{"topology.dims": [4, 4]},
              {"topology": {"kind": "full_crossbar", "pes": 9}, "workload.message_flits": 3}]]}]}
END
expect 0 "points          8 (7 runs made now, 0 found in out/results.jsonl)" \
  $weft sweep product.json -o out -j 2
csv=out/results.csv
is "$(wc -l <$csv)" 9
is "$(wc -l <out/results.jsonl)" 7
is "$(values $csv series)" "depth depth depth depth depth depth shape shape"
is "$(values $csv router.vc_depth)" "3 3 3 8 8 8 8 8"
is "$(values $csv workload.message_flits)" "1 2 4 1 2 4  3"
is "$(values $csv topology.dims)" "      [4,4] "
is "$(column $csv topology | tail -1)" '{"kind":"full_crossbar","pes":9}'
is "$(values $csv status)" "0 0 0 0 0 0 0 0"
is "$(values $csv messages)" "240 240 240 240 240 240 240 72"
is "$(values $csv bound_cycles)" "26 31 61 26 31 61 61 25"

# A point is the run that `weft run` makes of it.
echo "$base" >base.json
expect 0 "digest          $(column $csv digest | sed -n 2p)" \
  $weft run base.json --set router.vc_depth=3 --set workload.message_flits=2
is "$(column $csv digest | sed -n 6p)" "$(column $csv digest | sed -n 7p)"

# The same whatever the number of threads, time aside.
expect 0 "7 runs made now" $weft sweep product.json -o one -j 1
is "$(values one/results.csv digest)" "$(values $csv digest)"

# Resumes: runs that are there are not made again, a torn last line is; the table is as before.
cp $csv whole.csv
touch out/.results.csv.99.tmp out/.results.jsonl.99.tmp  # Of a sweep that was killed.
expect 0 "points          8 (0 runs made now, 7 found in out/results.jsonl)" \
  $weft sweep product.json -o out
cmp -s $csv whole.csv || fail "the table differs after resuming"
is "$(find out -name '.*.tmp')" "" "drafts of a killed sweep"
rm $csv
truncate -s -5 out/results.jsonl
is "$(wc -l <out/results.jsonl)" 6
sum=$(head -n 6 out/results.jsonl | cksum)
expect 0 "points          8 (1 runs made now, 6 found in out/results.jsonl)" \
  $weft sweep product.json -o out
is "$(wc -l <out/results.jsonl)" 7
is "$(head -n 6 out/results.jsonl | cksum)" "$sum"
is "$(values $csv digest)" "$(values whole.csv digest)"

# Killed in the middle: the results of completed runs are kept.
cat >long.json <<END
{"base": "xbar16", "set": {"workload.message_flits": 200},
 "axes": [{"seed": [1, 2, 3, 4, 5, 6, 7, 8]}, {"router.output_depth": [1, 2, 3, 4, 5]}]}
END
$weft sweep long.json -o killed -j 1 >/dev/null 2>&1 &
victim=$!
for ((i = 0; i < 1000; i++)); do
  [ -s killed/results.jsonl ] && break
  sleep 0.01
done
kill -9 $victim
wait $victim 2>/dev/null
[ ! -e killed/results.csv ] || fail "a table before the end, or the sweep was over too soon"
kept=$(wc -l <killed/results.jsonl)
[ "$kept" -ge 1 ] && [ "$kept" -lt 40 ] || fail "killed with $kept runs of 40"
sum=$(head -n "$kept" killed/results.jsonl | cksum)
expect 0 "points          40 ($((40 - kept)) runs made now, $kept found in" \
  $weft sweep long.json -o killed
is "$(wc -l <killed/results.jsonl)" 40
is "$(head -n "$kept" killed/results.jsonl | cksum)" "$sum"
is "$(wc -l <killed/results.csv)" 41

# Failing points are recorded, the others are run, the worst status is the command's. What failed
# is run again only when it is asked for.
points='[{"max_cycles": 50}, {"max_cycles": 0}, {"processor": "rv32", "watchdog": 1}]'
echo "{\"base\": $base, \"axes\": [$points]}" >failing.json
expect 3 "2 of 3 points failed: see fails/results.csv" $weft sweep failing.json -o fails
is "$(values fails/results.csv status)" "1 0 3"
is "$(column fails/results.csv failure | head -1)" \
  "ended at cycle 50 by max_cycles, before the work was done"
is "$(column fails/results.csv cycles | head -1)" 50
expect 3 "points          3 (0 runs made now, 3 found in" $weft sweep failing.json -o fails
expect 3 "points          3 (2 runs made now, 1 found in" $weft sweep failing.json -o fails --retry
is "$(values fails/results.csv status)" "1 0 3"
echo "{\"base\": $base, \"axes\": [{\"max_cycles\": [50, 0]}]}" >stopped.json
expect 1 "weft: max_cycles=50: ended at cycle 50 by max_cycles" \
  $weft sweep stopped.json -o stopped --progress

# A part of an object may be an axis. A point that nothing sets apart has a name all the same.
echo "{\"base\": $base, \"set\": {\"workload\": {\"collective\": \"a2a\", \"message_flits\": 1}},
  \"axes\": [{\"workload.message_flits\": [2]}]}" >part.json
expect 0 "1 runs made now" $weft sweep part.json -o part
is "$(values part/results.csv messages)" 240
echo "{\"base\": $base, \"limits\": {\"max_cycles\": 50}}" >single.json
expect 1 "weft: the only point: ended at cycle 50" $weft sweep single.json -o single

# The table has a label for what is set beside it, which names the curve of `weft plot`, too.
cat >labels.json <<END
{"base": $base, "axes": [
  [{"topology.dims": [4, 4], "router.vc_depth": 8, "label": "small, deep"},
   {"topology.dims": [4, 2], "label": "smaller"}], {"workload.message_flits": [1, 2]}]}
END
expect 0 "4 runs made now" $weft sweep labels.json -o labels
is "$(values labels/results.csv label)" "small, deep small, deep smaller smaller"
is "$(head -1 labels/results.csv | cut -d, -f1-5)" \
  "label,router.vc_depth,topology.dims,workload.message_flits,engine"
expect 0 "picture         labels/plot.svg, labels/plot.png, labels/plot.pdf" \
  $weft plot labels --x message_flits
grep -q '>small, deep</text>' labels/plot.svg || fail "the label is not in the picture"
expect 0 "picture         cycles.pdf" \
  $weft plot labels/results.csv --x message_flits --y cycles --series label -o cycles.pdf
is "$(head -c 4 cycles.pdf)" %PDF
expect 2 "weft: no column power; there are: label, router.vc_depth" $weft plot labels --y power
expect 2 "weft: at workload.message_flits 1 a curve would have runs of router.vc_depth" \
  $weft plot labels --x message_flits --series engine
expect 2 "weft: no file or folder none" $weft plot none
expect 2 "weft: no folder nowhere" $weft plot labels --x message_flits -o nowhere/x.pdf
mkdir pictures
for folder in pictures/ nowhere/; do
  expect 2 "weft: -o: value $folder: expected: FILE.svg, .png or .pdf, or a name without such" \
    $weft plot labels --x message_flits -o $folder
done

# Losses, of all series or of one; a point without them is another run, a failed one keeps them.
torus='{"topology": {"kind": "torus", "dims": [4, 3]}, "processor": "native",
        "workload": {"collective": "a2a", "message_flits": 4}}'
cat >losses.json <<END
{"base": $torus, "series": [
  {"name": "with", "losses": true, "axes": [{"max_cycles": [0, 20]}, {"router.vcs": [2, 4]}]},
  {"name": "cut", "losses": true, "axes": [{"max_cycles": [9000]}, {"processor": ["rv32"]},
                                           {"watchdog": [1]}]},
  {"name": "without", "axes": [{"router.vcs": [2]}]}]}
END
expect 3 "points          6 (6 runs made now" $weft sweep losses.json -o losses
echo "$torus" >torus.json
$weft run torus.json --losses --json losses.one >/dev/null
waits=$(python3 -c "import json; print(json.load(open('losses.one'))['losses']['packet_waits'])")
for wait in link vc credit hol_blocked; do
  cycles=$(column losses/results.csv waits_$wait | head -1)
  grep -qE "'$wait': ${cycles:-none}[,}]" <<<"$waits" || fail "waits_$wait: $cycles, not as $waits"
done
is "$(column losses/results.csv waits_link | tail -2 | paste -sd' ')" " "
is "$(column losses/results.csv digest | head -1)" "$(column losses/results.csv digest | tail -1)"
expect 3 "(0 runs made now, 6 found in losses/results.jsonl)" $weft sweep losses.json -o losses

# Several seeds: every run in the table as ever, mean and confidence interval of each setting.
cat >seeds.json <<END
{"base": {"topology": {"kind": "torus", "dims": [4, 3]}, "seed": 7,
          "workload": {"traffic": "uniform", "warmup": 50, "measure": 400}},
 "seeds": 4, "series": [
  {"name": "rate", "axes": [{"workload.rate": [0.05, 0.2]}]},
  {"name": "own", "set": {"seed": 100}, "axes": [{"max_cycles": [0, 30]}]}]}
END
expect 1 "points          16 (16 runs made now, 0 found in" $weft sweep seeds.json -o seeds
is "$(values seeds/results.csv seed)" "7 8 9 10 7 8 9 10 100 101 102 103 100 101 102 103"
is "$(values seeds/results.csv status)" "0 0 0 0 0 0 0 0 0 0 0 0 1 1 1 1"
head -1 seeds/confidence.csv | grep -q seed && fail "confidence.csv has a column of seeds"
is "$(values seeds/confidence.csv series)" "rate rate own own"
is "$(values seeds/confidence.csv workload.rate)" "0.05 0.2  "
is "$(values seeds/confidence.csv n)" "4 4 4 0"
is "$(column seeds/confidence.csv latency_mean_ci95 | tail -1)" ""
expect 1 "confidence      seeds/confidence.csv" $weft sweep seeds.json -o seeds
# Means and half-widths against Python's standard deviation and a table of Student's t.
cat >confidence.py <<'END'
import csv, statistics, sys
T = {2: 12.70620, 3: 4.302653, 4: 3.182446, 5: 2.776445}  # By the number of values.
folder, size = sys.argv[1], int(sys.argv[2])
runs = list(csv.DictReader(open(folder + "/results.csv")))
rows = list(csv.DictReader(open(folder + "/confidence.csv")))
assert len(runs) == size * len(rows)
compared = 0
for i, row in enumerate(rows):
    good = [run for run in runs[size * i:size * (i + 1)] if run["status"] == "0"]
    assert int(row["n"]) == len(good), row
    for name in ("cycles", "accepted_rate", "latency_mean", "latency_p99"):
        values = [float(run[name]) for run in good]
        if len(values) < 2:
            continue
        half = T[len(values)] * statistics.stdev(values) / len(values) ** 0.5
        assert abs(float(row[name]) - statistics.mean(values)) < 1e-9 * abs(float(row[name])), row
        assert abs(float(row[name + "_ci95"]) - half) <= 1e-5 * half, (row, half)
        compared += half > 0
assert compared > 5, compared
END
python3 confidence.py seeds 4 || fail "confidence.csv: $(cat seeds/confidence.csv)"
# Some runs of a setting end by max_cycles: its row is of the others. With one seed more, only its
# runs are made.
sed -i 's/"seeds": 4/"seeds": 5/; s/"max_cycles": \[0, 30\]/"max_cycles": [0, 463]/' seeds.json
expect 2 "a run that is no point of seeds.json" $weft sweep seeds.json -o seeds
$weft sweep seeds.json -o more >/dev/null 2>&1
failed=$(column more/results.csv status | grep -c 1)
[ "$failed" -ge 1 ] && [ "$failed" -le 3 ] || fail "$failed runs cut: the sweep is of no use here"
python3 confidence.py more 5 || fail "confidence.csv: $(cat more/confidence.csv)"
sed -i 's/"seeds": 5/"seeds": 6/' seeds.json
expect 1 "runs made now, 20 found in" $weft sweep seeds.json -o more

# Another sweep's folder is left alone.
sum=$(cat out/* | cksum)
expect 2 "out/results.jsonl: line 1: a run that is no point of failing.json" \
  $weft sweep failing.json -o out
is "$(cat out/* | cksum)" "$sum"
expect 2 "out/results.jsonl: in use by another sweep" \
  flock out/results.jsonl $weft sweep product.json -o out
mkdir foreign
echo "a diary" >foreign/results.jsonl
expect 2 "foreign/results.jsonl: line 1: expected: a run of a sweep" \
  $weft sweep failing.json -o foreign
is "$(cat foreign/results.jsonl)" "a diary"

# A disk that is full for a moment, while two runs are made: what had been written of a line is
# taken back, the next run's line is whole, and the sweep resumes. The library fails a write to a
# file of results once, in the middle.
cat >full_once.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static int lines;
ssize_t write(int fd, const void *data, size_t size) {
  ssize_t (*next)(int, const void *, size_t) =
      (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  char link[64], name[4096] = "";
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  if (readlink(link, name, sizeof name - 1) < 0 || !strstr(name, "results.jsonl")) {
    return next(fd, data, size);
  }
  ++lines;
  if (lines == 1) return next(fd, data, size / 2);
  if (lines > 2) return next(fd, data, size);
  errno = ENOSPC;
  return -1;
}
END
cc -shared -fPIC -o full_once.so full_once.c || fail "no library for a full disk"
echo "{\"base\": $base, \"axes\": [{\"workload.message_flits\": [1000, 3000]}]}" >two.json
expect 2 "full_once/results.jsonl: cannot be written: No space left on device" \
  env LD_PRELOAD=$PWD/full_once.so $weft sweep two.json -o full_once -j 2
kept=$(wc -l <full_once/results.jsonl)
expect 0 "points          2 ($((2 - kept)) runs made now, $kept found in" \
  $weft sweep two.json -o full_once
is "$(wc -l <full_once/results.jsonl)" 2

# Unusable sweeps: where and why; nothing is written.
# refused TEXT SWEEP
refused() {
  echo "$2" >bad.json
  expect 2 "$1" $weft sweep bad.json -o bad
  [ ! -e bad ] || fail "a folder was left for: $2"
}
refused "bad.json: /base: missing: expected: a configuration" '{}'
refused "bad.json: /speed: unknown key, value 1: expected: the keys base, set" \
  "{\"base\": $base, \"speed\": 1}"
refused "none: no such file: expected: a file, or one of board_uniform, full16" '{"base": "none"}'
mkdir base_folder
refused "base_folder: cannot be read: it is a folder" '{"base": "base_folder"}'
labels() {  # LABEL LABEL: an axis of these two.
  echo "{\"base\": $base, \"axes\": [[{\"seed\": 1, \"label\": \"$1\"},
    {\"seed\": 2, \"label\": \"$2\"}]]}"
}
refused "bad.json: /axes/0/1/label: value \"same\": expected: another label than at \
/axes/0/0/label" "$(labels same same)"
refused "bad.json: /axes/0/1/label: value \" \": expected: a text" "$(labels a ' ')"
for text in 'two\nlines' 'a\ttab' 'a\u007f'; do
  refused "bad.json: /axes/0/0/label: value \"" "$(labels "$text" b)"
  refused "expected: a text without control characters" "$(labels "$text" b)"
done
refused "bad.json: /series/0/name: value \"a\\nb\": expected: a name without control characters" \
  "{\"base\": $base, \"series\": [{\"name\": \"a\\nb\"}]}"
refused "bad.json: /axes/0/router.vc_depth/1: value 0: expected: a whole number from" \
  "{\"base\": $base, \"axes\": [{\"router.vc_depth\": [8, 0]}]}"
refused "bad.json: /series/0/axes/0/1/topology.dims/1: value 0: expected" \
  "{\"base\": $base, \"series\": [{\"name\": \"a\", \"axes\": [[{\"topology.dims\": [4, 4]},
    {\"topology.dims\": [4, 0]}]]}]}"
refused "bad.json: /axes/0/router.speed/0: unknown key, value 1: expected: the keys vcs" \
  "{\"base\": $base, \"axes\": [{\"router.speed\": [1]}]}"
refused "bad.json: /set/workload.collective: value \"a2b\": expected: a2a" \
  "{\"base\": $base, \"set\": {\"workload.collective\": \"a2b\"}}"
refused "bad.json: /base/topology: missing: expected" '{"base": {"seed": 1}}'
refused "bad.json: /base/workload: missing: expected" \
  '{"base": {"topology": {"kind": "full_crossbar", "pes": 4}}}'
refused "bad.json: /axes/0: value {}: expected: an object with one path" \
  "{\"base\": $base, \"axes\": [{}]}"
refused "bad.json: /axes/0/seed: value []: expected: a list of values" \
  "{\"base\": $base, \"axes\": [{\"seed\": []}]}"
refused "bad.json: /axes/0/seed.: value \"seed.\": expected: keys joined by single dots" \
  "{\"base\": $base, \"axes\": [{\"seed.\": [1]}]}"
refused "bad.json: /axes/1/seed/0: value 2: expected: a path that no other axis sets" \
  "{\"base\": $base, \"axes\": [{\"seed\": [1]}, {\"seed\": [2]}]}"
# In either order, the one would replace the other's value.
depths='{"router.vc_depth": [4, 8]}' routers='{"router": [{"vcs": 2}]}'
refused "/axes/1/router/0: value {\"vcs\":2}: expected: a path that no other axis sets: router and \
router.vc_depth at /axes/0/router.vc_depth/0 share a value" \
  "{\"base\": $torus, \"axes\": [$depths, $routers]}"
refused "/axes/1/router.vc_depth/0: value 4: expected: a path that no other axis sets: \
router.vc_depth and router at /axes/0/router/0 share a value" \
  "{\"base\": $torus, \"axes\": [$routers, $depths]}"
# So would an axis that of "set" or "limits", and a value that an axis has twice.
for set in '"set": {"router.vc_depth": 4}' '"set": {"seed": 2, "router.vc_depth": 4}'; do
  refused "bad.json: /axes/0/router.vc_depth/0: value 8: expected: a path that is not set at \
/set/router.vc_depth" "{\"base\": $torus, $set, \"axes\": [{\"router.vc_depth\": [8]}]}"
done
refused "bad.json: /axes/0/0/router: value {}: expected: a path that is not set at \
/set/router.vc_depth" \
  "{\"base\": $torus, \"set\": {\"router.vc_depth\": 4}, \"axes\": [[{\"router\": {}}]]}"
refused "bad.json: /axes/0/max_cycles/0: value 5: expected: a path that is not set at \
/limits/max_cycles" \
  "{\"base\": $base, \"limits\": {\"max_cycles\": 9}, \"axes\": [{\"max_cycles\": [5]}]}"
refused "/set/max_cycles: value 5: expected: a path that is not set at /limits/max_cycles" \
  "{\"base\": $base, \"limits\": {\"max_cycles\": 9}, \"set\": {\"max_cycles\": 5}}"
refused "bad.json: /series/0/axes/0/seed/0: value 5: expected: a path that is not set at \
/series/0/set/seed" "{\"base\": $base, \"series\": [
    {\"name\": \"a\", \"set\": {\"seed\": 9}, \"axes\": [{\"seed\": [5]}]}]}"
refused "bad.json: /axes/0/seed/2: value 1: expected: another value than at /axes/0/seed/0" \
  "{\"base\": $base, \"axes\": [{\"seed\": [1, 2, 1]}]}"
refused "bad.json: /axes/0/1: value {\"seed\":1}: expected: another value than at /axes/0/0" \
  "{\"base\": $base, \"axes\": [[{\"seed\": 1}, {\"seed\": 1}]]}"
refused "bad.json: /axes/0/seed.x/0: value 1: expected: the end of the path at /seed" \
  "{\"base\": {\"seed\": 1}, \"axes\": [{\"seed.x\": [1]}]}"
refused "bad.json: /series/1/name: value \"a\": expected: a name that no other series has" \
  "{\"base\": $base, \"series\": [{\"name\": \"a\"}, {\"name\": \"a\"}]}"
refused "bad.json: /axes/0/0/label: value 1: expected: a text" \
  "{\"base\": $base, \"axes\": [[{\"seed\": 1, \"label\": 1}]]}"
refused \
  "bad.json: /axes/0/0: value {\"label\":\"a\"}: expected: paths and values beside the label" \
  "{\"base\": $base, \"axes\": [[{\"label\": \"a\"}]]}"
refused "bad.json: /engine: value \"fpga\": expected: \"model\", \"flit\", \"rtl\"" \
  "{\"base\": $base, \"engine\": \"fpga\"}"
refused "bad.json: /losses: value true: expected: a network of routers, not topology" \
  "{\"base\": $base, \"losses\": true}"
refused "bad.json: /series/0/losses: value true: expected: model, flit, cosim, not engine" \
  "{\"base\": $torus, \"series\": [{\"name\": \"a\", \"engine\": \"rtl\", \"losses\": true}]}"
refused "bad.json: /losses: value 1: expected: true or false" "{\"base\": $base, \"losses\": 1}"
refused "bad.json: /seeds: value 1: expected: a whole number from 2 to 1000" \
  "{\"base\": $base, \"seeds\": 1}"
refused "bad.json: /seeds: value \"5\": expected: a whole number from 2 to 1000" \
  "{\"base\": $base, \"seeds\": \"5\"}"
refused "bad.json: /axes/0/seed/0: value 1: expected: no axis of seeds where \"seeds\" says how" \
  "{\"base\": $base, \"seeds\": 3, \"axes\": [{\"seed\": [1, 2]}]}"
refused "bad.json: /seeds: value 9223372036854775808: expected: a whole number from 0 to" \
  "{\"base\": $base, \"seeds\": 3, \"set\": {\"seed\": 9223372036854775807}}"
refused "bad.json: /limits/cycles: unknown key, value 9: expected: the keys max_cycles" \
  "{\"base\": $base, \"limits\": {\"cycles\": 9}}"
refused "bad.json: line 1, column" '{"base" 1}'
expect 2 "-j" $weft sweep product.json -o out -j 0
expect 2 "-o is required" $weft sweep product.json
expect 2 "product.json/x: cannot be written" $weft sweep product.json -o product.json/x

finish
