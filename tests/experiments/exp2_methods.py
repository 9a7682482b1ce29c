# SPDX-License-Identifier: Apache-2.0
"""
The three ways to get operands out of cache (Whaley and Castaldo, sections 3 and 4; W28) against each other: flushing by
instruction, reading a large area, calling on many working sets in turn.  Ratios to the first, by turns.

Why they differ, and by how much, is measured too.  Assay's own methods with and without what surrounds a cold call: a cold
TLB and full inner caches, which matter the more the fewer lines there are to fetch.  And the independent timer, which can
flush by instruction in caches that are full of other data (swept), push address translations out as well, give operands
large pages, and call on sets in turn with and without a barrier between: without one, short calls overlap.
"""
import statistics

import lab as l
from plot import Plot

TITLE = "agreement of the cold methods (sections 3 and 4; section 3 claims they are equivalent)"
METHODS = ["OneCallFlushX86", "OneCallFlushLRU", "MultiCallFlushLRU"]
MIB, KIB160 = 1 << 20, 160 * 1000


def dot(n):
    return ("dot", n, 16 * n, "dotprod", {"N": n}, l.variant("dot", "dot_unroll.c", l.AVX2, UNROLL=8))


def axpy(n):
    return ("axpy", n, 16 * n, "axpy", {"N": n}, l.variant("axpy", "axpy.c", l.AVX2))


def gemv(n):
    return ("gemv", n, 8 * n * n + 16 * n, "gemv", {"MS": n, "NS": n}, l.variant("gemv", "gemv.c", l.AVX2))


def gemm(n):
    variant = l.variant("gemm", "gemm_block.c", l.AVX2, NB=24)
    return ("gemm", n, 24 * n * n, "gemm", {"MS": n, "NS": n, "KS": n}, variant)


def doitgen(n):
    variant = l.variant("doitgen", "doitgen_avx2.c", l.AVX2)
    return ("doitgen", n, 8 * n ** 3 + 8 * n * n, "doitgen", {"SIZE": n}, variant)


# what the independent timer is told, for each cause
CAUSES = {
    "full caches": ["-m", "swept"],
    "full L2": ["-m", "swept", "-f", 4 << 20],
    "no translations": ["-m", "clflush", "-T"],
    "full, no transl.": ["-m", "swept", "-T"],
    "area read": ["-m", "lru"],
    "area, large pages": ["-m", "lru", "-H"],
    "sets": ["-m", "rotate"],
    "sets, large pages": ["-m", "rotate", "-H"],
    "many calls": ["-m", "rotate", "-r", 16],
    "many, fenced": ["-m", "rotate", "-r", 16, "-B"],
}

# what Assay is told, for each
SURROUNDINGS = {
    "X86": {"method": "OneCallFlushX86"},
    "X86, TLB kept": {"method": "OneCallFlushX86", "tlb": False},
    "LRU": {"method": "OneCallFlushLRU"},
    "LRU, TLB kept": {"method": "OneCallFlushLRU", "tlb": False},
    "Multi": {"method": "MultiCallFlushLRU"},
    "Multi backward": {"method": "MultiCallFlushLRU", "walk": "backward"},
    "Multi forward": {"method": "MultiCallFlushLRU", "walk": "forward"},
}

SMALL = [dot(1000), axpy(1000), gemv(45)]
MIDDLE = [dot(10000), axpy(10000), gemv(144), gemm(96), doitgen(30)]
LARGE = [dot(100000), axpy(100000), gemv(400), gemm(216), dot(1000000), axpy(1000000), gemv(1400)]


def one(lab, case, method):
    _, _, operand_bytes, name, params, variant = case
    samples = 15 if operand_bytes > 4 * MIB else 31
    return lab.evaluate(variant, l.spec(name, params, "cold", samples=samples, flush={"method": method}))


def ratios(lab, case, rounds):
    """(ns by the first method, the ratio of each method to it)."""
    turns = [[l.typical_ns(one(lab, case, m)) for m in METHODS] for _ in range(rounds)]
    return (statistics.median(t[0] for t in turns),
            [statistics.median(t[i] / t[0] for t in turns) for i in range(len(METHODS))])


def measure(lab, cases, rounds):
    """{"dot 1000": the ratio of each method to the first}; the caller has a service running."""
    return {f"{c[0]} {c[1]}": ratios(lab, c, rounds)[1] for c in cases}


def causes(lab, routine, file, n, rounds):
    """By the independent timer: each cause's time against that of flushing by instruction alone."""
    program = lab.oracle(routine, file, l.AVX2)
    common = ["-n", n, "-s", 21, "-f", 3 * lab.largest_cache()]
    turns = []
    for _ in range(rounds):
        base = lab.on_timing_cpu([program, *common, "-m", "clflush"])["median_ns"]
        turns.append([base, *(lab.on_timing_cpu([program, *common, *c])["median_ns"] / base for c in CAUSES.values())])
    return [f"{routine} {n}", *(statistics.median(column) for column in zip(*turns))]


def surroundings(lab, case, rounds):
    """By Assay: each of them against flushing by instruction as it is by default."""
    name, n, _, routine, params, variant = case
    turns = []
    for _ in range(rounds):
        ns = [l.typical_ns(lab.evaluate(variant, l.spec(routine, params, "cold", samples=31, flush=f)))
              for f in SURROUNDINGS.values()]
        turns.append([ns[0], *(t / ns[0] for t in ns[1:])])
    return [f"{name} {n}", *(statistics.median(column) for column in zip(*turns))]


def main(lab):
    cases = SMALL + MIDDLE + LARGE if not lab.quick else [dot(1000), dot(10000)]
    rows = []
    with lab.service():
        for case in cases:
            base, r = ratios(lab, case, lab.pick(5, 3))
            warm = lab.evaluate(case[5], l.spec(case[3], case[4], "warm"))
            rows.append([f"{case[0]} {case[1]}", case[2] / 1000, base, base / l.typical_ns(warm), *r[1:], l.apart(r)])
        around = [surroundings(lab, c, lab.pick(5, 1)) for c in lab.pick([dot(100), *SMALL, dot(10000)], [dot(1000)])]
    lab.report("exp2_methods", ["kernel", "kB", "X86 ns", "cold / hot", "LRU / X86", "Multi / X86", "apart %"], rows)
    lab.report("exp2_surroundings", ["kernel", "X86 ns", *list(SURROUNDINGS)[1:]], around)
    asked = [("axpy", "axpy.c", n) for n in lab.pick([1000, 10000, 40000, 100000], [10000])]
    asked += lab.pick([("doitgen", "doitgen_avx2.c", 30)], [])
    lab.report("exp2_causes", ["independent", "clflush ns", *CAUSES], [causes(lab, *a, lab.pick(5, 1)) for a in asked])
    plot = Plot("Cold methods: time against OneCallFlushX86's", "bytes of operands", "ratio", log_x=True)
    plot.band(0.9, 1.1)
    for column, name in ((4, "OneCallFlushLRU"), (5, "MultiCallFlushLRU")):
        plot.points(name, [1000 * r[1] for r in rows], [r[column] for r in rows])
    lab.plot(plot, "exp2_methods")
