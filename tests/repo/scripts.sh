#!/usr/bin/env bash
# Every script that a document quotes, and every other one that is run, is a command of some test,
# at least in a short form: otherwise no test fails when the script does. So is every study of
# scripts/figures.sh. Tests are tests/e2e/*.sh, the commands of ctest and .ci/run.
# Arguments: the build folder.
set -euo pipefail
tests=$1/tests/CTestTestfile.cmake
cd "$(dirname "$0")/../.."
status=0
broken() {
  echo "FAIL: $*"
  status=1
}

# Comments run nothing.
text=$(cat tests/e2e/*.sh "$tests" .ci/run | grep -v '^ *#')
helpers=$(grep -hE '^[^#]*python3.* scripts/[a-z_]+[.]py' scripts/*.sh)  # Of scripts.
is_run() {  # NAME: after its folder, or after a variable that names it
  grep -qE "(scripts|cluster)\"?/${1/./[.]}([\" ]|\$)" <<<"$text" ||
    [[ $1 == *.py && $helpers == *" scripts/$1"* ]]
}

quoted=$(grep -rnoE 'scripts/[a-z_/]+\.(sh|py|sbatch)' --include='*.md' \
  README.md rtl scripts sim sw tb tests)
[[ $(wc -l <<<"$quoted") -ge 60 ]] || broken "only $(wc -l <<<"$quoted") quoted scripts were found"
while IFS=: read -r document line script; do
  [[ -e $script ]] || broken "$document:$line: no file $script"
done <<<"$quoted"

count=0
for script in scripts/*.sh scripts/*.py scripts/cluster/*; do
  # Sourced or imported by others: not executable.
  [[ $script != *.md && ( -x $script || $script == *.sbatch ) ]] || continue
  count=$((count + 1))
  is_run "$(basename "$script")" ||
    broken "$script is in no test: add a short form of it to tests/e2e/cli_scripts.sh" \
      "(quoted in: $(grep -F "$script" <<<"$quoted" | cut -d: -f1,2 | paste -sd' '))"
done
((count >= 25)) || broken "only $count scripts were found"

for study in scripts/figures/*/full.json; do
  study=$(basename "$(dirname "$study")")
  grep -qE "figures[.]sh\" $study --quick|for study in .*\b$study\b" <<<"$text" ||
    broken "scripts/figures.sh $study is in no test"
done

# `head` and `grep -m` end before they have read all: what writes to them may die of it, and with
# `pipefail` the script, now and then and without a word. Sourced files have it from the others.
for script in $(grep -lE '^set .*pipefail' -r --include='*.sh' .ci scripts tests sw) \
  scripts/*.bash; do
  found=$(grep -nE '^[^#]*[^|]\| *(head|grep -m)\b' "$script") &&
    broken "$script: ends a pipeline early: $found"
done
exit $status
