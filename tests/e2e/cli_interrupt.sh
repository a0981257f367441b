#!/usr/bin/env bash
# Ctrl-C ends a run and a sweep early, with what they have so far.
source "$(dirname "$0")/lib.sh"

# interrupt WHEN COMMAND...: sends SIGINT once the Python expression holds; fails unless the command
# ends by it. What it wrote on standard error is in error.txt.
interrupt() {
  python3 - "$@" <<'END' || fail "$*"
import glob, signal, subprocess, sys, time
begin = time.monotonic()
seconds = lambda: time.monotonic() - begin
lines = lambda file: sum(open(f).read().count("\n") for f in glob.glob(file))
run = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=open("error.txt", "w"),
                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
while not eval(sys.argv[1]):
    if run.poll() is not None:
        sys.exit(f"it ended before, with status {run.returncode}")
    time.sleep(0.01)
run.send_signal(signal.SIGINT)
if run.wait(60) != -signal.SIGINT:
    sys.exit(f"it ended with status {run.returncode}: {open('error.txt').read()}")
END
}

# A run of a minute: it ends where max_cycles would have ended it.
long="torus32_uniform --set topology.dims=[16,16] --set workload.measure=262144"
for options in "--engine model" "--engine model --threads 2" "--engine flit"; do
  interrupt 'seconds() > 0.5' $weft run $long $options --json cut.json
  cycles=$(field cut.json cycles)
  is "$(field cut.json stopped) $(field cut.json verified)" "True False" "$options"
  grep -q "^weft: interrupted at cycle $cycles, before the work was done" error.txt ||
    fail "$options: $(<error.txt)"
  expect 1 "ended at cycle $cycles by max_cycles" \
    $weft run $long $options --set max_cycles="$cycles" --json same.json
  is "$(field cut.json digest)" "$(field same.json digest)" "$options, the digest at cycle $cycles"
done

# Waves have what was seen until then.
interrupt 'glob.glob(".waves.fst.*")' $weft run $long --trace waves.fst --json cut.json
[ -s waves.fst ] || fail "no waves"
left=$(ls -A .[!.]*.tmp 2>/dev/null)
is "$left" "" "temporary files"

# A sweep: the table of what is done, and the rest by the same command.
echo '{"base": "torus32_uniform", "set": {"topology.dims": [8, 8]},
  "axes": [{"seed": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]}]}' \
  >seeds.json
interrupt 'lines("part/results.jsonl") > 1' $weft sweep seeds.json -o part -j 1
rows=$(($(wc -l <part/results.csv) - 1))
((rows > 1 && rows < 20)) || fail "$rows rows after Ctrl-C"
grep -q "^weft: interrupted: $rows of 20 points are in part/results.csv" error.txt ||
  fail "a sweep: $(<error.txt)"
expect 0 "20 ($((20 - rows)) runs made now, $rows found" $weft sweep seeds.json -o part
$weft sweep seeds.json -o whole >text || fail "a sweep"
python3 - <<'END' || fail "an interrupted sweep has another table"
import csv, sys
part, whole = ([{k: v for k, v in row.items() if k != "wall_s"} for row in csv.DictReader(open(f))]
               for f in ("part/results.csv", "whole/results.csv"))
sys.exit(part != whole)
END

finish
