#!/usr/bin/env bash
# Man pages of the command and its subcommands, made from their own help: build/man/man1/weft.1,
# weft-run.1 and so on. Takes build/weft as it is; installs help2man and man-db.
set -euo pipefail
cd "$(dirname "$0")/.."
weft=${1:-build/weft} out=${2:-build/man}
if [[ ${1:-} == -h || ! -x $weft ]]; then
  echo 'usage: scripts/man.sh [WEFT [DIR]]   default: build/weft build/man'
  [[ ${1:-} == -h ]] && exit 0 || exit 2
fi
source scripts/packages.sh
weft_packages help2man man-db
mkdir -p "$out/man1"
out=$(realpath "$out")  # man accepts only an absolute path.
version=$("$weft" --version)
version=${version#weft }
commands=$("$weft" completion words --)
page() {  # name title command...
  local name=$1 title=$2
  shift 2
  help2man --no-info --no-discard-stderr --name="$title" --version-string="$version" \
    --source="Weft $version" --output="$out/man1/$name.1" "$*"
  # The page is named after the whole command.
  sed -i "s/^\.TH \S\+/.TH ${name^^}/" "$out/man1/$name.1"
}
page weft 'interconnects of parallel computers, as RTL and as cycle models' "$weft"
for command in $commands; do
  page "weft-$command" "$("$weft" "$command" --help | sed -n '1{s/ *$//;p}')" "$weft" "$command"
done
echo "man pages       $out/man1: man -M $out weft"
