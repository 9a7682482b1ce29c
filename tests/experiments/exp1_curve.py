# SPDX-License-Identifier: Apache-2.0
"""
Figure 1 of Whaley and Castaldo: the dot product over N with its operands in cache and out of cache.  The plateaus are
this machine's caches (W1).  As in the paper the time is the least: of all samples of some passes over the sizes.
"""
import statistics

import lab as l
from plot import Plot

TITLE = "seed figure 1: dot product, flushed and unflushed"
KERNEL = ("unroll8", "dot_unroll.c")
LONG = 500000				# from here fewer samples will do


def one(lab, n, context):
    name, file = KERNEL
    timing = {"samples": 9} if n > LONG else {}
    return lab.evaluate(l.variant(name, file, l.AVX2, UNROLL=8), l.spec("dotprod", {"N": n}, context, **timing))


def row(n, pairs):
    hot_ns, cold_ns = (min(r["time"]["min_ns"] for r in results) for results in zip(*pairs))
    return [n, 16 * n / 1024, 2e3 * n / hot_ns, 2e3 * n / cold_ns, cold_ns / hot_ns, pairs[0][1]["technique"]["method"]]


def plateaus(lab, rows):
    """For each cache the sizes whose operands fit in it and in no smaller one: what not flushing makes of the rate."""
    limits = [0, *(c / 1024 for c in lab.caches()), float("inf")]
    names = [f"L{n}" for n in range(1, len(limits) - 1)] + ["memory"]
    there = [[r for r in rows if low < r[1] <= high] for low, high in zip(limits, limits[1:])]
    return [[name, of[0][0], of[-1][0], *(statistics.median(r[i] for r in of) for i in (2, 3, 4))]
            for name, of in zip(names, there) if of]


def main(lab):
    sizes = sorted({16 * n for n in l.geometric(1, 250000, lab.pick(25, 7))})  # the kernel has no remainders
    rounds = lab.pick(5, 1)
    with lab.service():
        passes = [[(one(lab, n, "warm"), one(lab, n, "cold")) for n in sizes] for _ in range(rounds)]
    rows = [row(n, of_size) for n, of_size in zip(sizes, zip(*passes))]
    lab.report("exp1_curve", ["N", "KiB", "hot MFLOPS", "cold MFLOPS", "cold / hot", "cold by"], rows)
    lab.report("exp1_plateaus", ["operands fit in", "from N", "to N", "hot MFLOPS", "cold MFLOPS", "cold / hot"],
               plateaus(lab, rows))
    print(f"  roughness (W3): not flushed {l.roughness([r[2] for r in rows]):.1f} %, "
          f"flushed {l.roughness([r[3] for r in rows]):.1f} %")
    plot = Plot("Figure 1: dot product, operands in and out of cache", "N", "MFLOPS", log_x=True, from_zero=True)
    plot.line("not flushed", sizes, [r[2] for r in rows])
    plot.line("flushed", sizes, [r[3] for r in rows])
    lab.plot(plot, "exp1_curve")
