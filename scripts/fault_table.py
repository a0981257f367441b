#!/usr/bin/env python3
"""What one fault on a link does: kinds of fault by protection, on a ring of five nodes.

usage: scripts/fault_table.py [--engine E] [--weft PROGRAM]

Each row is a run of 800 messages, of a header and four flits each, with one fault on the link
between two routers. With "parity" no run may hang, and the messages delivered and those counted as
lost must be all there are; with "retry", and with "parity" where interfaces send again what is not
acknowledged (nic.reliable), all messages must be delivered. Closes with `N passed, M failed`; status
1 if a row fails.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

MESSAGES = 800
LINK = "r_0 out 0 -> r_1 in 0"
START = 100  # First cycle of the fault: the ring is full of packets.

# Name and fault. Addresses of five nodes have three bits, so that bit 2 of a header turns
# nodes 1 to 3 into one that does not exist. This link uses VC 1. A fault is long if it has cycles.
FAULTS = (
    ("destination", {"field": "data", "bit": 2}),
    ("length", {"field": "data", "bit": 52}),
    ("tag", {"field": "data", "bit": 61}),
    ("data bit 40", {"field": "data", "bit": 40}),
    ("parity bit", {"field": "data", "bit": 64}),
    ("last lost", {"field": "last", "effect": "clear"}),
    ("last set", {"field": "last", "effect": "set"}),
    ("last inverted, 9 cycles", {"field": "last", "cycles": 9}),
    ("vc", {"field": "vc"}),
    ("valid lost", {"field": "valid", "effect": "clear"}),
    ("valid lost, 9 cycles", {"field": "valid", "effect": "clear", "cycles": 9}),
    ("valid set", {"field": "valid", "effect": "set"}),
    ("credit lost", {"field": "credit", "bit": 1, "effect": "clear"}),
    ("credit lost, 16 cycles", {"field": "credit", "bit": 1, "effect": "clear", "cycles": 16}),
    ("credit set", {"field": "credit", "bit": 1, "effect": "set"}),
    ("credit set, 16 cycles", {"field": "credit", "bit": 1, "effect": "set", "cycles": 16}),
    ("stamp", {"field": "stamp", "bit": 3}),
    ("check code", {"field": "check", "bit": 2}),
    ("every wire, 1 of 50 words", {"field": "any", "rate": 0.02}),
)
PROTECTIONS = ("none", "parity", "retry", "parity, reliable")


def configuration(protection, fault):
    link, _, reliable = protection.partition(", ")
    messages = [{"from": node, "to": (node + 1 + k % 4) % 5, "flits": 4, "start": 0}
                for k in range(MESSAGES // 5) for node in range(5)]
    return {"topology": {"kind": "torus", "dims": [5]},
            "link": {"parity": True, "protection": link},
            "nic": {"reliable": True, "timeout": 2000} if reliable else {},
            "faults": [{"link": LINK, "cycle": START, **fault}],
            "workload": {"transfers": messages},
            # Packets to no node may circulate for ever.
            "max_cycles": 40000, "watchdog": 20000}


def run(weft, engine, protection, fault, folder):
    """What became of the messages, in words and whether it is as it must be."""
    name = f"{protection.replace(', ', '-')}-{'-'.join(str(value) for value in fault.values())}"
    config = folder / f"{name}.json"
    result = folder / f"{name}-result.json"
    config.write_text(json.dumps(configuration(protection, fault)))
    done = subprocess.run([weft, "run", config, "--engine", engine, "--json", result],
                          capture_output=True, text=True, check=False)
    if done.returncode == 2 and "no such wires" in done.stderr:
        return "no such wires", True
    if "RTL and model differ" in done.stderr:  # A buffer has overflowed, which is out of contract.
        return "RTL and model differ", protection == "none"
    if done.returncode == 3:
        return "hangs", protection == "none"
    if not result.exists():
        return done.stderr.strip(), False
    found = json.loads(result.read_text())
    faults, links = found["faults"], found.get("links", {"lost": 0})
    lost = links["lost"] + found["errors"]["parity"] + found["errors"]["order"]
    delivered = found["messages"]
    if "max_cycles" in done.stderr:
        return "goes on for ever", protection == "none"
    text = f"{delivered} of {MESSAGES}"
    if "resends" in found:
        text += f", {found['resends']['resent']} sent again"
    elif lost:
        text += f", {lost} lost"
    if found["errors"]["data"]:
        text += f", {found['errors']['data']} wrong words"
    if faults["missed"]:
        return text + ", never struck", False
    if protection == "parity":
        good = delivered + lost == MESSAGES and faults["passed"] == 0
    else:
        good = protection == "none" or (delivered == MESSAGES and done.returncode == 0)
    return text, good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="model")
    parser.add_argument("--weft", default=pathlib.Path(__file__).parent.parent / "build/weft")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = [[pool.submit(run, arguments.weft, arguments.engine, protection, fault,
                             pathlib.Path(folder)) for protection in PROTECTIONS]
                for _, fault in FAULTS]
        print("| fault | " + " | ".join(PROTECTIONS) + " |\n" + "|---" * (1 + len(PROTECTIONS)) + "|")
        failed = 0
        for (name, _), row in zip(FAULTS, rows):
            cells = []
            for cell in row:
                text, good = cell.result()
                failed += not good
                cells.append(text if good else f"**{text}**")
            print(f"| {name} | " + " | ".join(cells) + " |")
    print(f"{len(FAULTS) * len(PROTECTIONS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
