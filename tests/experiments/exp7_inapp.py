# SPDX-License-Identifier: Apache-2.0
"""
Figures 8 and 9 of Yi, Whaley and others: what a routine takes inside of an application, call by call, and what Assay
says of it.  Two applications, one that sweeps arrays and a stencil, time their routine in place: the first call finds
its operands out of cache, the first four are the early group, all others the late one.

The specs say what a profile of the applications would: sizes, and that malloc puts large blocks 16 bytes behind the
beginning of a page.  That is not a multiple of 64, which costs these kernels up to a third; and at another place in
the page, just as far from a multiple of 64, the stencil takes 3 % longer.

Both applications call their routine on a small problem first: loading code is not what the first call on an operand
costs, and Assay keeps it out of its times (InstLdGuard).  What it would add, the code's page fault and vector units
that are asleep, is shown beside (bare).

The first call also finds its page tables out of cache, after 256 MB of other work, and the specs say that, too
(`page_tables: "memory"`).  By default Assay has them in the last cache, where a flush by instruction leaves them, so on
small pages its times are up to 15 % below those of first calls; by how much is in the table.
"""
import statistics

import lab as l
import turns as by_turns
from plot import Plot

TITLE = "seed figures 8 and 9: two applications against Assay's warm and cold time"
STEPS = 500
EARLY = 4
PAGE = 4096
TIMERS = ["Assay", "application"]
FLUSHES = {
    "default": {"method": "auto"},
    "LRU, tables out": {"method": "OneCallFlushLRU", "page_tables": "memory"},
    "Multi, tables out": {"method": "MultiCallFlushLRU", "page_tables": "memory"},
}

# application: kernel, its spec, params, what the application is called with
APPLICATIONS = {
    "drift": ("axpy.c", "axpy", {"N": 40000}, [40000, STEPS]),
    "heat": ("stencil.c", "stencil", {"N": 192}, [192, STEPS]),
}


def job(name, context, flush=None):
    kernel, spec, params, _ = APPLICATIONS[name]
    s = l.spec(spec, params, context, samples=31)
    if context == "cold":
        s["timing"]["flush"] = flush or {"page_tables": "memory"}
    for argument in s["args"].values():
        if isinstance(argument, dict):
            argument.update(align=16, misalign=PAGE)
    return l.variant(name, kernel, l.AVX2), s


def run(lab, name):
    """(times, paces) of the application, call by call."""
    kernel, _, _, words = APPLICATIONS[name]
    said = lab.on_timing_cpu([lab.application(name, kernel, l.AVX2), *words])
    return said["calls_ns"], said["pace_ns"]


class Place:
    """What an application and Assay say of each other: a turn is a warm job, a cold one and a run."""

    def __init__(self):
        self.late, self.first = by_turns.Turns(TIMERS, TIMERS), by_turns.Turns(TIMERS, TIMERS)
        self.results = []		# (warm result, cold one, the calls' times)

    def add(self, turn):
        warm, cold, (calls, paces) = turn
        self.late.add(dict(zip(TIMERS, (l.samples(warm), (calls[EARLY:], paces[EARLY:])))))
        self.first.add(dict(zip(TIMERS, (l.samples(cold), (calls[:1], paces[:1])))))
        self.results.append((warm, cold, calls))

    def quiet(self):
        return min(self.late.quiet(), self.first.quiet(), key=len)

    def ratios(self):
        """Of Assay's warm time to late calls, of its cold one to first calls."""
        return self.late.ratio(*TIMERS), self.first.ratio(*TIMERS)


def one(lab, name, first):
    asked = [lambda: lab.evaluate(*job(name, "warm")), lambda: lab.evaluate(*job(name, "cold")), lambda: run(lab, name)]
    if first:
        return [take() for take in asked]
    return [take() for take in reversed(asked)][::-1]


def bare(lab, name, rounds):
    """The first call, if it is the code's first too, against that on a loaded one, by turns."""
    kernel, _, _, words = APPLICATIONS[name]
    words = [lab.application(name, kernel, l.AVX2), *words]
    return statistics.median(lab.on_timing_cpu([*words, "bare"])["calls_ns"][0] / lab.on_timing_cpu(words)["calls_ns"][0]
                             for _ in range(rounds))


def by_method(lab, name, enough, most):
    """The ratio of the cold time by each flush to the application's first call."""
    def turn(_, first):
        taken = {f: l.samples(lab.evaluate(*job(name, "cold", FLUSHES[f])))
                 for f in (FLUSHES if first else reversed(FLUSHES))}
        return {**taken, TIMERS[1]: [column[:1] for column in run(lab, name)]}

    timers = [*FLUSHES, TIMERS[1]]
    turns = by_turns.Turns(timers, [TIMERS[0] for _ in FLUSHES] + [TIMERS[1]])
    by_turns.take({name: turns}, turn, enough, most)
    return [turns.ratio(f, TIMERS[1]) for f in FLUSHES]


def measure(lab, enough, most):
    """{application: Place}; the caller has a service running."""
    places = {name: Place() for name in APPLICATIONS}
    by_turns.take(places, lambda name, first: one(lab, name, first), enough, most)
    return places


def groups(name, results):
    """Figure 9: least, median and mean of each group, medians over the turns."""
    def row(title, values):
        return [title, *(statistics.median(map(of, values)) for of in (min, statistics.median, statistics.mean))]
    warm, cold, app = zip(*results)
    return [
        row(f"{name} first", [a[:1] for a in app]),
        row(f"{name} early", [a[:EARLY] for a in app]),
        row("  Assay cold", [c["time"]["samples_ns"] for c in cold]),
        row(f"{name} late", [a[EARLY:] for a in app]),
        row("  Assay warm", [w["time"]["samples_ns"] for w in warm]),
    ]


def main(lab):
    with lab.service():
        places = measure(lab, lab.pick(15, 3), lab.pick(25, 3))
        methods = {name: by_method(lab, name, lab.pick(9, 1), lab.pick(15, 1)) for name in APPLICATIONS}
    rows, ratios = [], []
    for name, place in places.items():
        rows += groups(name, place.results)
        ratios.append([name, *place.ratios(), *methods[name], bare(lab, name, lab.pick(15, 2)), place.late.note()])
        warm, cold, calls = place.results[len(place.results) // 2]
        plot = Plot(f"Figure 8: {name}, {STEPS} calls in place", "call", "ns", log_y=True)
        plot.points("in the application", range(STEPS), calls)
        plot.line("Assay, cold", [0, STEPS], [l.typical_ns(cold)] * 2)
        plot.line("Assay, warm", [0, STEPS], [l.typical_ns(warm)] * 2)
        lab.plot(plot, f"exp7_{name}")
    lab.report("exp7_groups", ["group", "least ns", "median ns", "mean ns"], rows)
    lab.report("exp7_inapp", ["application", "warm / late", "cold / first", *(f"{f} / first" for f in FLUSHES),
                                "bare / first", "counted, late"], ratios)
