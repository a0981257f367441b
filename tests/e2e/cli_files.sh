#!/usr/bin/env bash
# Files that cannot be written whole, damaged, or named for two things: exit status 2, a message,
# and nothing under the name of a result that is not one.
source "$(dirname "$0")/lib.sh"

small="full16 --set processor=native"
# Unlike `timeout`, does not hide which signal ended the command.
within() { timeout --preserve-status "$@"; }

# None of FILES... exists, nor any of their temporary names.
nothing_of() {
  local left
  left=$(ls -A "$@" .[!.]*.tmp 2>/dev/null)
  [ -z "$left" ] || fail "not removed: $left"
}

# A limit on the size of files imitates a full disk.
limited() { (ulimit -f "$1" && shift && "$@"); }
for limit in 0 4 16 40; do
  expect 2 "out.fst: cannot be written: File too large" \
    limited $limit $weft run $small --trace out.fst
  nothing_of out.*
done
expect 2 "out.json: cannot be written: File too large" limited 1 $weft run $small --json out.json
expect 2 "out.json: cannot be written: File too large" \
  limited 1 $weft run torus_a2at --set topology.dims=[4,3] --set processor=native \
  --events out.json
expect 2 "cannot be written: File too large" limited 4 $weft emit full16 -o out
nothing_of out.json out

# A disk that is full. on_disk SIZE COMMAND...: with a file system of that size at /mnt; what is
# left there goes to left.txt.
on_disk() {
  unshare -rm bash -c 'mount -t tmpfs -o size="$1" none /mnt && shift && "$@"
    status=$?
    ls -A /mnt >left.txt
    exit $status' bash "$@"
}
if on_disk 4k true 2>/dev/null; then
  for size in 4k 8k 16k 32k; do
    expect 2 "/mnt/out.fst: cannot be written: No space left on device" \
      on_disk $size $weft run $small --trace /mnt/out.fst
    is "$(cat left.txt)" "" "left on a full disk"
  done
  expect 0 "errors          0 data" on_disk 1m $weft run $small --trace /mnt/out.fst
  is "$(paste -sd' ' left.txt)" "out.filters out.fst out.gtkw"
else
  echo "SKIPPED: no file system can be mounted here: full disks"
fi

# A run that is killed leaves no waves under their name; one that fails keeps the waves so far.
$weft run $small --set workload.message_flits=4000 --trace killed.fst >/dev/null 2>&1 &
victim=$!
for ((i = 0; i < 6000; i++)); do
  compgen -G '.killed.fst.*' >/dev/null && break
  sleep 0.01
done
kill -9 $victim
wait $victim 2>/dev/null
compgen -G '.killed.fst.*' >/dev/null || fail "killed before the waves were begun"
nothing=$(ls -d killed.* 2>/dev/null)
is "$nothing" "" "after a kill"
rm -f .killed.fst.*
# One that a signal ends leaves nothing; the signal is for it alone. (SIGINT: cli_interrupt.sh)
for signal in TERM HUP; do
  python3 - $signal $weft run $small --set workload.message_flits=4000 --trace killed.fst <<'END' ||
import glob, signal, subprocess, sys, time
number = getattr(signal, "SIG" + sys.argv[1])
run = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL,
                       preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
for _ in range(6000):
    if glob.glob(".killed.fst.*"):
        break
    time.sleep(0.01)
else:
    sys.exit("no waves were begun")
run.send_signal(number)
assert run.wait() == -number, run.returncode
END
    fail "SIG$signal"
  nothing_of killed.* .killed.*
done
expect 3 "no progress" $weft run $small --set processor=rv32 --set watchdog=1 --trace stuck.fst
[ -s stuck.fst ] && [ -s stuck.gtkw ] || fail "no waves of a run that was stuck"

# No input file is overwritten, whatever its name, and no file is written twice.
cp "$source_dir/sim/cli/configs/full16.json" x.json
cp x.json x.gtkw
cp x.json before.json
ln -s x.json link.json
ln x.json hard.json
mkdir waves.filters && cp x.json waves.filters/flit.txt
printf '0,0,1,4\n' >packets.csv
echo '{"topology": {"kind": "full_crossbar", "pes": 4},
       "workload": {"traffic": "trace", "file": "packets.csv"}}' >packets.json
