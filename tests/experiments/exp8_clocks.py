# SPDX-License-Identifier: Apache-2.0
"""
Wall time against CPU time while another process wants the same CPU (Whaley and Castaldo, section 2; W10).  Three ways:
a plain process of the independent timer; Assay without real-time scheduling, which can only say that it was too noisy;
and Assay as it comes, under SCHED_FIFO where permitted.  And the spread of either on a CPU that nobody else wants (W13).
"""
import contextlib
import shutil
import statistics
import subprocess
import sys

import lab as l

TITLE = "section 2: wall and CPU time beside a spinner on the same CPU"
SIZE, NB, SAMPLES = 288, 24, 15


@contextlib.contextmanager
def spinner():
    words = ["taskset", "-c", str(l.TIMING_CPU), sys.executable, "-c", "print(1, flush=True)\nwhile True: pass"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE)
    process.stdout.readline()
    try:
        yield
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def plain_worker(lab):
    """A worker that may not make anything real-time: CAP_SYS_NICE is out of its reach."""
    script = lab.directory / "bin" / "plain_worker"
    drop = "setpriv --bounding-set=-sys_nice --inh-caps=-sys_nice" if l.can_fifo() else ""
    script.write_text(f'#!/bin/sh\nexec {drop} {l.BUILD}/assay-worker "$@"\n')
    script.chmod(0o755)
    return script


def own(lab, clock):
    spec = l.spec("gemm", {"MS": SIZE, "NS": SIZE, "KS": SIZE}, "warm", samples=SAMPLES, clock=clock)
    result = lab.evaluate(l.variant("gemm", "gemm_block.c", l.AVX2, NB=NB), spec)
    return result["time"]["median_ns"], result["technique"]["scheduling"], result["status"]


def naive(lab, program, clock):
    said = lab.on_timing_cpu([program, "-m", "hot", "-n", SIZE, "-s", SAMPLES, "-k", clock], fifo=False)
    return said["median_ns"], "other", "-"


def row(name, time, rounds):
    """Alone and beside the spinner, by turns."""
    alone, beside = [], []
    for _ in range(rounds):
        alone.append(time())
        with spinner():
            beside.append(time())
    alone_ms, beside_ms = (statistics.median(t[0] for t in times) / 1e6 for times in (alone, beside))
    ratio = statistics.median(b[0] / a[0] for a, b in zip(alone, beside))
    return [name, alone[0][1], alone_ms, beside_ms, ratio, " ".join(sorted({b[2] for b in beside}))]


def spread(lab, clock, rounds):
    """Of the samples of a run, and of the runs' medians: percent, and the finest step of the clock."""
    runs = []
    for _ in range(rounds):
        spec = l.spec("dotprod", {"N": 10000}, "warm", samples=31, clock=clock)
        runs.append(lab.evaluate(l.variant("dot", "dot_unroll.c", l.AVX2, UNROLL=8), spec))
    times = [r["time"] for r in runs]
    return [clock, 100 * statistics.median(t["cv"] for t in times), 100 * l.cv([t["median_ns"] for t in times]),
            runs[0]["technique"]["resolution_ns"]]


def main(lab):
    if not shutil.which("setpriv"):
        raise RuntimeError("setpriv (util-linux) is missing")
    program, rounds = lab.oracle("gemm", "gemm_block.c", l.AVX2, NB=NB), lab.pick(3, 1)
    rows = [row(f"independent timer, {c}", lambda c=c: naive(lab, program, c), rounds) for c in ("wall", "cpu")]
    with lab.service("--worker", plain_worker(lab)):
        rows += [row(f"Assay, not real-time, {c}", lambda c=c: own(lab, c), rounds) for c in ("wall", "cpu")]
    with lab.service():
        rows += [row(f"Assay, {c}", lambda c=c: own(lab, c), rounds) for c in ("wall", "cpu")]
        spreads = [spread(lab, c, lab.pick(15, 4)) for c in ("cycle", "wall", "cpu")]
    lab.report("exp8_spread", ["clock, alone", "within a run %", "between runs %", "resolution ns"], spreads)
    lab.report("exp8_clocks", ["timer, clock", "scheduling", "alone ms", "beside ms", "ratio", "said beside"], rows)
