#!/usr/bin/env bash
# Every command of the manual: of each page the indented lines that begin with `build/weft `, and
# those that write the files which they need, run in their order, each with exit status 0. Every
# number in the comment behind a command is in its output. Runs on engines rtl
# and cosim have 16 nodes there. Then the figures in README.md's table of configurations.
source "$(dirname "$0")/lib.sh"

# absent TEXT: the numbers of TEXT that standard input has not. Commas between thousands do not
# count; a number with decimals may be rounded from a longer one; digits behind a letter are a name.
absent() {
  python3 -c 'import re, sys
def numbers(text):
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    return re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?!\w|\.\d)", text)
def rounds(number, figure):
    decimals = len(figure.partition(".")[2])
    if decimals == 0 or len(number.partition(".")[2]) <= decimals:
        return number == figure
    return abs(float(number) - float(figure)) <= 0.5000001 * 10.0**-decimals
have = set(numbers(sys.stdin.read()))
print(*[f for f in numbers(sys.argv[1]) if not any(rounds(h, f) for h in have)])' "$1"
}

# check PAGE COMMAND TEXT: the command ends with status 0, and its output has the numbers of TEXT.
# That of a sweep is its results, too.
check() {
  local output gone
  output=$(bash -c "$2" 2>&1 </dev/null) || {
    fail "status $?: $1: $2: $output"
    return
  }
  grep -q '^weft: .* now$' <<<"$output" && fail "$1: a name of before: $2"
  [[ $3 == *[0-9]* ]] || return
  if [[ $2 =~ 'weft sweep '.*' -o '([^ ]+) ]]; then
    output+=$'\n'$(<"${BASH_REMATCH[1]}/results.csv")
  fi
  gone=$(absent "$3" <<<"$output")
  [ -z "$gone" ] || fail "$1: no $gone in the output of: $2: $output"
}

build=$(dirname "$(realpath "$weft")")
pages=(README.md sim/README.md sim/topology/README.md sim/schedule/README.md sw/README.md
  rtl/README.md tests/README.md)
for page in "${pages[@]}"; do
  mkdir -p "$work/$page"
  cd "$work/$page" || exit 1
  ln -s "$build" build
  ln -s "$source_dir/sw" sw
  # A line that ends in a backslash goes on in the next one.
  commands=$(sed -e ':more' -e '/\\$/{N;s/\\\n *//;b more' -e '}' "$source_dir/$page" |
    grep -E '^    (build/weft|echo|cp|riscv64-unknown-elf-gcc) ')
  grep -q 'build/weft' <<<"$commands" || fail "$page has no command"
  while IFS= read -r command; do
    comment=''
    [[ $command != *' # '* ]] || comment=${command#*' # '}
    check "$page" "$command" "$comment"
  done <<<"$commands"
done

# Rows of the table: a name, changes of keys, and in the fifth column the figure.
cd "$work/README.md" || exit 1
rows=0
while IFS='|' read -r _ run _ _ _ figure _; do
  run=${run//'`'/}
  check README.md "build/weft run${run//,/ --set}" "$figure"
  rows=$((rows + 1))
done < <(grep -E '^\| `[a-z0-9_]+`(, `[a-z_.]+=[a-z0-9_]+`)* \|' "$source_dir/README.md")
[ "$rows" -ge 13 ] || fail "$rows rows of README.md's table were found"

finish