native="--set processor=native"
$weft run packets.json --json without_head.json >text || fail "a trace"
printf ' cycle, src, dst, flits\n0,0,1,4\n' >headed.csv
$weft run packets.json --set workload.file=headed.csv --json headed.json >text || fail "a head line"
is "$(field headed.json digest)" "$(field without_head.json digest)" "a trace with a head line"
rm without_head.json headed.json headed.csv
for target in x.json ./x.json link.json hard.json; do
  expect 2 "--json: value $target: expected: a file that this command does not read" \
    $weft run x.json $native --json $target
  expect 2 "--events: value $target: expected: a file that this" $weft run x.json --events $target
  expect 2 "--states: value $target: expected: a file that this" $weft run x.json --states $target
  expect 2 "--links: value $target: expected: a file that this" $weft run x.json --links $target
  expect 2 "--json: value $target: expected: a file that this" $weft topo x.json --json $target
done
expect 2 "expected: a file that this command does not read" \
  $weft run link.json $native --json hard.json
expect 2 "x.gtkw: expected: a file that this" $weft run x.gtkw $native --trace x.fst
expect 2 "flit.txt: expected: a file that this" \
  $weft run waves.filters/flit.txt $native --trace waves.fst
expect 2 "packets.csv: expected: a file that this" $weft run packets.json \
  --json packets.csv
expect 2 "y.json: expected: a file that no other option writes" \
  $weft run torus_a2at --json y.json --events ./y.json
expect 0 "weft_top.sv" $weft emit x.json -o emitted
cp x.json emitted/rtl/mine.json
expect 2 "-o: value emitted: expected: a folder in which this command reads nothing" \
  $weft emit emitted/rtl/mine.json -o emitted
mkdir swept
echo '{"base": "full16", "set": {"processor": "native"}}' >swept/results.csv
cp swept/results.csv sweep.before
expect 2 "results.csv: expected: a file that this" $weft sweep swept/results.csv -o swept
cmp -s swept/results.csv sweep.before || fail "the sweep was written over"
for file in x.json x.gtkw link.json hard.json waves.filters/flit.txt emitted/rtl/mine.json; do
  cmp -s $file before.json || fail "$file was written over"
done
expect 0 '"cycles"' $weft run x.json $native --json /dev/stdout --trace waves2.fst

# Pipes and devices of the command line are read to their end and written; elsewhere only files are.
expect 0 "errors          0 data" bash -c "'$weft' run /dev/stdin $native <x.json"
expect 0 "errors          0 data" bash -c "'$weft' run <(cat x.json) $native --json >(cat >piped)"
for ((i = 0; i < 100; i++)); do
  [ -s piped ] && break
  sleep 0.05
done
grep -q '"cycles"' piped || fail "no result in the pipe"
mkfifo pipe
mkdir results
mkfifo results/results.csv
echo '{}' >results/results.jsonl
rv32="--set processor=rv32"
for file in pipe ./pipe /dev/zero emitted; do
  case $file in
    *pipe) is="a pipe with a name: expected: a file, or a pipe of the command line" ;;
    /dev/*) is="a device: expected: a file" ;;
    *) is="a folder" ;;
  esac
  at=$file
  [[ $at == /* ]] || at=./$at
  expect 2 "$file: cannot be read: it is $is" within 20 $weft run $at
  expect 2 "$file: cannot be read: it is $is" within 20 $weft sweep $file -o piped_out
  is=${is/ with a name*/: expected: a file}
  expect 2 "cycle,src,dst,flits: cannot be read: it is $is" within 20 $weft run packets.json \
    --set "workload.file=$file"
  expect 2 "$file: cannot be read: it is $is" within 20 $weft run full16 $native \
    --set "workload={\"collective\": \"goal\", \"file\": \"$file\"}"
  expect 2 "/topology/file: value \"$file\": expected: a file, by its path from the working \
directory (it is $is)" within 20 $weft topo mesh_a2at \
    --set "topology={\"kind\": \"graph\", \"file\": \"$file\"}"
  for processor in rv32 native; do
    expect 2 "$file: cannot be read: it is $is" within 20 $weft run full16 \
      --set processor=$processor --program $file
  done
  expect 2 "--resume $file: cannot be read: it is $is" within 20 $weft run full16 $rv32 \
    --resume $file
  [ $file = emitted ] && continue
  expect 2 "$file: cannot be read: it is a" within 20 $weft report $file -o page.html
  expect 2 "$file: cannot be read: it is $is" within 20 $weft plot $file
