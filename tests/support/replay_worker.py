#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A worker that replays: what it answers is decided by the job's `meta`, not by compiling or timing anything.

meta.build / meta.time name what to do when the job comes to that stage, once per entry, the last
one for ever: "ok", "die", "garbage", "wrong_job", "internal", "missing", "hang" (until a cancel
comes), "wait" (until the file meta.gate is there, then "ok"), "next" (until the order behind it is
there, which the file early-ID tells, and meta.gate if it is named, then "ok"), "next_die" (the same
once, and then dies), "sick" ("internal" while there is a
file of that name below --state), or any outcome word.  The daemon's own jobs are "sick" when timed.

meta.samples is a list of ns per call; what a job compares with takes twice as long.  A variant
whose source says "takes N ns" takes that, and so does one that it is compared with.  One that says
"bowl N ns X=20 Y=8" takes N ns and the squares of its macros' distances from these.  Instead,
meta.curve is [warm, flushed, bytes]: as long as that with nothing flushed, and with so many bytes
or more; in the cold context a tenth more.  meta.levels is {warm, cold, OPERAND: {"L3": 0.5,
"L3 dirty": 0.7}}: ns in these contexts, and what each operand adds to the warm time where it is
placed like that, relative to it.  On inputs that take turns all is levels.novel times as long, and
they do so by themselves unless spec.data is "one".  A job of a calibration has a curve of its own, up to 3
times --l3.

Of a job with a race, a variant that takes longer is given up after five samples; meta.honest: it is
timed whole.

meta.ends: for the variants named in it, what the stage "time" does.  meta.host: how slow the host is
at the job with the id 1, 2, …, of variants that take N ns; 0: such a job crashes.

meta.processes: the samples were taken in so many, one behind the other.  meta.checked: the answer was right.

meta.evidence: members of the report's evidence.

meta.canary: for the variants named in it the canary was on, with that reading beside each sample;
meta.quiet is what it reports of quiet.

Attempts are counted in files below --state, since a dead worker forgets; there also stands the last
order for each job, in replay-ID-build and replay-ID-time with ".json" behind it.
"""
import hashlib
import json
import os
import re
import select
import struct
import sys

HASH = "0" * 64
early = []                      # orders that came while another was hanging


def receive():
    header = os.read(3, 4)
    if len(header) < 4:
        sys.exit(0)
    size, body = struct.unpack("<I", header)[0], b""
    while len(body) < size:
        more = os.read(3, size - len(body))
        if not more:
            sys.exit(0)
        body += more
    return json.loads(body)


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def send(message):
    """Behind a timing stands what is kept of its report, a line each (proto/wire/kept.h)."""
    lines = [compact(message)]
    if message["kind"] == "timed":
        report = dict(message["report"])
        kept = [report.pop(name, None) for name in ("technique", "evidence", "readings")]
        lines = [compact({**message, "report": report}), *(compact(part) if part else "" for part in kept)]
    body = "\n".join(lines).encode()
    os.write(3, struct.pack("<I", len(body)) + body)


def option(name):
    return sys.argv[sys.argv.index(name) + 1]


def order_path(job_id, stage):
    return os.path.join(option("--state"), f"replay-{job_id}-{stage}")


def what_to_do(job_id, stage, meta):
    plan = meta.get(stage, ["ok"])
    path = order_path(job_id, stage)
    with open(path, "a+", encoding="ascii") as count:
        count.write("x")
        count.flush()
        times = os.fstat(count.fileno()).st_size
    return plan[min(times, len(plan)) - 1]


def takes(variant):
    """ns by the variant's own word; None: it says nothing."""
    source = variant.get("source", "")
    said, bowl = re.search(r"takes ([\d.]+) ns", source), re.search(r"bowl ([\d.]+) ns((?: \w+=\d+)+)", source)
    if bowl is not None:
        lowest = (place.split("=") for place in bowl[2].split())
        return float(bowl[1]) + sum((variant["defines"][name] - int(at)) ** 2 for name, at in lowest)
    return float(said[1]) if said else None


def placed(spec, levels):
    """ns with each operand where the spec has it."""
    novel = 1 if inputs(spec) == "none" else levels.get("novel", 1)
    if spec.get("context", "cold") == "cold":
        return novel * levels["cold"]
    more = 0
    for name, operand in spec["args"].items():
        if isinstance(operand, dict):
            words = [operand.get("cache", "warm"), *(["dirty"] if "state" in operand else [])]
            more += levels.get(name, {}).get(" ".join(words), 0)
    return novel * levels["warm"] * (1 + more)


def inputs(spec):
    """technique.rotation, of a routine that depends on it."""
    of = [operand.get("data") for operand in spec["args"].values() if isinstance(operand, dict)]
    if any(of):
        return "asked"
    return "none" if spec.get("data") == "one" else "learned"


def slowness(order):
    host = (order["job"].get("meta") or {}).get("host", [1])
    return host[min(order["job_id"], len(host)) - 1]


