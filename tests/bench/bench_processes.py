# SPDX-License-Identifier: Apache-2.0
"""
What chance decides anew in each process: 15 separate runs of `assay time` of each of six kernels,
from L1 to memory.  How far their values lie apart, and whether the interval of each holds the
median of all.
"""
import json
import statistics
import subprocess

from figure import BUILD, Figure, TESTS, Unmeasured

FIGURES = {"cv_hot_six_pct": "<= 1", "cv_cold_six_pct": "<= 2.5", "interval_holds_pct": ">= 90"}
RUNS = 15
CONTEXTS = {"warm": "cv_hot_six_pct", "cold": "cv_cold_six_pct"}
# kernel: its spec, its file, its params
KERNELS = {
    "dot, L1": ("dotprod", "dot_unroll.c", {"N": 1000}),
    "gemm, L1": ("gemm", "gemm_block.c", {"MS": 36, "NS": 36, "KS": 36}),
    "dot, L2": ("dotprod", "dot_unroll.c", {"N": 20000}),
    "axpy, L2": ("axpy", "axpy.c", {"N": 20000}),
    "stencil, L3": ("stencil", "stencil.c", {"N": 500}),
    "gemv, memory": ("gemv", "gemv.c", {"MS": 2500, "NS": 2500}),
}
DEFINES = {"dot_unroll.c": ["UNROLL=8"], "gemm_block.c": ["NB=12"]}


def spec_file(bench, name):
    """The kernel's spec without its check, which would take longer than the time."""
    spec = json.loads(bench.kernel(f"{name}.spec.json"))
    spec.pop("check", None)
    for argument in spec["args"].values():
        if isinstance(argument, dict):
            argument.pop("cache", None)
    path = bench.directory / f"processes_{name}.spec.json"
    path.write_text(json.dumps(spec))
    return path


def command(bench, daemon, kernel, context):
    spec, file, params = KERNELS[kernel]
    words = [BUILD / "assay", "-s", daemon.socket, "--json", "time", "--context", context,
             "-O", "-O3 -mavx2 -mfma"]
    for name, value in params.items():
        words += ["-p", f"{name}={value}"]
    for define in DEFINES.get(file, []):
        words += ["-D", define]
    return [*words, spec_file(bench, spec), TESTS / "kernels" / file]


def timed(words):
    """The result of one run; too much noise is none that counts."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        result = json.loads(done.stdout)
    except ValueError:
        ended = f"assay time ended with {done.returncode}: {done.stderr.strip()}"
        raise Unmeasured(ended) from None
    if result["time"] is None:
        raise Unmeasured(f"{result['name']}: {result['status']}: {result['detail']}")
    return result["time"]


def cv_percent(values):
    return 100 * statistics.stdev(values) / statistics.mean(values)


def interval_of(time):
    """Of the value that it reports; None: too few samples or processes for one."""
    shown = time["normalised"] if time["estimator"] == "normalised" else time
    return shown["ci95_ns"]


def holding(times):
    """How many of the intervals hold the median of all values; none holds nothing."""
    middle = statistics.median(t["value_ns"] for t in times)
    intervals = [interval_of(t) for t in times]
    return sum(i is not None and i[0] <= middle <= i[1] for i in intervals)


def measure(bench):
    taken = {(kernel, context): [] for kernel in KERNELS for context in CONTEXTS}
    with bench.service("processes") as (daemon, _):
        each = {key: command(bench, daemon, *key) for key in taken}
        for _ in range(RUNS):
            for key, words in each.items():
                taken[key].append(timed(words))
    cvs, held = {figure: [] for figure in CONTEXTS.values()}, 0
    for (kernel, context), times in taken.items():
        values = [t["value_ns"] for t in times]
        cvs[CONTEXTS[context]].append(cv_percent(values))
        held += (holds := holding(times))
        bench.note(f"{kernel}, {context}: {statistics.median(values):.4g} ns, "
                   f"cv {cv_percent(values):.2f} %, {holds} of {RUNS} intervals hold it")
    for figure, values in cvs.items():
        yield Figure(figure, statistics.median(values), "%", FIGURES[figure])
    percent = 100 * held / (RUNS * len(taken))
    yield Figure("interval_holds_pct", percent, "%", FIGURES["interval_holds_pct"])
