"""`weft plot`: curves of a sweep. Called with its arguments by that command, which tells its errors."""

import sys

try:
    from weft_figures import sweep_plot
except ImportError as error:
    if error.name != "matplotlib":
        raise
    print("matplotlib is missing: package python3-matplotlib", file=sys.stderr)
    sys.exit(2)

sys.exit(sweep_plot.main())
