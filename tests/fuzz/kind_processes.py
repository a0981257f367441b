# Kind processes: a random configuration on several processes.
"""What a run on one process and runs on several have in common: everything."""

from draw_config import configuration
from kind import Kind
from runs import difference, resumed, run, too_many_threads


class Processes(Kind):
    """`model` or `flit` on 2 to 4 processes of 1 or 2 threads against `model` on one; resumed, from
    and to as many processes."""

    def draw(self, draw):
        return {**configuration(draw), "engine": draw.choice(["model", "model", "flit"]),
                "processes": draw.choice([2, 2, 3, 4]), "threads": draw.choice([1, 1, 2]),
                "before": draw.choice([1, 2, 3]), "resumed": draw.choice([1, 10, 50, 90, 99])}

    def fault(self, case, name, counts):
        own = ("engine", "processes", "threads", "before", "resumed")
        config = {key: value for key, value in case.items() if key not in own}
        engine, processes, threads, before, percent = (case[key] for key in own)
        first = run(self.context, config, name)
        many = run(self.context, config, name, engine, threads, processes=processes)
        counts["runs"] += 2
        if too_many_threads(many):
            counts["with too few nodes"] += 1
            return None
        wrong = first.crash or many.crash or difference(first, many)
        if not wrong:
            wrong = (resumed(self.context, config, first, name, percent, engine, (1, threads),
                             (before, processes))
                     or resumed(self.context, config, first, name, percent, engine, (threads, 1),
                                (processes, before)))
        return wrong and f"{engine} on {processes} processes of {threads} threads: {wrong}"
