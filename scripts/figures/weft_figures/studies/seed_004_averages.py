"""Seed 004: the paper's averages beside the measured ones."""

from weft_figures import tables

# Averages of time over theory: case, network, the paper's value, series.
FIGURES_3_TO_5 = [
    ("fig. 3: VC per destination, buffer 2, NCT 1, A2AT", "torus", "0.97", "fig3 torus a2at"),
    ("fig. 3: VC per destination, buffer 2, NCT 1, A2AT", "mesh", "1.25", "fig3 mesh a2at"),
    ("fig. 4: 2 VCs, buffer 20, NCT 1, no sync, A2AT", "torus", "1.19", "fig4 torus a2at"),
    ("fig. 4, crossing: datelines by crossing", "torus", "1.19", "fig4 torus a2at crossing"),
    ("fig. 5: 2 VCs, buffer 20, NCT 1, local sync, A2AT", "torus", "1.11", "fig5 torus a2at"),
    ("fig. 5, crossing", "torus", "1.11", "fig5 torus a2at crossing"),
    ("fig. 5: 2 VCs, buffer 20, NCT 1, local sync, A2AT", "mesh", "1.11", "fig5 mesh a2at"),
]
FIGURE_7 = [
    ("fig. 7: buffer 200, NCT 2, no sync, A2AT", "torus", "1.28", "fig7 torus NCT2 none"),
    ("fig. 7, crossing: NCT 2, no sync", "torus", "1.28", "fig7 torus NCT2 none crossing"),
    ("fig. 7: buffer 200, NCT 2, no sync, A2AT", "mesh", "1.18", "fig7 mesh NCT2 none"),
    ("fig. 7: buffer 200, NCT 2, local sync, A2AT", "torus", "1.23", "fig7 torus NCT2 local"),
    ("fig. 7, crossing: NCT 2, local sync", "torus", "1.23",
     "fig7 torus NCT2 local crossing"),
    ("fig. 7: buffer 200, NCT 2, local sync, A2AT", "mesh", "1.23", "fig7 mesh NCT2 local"),
]
CURE = [
    ("cure: NCT 4, slots, store-forward, RV32 (goal: 1.10)", "torus", "", "cure NCT 4 slots"),
    ("before: NCT 4, A2AT, local sync, RV32", "torus", "", "cure NCT 4 a2at local"),
    ("cure: NCT 1, A2AT, balanced, buffer 20, RV32", "torus", "",
     "cure NCT 1 a2at local balanced"),
    ("cure: NCT 1, A2AT, balanced, buffer 30, RV32 (goal: 1.05)", "torus", "",
     "cure NCT 1 a2at local balanced buffer 30"),
]
# Averages of the quotient of two times: case, network, the paper's value, both series, and the
# size below which networks count.
QUOTIENTS_5 = [
    ("fig. 5: A2AND time / A2AT time", "torus", "1.67", "fig5 torus a2and", "fig5 torus a2at"),
    ("fig. 5: A2AND time / A2AT time", "mesh", "1.18", "fig5 mesh a2and", "fig5 mesh a2at"),
]
QUOTIENTS_7 = [
    ("fig. 7: NCT 1 time / NCT 2 time, local sync", "torus", "1.35",
     "buffer200 torus NCT1 local", "fig7 torus NCT2 local"),
    ("fig. 7: NCT 1 time / NCT 2 time, local sync", "mesh", "1.13",
     "buffer200 mesh NCT1 local", "fig7 mesh NCT2 local"),
    ("fig. 7: NCT 4 time / NCT 2 time, local sync", "torus", "0.93", "fig7 torus NCT4 local",
     "fig7 torus NCT2 local"),
    ("fig. 7: NCT 2 time / NCT 4 time, local sync, k < 9", "torus", "1.06",
     "fig7 torus NCT2 local", "fig7 torus NCT4 local", 9),
]
FIGURE_6_GAPS = {"11": "1.10", "17": "1.20"}  # Gaps by k.
# Figures over the size of buffers: first word of their series, and their name in the table.
FIGURE_6 = {"fig6": "fig. 6", "crossing": "fig. 6, crossing"}


