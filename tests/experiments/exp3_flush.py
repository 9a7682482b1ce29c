# SPDX-License-Identifier: Apache-2.0
"""
Figure 10 of Yi, Whaley and others (P40, W29): time rises with the number of bytes flushed, from none to all, so that any
state in between can be had; and how many bytes it takes until the time stops rising (Whaley and Castaldo, section 3).
"""
import statistics

import lab as l
from plot import Plot

TITLE = "seed figure 10: flush size against time"
SIZES = [2000, 10000, 100000]
FALL = 1.03				# a smaller time at a larger flush counts as a fall beyond this


def job(n, context, **timing):
    return l.variant("dot", "dot_unroll.c", l.AVX2, UNROLL=8), l.spec("dotprod", {"N": n}, context, **timing)


def flushed(lab, n, size):
    return l.typical_ns(lab.evaluate(*job(n, "cold", samples=21, flush={"method": "OneCallFlushLRU", "bytes": size})))


def sweep(lab, n, sizes, rounds):
    """(hot ns, [ns for each flush size], ns flushed by instruction): medians over the turns, all taken by turns."""
    turns = []
    for _ in range(rounds):
        hot = l.typical_ns(lab.evaluate(*job(n, "warm")))
        x86 = l.typical_ns(lab.evaluate(*job(n, "cold", flush={"method": "OneCallFlushX86"})))
        turns.append([hot, *(flushed(lab, n, s) for s in sizes), x86])
    middle = [statistics.median(column) for column in zip(*turns)]
    return middle[0], middle[1:-1], middle[-1]


def levels(lab, n, rounds):
    """[ns with operands out of L1, of L2, of L3]: medians over the turns."""
    turns = [[l.typical_ns(lab.evaluate(*job(n, {"flush_level": level}, samples=21))) for level in ("L1", "L2", "L3")]
             for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*turns)]


def falls(times):
    """How often the time falls although more is flushed."""
    return sum(a > FALL * b for a, b in zip(times, times[1:]))


def main(lab):
    cache = lab.largest_cache()
    sizes = [1 << s for s in range(14, 24, lab.pick(1, 4))]
    sizes += [round(cache * f) for f in lab.pick([0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3, 4, 6], [0.5, 1, 3])]
    plot = Plot("Figure 10: dot product after reading an area of this size", "bytes flushed", "time / hot time",
                log_x=True)
    rows = [[f"{s / 1024:.0f} KiB"] for s in sizes]
    ends, out_of = [], []
    with lab.service():
        for n in SIZES[:lab.pick(3, 1)]:
            hot, times, x86 = sweep(lab, n, sizes, lab.pick(4, 1))
            for row, t in zip(rows, times):
                row += [t, (t - hot) / (times[-1] - hot)]
            plot.line(f"N = {n}", sizes, [t / hot for t in times])
            out_of.append([f"N = {n}", hot, *levels(lab, n, lab.pick(4, 1))])
            ends.append([f"N = {n}", hot, times[-1], x86, falls(times)])
    columns = [c for n in SIZES[:lab.pick(3, 1)] for c in (f"N={n} ns", "coldness")]
    lab.report("exp3_flush", ["flushed", *columns], rows)
    lab.report("exp3_ends", ["kernel", "hot ns", "largest flush ns", "clflush ns", "falls > 3 %"], ends)
    lab.report("exp3_levels", ["kernel", "hot ns", "out of L1", "out of L2", "out of L3"], out_of)
    lab.plot(plot, "exp3_flush")
