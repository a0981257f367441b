#!/usr/bin/env bash
# A picture of a sweep: DIR/results.csv of `weft sweep FILE -o DIR` as curves, SVG and PNG; -h has
# the options.
set -euo pipefail
# Debian's own: another python3 may come first in PATH, without its packages.
python=/usr/bin/python3
"$python" -c 'import matplotlib' 2>/dev/null ||
  { echo "scripts/plot.sh: matplotlib is missing: package python3-matplotlib" >&2 && exit 2; }
PYTHONPATH=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/figures \
  exec "$python" -B -m weft_figures.sweep_plot "$@"
