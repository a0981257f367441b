#!/usr/bin/env bash
# Every result names the build of weft that made it; a sweep makes the runs of another build anew.
source "$(dirname "$0")/lib.sh"

cat >base.json <<'END2'
{"topology": {"kind": "torus", "dims": [3, 3]}, "processor": "native",
 "workload": {"collective": "a2a", "message_flits": 2}}
END2

# The version is that of the command, the commit the last one of its sources.
expect 0 "time " $weft run base.json --json run.json
version=$(field run.json version) commit=$(field run.json commit)
is "weft $version" "$($weft --version)"
grep -qE '^([0-9a-f]{12}(\+[0-9a-f]{8})?|unknown\+[0-9a-f]{8})$' <<<"$commit" ||
  fail "commit \"$commit\""
if last=$(git -C "$source_dir" rev-list -1 --abbrev-commit --abbrev=12 HEAD -- \
  CMakeLists.txt rtl sim sw ':!*.md' 2>/dev/null) && [ -n "$last" ]; then
  is "${commit%+*}" "$last" "the commit of $weft: built anew since?"
fi

# named FILE: the JSON has this build.
named() {
  is "$(field "$1" version) $(field "$1" commit)" "$version $commit" "$1"
}
expect 3 "weft: " $weft run base.json --set processor=rv32 --set watchdog=1 --json failed.json
named failed.json
expect 0 "saturation " $weft run torus32_uniform --set topology.dims=[4] --set workload.warmup=50 \
  --set workload.measure=200 --saturation 0.5 --json saturation.json
named saturation.json

# The name of a checkout: without git, with a commit, with changes since.
name_of() { # FOLDER
  cmake -D SOURCE="$PWD/$1" -D VERSION=1.2 -D OUTPUT="$PWD/$1.cpp" \
    -P "$source_dir/sim/cli/build.cmake" 2>&1 || fail "no name of $1"
  sed -n 's/.*build_commit.*"\(.*\)".*/\1/p' "$1.cpp"
}
mkdir -p checkout/sim checkout/rtl checkout/sw checkout/tests
echo one | tee checkout/CMakeLists.txt checkout/sim/a.cpp checkout/sim/README.md \
  checkout/tests/t.sh >/dev/null
export GIT_CEILING_DIRECTORIES=$PWD
without=$(name_of checkout)
grep -qE '^unknown\+[0-9a-f]{8}$' <<<"$without" || fail "without git: \"$without\""
is "$(grep -c '"1.2"' checkout.cpp)" 1
if command -v git >/dev/null; then
  in_git() {
    git -C checkout -c user.name=test -c user.email=test@localhost "$@" >said 2>&1 ||
      fail "git $*: $(<said)"
  }
  in_git init -q
  in_git add .
  in_git commit -q -m one
  first=$(git -C checkout rev-parse --short=12 HEAD)
  is "$(name_of checkout)" "$first"
  stamp=$(stat -c %y checkout.cpp)
  # Documents and tests are no sources.
  echo two | tee checkout/sim/README.md checkout/tests/t.sh >/dev/null
  is "$(name_of checkout)" "$first"
  in_git commit -q -a -m two
  is "$(name_of checkout)" "$first"
  is "$(stat -c %y checkout.cpp)" "$stamp" "the name is written only when it changes"
  echo two >checkout/sim/a.cpp
  changed=$(name_of checkout)
  grep -qE "^$first\+[0-9a-f]{8}$" <<<"$changed" || fail "changed: \"$changed\""
  echo three >checkout/sim/a.cpp
  [ "$(name_of checkout)" != "$changed" ] || fail "another change has the same name"
  echo two >checkout/sim/a.cpp
  is "$(name_of checkout)" "$changed"
  echo new >checkout/sw/b.c
  [ "$(name_of checkout)" != "$changed" ] || fail "a new file has no name of its own"
  rm checkout/sw/b.c
  in_git commit -q -a -m three
  is "$(name_of checkout)" "$(git -C checkout rev-parse --short=12 HEAD)"
fi

