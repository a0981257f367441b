# Kinds elf, trace and json: mutated inputs into the parsers and into the command.
"""Whatever a file holds: no crash, no sanitizer's report, no hang, and a message if it is bad."""

import glob
import json
import os
import struct
import zlib

from draw_config import configuration
from draw_network import small_network
from draw_work import goal, packet_lines
from kind import Kind
from mutate import WORDS, at_place, mutated, mutated_document, places, read_words
from runs import call, with_files, write
from shrink import without_parts

HERE = os.path.dirname(os.path.abspath(__file__))
BATCH = 300  # Inputs of one run of the harness.
RUNS = ("run", "sweep", "goal", "packets")  # What may find wrong data: exit status 1.
NATIVE = {"processor": "native", "max_cycles": 3000}


def corpus(kind):
    """The files of the corpus by name, and the words of its dictionary."""
    files = {}
    for path in sorted(glob.glob(os.path.join(HERE, "corpus", kind, "*"))):
        with open(path, "rb") as file:
            files[os.path.basename(path)] = file.read()
    return files, read_words(os.path.join(HERE, "corpus", f"{kind}.dict"))


class Inputs(Kind):
    """A case is what it goes into and a list of inputs: of many for the harness, one for the
    command. `name` is that of the parser."""

    name = ""
    chance = 0.5  # Of a case for the command, where there is a harness.

    def __init__(self, context):
        super().__init__(context)
        self.files, self.words = corpus(self.name)

    def draw(self, draw):
        if not self.context.harness or draw.random() < self.chance:
            return self.for_command(draw)
        others = list(self.files.values())
        return "harness", [self.input(draw, others) for _ in range(BATCH)]

    def input(self, draw, others):
        """An input of the harness."""
        return mutated(draw, draw.choice(others), self.words, others)

    def smaller(self, case):
        what, inputs = case
        for some in without_parts(inputs) if len(inputs) > 1 else ():
            if some:
                yield what, some
        if len(inputs) == 1:
            for data in without_parts(inputs[0]):
                yield what, [data]

    def text(self, case, seed):
        what, inputs = case
        os.makedirs(self.context.keep, exist_ok=True)
        paths = []
        for number, data in enumerate(inputs):
            paths.append(os.path.join(self.context.keep, f"{self.name}-{seed}-{number}"))
            with open(paths[-1], "wb") as file:
                file.write(data)
        return f"{what}: {' '.join(paths)}"

    def fault(self, case, name, counts):
        what, inputs = case
        paths = []
        for number, data in enumerate(inputs):
            paths.append(os.path.join(self.context.folder, f"{name}.{number}"))
            with open(paths[-1], "wb") as file:
                file.write(data)
        if what == "harness":
            status, out, error, wrong = call([self.context.harness, self.name, *paths])
            counts["into the harness"] += len(paths)
            counts["of these good"] += int(out.split()[0]) if out and status == 0 else 0
            return wrong or (f"exit status {status}: {error.strip()[-300:]}" if status else "")
        counts[f"into {what}"] += 1
        page = os.path.join(self.context.folder, f"{name}.page.html")
        commands = self.command(what, paths[0], name, page)
        status, _, error, wrong = call(commands)
        counts["of these good"] += status == 0
        if not wrong and status == 2 and "weft: " not in error:
            wrong = f"no message: {error.strip()[-300:]}"
        if not wrong and "[json.exception" in error:
            wrong = f"a message of the library's: {error.strip()[-300:]}"
        if not wrong and status == 1 and what not in RUNS and self.name != "checkpoint":
            wrong = f"exit status 1, but nothing was checked: {error.strip()[-300:]}"
        if not wrong and status != 0 and os.path.exists(page):
            wrong = f"a page in spite of exit status {status}"
        return wrong

    def run_config(self, config, name):
        """The command that runs a configuration."""
        return [self.context.weft, "run", write(self.context, config, name)]


class Elf(Inputs):
    """Programs: the parser and decoder, and programs of collectives on processors."""

    name = "elf"

    def __init__(self, context):
        super().__init__(context)
        self.programs = []
        for name in ("a2a", "hop_group", "barrier_dissemination"):
            path = os.path.join(os.path.dirname(context.weft), "sw", f"{name}.elf")
            if os.path.exists(path):
                with open(path, "rb") as file:
                    self.programs.append(file.read())
        self.programs = self.programs or list(self.files.values())

    def for_command(self, draw):
        return "run", [mutated(draw, draw.choice(self.programs), self.words, self.programs)]

    def command(self, what, path, name, page):
        config = {"topology": {"kind": "torus", "dims": [2, 2]}, "max_cycles": 3000,
                  "watchdog": 1000, "workload": {"collective": "program", "program": path}}
        return self.run_config(config, name)