def samples(order, meta):
    curve, context = meta.get("curve"), order["job"]["spec"].get("context", "cold")
    if takes(order["job"]["variant"]) is not None:
        return [takes(order["job"]["variant"]) * slowness(order)] * 11
    if "levels" in meta:
        return [placed(order["job"]["spec"], meta["levels"])]
    if meta.get("upkeep") == "dot_flushed":
        curve = [1000, 4000, 3 * int(option("--l3")) or 1]
    if meta.get("upkeep") == "walk_flushed":
        inside = order["job"]["spec"]["params"]["N"] * 64 * 8 <= int(option("--l1"))
        curve = [100, 300, 2 * int(option("--l1" if inside else "--l2"))]
    if curve is None:
        return meta.get("samples", [10.0])
    warm, flushed, enough = curve
    if context == "cold":
        return [1.1 * flushed]
    return [warm if context == "warm" else warm + (flushed - warm) * min(1, context["flush_bytes"] / enough)]


IDENTITY = {"name": "gcc", "version": "gcc version 12.2.0", "target": "x86_64-linux-gnu", "id": "0123456789abcdef"}
HELD = {"namespaces": True, "seccomp": True, "landlock": True, "limits": "rlimit"}


def cpus(text):
    """The numbers of a list such as 1,4-6."""
    ends = [part.split("-") for part in text.split(",")]
    return [cpu for part in ends for cpu in range(int(part[0]), int(part[-1]) + 1)]


def hello():
    return {"role": option("--role"), "pid": os.getpid(), "cpu": int(option("--cpu")), "compilers": [], "clocks": [],
            "counters": [], "jail": {**HELD, "user": True, "mount": True, "pid": True, "net": True, "reason": ""}}


def built(variant):
    content = hashlib.sha256(variant.get("source", "").encode()).hexdigest()
    return {"code_bytes": len(variant.get("source", "")) or 1, "content": content, "against_content": content,
            "compiler": IDENTITY, "against_compiler": IDENTITY, "build_jail": HELD, "build_ms": 1.5, "driver_ms": 0.5,
            "cached": {"driver": False, "variant": False, "reference": False}}


def technique(canary):
    slot = cpus(option("--cpus"))
    return {"context": "warm", "method": "none", "clock": "cycle", "counter": "TSC", "tick_hz": 2.5e9,
            "resolution_ns": 10.0, "clock_overhead_ns": 9.0, "samples": 1, "calls": 1, "working_sets": 1, "flush_bytes": 0,
            "timer": "default", "data": "generated", "guards": ["Page0Guard", "InstLdGuard", "MemAlign"],
            "range_guard": {"form": "none"}, "sampling": "one sample", "numa_node": 0, "awake": False, "overhead_ns": 9.0,
            "overhead_subtracted": True, "empty_call_ns": 2.0, "difference": False, "within_noise": False,
            "edge_ns": None, "bias_bound": None, "interval": None,
            "ended_by": "samples", "canary": canary, "scheduling": "other", "cpu": slot[0], "cpus": slot}


def comparison(job, pairs):
    """As a worker's, of two whose times differ by their words alone."""
    ns, against_ns = takes(job["variant"]) or 1, takes(job["against"]) or 2
    ratio, rule = ns / against_ns, {"error": 0.05, "resolution": 0.01, **job.get("compare", {})}
    verdict = "faster" if ratio < 1 else "slower"
    if abs(ratio - 1) <= rule["resolution"]:
        verdict = "indistinguishable"
    return {"verdict": verdict, "ratio": ratio, "interval": [0.999 * ratio, 1.001 * ratio],
            "error": rule["error"], "resolution": rule["resolution"], "pairs": pairs, "groups": pairs,
            "within": 0.003, "between": 0.011, "looks": 1,
            "ended_by": "interval", "code_bytes": [None, None], "trust": ["audited", "audited"],
            "tie_broken_by": None, "winner": {"faster": "b", "slower": "a"}.get(verdict)}


COUNTS = ("taken rejected kept_unfit canary_rejected memory_rejected canary_base_ticks involuntary_switches "
          "migrations faults own_faults").split()
EVIDENCE = {**dict.fromkeys(COUNTS, 0), "setup_ms": 1.0, "load_ms": 1.0, "jail": HELD, "reject_rate": 0.0,
            "patience_ms": 0.0, "waited_ms": 0.0, "cut_short": False, "steal_ms": "absent", "frequency_mhz": "absent"}


CHECKED = {"done": True, "passed": True, "max_abs": 0.0, "max_rel": 0.0, "rtol": 1e-9, "atol": 1e-9, "compared": 1,
           "wrong": 0}


