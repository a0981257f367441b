#!/usr/bin/env bash
# A sweep in shards, as on a cluster: the tables are those of one process, whatever is killed.
source "$(dirname "$0")/lib.sh"

cat >sweep.json <<'END'
{"base": {"topology": {"kind": "torus", "dims": [4, 4]}, "seed": 1,
          "workload": {"traffic": "uniform", "rate": 0.1, "warmup": 100, "measure": 40000}},
 "seeds": 2, "axes": [{"router.vc_depth": [4, 8]}, {"workload.rate": [0.1, 0.15, 0.2, 0.25, 0.3]}]}
END
expect 0 "points          20 (20 runs made now" $weft sweep sweep.json -o whole

# Three shards, of which one is killed in the middle and made again.
expect 0 "points          7 (7 runs made now, 0 found in out)" \
  $weft sweep sweep.json -o out --shard 0/3
$weft sweep sweep.json -o out --shard 1/3 -j 1 >said 2>&1 &
until_there out/results.1-of-3.jsonl
kill -9 $! && wait $! 2>/dev/null
truncate -s -3 out/results.1-of-3.jsonl
expect 1 "points are missing: \`weft sweep sweep.json -o out\` makes them" \
  $weft merge sweep.json -o out
is "$(find out -name 'results.*.jsonl' | wc -l)" 0
expect 0 "points          7 (" $weft sweep sweep.json -o out --shard 1/3
expect 0 "results         out/results.2-of-3.jsonl" $weft sweep sweep.json -o out --shard 2/3
expect 0 "points          20 of 20" $weft merge sweep.json -o out
is "$(table out)" "$(table whole)"
cmp -s out/confidence.csv whole/confidence.csv || fail "confidence.csv differs"
is "$(wc -l <out/results.jsonl)" 20
expect 0 "points          20 (0 runs made now, 20 found" $weft sweep sweep.json -o out

# Another division finds what is there; so does a sweep in one process.
expect 0 "points          10 (10 runs made now" $weft sweep sweep.json -o other --shard 0/2
expect 0 "points          5 (0 runs made now, 5 found" $weft sweep sweep.json -o other --shard 2/4
expect 0 "points          20 (10 runs made now, 10 found" $weft sweep sweep.json -o other
is "$(table other)" "$(table whole)"

# A shard that another process has, and what is no shard.
mkdir busy
touch busy/results.0-of-2.jsonl
exec 8<busy/results.0-of-2.jsonl
flock 8
expect 2 "busy/results.0-of-2.jsonl: in use by another sweep" \
  $weft sweep sweep.json -o busy --shard 0/2
expect 2 "busy/results.0-of-2.jsonl: in use by another sweep" $weft merge sweep.json -o busy
exec 8<&-
for shard in 3/3 0/0 1 a/2 -1/2 1/2/3; do
  expect 2 "--shard: value $shard: expected: I/N, with I from 0 to N - 1" \
    $weft sweep sweep.json -o bad --shard=$shard
done
expect 2 "-o: value bad: expected: a folder of \`weft sweep --shard\`" \
  $weft merge sweep.json -o bad
[ ! -e bad ] || fail "a refused shard leaves a folder"
# Points that fail are the shard's failure, and that of all.
expect 3 "1 of 1 points failed: see bad/results.0-of-1.jsonl" $weft sweep -o bad --shard 0/1 \
  <(echo '{"base": {"topology": {"kind": "torus", "dims": [3]},
    "workload": {"transfers": [{"from": 0, "to": 1, "flits": 4, "at": 50}]}, "watchdog": 1}}')
finish