class Trace(Inputs):
    """Dependency traces (GOAL), and packets of traffic `trace`."""

    name = "trace"
    nodes = 6

    def for_command(self, draw):
        packets = draw.random() < 0.4
        lines = packet_lines(draw, self.nodes) if packets else goal(draw, self.nodes)["file"]
        data = "\n".join(lines).encode()
        if draw.random() < 0.2:
            data = draw.choice(list(self.files.values()))
        return "packets" if packets else "goal", [mutated(draw, data, self.words, [data])]

    def input(self, draw, others):
        if draw.random() < 0.5:
            data = "\n".join(goal(draw, draw.randint(2, 5))["file"]).encode()
            return mutated(draw, data, self.words, others)
        return super().input(draw, others)

    def command(self, what, path, name, page):
        work = {"collective": "goal", "file": path, "phases": "operations"}
        limits = NATIVE
        if what == "packets":
            work, limits = {"traffic": "trace", "file": path}, {"max_cycles": 3000}
        return self.run_config({"topology": {"kind": "mesh", "dims": [3, 2]}, "workload": work,
                                **limits}, name)


class Json(Inputs):
    """Configurations, graphs, sweeps, and results that are read again."""

    name = "json"
    chance = 0.9

    def __init__(self, context):
        super().__init__(context)
        self.documents = {name: json.loads(data) for name, data in self.files.items()
                          if not name.startswith("bad")}
        self.keys = sorted({key for document in self.documents.values()
                            for path in places(document) for key in path if isinstance(key, str)})
        config = self.documents["config.json"]
        path = os.path.join(context.folder, "seed.result")
        call([*self.run_config(config, "seed"), "--detail", "--losses", "--json", path])
        with open(path, encoding="utf-8") as file:
            self.result = json.load(file)

    def for_command(self, draw):
        what = draw.choice(["run", "run", "topo", "graph", "sweep", "report", "report", "resume"])
        if what in ("run", "topo"):
            document = configuration(draw)
            stem = os.path.join(self.context.folder, f"files{draw.randrange(1 << 40)}")
            document = with_files(document, stem)
            if draw.random() < 0.3:
                document["topology"] = small_network(draw)[0]
        elif what in ("report", "resume"):
            document = self.result
        else:
            document = self.documents[f"{what}.json"]
        if draw.random() < 0.7:
            data = json.dumps(mutated_document(draw, document, self.keys)).encode()
        else:
            data = mutated(draw, json.dumps(document).encode(), self.words, [b"[]{}:,"])
        if what not in ("report", "resume") and too_large(data):
            return self.for_command(draw)
        return what, [data]

    def command(self, what, path, name, page):
        weft = self.context.weft
        if what == "run":
            return [weft, "run", path, "--set", "max_cycles=200"]
        if what == "topo":
            return [weft, "topo", path]
        if what == "graph":
            return [weft, "topo", self.run_config({"topology": {"kind": "graph", "file": path},
                                                   "workload": {"traffic": "uniform"}}, name)[-1]]
        if what == "report":
            return [weft, "report", path, "-o", page]
        folder = os.path.join(self.context.folder, f"{name}.sweep")
        if what == "sweep":
            return [weft, "sweep", path, "-j", "1", "-o", folder]
        os.makedirs(folder, exist_ok=True)  # "resume": results of a sweep.
        with open(path, "rb") as file, open(os.path.join(folder, "results.jsonl"), "wb") as copy:
            copy.write(file.read().replace(b"\n", b" ") + b"\n")
        return [weft, "report", folder, "-o", page]