# Rows of a sweep, of which one fails without a result, and their table.
cat >sweep.json <<'END2'
{"base": "base.json", "axes": [[{"router.vc_depth": 4}, {"router.vc_depth": 8},
  {"router.vc_depth": 4, "processor": "rv32", "watchdog": 1}]]}
END2
expect 3 "(3 runs made now, 0 found" $weft sweep sweep.json -o out
python3 - "$version" "$commit" <<'END2' || fail "builds in the table: $(<out/results.csv)"
import csv, sys
rows = list(csv.DictReader(open("out/results.csv")))
assert [[row["version"], row["commit"]] for row in rows] == 3 * [sys.argv[1:]], rows
END2
expect 3 "(0 runs made now, 3 found" $weft sweep sweep.json -o out
cp -r out made

# age DIR EXPRESSION: changes the runs in a folder, as another build would have written them.
age() {
  python3 - "$@" <<'END2'
import glob, json, sys
for name in glob.glob(sys.argv[1] + "/results*.jsonl"):
    rows = [json.loads(line) for line in open(name)]
    for number, row in enumerate(rows):
        exec(sys.argv[2])
    open(name, "w").write("".join(json.dumps(row) + "\n" for row in rows))
END2
}
this="this one: $version $commit), which are made anew (--keep-builds keeps them)"
# expect_anew TEXT COUNT EXPRESSION: of the 3 points so many are made anew, for the reason in TEXT.
expect_anew() {
  rm -rf out
  cp -r made out
  age out "$3"
  cp -r out aged
  expect 3 "(0 runs made now, 3 found" $weft sweep sweep.json -o aged --keep-builds
  $weft sweep sweep.json -o aged --keep-builds 2>&1 | grep 'another build' &&
    fail "a note where builds are kept"
  rm -rf aged
  expect 3 "weft: $2 of 3 points have runs of another build of weft ($1; $this" \
    $weft sweep sweep.json -o out
  is "$(wc -l <out/results.jsonl)" $((3 + $2))
  is "$(table out)" "$(table made)"
  # Each has a run of this build now.
  expect 3 "(0 runs made now, 3 found" $weft sweep sweep.json -o out
  $weft sweep sweep.json -o out 2>&1 | grep 'another build' && fail "a note of older runs"
}
expect_anew "$version 0123456789ab" 3 'row["commit"] = "0123456789ab"'
expect_anew "$version ${commit}0" 1 "if number == 1: row['commit'] += '0'"
expect_anew "0.0.1 $commit" 2 "if number < 2: row['version'] = '0.0.1'"
expect_anew "not recorded" 3 'del row["commit"], row["version"]'
expect_anew "1 2, not recorded" 3 \
  'row.update(version="1", commit="2") if number else [row.pop(k) for k in ("commit", "version")]'
expect_anew "not recorded" 1 'if number == 2: row.update(version=1, commit=None)'

# Nor does the table have them when it is made of shards, unless it is to.
cat >shards.json <<'END2'
{"base": "base.json", "axes": [{"router.vc_depth": [4, 5, 6, 8]}]}
END2
for shard in 0 1; do
  expect 0 "points          2 (2 runs made now" $weft sweep shards.json -o parts --shard $shard/2
done
python3 - <<'END2'
import json
name = "parts/results.1-of-2.jsonl"
rows = [json.loads(line) for line in open(name)]
open(name, "w").write("".join(json.dumps({**row, "commit": "old"}) + "\n" for row in rows))
END2
cp -r parts kept
note="weft: 2 of 4 points have runs of another build of weft ($version old; this one: $version"
expect 0 "points          4 of 4" $weft merge shards.json -o kept --keep-builds
is "$(wc -l <kept/results.csv)" 5
cp -r parts again
expect 0 "weft: 2 of 2 points have runs of another build" \
  $weft sweep shards.json -o again --shard 1/2
expect 0 "points          4 of 4" $weft merge shards.json -o again
expect 1 "$note $commit), which do not count (--keep-builds keeps them)" \
  $weft merge shards.json -o parts
is "$(wc -l <parts/results.csv)" 3
expect 0 "$note" $weft sweep shards.json -o parts
is "$(wc -l <parts/results.csv)" 5

finish
