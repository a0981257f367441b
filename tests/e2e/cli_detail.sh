#!/usr/bin/env bash
# weft run --detail: links, nodes, latencies and activity agree with the result's own figures, which
# are counted elsewhere.
source "$(dirname "$0")/lib.sh"

# agrees FILE: whatever of a detailed result has two sources is equal in both.
agrees() {
  python3 - "$1" <<'END' || fail "$1: the details do not agree"
import collections, json, sys
result = json.load(open(sys.argv[1]))
detail = result["detail"]
blocks, links, nodes = detail["blocks"], detail["links"], detail["nodes"]
wrong = []
def equal(what, a, b):
    if a != b:
        wrong.append(f"{what}: {a} and {b}")
equal("flits on links", sum(link["flits"] for link in links), result["flit_hops"])
equal("busiest link", max(link["flits"] for link in links), result["max_link_load"])
equal("flits sent", sum(node["flits_sent"] for node in nodes), result["flits"])
into = collections.Counter()
for link in links:
    into[link["to"]] += link["flits"]
    equal("interface", "nic" in (blocks[link["from"]]["kind"], blocks[link["to"]]["kind"]),
          link["class"] == "interface")
for node in nodes:
    equal(f"received by {node['rank']}", node["flits_received"], into[node["rank"]])
    if "job_end" in node and not node.get("job_start", 0) <= node["job_end"] <= result["cycles"]:
        wrong.append(f"job of {node['rank']}")
if "losses" in result:
    causes = collections.Counter()
    between = [link for link in links if link["class"] != "interface"]
    for link in between:
        equal("cycles of a link", sum(link["idle"].values()), result["losses"]["cycles"])
        # A flit of the last cycle is on its link, and is seen.
        equal("flits of a link", link["idle"]["header"] + link["idle"]["body"], link["flits"])
        causes.update(link["idle"])
    equal("causes", dict(causes), result["losses"]["link_cycles"])
    activity, by_class = detail["activity"], collections.Counter()
    for link in links:
        by_class[link["class"]] += link["flits"]
    for name, counts in zip(activity["classes"], activity["flits"]):
        equal(f"flits of class {name}", sum(counts), by_class[name])
        equal("intervals", len(counts), result["cycles"] // activity["interval"] + 1)
elif "activity" in detail:
    wrong.append("activity without losses")
if "latency" in result:
    latencies = detail["latencies"]
    equal("packets", sum(n for _, n in latencies), result["latency"]["packets"])
    equal("longest", latencies[-1][0], result["latency"]["max"])
    mean = sum(cycles * n for cycles, n in latencies) / result["latency"]["packets"]
    equal("mean", round(mean, 6), round(result["latency"]["mean"], 6))
elif "latencies" in detail:
    wrong.append("latencies without traffic")
sys.exit("\n".join(wrong) or 0)
END
}

torus='{"topology": {"kind": "torus", "dims": [4, 4]}'
echo "$torus, \"workload\": {\"collective\": \"a2a\", \"message_flits\": 8}}" >a2a.json
cat >traffic.json <<END
$torus, "workload": {"traffic": "uniform", "rate": 0.3, "warmup": 200, "measure": 800}}
END
for options in "a2a.json" "a2a.json --losses" "traffic.json" "traffic.json --losses" \
  "a2a.json --losses --set router.pipeline=2 --set processor=native" \
  "xbar16 --set workload.message_flits=4"; do
  # shellcheck disable=SC2086
  expect 0 "0 data, 0 refused, 0 parity" $weft run $options --detail --json result.json
  agrees result.json
done
# The same links as in the table of --links.
$weft run a2a.json --detail --json result.json --links links.csv >/dev/null
is "$(python3 -c 'import json
for link in json.load(open("result.json"))["detail"]["links"]: print(link["link"], link["flits"])' |
  cksum)" "$(awk -F, 'NR > 1 { print $1, $8 }' links.csv | cksum)" "links and --links"

# What programs name is in the details, by node.
cat >phases.c <<'END'
#include "sw/include/weft_hal.h"
int weft_main(void) {
  weft_phase("first");
  if (weft_job()->rank == 1) weft_phase("second");
  return 0;
}
END
expect 0 "" $weft cc phases.c --native -o phases.so
expect 0 "" \
  $weft run a2a.json --set processor=native --program phases.so --detail --json result.json
is "$(python3 -c 'import json
phases = json.load(open("result.json"))["detail"]["phases"]
print(*(str(phase["node"]) + ":" + phase["name"] for phase in phases[:3]))')" \
  "0:first 1:first 1:second"

expect 2 'weft: --detail: value without --json: expected: --json FILE' $weft run a2a.json --detail
finish