done
expect 2 "results.csv: cannot be read: it is a pipe" within 20 $weft plot results
for command in run topo "schedule -o tables" "emit -o out"; do
  expect 2 "emitted: cannot be read: it is a folder: expected: a file, or one of board_uniform" \
    $weft $command emitted
done
for file in "emitted: cannot be read: it is a folder" "pipe: cannot be read: it is a pipe" \
  "/dev/zero: cannot be read: it is a device"; do
  expect 2 "weft: $file" within 20 $weft cc "${file%%: *}" -o none.elf
done
echo 'int weft_main(void) { return 0; }' >fine.c
expect 2 "emitted: cannot be written: it is a folder" $weft cc fine.c -o emitted
# Nor is a pipe with a name written, on which the command would wait for a reader.
is="it is a pipe with a name: expected: a file, or a pipe of the command line"
for option in --json --links --latencies --events; do
  expect 2 "pipe: cannot be written: $is" within 20 $weft run packets.json $option pipe
done
expect 2 "pipe: cannot be written: $is" within 20 $weft topo x.json --json pipe
for file in pipe /dev/null /dev/stdout; do
  expect 2 "$file: cannot be written: it is no regular file" \
    within 20 bash -c "set -o pipefail; $weft run full16 $rv32 --checkpoint $file | cat"
done
expect 0 "errors          0 data" $weft run x.json $native --json /dev/null
expect 0 '"cycles"' bash -c "$weft run x.json $native --json /dev/stdout | cat"
# What needs more memory than there is is refused before it is read, with what it needs.
truncate -s 400M large
expect 2 "large: cannot be read: it needs 6400 MiB of memory, and there are 976 MiB" \
  bash -c "ulimit -v 1000000; '$weft' run ./large"
expect 2 "of memory, and there are 390 MiB: fewer nodes, smaller messages or buffers" \
  bash -c "ulimit -v 400000; '$weft' run mesh_a2at $native --set topology.dims=[40,40]"
# Where that cannot be known before, the status is the same.
expect 2 "MiB were in use, and more was refused; this process may use 390 MiB" \
  within 60 bash -c "ulimit -v 400000; '$weft' run xbar256 --threads 64"
rm -r large results
ln -s ../pipe waves.filters/state.txt
expect 2 "cannot be written: it is no regular file" \
  within 20 $weft run full16 $native --trace waves.fst
rm waves.filters/state.txt
mkfifo fifo.gtkw
expect 2 "cannot be written: it is no regular file" \
  within 20 $weft run full16 $native --trace fifo.fst

# A name may be as long as the file system allows, though it is written under another one first.
for length in 240 245 250; do
  long=$(printf "%0${length}d.json" 0)
  expect 0 "errors          0 data" $weft run $small --json $long
  grep -q '"cycles"' $long || fail "no result under a name of $length characters"
  rm $long
done
nothing_of

# A file that is replaced keeps its permissions, a new one has those of any new file.
echo old >kept.json
chmod 640 kept.json
(umask 022 && $weft run x.json $native --json kept.json >kept.txt) || fail "--json kept.json"
is "$(stat -c %a kept.json)" 640
grep -q '"cycles"' kept.json || fail "kept.json was not written"
(umask 022 && $weft run x.json $native --json new.json >kept.txt) || fail "--json new.json"
is "$(stat -c %a new.json)" 644

