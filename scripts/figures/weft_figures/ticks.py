"""Ticks of an axis: values that are read easily, as many as fit."""

import math

from matplotlib import ticker

MOST = 9  # More ticks than these say no more.
# Ticks within a decade, the densest first.
MANTISSAS = [(1, 1.5, 2, 3, 4, 5, 6, 8), (1, 1.5, 2, 3, 5, 7), (1, 2, 3, 5), (1, 2, 5), (1, 3),
             (1,)]
BINARY = [" ", " Ki", " Mi", " Gi", " Ti"]
DECIMAL = ["", " k", " M", " G", " T"]


def plain(value, decimals=None):
    """A number as a reader writes it: 0.05, 1.5, 4,080; or with so many decimals."""
    text = f"{value:,.10g}" if decimals is None else f"{value:,.{decimals}f}"
    return text.replace("-", "\N{MINUS SIGN}")


def prefixed(value, base, prefixes):
    """A number with a prefix for powers of `base`: 64, 16 Ki, 200 k."""
    power = 0
    while value >= base and power + 1 < len(prefixes):
        value /= base
        power += 1
    return plain(value) + prefixes[power].rstrip()


def binary(value):
    return prefixed(value, 1024, BINARY)


def decimal(value):
    return prefixed(value, 1000, DECIMAL)


def power_of_ten(value):
    return f"$10^{{{round(math.log10(value))}}}$"


def within(values, low, high):
    slack = 1e-9 * max(abs(low), abs(high))
    return [value for value in values if low - slack <= value <= high + slack]


def linear_choices(low, high, steps=(1, 2, 2.5, 5, 10)):
    """Sets of ticks of a linear axis, the densest first."""
    choices = []
    for most in range(MOST, 1, -1):
        values = ticker.MaxNLocator(most, steps=steps).tick_values(low, high)
        choices.append(within([round(value, 12) for value in values], low, high))
    return choices


def log_choices(low, high):
    """Sets of ticks of a logarithmic axis, the densest first; over less than half a decade those of
    a linear one are as good."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    choices = []
    for mantissas in MANTISSAS:
        values = [mantissa * 10.0**decade for decade in range(first, last + 1)
                  for mantissa in mantissas]
        choices.append(within(values, low, high))
    for stride in range(2, last - first + 1):
        choices.append(within([10.0**decade for decade in range(first, last + 1)
                               if decade % stride == 0], low, high))
    if high / low < 3:
        choices = linear_choices(low, high, (1, 2, 5, 10)) + choices
    return choices


def binary_choices(low, high):
    """Sets of powers of two for a logarithmic axis, the densest first."""
    first, last = math.floor(math.log2(low)), math.ceil(math.log2(high))
    return [within([2.0**exponent for exponent in range(first, last + 1)
                    if exponent % stride == 0], low, high)
            for stride in range(1, max(2, last - first + 1))]


def values_choices(values):
    """The abscissas that were measured, as long as they are few; every second one and so on."""
    return [values[::stride] for stride in range(1, max(2, len(values)))
            if (len(values) - 1) % stride == 0]


def labels_of(ticks, scale):
    """The texts of the ticks of an axis, all in one form."""
    if scale == "log binary":
        return [binary(value) for value in ticks]
    if scale == "log bytes":
        return [decimal(value) for value in ticks]
    if scale == "log" and ticks and (max(ticks) >= 1e5 or min(ticks) < 1e-3):
        if all(math.isclose(math.log10(value) % 1, 0, abs_tol=1e-9) for value in ticks):
            return [power_of_ten(value) for value in ticks]
        return [decimal(value) if min(ticks) >= 1 else plain(value) for value in ticks]
    if scale == "linear":
        decimals = max((len(plain(value).partition(".")[2]) for value in ticks), default=0)
        return [plain(value, decimals) for value in ticks]
    return [plain(value) for value in ticks]


def choices_of(scale, low, high, values=()):
    """Sets of ticks for an axis from `low` to `high`, the densest first; those at the measured
    `values` before all others."""
    choices = {"linear": linear_choices, "log": log_choices, "log bytes": log_choices,
               "log binary": binary_choices}[scale](low, high)
    if 2 <= len(values) <= MOST and scale != "log binary":
        choices = values_choices(within(values, low, high))[:1] + choices
    return [choice for choice in choices if 2 <= len(choice) <= MOST] or [[low, high]]
