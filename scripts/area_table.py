"""What scripts/area.sh needs besides the shell: the instances in an emitted network, and the tables.

    area_table.py instances CONFIG RTL_FOLDER TOP.sv
        the distinct blocks of an emitted network, one a line: CONFIG, number of instances,
        group/block with its parameters, and `too large` for one beyond LIMITS
    area_table.py tables POINTS FIGURES NAND_AREA FOLDER
        markdown on standard output, area.csv and area.json in FOLDER
"""
import collections
import csv
import json
import pathlib
import re
import sys

# abc takes from five minutes to hours for more: inputs of a crossbar, body flits of an interface's
# packets, each of which takes four words of buffers, and words of a router's buffers.
LIMITS = {"NumIn": 32, "PacketFlits": 16, "Depth": 32}

COLUMNS = ["configuration", "instances", "block", "parameters", "flops", "area_kge", "levels",
           "delay_ns"]


def instances(config, rtl, top):
    count = collections.Counter()
    top = pathlib.Path(top)
    text = top.read_text()
    # A router and its route units are a tile; the network has as many of it as have its number.
    parts = [(text, 1)] + [(tile.read_text(), len(re.findall(rf"^  {tile.stem} u_", text, re.M)))
                           for tile in (top.parent / "rtl").glob("weft_tile_*.sv")]
    for part, number in parts:
        for block, body in re.findall(r"^  weft_(\w+) #\(\n(.*?)^  \)", part, re.S | re.M):
            values = re.findall(r"^ *\.(\w+) *\(([^()]+)\),?$", body, re.M)
            if len(values) != len(body.splitlines()):
                sys.exit(f"{top}: weft_{block}: parameters not understood")
            count[block, tuple(values)] += number
    if not count:
        sys.exit(f"{top}: no block")
    for (block, values), number in sorted(count.items()):
        (source,) = pathlib.Path(rtl).glob(f"*/weft_{block}.sv")
        words = [f"{source.parent.name}/{block}"] + [f"{name}={value}" for name, value in values]
        line = [config, str(number), " ".join(words)]
        if any(int(dict(values).get(name, 0)) > limit for name, limit in LIMITS.items()):
            line.append("too large")
        print("\t".join(line))


def rows_of(points, figures, nand_area):
    measured = dict(line.rstrip("\n").split("\t") for line in open(figures))
    for line in open(points):
        config, number, point, *_ = line.rstrip("\n").split("\t")
        block, _, parameters = point.partition(" ")
        row = dict(configuration=config, instances=int(number), block=block, parameters=parameters)
        if point in measured:
            flops, area, levels, delay = measured[point].split()
            row |= dict(flops=int(flops), area_kge=round(float(area) / nand_area / 1000, 2),
                        levels=int(levels), delay_ns=round(float(delay) / 1000, 2))
        yield row


def table(rows, columns, align):
    print("| " + " | ".join(columns) + " |")
    print("|" + "|".join(align) + "|")
    for row in rows:
        print("| " + " | ".join(str(value) for value in row) + " |")


def tables(points, figures, nand_area, folder):
    rows = list(rows_of(points, figures, float(nand_area)))
    folder = pathlib.Path(folder)
    (folder / "area.json").write_text(json.dumps(rows, indent=2) + "\n")
    with open(folder / "area.csv", "w", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)

    def cells(row):
        if "flops" not in row:
            return ["not measured", "", "", ""]
        return [row["flops"], f"{row['area_kge']:.2f}", row["levels"], f"{row['delay_ns']:.2f}"]

    heads = ["flops", "kGE", "levels", "delay ns"]
    blocks = [row for row in rows if row["configuration"] == "-"]
    if blocks:
        print("\n## Blocks\n")
        table([[f"`{row['block']}`", row["parameters"] or "defaults", *cells(row)]
               for row in blocks], ["block", "parameters", *heads], ["---"] * 2 + ["---:"] * 4)
    # A configuration's table shows only what differs between its parts and decides their size.
    shown = {"NumDims", "NumLocal", "NumVc", "Depth", "VcDepth", "PacketFlits", "NumCtrl", "Reduce",
             "Timed", "NumIn", "NumOut", "FirstIn", "InDepth", "OutDepth", "NumRings", "IsMain",
             "CutThrough", "Detour", "Route", "Age", "Parity"}
    parts = [row for row in rows if row["configuration"] != "-"]
    if parts:
        print("\n## Configurations\n")
        out = []
        for row in parts:
            words = [word for word in row["parameters"].split() if word.split("=")[0] in shown]
            out.append([row["configuration"], row["instances"], f"`{row['block']}`",
                        " ".join(words), *cells(row)])
        table(out, ["configuration", "instances", "block", "parameters (some)", *heads],
              ["---", "---:", "---", "---"] + ["---:"] * 4)


{"instances": instances, "tables": tables}[sys.argv[1]](*sys.argv[2:])