def timed(order, meta, failed):
    """
    A report as a worker writes it (proto/wire/report.h): what is none is left out, but of technique and
    evidence, which stand in a result as they are.
    """
    ns = [] if failed else samples(order, meta)
    reading = meta.get("canary", {}).get(order["job"]["variant"].get("name"))
    beside = [] if reading is None else [reading] * len(ns)
    lists = {"ns": ns, "against_ns": [], "slowness": beside,
             "process": sorted(i % meta.get("processes", 1) for i in range(len(ns))), "loud": []}
    report = {"run_ms": 1.0, "artifact_missing": False, "samples": lists,
              "readings": {"ticks": [], "canary": beside, "pace": [], "memory": [], "disturbed": []} if ns else None,
              "technique": technique("on" if reading is not None else "off: not asked for"),
              "canary": {"state": "on", "base_ticks": 7500, "base_ns": 3000.0, "clock_slowness": 1.15, "readings": 62,
                         "barren_jobs": 2}}
    if "novel" in meta.get("levels", {}):
        report["technique"].update(rotation=inputs(order["job"]["spec"]), inputs=1)
        report["evidence"] = {**EVIDENCE, "learned": 2.0, "learned_interval": [1.9, 2.1]}
    if meta.get("checked"):
        report["check"] = CHECKED
    if "evidence" in meta:
        report["evidence"] = {**EVIDENCE, **meta["evidence"]}
    above = order["job"].get("race", {}).get("above_ns")
    if above is not None and ns and min(ns) > above and not meta.get("honest"):
        report["bound_ns"] = min(ns)
        for part in ("samples", "readings"):
            report[part] = {name: values[:5] for name, values in report[part].items()}
        report["technique"]["ended_by"] = "race"
    evidence = report.get("evidence", EVIDENCE)
    if ns:
        report["tally"] = {"gated": reading is not None,
                           **{name: evidence[name] for name in ("taken", "canary_rejected", "memory_rejected")}}
    if "quiet" in meta:
        report["quiet"] = {name: value for name, value in meta["quiet"].items() if value is not None}
    if "against" in order["job"] and ns:
        report["comparison"] = comparison(order["job"], len(ns))
        lists["against_ns"] = [x / report["comparison"]["ratio"] for x in ns]
    return report


def await_gate(meta):
    """Returns at once without one.  A daemon that is killed has closed descriptor 3."""
    hangup = select.poll()
    hangup.register(3, 0)
    while "gate" in meta and not os.path.exists(meta["gate"]):
        if hangup.poll(20):
            sys.exit(0)


def await_next(order, meta):
    """False: it was here before."""
    path = os.path.join(option("--state"), f"early-{order['job_id']}")
    if os.path.exists(path):
        return False
    while not any(m["kind"] != "cancel" for m in early):
        early.append(receive())
    open(path, "x", encoding="ascii").close()
    await_gate(meta)
    while select.select([3], [], [], 0)[0]:
        early.append(receive())
    return True


def answer(order):
    meta = order["job"].get("meta") or {}
    stage = order["kind"]
    with open(order_path(order["job_id"], stage) + ".json", "w", encoding="utf-8") as last:
        json.dump(order, last)
    named = meta.get("ends", {}).get(order["job"]["variant"].get("name")) if stage == "time" else None
    if stage == "time" and slowness(order) == 0:
        named = "crashed"
    act = named or what_to_do(order["job_id"], stage, meta)
    if act == "sick" or (act == "ok" and stage == "time" and "upkeep" in meta):
        act = "internal" if os.path.exists(os.path.join(option("--state"), "sick")) else "ok"
    failed = act not in ("ok", "missing", "wrong_job", "wait", "next", "next_die")
    reply = {"kind": "built" if stage == "build" else "timed", "job_id": order["job_id"], "status": "ok",
             "report": built(order["job"]["variant"]) if stage == "build" else timed(order, meta, failed)}
    if stage == "build":
        reply["artifacts"] = {"driver": HASH, "variant": HASH, "reference": ""}
    if act == "wait":
        await_gate(meta)
    if act in ("next", "next_die") and await_next(order, meta) and act == "next_die":
        os._exit(9)
    if act == "die":
        os._exit(9)
    if act == "garbage":
        os.write(3, b"\xff" * 64)
        return
    if act == "wrong_job":
        reply["job_id"] += 1000
    elif act == "missing":
        reply["status"] = "internal"
        reply["report"]["artifact_missing"] = True
    elif act == "hang":
        while (message := receive())["kind"] != "cancel" or message["job_id"] != order["job_id"]:
            early.append(message)
        reply["status"] = "cancelled"
    elif act not in ("ok", "wait", "next", "next_die"):
        reply["status"], reply["detail"] = act, f"replayed {act}"
    send(reply)


def main():
    send({"kind": "hello", "report": hello()})
    while True:
        order = early.pop(0) if early else receive()
        if any(m["kind"] == "cancel" and m["job_id"] == order["job_id"] for m in early):
            send({"kind": "timed", "job_id": order["job_id"], "status": "cancelled", "report": {}})
        elif order["kind"] != "cancel":     # a late cancel finds its job answered
            answer(order)


main()