class Checkpoint(Inputs):
    """States of checkpoints with other values in them, under check sums that are right."""

    name = "checkpoint"
    prefix = struct.Struct("<8sIIQQQII")  # As in sim/engine/checkpoint.cpp.
    # Engine model has room for as many packets as there are addresses: as many in all runs.
    limit = ["prlimit", "--as=2000000000"]

    def __init__(self, context):
        Kind.__init__(self, context)
        grid = {"kind": "mesh", "dims": [3, 2]}
        torus, tree = {"kind": "torus", "dims": [3, 3]}, {"kind": "fat_tree", "levels": 2}
        crossbars = {"kind": "hier_crossbar", "dims": [4, 2]}
        uniform = {"traffic": "uniform", "rate": 0.4, "warmup": 50, "measure": 300,
                   "packet_flits": [{"flits": 1, "weight": 1}, {"flits": 5, "weight": 1}]}
        program = {"workload": {"collective": "a2a", "message_flits": 9}, "processor": "rv32"}
        units = {"barrier": "hardware", "processor": "rv32", "workload": {
            "collective": "a2a", "message_flits": 9, "sync": "barrier"}}
        combining = {"combining": "tree", "processor": "rv32", "link": {"stages": 20}, "workload": {
            "collective": "allreduce_tree", "bytes": 800, "type": "fp32", "op": "sum"}}
        runs = [  # Engine, threads, cycle of the checkpoint, configuration.
            ("model", 1, 90, {"topology": grid, "workload": uniform, "nic": {"controllers": 2}}),
            ("model", 3, 120, {"topology": torus, "workload": uniform, "link": {"stages": 2}}),
            ("model", 1, 120, {"topology": torus, **units}),
            ("model", 1, 120, {"topology": grid, **combining}),
            ("model", 1, 120, {"topology": {"kind": "full_crossbar", "pes": 5}, **program}),
            ("model", 3, 120, {"topology": crossbars, "workload": uniform,
                               "nic": {"controllers": 2}}),
            ("model", 1, 120, {"topology": tree, "workload": uniform}),
            ("model", 3, 150, {"topology": tree, **program}),
            ("model", 1, 130, {"topology": torus, "workload": uniform, "link": {"parity": True},
                               "faults": [{"node": 1, "cycle": 90 + 9 * i, "bit": 7 * i}
                                          for i in range(9)]}),
            ("flit", 1, 90, {"topology": grid, "workload": {**uniform, "reply_flits": 4},
                             "link": {"protection": "retry"}}),
            ("flit", 1, 120, {"topology": grid, "nic": {"reliable": True},
                              "link": {"protection": "parity"}, **program}),
            ("flit", 1, 120, {"topology": crossbars, **program}),
            ("flit", 1, 120, {"topology": {"kind": "full_crossbar", "pes": 5}, **program}),
            ("flit", 1, 120, {"topology": torus, **units}),
            ("flit", 1, 150, {"topology": grid, "router": {"routing": "ugal", "vcs": 4},
                              "workload": uniform}),
        ]
        self.runs = []
        for number, (engine, threads, cycle, config) in enumerate(runs):
            # But for max_cycles that of the run that is resumed: another one is refused at once.
            config = {**config, "watchdog": 1000}
            path = self.run_config({**config, "max_cycles": cycle}, f"whole{number}")[-1]
            file = os.path.join(context.folder, f"whole{number}.file")
            options = ["--engine", engine, "--threads", str(threads)]
            status, _, error, wrong = call([*self.limit, context.weft, "run", path, *options,
                                            "--checkpoint", file, "--every", "1000000"])
            if not os.path.exists(file):
                raise RuntimeError(f"no checkpoint: {status}, {wrong}, {error}")
            with open(file, "rb") as made:
                self.runs.append((options, cycle, config, made.read()))
            status, _, error, wrong = call(self.command(number, file, f"whole{number}", ""))
            if wrong or status == 2:
                raise RuntimeError(f"a good checkpoint: {status}, {wrong}, {error}")

    def draw(self, draw):
        number = draw.randrange(len(self.runs))
        whole = self.runs[number][3]
        prefix = list(self.prefix.unpack_from(whole))
        begin = self.prefix.size + prefix[3]
        state = bytearray(zlib.decompress(whole[begin:]))
        for _ in range(draw.choice([1, 1, 1, 2, 4])):
            width = draw.choice([1, 1, 2, 4, 4, 8])
            at = draw.randrange(len(state) - 8)
            if draw.random() < 0.5:  # Where there is something: most of a state is memory, 0.
                at = draw.choice([i for i in range(at, min(at + 4096, len(state) - 8))
                                  if state[i]] or [at])
            at -= at % width if draw.random() < 0.7 else 0
            old = int.from_bytes(state[at:at + width], "little")
            value = draw.choice([draw.choice(WORDS), draw.randrange(256 ** width), old + 1,
                                 old - 1, old ^ 1 << draw.randrange(8 * width)])
            state[at:at + width] = (value % 256 ** width).to_bytes(width, "little")
        if draw.random() < 0.1:
            del state[draw.randrange(len(state)):]
        stored = zlib.compress(bytes(state), 1)
        prefix[4:7] = [len(state), len(stored), zlib.crc32(stored)]
        prefix[7] = zlib.crc32(self.prefix.pack(*prefix)[:-4])
        return number, [self.prefix.pack(*prefix) + whole[self.prefix.size:begin] + stored]

    def smaller(self, case):
        return ()

    def command(self, what, path, name, page):
        options, cycle, config, _ = self.runs[what]
        command = self.run_config({**config, "max_cycles": cycle + 2000}, name)
        return [*self.limit, *command, *options, "--resume", path]


def too_large(data):
    """Whether a configuration is good, perhaps, but large: it would take long, or all memory."""
    try:
        document = json.loads(data)
    except ValueError:
        return False
    nodes = 1
    for path in places(document):
        value = at_place(document, path)
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            continue
        # Of an element of a list that of the list.
        key = next((step for step in reversed(path) if isinstance(step, str)), "")
        if key in ("dims", "nodes", "pes", "p", "a", "h", "mains", "aggregators", "radix",
                   "nodes_per_router") and 1 <= value <= 4096:
            nodes *= value
        if key in ("levels", "n", "y_bits", "dimensions") and value > 7:
            return True
        if key in ("message_flits", "bytes", "flits", "seeds", "warmup", "measure",
                   "reply_flits") and value > 5000:
            return True
    return nodes > 2000
