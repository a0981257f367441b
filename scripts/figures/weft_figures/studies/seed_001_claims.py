"""Seed 001: what the paper says of its figures, and what was measured."""

from weft_figures import tables

DIRECT = ["(CB)^2", "CCCB", "CB", "CCC", "2DM", "2DT", "3DT"]
MDCE = {"(CB)^2", "CCCB"}
GRIDS = ["2DM", "2DT", "3DT"]
FLAT = ["(CB)^2", "CCCB", "CB", "CCC", "2DM", "2DT"]
ALL = [*DIRECT, "FT", "MIN"]
LOGARITHMIC = ["(CB)^2", "CCCB", "CB", "CCC", "FT", "MIN"]


class NoValue(Exception):
    """A claim's row cannot be judged: its text says what is missing."""


class Curves:
    """The points of all curves, by figure and name; several seeds at a rate are their mean."""

    def __init__(self, points):
        runs = {}
        self._saturated = {}
        for row in points:
            if not row["packets"]:
                continue
            key = row["figure"], row["curve"]
            runs.setdefault(key, {}).setdefault(row["rate"], []).append(row)
            self._saturated[key] = row["saturated"] == "true"
        # (packets, latency) by rate, rates as first seen.
        self._means = {
            key: {rate: tuple(sum(float(row[column]) for row in rows) / len(rows)
                              for column in ("packets", "latency"))
                  for rate, rows in rates.items()}
            for key, rates in runs.items()}

    def of_figure(self, figure):
        return [name for of, name in self._means if of == figure]

    def saturated(self, figure, name):
        """Whether the last point of a curve is beyond saturation."""
        return self._saturated.get((figure, name), False)

    def peak(self, figure, name):
        """Most packets; zero without a point."""
        return max((x for x, _ in self._means.get((figure, name), {}).values()), default=0)

    def low_load_latency(self, figure, name):
        return next(iter(self._means[figure, name].values()))[1]

    def latency_at_rate(self, figure, name, rate):
        return self._means.get((figure, name), {}).get(rate, (0, 0))[1]

    def latency_at(self, figure, name, wanted):
        """Latency at so many packets, between the two points around it; below the first point that
        of it; zero beyond the last one."""
        before = None
        for x, y in self._means.get((figure, name), {}).values():
            if x >= wanted:
                if before is None or x == before[0]:
                    return y
                return before[1] + (y - before[1]) * (wanted - before[0]) / (x - before[0])
            before = x, y
        return 0


def ranking(names, value, descending=False):
    """The names in order of their values, and both in words."""
    ranked = sorted(names, key=value.get, reverse=descending)
    words = [f"{name} {value[name]:.0f}" if value[name] >= 1000 else f"{name} {value[name]:.1f}"
             for name in ranked]
    return ranked, "; ".join(words)


def values_of(names, value):
    """The value of each name, all of which must have one."""
    values = {name: value(name) for name in names}
    for name in names:
        if not values[name]:
            raise NoValue(f"no value for {name}")
    return values


def low_latency(curves, figure):
    lowest_peak = min(curves.peak(figure, name) for name in DIRECT)
    value = values_of(ALL, lambda name: curves.latency_at(figure, name, lowest_peak / 2))
    ranked, text = ranking(DIRECT, value)
    text = (f"cycles at {lowest_peak / 2:.0f} packets: {text} "
            f"(indirect: MIN {value['MIN']:.1f}; FT {value['FT']:.1f})")
    return text, set(ranked[:2]) == MDCE


def tolerance(curves, figure):
    value = values_of(ALL, lambda name: curves.peak(figure, name))
    _, text = ranking(ALL, value, descending=True)
    unfilled = [name for name in ALL if not curves.saturated(figure, name)]
    if unfilled:
        text += f" (not yet saturated: {' '.join(unfilled)})"
    return f"most packets: {text}", all(
        value[indirect] > value[mdce] for indirect in ("FT", "MIN") for mdce in MDCE)


def hot_spot(curves, rate):
    value = values_of(ALL, lambda name: curves.latency_at_rate("fig9", name, rate))
    _, text = ranking(ALL, value)
    highest = max(value[name] for name in GRIDS)
    lowest = min(value[name] for name in LOGARITHMIC)
    return f"cycles at {rate} flits offered: {text}", highest < lowest


def emulation(curves):
    """The mesh shapes are the networks of 32 x 32."""
    value = values_of(ALL, lambda name: curves.peak("fig10", name))
    ranked, text = ranking(FLAT, value, descending=True)
    others = "; ".join(f"{name} {value[name]:.0f}" for name in ("3DT", "FT", "MIN"))
    holds = set(ranked[:2]) == {"2DM", "2DT"} and set(ranked[2:4]) == MDCE
    return f"most packets: {text} ({others})", holds


def skipping_packets(curves):
    value = {name: curves.peak("fig12", name) for name in curves.of_figure("fig12")}
    if not value:
        raise NoValue("no value")
    _, text = ranking(value, value, descending=True)
    neighbour = value.get("delta=1", 0)
    return f"most packets: {text}", all(
        packets < neighbour for name, packets in value.items()
        if name not in ("delta=0", "delta=1"))


def skipping_latency(curves):
    value = {name: curves.low_load_latency("fig12", name) for name in curves.of_figure("fig12")}
    ranked, text = ranking(value, value)
    return f"cycles: {text}", ranked[0] == "delta=1"


def claims_table(points):
    """A row for each claim: where the paper makes it, what was measured, whether it holds."""
    curves = Curves(points)
    table = tables.Table(["figure", "claim", "measured", "holds"], quoted=(1, 2), rule="---")

    def judge(figure, claim, judgement, *arguments):
        try:
            measured, holds = judgement(curves, *arguments)
            table.add(figure, claim, measured, "yes" if holds else "no")
        except NoValue as missing:
            table.add(figure, claim, missing, "-")

    for figure in ("fig7", "fig8", "fig11"):
        judge(figure, "below saturation MDCE have the least latency of the direct networks",
              low_latency, figure)
    for figure in ("fig7", "fig8", "fig11"):
        judge(figure, "indirect networks take more packets than MDCE", tolerance, figure)
    for rate, times in (("0.03", "1.5"), ("0.06", "3")):
        judge("fig9", f"at {times} times the hot spot's capacity mesh and tori have less latency "
              "than others", hot_spot, rate)
    judge("fig10", "MDCE are second to the mesh shapes only, DCE fall off", emulation)
    judge("fig12", "delta above 1 takes fewer packets than delta 1", skipping_packets)
    if curves.of_figure("fig12"):
        judge("fig12", "and has more latency at low load", skipping_latency)
    return table
