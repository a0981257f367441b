#!/usr/bin/env bash
# Completion in bash, by the script that the command prints, and man pages made from its help.
source "$(dirname "$0")/lib.sh"

PATH=$(dirname "$(realpath "$weft")"):$PATH
# shellcheck disable=SC1090
source <($weft completion bash)
compopt() { :; }  # It works while a shell completes only.

# offers WORD... [--] EXPECTED: what is offered for the last of the words, as a line.
offers() {
  local expected=${*: -1}
  COMP_WORDS=("${@:1:$#-1}")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  _weft
  is "${COMPREPLY[*]}" "$expected" "offered for ${COMP_WORDS[*]}"
}

offers weft to topo
offers weft r "run report"
offers weft run torus_h torus_hop_group
offers weft run xbar16 --engine r "rtl rtl-top"
offers weft run xbar16 --set router.vc_d router.vc_depth=
offers weft run xbar16 --lat --latencies
offers weft list en engines
offers weft run --json first ""
offers weft unknown x ""
# Every subcommand of the help, and no other.
is "$($weft completion words -- | sort | xargs)" \
  "$($weft --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | sort | xargs)"

expect 0 "man -M $PWD/man weft" "$source_dir/scripts/man.sh" "$weft" "$PWD/man"
for page in weft weft-run weft-sweep weft-plot; do
  MANWIDTH=100 man -M "$PWD/man" "$page" >page.txt 2>errors.txt ||
    fail "no man page $page"
  [ ! -s errors.txt ] || fail "$page: $(<errors.txt)"
done
MANWIDTH=100 man -M "$PWD/man" weft-run | grep -q -e '--saturation' ||
  fail "no --saturation in weft-run(1)"
finish
