# SPDX-License-Identifier: Apache-2.0
"""
Figures 6 and 7 of Yi, Whaley and others, "Automated timer generation": the same matrix multiply kernels, five blocking
factors, timed by Assay's driver and by an independent timer in ATLAS's manner; and how much each jitters when one
kernel is timed 200 times.

Both run on the timing CPU under SCHED_FIFO, take as many samples, and a sample is one call.  The ratio of medians
decides; that of minima, which ATLAS and POET report, is beside it: how low a minimum gets depends on how often the host
let the CPU alone.  Where Assay reports a gated median, the independent timer's is that of its samples during which a
loop of its own ran at its best pace.

What a timer does not choose is the same for both: operands begin on a page of their own, the kernel's code on a
multiple of 64 bytes.  Either matters: without it one kernel differed by 12 % between two places of its code, and by 2
to 4 % between operands that have the same place in their pages and operands that have not.
The cold ones are flushed line by line.  Hot, the independent timer lets C grow from call to call, as ATLAS does; Assay
restores it.
"""
import statistics

import lab as l
from plot import Plot

TITLE = "seed figures 6 and 7: Assay against an ATLAS-style timer"
SIZE = 72
FACTORS = [8, 12, 24, 36, 72]
SAMPLES = 31
ALIGN = 4096
FLAGS = [*l.AVX2, "-falign-functions=64"]


def programs(lab, factors):
    return {nb: lab.oracle("gemm", "gemm_block.c", FLAGS, NB=nb) for nb in factors}


def words(program, context, samples=SAMPLES):
    return [program, "-m", "clflush" if context == "cold" else "hot", "-n", SIZE, "-s", samples, "-a", ALIGN]


def gemm_spec(context, samples=SAMPLES):
    timing = {"samples": samples}
    if context == "cold":
        timing["flush"] = {"method": "OneCallFlushX86"}
    s = l.spec("gemm", {"MS": SIZE, "NS": SIZE, "KS": SIZE}, context, **timing)
    for operand in "ABC":
        s["args"][operand]["align"] = ALIGN
    return s


def both(lab, program, nb, context):
    """({"min", "typical"} by Assay, the same by the independent timer), one after the other."""
    own = lab.evaluate(l.variant(f"nb{nb}", "gemm_block.c", FLAGS, NB=nb), gemm_spec(context))
    if l.is_gated(own):
        other = lab.quietly(words(program, context), "samples_ns")
        other["median_ns"] = statistics.median(other["quiet"] or other["samples_ns"])
    else:
        other = {**lab.on_timing_cpu(words(program, context)), "is_quiet": True}
    return ({"min": own["time"]["min_ns"], "typical": l.typical_ns(own)},
            {"min": other["min_ns"], "typical": other["median_ns"], "is_quiet": other["is_quiet"]})


def ratio_of(pairs, member):
    """The median over the turns."""
    turns = l.quiet_turns(pairs, lambda p: p[1]["is_quiet"])
    return statistics.median(own[member] / other[member] for own, other in turns)


def measure(lab, rounds, factors=FACTORS):
    """{(context, nb): [pairs]}; the caller has a service running."""
    made = programs(lab, factors)
    pairs = {(context, nb): [] for context in ("warm", "cold") for nb in factors}
    for _ in range(rounds):
        for (context, nb), list_ in pairs.items():
            list_.append(both(lab, made[nb], nb, context))
    return pairs


def worst_percent(pairs, context):
    """The largest difference of any kernel's typical time."""
    return max(l.percent_off(ratio_of(p, "typical")) for (c, _), p in pairs.items() if c == context)


def mflops(ns):
    return (2 * SIZE ** 3 + SIZE ** 2) / ns * 1e3


def jitter(lab, repeats, nb=24):
    """One timing by the independent timer, then both by turns: each as a percentage of the first."""
    program = programs(lab, [nb])[nb]
    rows = []
    plot = Plot(f"Figure 7: {repeats} timings of one kernel, as % of a first one", "timing", "% of the first timing")
    plot.band(97, 103)
    for context in ("warm", "cold"):
        first = statistics.median(both(lab, program, nb, context)[1]["typical"] for _ in range(5))
        own, other = [], []
        for _ in range(repeats):
            a, b = both(lab, program, nb, context)
            own.append(100 * a["typical"] / first)
            other.append(100 * b["typical"] / first)
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
        pairs = measure(lab, lab.pick(21, 3), factors)
        rows, plot = [], Plot("Figure 6: Assay's time as % of an ATLAS-style timer's", "blocking factor", "%")
        plot.band(97, 103)
        for context in ("warm", "cold"):
            minima, medians = [], []
            for nb in factors:
                p = pairs[context, nb]
                least, middle = ratio_of(p, "min"), ratio_of(p, "typical")
                own, other = (statistics.median(x["typical"] for x in side) for side in zip(*p))
                rows.append([f"nb{nb} {context}", mflops(own), mflops(other), 100 * least, 100 * middle])
                minima.append(100 * least)
                medians.append(100 * middle)
            plot.line(f"minimum, {context}", factors, minima)
            plot.line(f"median, {context}", factors, medians)
        lab.report("exp6_atlas", ["kernel", "Assay MFLOPS", "independent MFLOPS", "minimum %", "median %"], rows)
        lab.plot(plot, "exp6_atlas")
        jitter(lab, lab.pick(200, 5))
