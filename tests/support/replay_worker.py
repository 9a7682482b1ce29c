#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A worker that replays: what it answers is decided by the job's `meta`, not by compiling or timing anything.

meta.build / meta.time name what to do when the job comes to that stage, once per entry, the last one for ever:
"ok", "die", "garbage", "wrong_job", "internal", "missing", "hang" (until a cancel comes), or any outcome word.
meta.samples is a list of ns per call; what a job compares with takes twice as long.  Instead, meta.curve is [warm,
flushed, bytes]: as long as that with nothing flushed, and with so many bytes or more; in the cold context a tenth more.
A job of a calibration has a curve of its own, up to 3 times --l3.  A result's technique says which calibrated flush area
came with the order, and the CPUs of the slot.  meta.canary: for the
variants named in it the canary was on, with that reading beside each sample; meta.quiet is what it tells that it knows of
quiet, and a result's technique says what of it came with the order.  Attempts are counted in files below --state, since a dead worker forgets.
"""
import json
import os
import struct
import sys

HASH = "0" * 64


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


def send(message):
    body = json.dumps(message).encode()
    os.write(3, struct.pack("<I", len(body)) + body)


def option(name):
    return sys.argv[sys.argv.index(name) + 1]


def what_to_do(job_id, stage, meta):
    plan = meta.get(stage, ["ok"])
    path = os.path.join(option("--state"), f"replay-{job_id}-{stage}")
    with open(path, "a+", encoding="ascii") as count:
        count.write("x")
        count.flush()
        times = os.fstat(count.fileno()).st_size
    return plan[min(times, len(plan)) - 1]


def samples(order, meta):
    curve, context = meta.get("curve"), order["job"]["spec"].get("context", "cold")
    if meta.get("upkeep") == "dot_flushed":
        curve = [1000, 4000, 3 * int(option("--l3")) or 1]
    if curve is None:
        return meta.get("samples", [10.0])
    warm, flushed, enough = curve
    if context == "cold":
        return [1.1 * flushed]
    return [warm if context == "warm" else warm + (flushed - warm) * min(1, context["flush_bytes"] / enough)]


def answer(order):
    meta = order["job"].get("meta") or {}
    stage = order["kind"]
    act = what_to_do(order["job_id"], stage, meta)
    reply = {"kind": "built" if stage == "build" else "timed", "job_id": order["job_id"], "status": "ok",
             "report": {"samples": [{"ns": x} for x in samples(order, meta)],
                        "technique": {"calls": 1, "cpus": option("--cpus") if stage == "time" else None,
                                      "order_flush_bytes": order.get("flush_bytes"),
                                      "order_quiet": order.get("quiet")}}}
    if stage == "time" and "quiet" in meta:
        reply["report"]["quiet"] = meta["quiet"]
    reading = meta.get("canary", {}).get(order["job"]["variant"].get("name"))
    if stage == "time" and reading is not None:
        for sample in reply["report"]["samples"]:
            sample["canary"] = sample["slowness"] = reading
        reply["report"]["technique"]["canary"] = "on"
        reply["report"]["canary"] = {"state": "on", "base_ticks": 7500, "base_ns": 3000.0, "clock_slowness": 1.15,
                                     "readings": 62, "barren_jobs": 2}
    if "against" in order["job"]:
        reply["report"]["comparison"] = {"verdict": "faster", "ratio": 0.5, "interval": None, "winner": "b"}
        for sample in reply["report"]["samples"]:
            sample["against_ns"] = 2 * sample["ns"]
    if stage == "build":
        reply["artifacts"] = {"driver": HASH, "variant": HASH, "reference": ""}
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
        assert receive()["kind"] == "cancel"
        reply["status"] = "cancelled"
    elif act != "ok":
        reply["status"], reply["detail"] = act, f"replayed {act}"
        reply["report"]["samples"] = []
    send(reply)


def main():
    send({"kind": "hello", "report": {"role": option("--role"), "pid": os.getpid()}})
    while True:
        order = receive()
        if order["kind"] != "cancel":       # a late cancel finds its job answered
            answer(order)


main()