class Averages:
    """The table: a measured value is the mean over the sizes for which all its runs ended; beside
    it how many."""

    HEAD = ["case", "network", "paper", "measured", "deviation_percent", "sizes"]
    PRINTED = ["case (time / theory, mean over k)", "", "paper", "measured", "deviation", "values"]
    LINE = "| {:<58} | {:<5} | {:>5} | {:>8} | {:>9} | {:>6} |\n"

    def __init__(self):
        self._table = tables.Table(self.HEAD, quoted=(0,))

    def add(self, case, network, paper, values):
        measured = deviation = ""
        if values:
            mean = sum(values) / len(values)
            measured = f"{mean:.3f}"
            if paper:
                deviation = f"{100 * (mean / float(paper) - 1):+.1f}"
        self._table.add(case, network, paper, measured, deviation, len(values))

    def markdown(self):
        text = self.LINE.format(*self.PRINTED) + "|---|---|---|---|---|---|\n"
        for case, network, paper, measured, deviation, values in self._table.rows:
            text += self.LINE.format(case, network, paper, measured or "-", deviation or "-",
                                     values)
        return text

    def write(self, path):
        if path.suffix == ".md":
            path.write_text(self.markdown(), encoding="utf-8")
        else:
            self._table.write(path)


class Points:
    """Cycles and time over theory of all points. In figure 6 a size has a point for each buffer
    size, elsewhere one."""

    def __init__(self, points):
        self.sizes = {}
        self.depths, self.buffered_sizes = ({figure: {} for figure in FIGURE_6} for _ in range(2))
        self._cycles, self._over = {}, {}
        for row in points:
            series, k, depth = row["series"], row["k"], row["vc_depth"]
            figure = series.split()[0]
            key = (series, k, depth) if figure in FIGURE_6 else (series, k)
            self._cycles[key] = row["cycles"]
            self._over[key] = row["over_theory"]
            self.sizes[k] = True
            if figure in FIGURE_6:
                self.depths[figure][depth] = self.buffered_sizes[figure][k] = True

    def over_theory(self, series):
        texts = [self._over.get((series, k)) for k in self.sizes]
        return [float(text) for text in texts if text]

    def quotients(self, above, below, limit=None):
        pairs = [(self._cycles.get((above, k)), self._cycles.get((below, k)))
                 for k in self.sizes if limit is None or int(k) < limit]
        return [int(a) / int(b) for a, b in pairs if a and b]

    def figure_6(self, figure, k):
        """(buffer size, cycles with local sync, without sync), None where a run failed."""
        for depth in self.depths[figure]:
            pair = [self._cycles.get((f"{figure} {sync}", k, depth)) for sync in ("local", "none")]
            yield int(depth), *(int(cycles) if cycles else None for cycles in pair)

    def gaps(self, figure, k):
        """How much slower the slower of the two modes is, by buffer size."""
        return [max(local, none) / min(local, none) for _, local, none in self.figure_6(figure, k)
                if local and none]

    def faster_without_sync(self, figure, k):
        """The first buffer size from which on no sync is the faster mode, or nothing."""
        first = []
        for depth, local, none in reversed(list(self.figure_6(figure, k))):
            if not local or not none or none >= local:
                break
            first = [depth]
        return first


def averages_table(points):
    points = Points(points)
    table = Averages()

    def averages(cases):
        for case, network, paper, series in cases:
            table.add(case, network, paper, points.over_theory(series))

    def quotients(cases):
        for case, network, paper, *series in cases:
            table.add(case, network, paper, points.quotients(*series))

    averages(FIGURES_3_TO_5)
    quotients(QUOTIENTS_5)
    for figure, name in FIGURE_6.items():
        for k in points.buffered_sizes[figure]:
            table.add(f"{name}: k = {k}: no sync is faster from buffer", "torus", "200",
                      points.faster_without_sync(figure, k))
            table.add(f"{name}: k = {k}: slower / faster mode, mean", "torus",
                      FIGURE_6_GAPS.get(k, ""), points.gaps(figure, k))
    averages(FIGURE_7)
    quotients(QUOTIENTS_7)
    averages(CURE)
    return table