# Control characters do not reach the terminal, from any input.
escape=$'\e[31m'
csi=$'\xc2\x9b31m'
echo "{\"topology\": {\"kind\": \"full_crossbar\", \"pes\": 4}, \"a\\u001b[31m\": 1}" >keys.json
cp x.json "name$escape.json"
for command in "run keys.json" "run x.json --set a$escape=1" "run x.json --set a$csi=1" \
  "run x.json --set topology.kind=$escape" "run no$escape" "run no$csi" "walk$escape" \
  "run x.json --speed$escape" "run x.json --engine $escape" "list $escape" \
  "run name$escape.json --set a=1" "run x.json --json no/$escape"; do
  IFS=' ' read -r -a words <<<"$command"
  output=$($weft "${words[@]}" 2>&1)
  is $? 2 "$command"
  LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' <<<"$output" &&
    fail "control characters from: weft $command"
done

# Long lists take time in proportion to their length, deep paths are refused.
transfers() {
  python3 -c 'import json, sys
json.dump({"topology": {"kind": "full_crossbar", "pes": 4}, "workload":
  {"transfers": [{"from": 0, "to": 1, "flits": 1}] * int(sys.argv[1])}},
  open("long.json", "w"))' "$1"
}
# The processor time of `weft topo` with so many transfers, in ms.
time_of() {
  transfers "$1"
  python3 -c 'import resource, subprocess, sys
subprocess.run([sys.argv[1], "topo", "long.json"], check=True, stdout=subprocess.DEVNULL)
print(int(1000 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime))' $weft
}
few=$(time_of 10000)
many=$(time_of 100000)
[ "$many" -lt $((15 * few + 200)) ] || fail "10 times the transfers: $few ms, then $many ms"
deep() { python3 -c 'import sys; print(".".join(["a"] * int(sys.argv[1])))' "$1"; }
for parts in 65 60000; do
  expect 2 "expected: a path of up to 64 parts" $weft topo x.json --set "$(deep $parts)=1"
done
expect 2 "/a: unknown key" $weft topo x.json --set "$(deep 64)=1"

# A library in the cache is used only as it was built.
export WEFT_CACHE=$PWD/cache
rtl="run full16 --set topology.pes=2 --set workload.message_flits=1 $native --engine rtl"
expect 0 "errors          0 data" $weft $rtl
digest=$($weft $rtl | grep digest)
entries=(cache/*/model.so)
[ ${#entries[@]} -ge 2 ] || fail "the cache has ${#entries[@]} libraries"
# damaged HOW: with one library damaged by it the run is as before.
damaged() {
  $1 "${entries[0]%/*}"
  is "$($weft $rtl 2>&1 | grep digest)" "$digest" "a cache with $1"
}
empty_model() { : >"$1/model.so"; }
short_model() { truncate -s -100 "$1/model.so"; }
other_byte() { printf x | dd of="$1/model.so" bs=1 seek=5000 conv=notrunc 2>/dev/null; }
empty_ports() { : >"$1/ports"; }
wrong_widths() { sed -i 's/ [0-9][0-9]* \([01]\)$/ 3 \1/' "$1/ports"; }
no_ports() { rm "$1/ports"; }
for how in empty_model short_model other_byte empty_ports wrong_widths no_ports; do
  damaged $how
done

# Nothing is kept of what is built without a cache, neither here nor under the name "off".
mkdir temporary
is "$(WEFT_CACHE=off TMPDIR=$PWD/temporary $weft $rtl 2>&1 | grep digest)" "$digest" "no cache"
[ ! -e off ] || fail "a folder off"
is "$(ls -A temporary)" "" "left behind by a run without a cache"

# Options of the compiler are words, not a program of a shell.
owned=$PWD/owned
WEFT_CACHE=$PWD/cache_opt \
  WEFT_VERILATED_OPT="-O1; touch $owned; \$(touch $owned) | touch $owned #" \
  $weft $rtl >/dev/null 2>&1
[ ! -e owned ] || fail "WEFT_VERILATED_OPT was run by a shell"
expect 0 "errors          0 data" env WEFT_VERILATED_OPT="-O1  -fno-inline" \
  WEFT_CACHE="$PWD/cache_opt" $weft $rtl

finish
