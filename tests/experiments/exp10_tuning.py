# SPDX-License-Identifier: Apache-2.0
"""
Figure 2 of Whaley and Castaldo (W2): a matrix multiply is tuned twice, by a timer that flushes and by one that does not,
and both results are timed both ways over a range of sizes.  As in ATLAS the blocking factor is chosen by timing one
block; the question is which factor each timer chooses, and what that costs where the matrices are larger than a cache.
And how volatile the curves are of a timer that does not flush, beside one that does (W3).

The dot product is tuned twice as well, over unrolling, vectors and prefetching: section 1.1 says that in cache one
chooses what computes fast, and out of cache what waits less.
"""
import statistics

import lab as l
from plot import Plot

TITLE = "seed figure 2: tuned with and without flush, each timed both ways"
FACTORS = [8, 12, 16, 24, 36, 48, 72, 96, 144]
DOT = 20000
CONTEXTS = {"flush": "cold", "no flush": "warm"}


def mflops(lab, nb, size, context, samples):
    """Of a product of square matrices, by the least time: the figure's own measure."""
    spec = l.spec("gemm", {"MS": size, "NS": size, "KS": size}, context, samples=samples)
    return lab.evaluate(l.variant(f"gemm nb{nb}", "gemm_block.c", l.AVX2, NB=nb), spec)["rate"]["mflops_max"]


def tuned(lab, rounds):
    """For each timer the rates of one block of each size, and the factor it chooses."""
    rates = {c: {nb: [] for nb in FACTORS} for c in CONTEXTS}
    for _ in range(rounds):
        for nb in FACTORS:
            for name, context in CONTEXTS.items():
                rates[name][nb].append(mflops(lab, nb, nb, context, 15))
    rates = {c: {nb: statistics.median(r) for nb, r in of.items()} for c, of in rates.items()}
    return rates, {c: max(FACTORS, key=of.get) for c, of in rates.items()}


def curves(lab, chosen, sizes, rounds):
    """{(tuned by, timed by): rate at each size}; all four by turns."""
    keys = [(a, b) for a in CONTEXTS for b in CONTEXTS]
    rates = {k: [[] for _ in sizes] for k in keys}
    for _ in range(rounds):
        for i, n in enumerate(sizes):
            for a, b in keys:
                rates[a, b][i].append(mflops(lab, chosen[a], n, CONTEXTS[b], 5))
    return {k: [max(r) for r in of] for k, of in rates.items()}


def dots(lab, rounds):
    """A row for each dot product: its time by either timer, and the place that has among all."""
    variants = l.sweeps.dot_variants()
    variants += [l.variant(f"avx2 unroll{u}", "dot_unroll.c", l.AVX2, UNROLL=u) for u in (2, 8)]
    ns = {c: [[] for _ in variants] for c in CONTEXTS}
    for _ in range(rounds):
        for i, v in enumerate(variants):
            for name, context in CONTEXTS.items():
                ns[name][i].append(l.typical_ns(lab.evaluate(v, l.spec("dotprod", {"N": DOT}, context))))
    typical = [[statistics.median(t) for t in ns[c]] for c in CONTEXTS]
    return [[v["name"], *(t[i] for t in typical), *(1 + sorted(t).index(t[i]) for t in typical)]
            for i, v in enumerate(variants)]


def main(lab):
    sizes = [*range(24, lab.pick(481, 121), 24), *lab.pick([720, 960, 1200], [])]
    with lab.service():
        rates, chosen = tuned(lab, lab.pick(3, 1))
        timed = curves(lab, chosen, sizes, lab.pick(2, 1))
        lab.report("exp10_dots", [f"dot {DOT}", *(f"{c}, ns" for c in CONTEXTS), *(f"{c}, place" for c in CONTEXTS)],
                   dots(lab, lab.pick(9, 3)))
    lab.report("exp10_factors", ["blocking factor", *(f"{c}, MFLOPS" for c in CONTEXTS)],
               [[nb, *(rates[c][nb] for c in CONTEXTS)] for nb in FACTORS])
    print("  chosen: " + ", ".join(f"{c} {nb}" for c, nb in chosen.items()))
    plot = Plot("Figure 2: matrix multiply by the timer it was tuned with", "N", "MFLOPS", from_zero=True)
    for (a, b), r in timed.items():
        plot.line(f"tuned {a}, timed {b}", sizes, r)
    lab.plot(plot, "exp10_tuning")
    lab.csv("exp10_tuning", ["N", *(f"tuned {a}, timed {b}" for a, b in timed)], [*zip(sizes, *timed.values())])
    lab.report("exp10_outcome", ["tuned", "timed", "factor", "largest N", "MFLOPS at the end",
                                 "% of the other", "roughness %"],
               [[a, b, chosen[a], sizes[-1], r[-1], 100 * r[-1] / timed[other(a), b][-1],
                 l.roughness(r)] for (a, b), r in timed.items()])


def other(context):
    return next(c for c in CONTEXTS if c != context)
