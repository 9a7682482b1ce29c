# SPDX-License-Identifier: Apache-2.0
"""
Figures 8 and 9 of Yi, Whaley and others: what a routine takes inside of an application, call by call, and what Assay
says of it.  Two applications, one that sweeps arrays and a stencil, time their routine in place: the first call finds
its operands out of cache, the first four are the early group, all others the late one.

The specs say what a profile of the applications would: sizes, and that malloc puts large blocks 16 bytes behind a
multiple of 64, which costs these kernels up to a third.

Both applications call their routine on a small problem first: loading code is not what the first call on an operand costs,
and Assay keeps it out of its times (InstLdGuard).  What it would add, the code's page fault and vector units that are
asleep, is shown beside (bare).
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


def run(lab, name, gated):
    """The application's times, call by call.  Where Assay gates its samples, those calls count that had the CPU to
    themselves."""
    kernel, _, _, words = APPLICATIONS[name]
    words = [lab.application(name, kernel, l.AVX2), *words]
    if gated:
        said = lab.quietly(words, "calls_ns", first=True)
    else:
        said = {**lab.on_timing_cpu(words), "good": [True] * STEPS, "is_quiet": True}
    calls = said["calls_ns"]
    late = [t for t, good in zip(calls[EARLY:], said["good"][EARLY:]) if good]
    return {"calls": calls, "first": calls[0], "early": calls[:EARLY], "late": late or calls[EARLY:],
            "is_quiet": said["is_quiet"]}


def one(lab, name):
    """(Assay's warm result, its cold one, what the application says), one after the other."""
    warm, cold = lab.evaluate(*job(name, "warm")), lab.evaluate(*job(name, "cold"))
    return warm, cold, run(lab, name, l.is_gated(warm))


def bare(lab, name, rounds):
    """The first call, if it is the code's first too, against that on a loaded one, by turns."""
    kernel, _, _, words = APPLICATIONS[name]
    words = [lab.application(name, kernel, l.AVX2), *words]
    return statistics.median(lab.on_timing_cpu([*words, "bare"])["calls_ns"][0] / lab.on_timing_cpu(words)["calls_ns"][0]
                             for _ in range(rounds))


def by_method(lab, name, rounds):
    """The cold time by each method against the application's first call, by turns."""
    turns = []
    for _ in range(rounds):
        cold = [lab.evaluate(*job(name, "cold", m)) for m in METHODS]
        first = run(lab, name, l.is_gated(cold[0]))["first"]
        turns.append([l.typical_ns(c) / first for c in cold])
    return [statistics.median(column) for column in zip(*turns)]


def measure(lab, rounds):
    """{application: turns}; the caller has a service running."""
    turns = {name: [] for name in APPLICATIONS}
    for _ in range(rounds):
        for name, list_ in turns.items():
            list_.append(one(lab, name))
    return turns


def quiet(turns):
    return l.quiet_turns(turns, lambda t: t[2]["is_quiet"])


def late_ratio(turns):
    return statistics.median(l.typical_ns(warm) / statistics.median(app["late"]) for warm, _, app in quiet(turns))


def first_ratio(turns):
    return statistics.median(l.typical_ns(cold) / app["first"] for _, cold, app in quiet(turns))


def groups(name, turns):
    """Figure 9: least, median and mean of each group, medians over the turns."""
    def row(title, values):
        return [title, *(statistics.median(map(of, values)) for of in (min, statistics.median, statistics.mean))]
    warm, cold, app = zip(*turns)
    return [
        row(f"{name} first", [[a["first"]] for a in app]),
        row(f"{name} early", [a["early"] for a in app]),
        row("  Assay cold", [c["time"]["samples_ns"] for c in cold]),
        row(f"{name} late", [a["late"] for a in app]),
        row("  Assay warm", [w["time"]["samples_ns"] for w in warm]),
    ]


def main(lab):
    with lab.service():
        turns = measure(lab, lab.pick(21, 3))
        methods = {name: by_method(lab, name, lab.pick(11, 1)) for name in APPLICATIONS}
    rows, ratios = [], []
    for name, list_ in turns.items():
        rows += groups(name, list_)
        ratios.append([name, late_ratio(list_), first_ratio(list_), *methods[name], bare(lab, name, lab.pick(15, 2))])
        warm, cold, app = list_[len(list_) // 2]
        plot = Plot(f"Figure 8: {name}, {STEPS} calls in place", "call", "ns", log_y=True)
        plot.points("in the application", range(STEPS), app["calls"])
        plot.line("Assay, cold", [0, STEPS], [l.typical_ns(cold)] * 2)
        plot.line("Assay, warm", [0, STEPS], [l.typical_ns(warm)] * 2)
        lab.plot(plot, f"exp7_{name}")
    lab.report("exp7_groups", ["group", "least ns", "median ns", "mean ns"], rows)
    lab.report("exp7_inapp", ["application", "warm / late", "cold / first", *(f"{m} / first" for m in METHODS),
                                "bare / first"], ratios)
