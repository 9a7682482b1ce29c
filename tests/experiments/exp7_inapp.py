# SPDX-License-Identifier: Apache-2.0
"""
Figures 8 and 9 of Yi, Whaley and others: what a routine takes inside of an application, call by call, and what Assay
says of it.  Two applications, one that sweeps arrays and a stencil, time their routine in place: the first call finds
its operands out of cache, the first four are the early group, all others the late one.

The specs say what a profile of the applications would: sizes, and that malloc puts large blocks 16 bytes behind a
multiple of 64, which costs these kernels up to a third.
"""
import statistics

import lab as l
from plot import Plot

TITLE = "seed figures 8 and 9: two applications against Assay's warm and cold time"
STEPS = 500
EARLY = 4
METHODS = ["OneCallFlushX86", "OneCallFlushLRU", "MultiCallFlushLRU"]

# application: kernel, its spec, params, what the application is called with
APPLICATIONS = {
    "drift": ("axpy.c", "axpy", {"N": 40000}, [40000, STEPS]),
    "heat": ("stencil.c", "stencil", {"N": 192}, [192, STEPS]),
}


def job(name, context, method="auto"):
    kernel, spec, params, _ = APPLICATIONS[name]
    s = l.spec(spec, params, context, samples=31)
    if context == "cold":
        s["timing"]["flush"] = {"method": method}
    for argument in s["args"].values():
        if isinstance(argument, dict):
            argument.update(align=16, misalign=64)
    return l.variant(name, kernel, l.AVX2), s


def one(lab, name):
    """(the application's times call by call, Assay's warm result, its cold one), one after the other."""
    kernel, _, _, words = APPLICATIONS[name]
    calls = lab.on_timing_cpu([lab.application(name, kernel, l.AVX2), *words])["calls_ns"]
    return calls, lab.evaluate(*job(name, "warm")), lab.evaluate(*job(name, "cold"))


def by_method(lab, name, rounds):
    """The cold time by each method against the application's first call, by turns."""
    kernel, _, _, words = APPLICATIONS[name]
    program = lab.application(name, kernel, l.AVX2)
    turns = []
    for _ in range(rounds):
        first = lab.on_timing_cpu([program, *words])["calls_ns"][0]
        turns.append([l.typical_ns(lab.evaluate(*job(name, "cold", m))) / first for m in METHODS])
    return [statistics.median(column) for column in zip(*turns)]


def measure(lab, rounds):
    """{application: turns}; the caller has a service running."""
    turns = {name: [] for name in APPLICATIONS}
    for _ in range(rounds):
        for name, list_ in turns.items():
            list_.append(one(lab, name))
    return turns


def late_ratio(turns):
    return statistics.median(l.typical_ns(warm) / statistics.median(calls[EARLY:]) for calls, warm, _ in turns)


def first_ratio(turns):
    return statistics.median(l.typical_ns(cold) / calls[0] for calls, _, cold in turns)


def groups(name, turns):
    """Figure 9: least and average of each group, medians over the turns."""
    def middle(of):
        return statistics.median(of(*t) for t in turns)
    return [
        [f"{name} first", middle(lambda c, w, k: c[0]), middle(lambda c, w, k: c[0]), middle(lambda c, w, k: c[0])],
        [f"{name} early", middle(lambda c, w, k: min(c[:EARLY])), middle(lambda c, w, k: statistics.median(c[:EARLY])),
         middle(lambda c, w, k: statistics.mean(c[:EARLY]))],
        ["  Assay cold", *(middle(lambda c, w, k, m=m: k["time"][m]) for m in ("min_ns", "median_ns", "mean_ns"))],
        [f"{name} late", middle(lambda c, w, k: min(c[EARLY:])), middle(lambda c, w, k: statistics.median(c[EARLY:])),
         middle(lambda c, w, k: statistics.mean(c[EARLY:]))],
        ["  Assay warm", *(middle(lambda c, w, k, m=m: w["time"][m]) for m in ("min_ns", "median_ns", "mean_ns"))],
    ]


def main(lab):
    with lab.service():
        turns = measure(lab, lab.pick(21, 3))
        methods = {name: by_method(lab, name, lab.pick(11, 1)) for name in APPLICATIONS}
    rows, ratios = [], []
    for name, list_ in turns.items():
        rows += groups(name, list_)
        ratios.append([name, late_ratio(list_), first_ratio(list_), *methods[name]])
        calls, warm, cold = list_[len(list_) // 2]
        plot = Plot(f"Figure 8: {name}, {STEPS} calls in place", "call", "ns", log_y=True)
        plot.points("in the application", range(len(calls)), calls)
        plot.line("Assay, cold", [0, len(calls)], [l.typical_ns(cold)] * 2)
        plot.line("Assay, warm", [0, len(calls)], [l.typical_ns(warm)] * 2)
        lab.plot(plot, f"exp7_{name}")
    lab.report("exp7_groups", ["group", "least ns", "median ns", "mean ns"], rows)
    lab.report("exp7_inapp", ["application", "warm / late", "cold / first", *(f"{m} / first" for m in METHODS)], ratios)
