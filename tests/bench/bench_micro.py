# SPDX-License-Identifier: Apache-2.0
"""
Programs of a description: how long they take to be made; to be made, built and timed with their
array in the first cache; whether the least time of each unroll factor grows from one level of the
caches to the next; how long a sweep over alignments takes; and what an empty kernel takes.
"""
import csv
import io
import json
import math
import pathlib
import re
import subprocess
import tempfile
import time

from figure import Figure, Unmeasured
from harness import BUILD

FIGURES = {"micro_generate_s": "<= 0.1", "micro_510_s": "<= 20", "micro_levels_ordered": ">= 1", "align_2500_s": "<= 60",
           "empty_kernel_steps": "<= 1"}
LOAD_STORE = pathlib.Path(__file__).resolve().parent.parent / "micro" / "load_store.xml"
RUNS, PROGRAMS, POINTS, EMPTY_SAMPLES = 9, 510, 2500, 100
LEVEL_PROGRAMS, LEVEL_ROUNDS = 60, 2
ORDER_SLACK = 0.02              # two levels that a prefetcher makes equal differ by chance
COPY = "int entryPoint(int n, float *a, float *b) { int i; for (i = 0; i < n; i++) b[i] = a[i]; return i; }\n"


def generate(bench):
    times = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as workdir:
            begin = time.perf_counter()
            subprocess.run([BUILD / "assay-micro", "-o", workdir, LOAD_STORE], check=True)
            times.append(time.perf_counter() - begin)
    times.sort()
    bench.note(f"micro: {PROGRAMS} files in {times[0]:.3f} to {times[-1]:.3f} s")
    return Figure("micro_generate_s", times[RUNS // 2], f"s ({PROGRAMS} programs)", FIGURES["micro_generate_s"])


def command(service, *words):
    """Seconds of an assay command, and its output."""
    begin = time.perf_counter()
    ran = subprocess.run([BUILD / "assay", "-q", "-s", service.socket, *map(str, words)], stdout=subprocess.PIPE, text=True)
    return time.perf_counter() - begin, ran.stdout


def programs(bench, service):
    seconds, said = command(service, "micro", "run", LOAD_STORE, "--startvector", 4096, "--csv")
    rows = list(csv.DictReader(io.StringIO(said)))
    bad = [r for r in rows if r["status"] != "ok"]
    if len(rows) != PROGRAMS:
        raise Unmeasured(f"{len(rows)} of {PROGRAMS} programs have a result")
    bench.note(f"micro: {len(bad)} of {PROGRAMS} without a time" + "".join(f"; {r['status']}" for r in bad[:1]))
    return Figure("micro_510_s", seconds, "s", FIGURES["micro_510_s"])


def least_by_level(service):
    """Of each unroll factor; infinite where there is none."""
    _, said = command(service, "micro", "run", LOAD_STORE, "--programs", LEVEL_PROGRAMS)
    return {int(line.split()[0]): [math.inf if x == "-" else float(x) for x in line.split()[1:5]]
            for line in said.splitlines() if re.match(r" *\d", line)}


def levels(bench, service):
    """The share of unroll factors whose least time never falls from a level to the next.

    The least of some rounds: a factor of few programs may be disturbed in one of them.
    """
    rounds = [least_by_level(service) for _ in range(LEVEL_ROUNDS)]
    rows = [[min(times) for times in zip(*(at[factor] for at in rounds if factor in at))] for factor in rounds[0]]
    bench.note("micro: least by level " + "; ".join(" ".join(f"{x:.2f}" for x in row) for row in rows))
    if not rows:
        raise Unmeasured("no group has a time")
    ordered = [max(row) < math.inf and all(b >= a * (1 - ORDER_SLACK) for a, b in zip(row, row[1:])) for row in rows]
    return Figure("micro_levels_ordered", sum(ordered) / len(ordered), "of the factors", FIGURES["micro_levels_ordered"])


def alignments(bench, service):
    with tempfile.TemporaryDirectory() as workdir:
        kernel = pathlib.Path(workdir, "copy.c")
        kernel.write_text(COPY)
        seconds, said = command(service, "launch", kernel, "--startvector", 1000, "--vectsurveyor", "{(0,200,4);(0,200,4)}",
                                "--metarepetition", 10, "--executerepetition", 1, "--csv")
    rows = list(csv.DictReader(io.StringIO(said)))
    if len(rows) != POINTS:
        raise Unmeasured(f"{len(rows)} of {POINTS} points have a result")
    bench.note(f"micro: {sum(r['status'] != 'ok' for r in rows)} of {POINTS} alignments without a time")
    return Figure("align_2500_s", seconds, f"s ({POINTS} points)", FIGURES["align_2500_s"])


def empty(bench, service):
    """What is left of an empty kernel's sample of one call, in steps of the clock."""
    with tempfile.TemporaryDirectory() as workdir:
        kernel = pathlib.Path(workdir, "empty.c")
        kernel.write_text("int entryPoint(int n) { return n; }\n")
        _, said = command(service, "launch", kernel, "--nbvector", 0, "--startvector", 1, "--repetition", 1,
                          "--metarepetition", EMPTY_SAMPLES, "--ndjson")
    result = json.loads(said)
    if result["time"] is None:
        raise Unmeasured(f"the empty kernel: {result['status']}: {result['detail']}")
    step = result["technique"]["resolution_ns"]
    bench.note(f"micro: an empty kernel {result['time']['value_ns']:.2f} ns, at most {result['time']['p90_ns']:.2f} in nine of "
               f"ten samples, after {result['technique']['overhead_ns']:.2f} were subtracted; a step is {step:.2f} ns")
    return Figure("empty_kernel_steps", result["time"]["value_ns"] / step, "steps", FIGURES["empty_kernel_steps"])


def measure(bench):
    yield generate(bench)
    with bench.service("micro") as (service, _):
        yield programs(bench, service)
        yield levels(bench, service)
        yield alignments(bench, service)
        yield empty(bench, service)
