# SPDX-License-Identifier: Apache-2.0
"""
Figure 1 of Whaley and Castaldo: the dot product over N with its operands in cache and out of cache.  The plateaus are
this machine's caches.
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


def main(lab):
    sizes = l.geometric(16, 4000000, lab.pick(25, 7))
    rounds = lab.pick(5, 1)
    rows = []
    with lab.service():
        for n in sizes:
            warm = [one(lab, n, "warm") for _ in range(rounds)]
            cold = [one(lab, n, "cold") for _ in range(rounds)]
            hot_ns, cold_ns = (statistics.median(map(l.typical_ns, r)) for r in (warm, cold))
            rows.append([n, 16 * n / 1024, 2e3 * n / hot_ns, 2e3 * n / cold_ns, cold_ns / hot_ns,
                         cold[0]["technique"]["method"]])
    lab.report("exp1_curve", ["N", "KiB", "hot MFLOPS", "cold MFLOPS", "cold / hot", "cold by"], rows)
    plot = Plot("Figure 1: dot product, operands in and out of cache", "N", "MFLOPS", log_x=True, from_zero=True)
    plot.line("not flushed", sizes, [r[2] for r in rows])
    plot.line("flushed", sizes, [r[3] for r in rows])
    lab.plot(plot, "exp1_curve")
