# SPDX-License-Identifier: Apache-2.0
"""
Figures 6 and 7 of Yi, Whaley and others, "Automated timer generation": the same matrix multiply kernels, five
blocking factors, timed by Assay's driver and by an independent timer in ATLAS's manner; and how much each jitters
when one kernel is timed 200 times.

Both run on the timing CPU under SCHED_FIFO, take as many samples, and a sample is one call.  The ratio of medians
decides; that of minima, which ATLAS and POET report, is beside it: how low a minimum gets depends on how often the
host let the CPU alone.  Assay's samples are those of a job as anybody would send it, not normalised;
the independent timer's come with the pace of a loop of its own, and one gate judges both (turns.py).

What a timer does not choose is the same for both: operands begin on a page of their own, the kernel's code on a
multiple of 64 bytes.  Either matters: without it one kernel differed by 12 % between two places of its code, and by 2
to 4 % between operands that have the same place in their pages and operands that have not.  C is as at first in every
sample.  ATLAS lets it grow, and one of these kernels (nb8) has two paces, 18 % apart, for all of a call: which of
them depends on whether C, or other operands of the kernel, were copied just before.

Cold, lines are flushed one by one.  Both timers meet inner caches that are full of other data, no translations in the
TLB, and a core that has just called the kernel on other operands.  (ATLAS's flush leaves the one empty, the other
warm: 3 to 4 % faster.  exp2_methods tells the parts of that.)
"""
import statistics

import lab as l
import turns as by_turns
from plot import Plot

TITLE = "seed figures 6 and 7: Assay against an ATLAS-style timer"
SIZE = 72
FACTORS = [8, 12, 24, 36, 72]
SAMPLES = 31
TIMERS = ["Assay", "independent"]
ALIGN = 4096
INNER_CACHES = 4 << 20		# bytes that fill them
FLAGS = [*l.AVX2, "-falign-functions=64"]


def programs(lab, factors):
    return {nb: lab.oracle("gemm", "gemm_block.c", FLAGS, NB=nb) for nb in factors}


def words(program, context, samples=SAMPLES):
    how = ["-m", "swept", "-f", INNER_CACHES, "-T", "-W"] if context == "cold" else ["-m", "hot"]
    return [program, *how, "-C", "-n", SIZE, "-s", samples, "-a", ALIGN]


def gemm_spec(context, samples=SAMPLES):
    timing = {"samples": samples}
    if context == "cold":
        timing["flush"] = {"method": "OneCallFlushX86"}
    s = l.spec("gemm", {"MS": SIZE, "NS": SIZE, "KS": SIZE}, context, **timing)
    for operand in "ABC":
        s["args"][operand]["align"] = ALIGN
    return s


def both(lab, program, nb, context, first=True):
    """A turn of the two timers."""
    def own():
        return l.samples(lab.evaluate(l.variant(f"nb{nb}", "gemm_block.c", FLAGS, NB=nb), gemm_spec(context)))

    return by_turns.one_turn(dict(zip(TIMERS, (own, lambda: lab.timed(words(program, context))))), first)


def measure(lab, enough, most, factors=FACTORS):
    """{(context, nb): Turns of both}; the caller has a service running."""
    made = programs(lab, factors)
    taken = {(context, nb): by_turns.Turns(TIMERS, TIMERS) for context in ("warm", "cold") for nb in factors}
    by_turns.take(taken, lambda key, first: both(lab, made[key[1]], key[1], key[0], first), enough, most)
    return taken


def ratio(turns, of=statistics.median):
    return turns.ratio(*TIMERS, of)


def worst_percent(taken, context):
    """The largest difference of any kernel's typical time."""
    return max(l.percent_off(ratio(t)) for (c, _), t in taken.items() if c == context)


def mflops(ns):
    return (2 * SIZE ** 3 + SIZE ** 2) / ns * 1e3


def jitter(lab, repeats, nb=24):
    """One timing by the independent timer, then both by turns: each as a percentage of the first."""
    program = programs(lab, [nb])[nb]
    rows = []
    plot = Plot(f"Figure 7: {repeats} timings of one kernel, as % of a first one", "timing", "% of the first timing")
    plot.band(97, 103)
    for context in ("warm", "cold"):
        def typical():
            turn = both(lab, program, nb, context)
            return [statistics.median(turn[t][0]) for t in TIMERS]

        first = statistics.median(typical()[1] for _ in range(5))
        own, other = ([100 * ns / first for ns in column] for column in zip(*(typical() for _ in range(repeats))))
        for name, values in (("Assay", own), ("independent", other)):
            plot.points(f"{name}, {context}", range(len(values)), values)
            inside = 100 * sum(97 <= v <= 103 for v in values) / len(values)
            middle, spread = statistics.median(values), 100 * l.cv(values)
            rows.append([f"{name} {context}", middle, spread, min(values), max(values), inside])
    lab.plot(plot, "exp6_jitter")
    lab.report("exp6_jitter", ["timer", "median %", "cv %", "least %", "most %", "within 3 % %"], rows)


def main(lab):
    factors = lab.pick(FACTORS, [8, 24])
    with lab.service():
        taken = measure(lab, lab.pick(11, 3), lab.pick(21, 3), factors)
        rows, plot = [], Plot("Figure 6: Assay's time as % of an ATLAS-style timer's", "blocking factor", "%")
        plot.band(97, 103)
        for context in ("warm", "cold"):
            minima, medians = [], []
            for nb in factors:
                t = taken[context, nb]
                least, middle = ratio(t, min), ratio(t)
                rows.append([f"nb{nb} {context}", *(mflops(t.typical(timer)) for timer in TIMERS), 100 * least,
                             100 * middle, t.note()])
                minima.append(100 * least)
                medians.append(100 * middle)
            plot.line(f"minimum, {context}", factors, minima)
            plot.line(f"median, {context}", factors, medians)
        lab.report("exp6_atlas", ["kernel", "Assay MFLOPS", "independent MFLOPS", "minimum %", "median %", "counted"],
                   rows)
        lab.plot(plot, "exp6_atlas")
        jitter(lab, lab.pick(200, 5))
