# SPDX-License-Identifier: Apache-2.0
"""
The three ways to get operands out of cache (Whaley and Castaldo, sections 3 and 4; W28) against each other: flushing
by instruction, reading a large area, calling on many working sets in turn.  Ratios to the first, by turns.

What a state of the host lasts is as long as a job or two, and memory is as much as 20 % slower in one than in
another.  So each turn has few samples of each method, and no method waits for quiet: which samples count is decided
afterwards, in one way for all three (turns.py).  Jobs of 31 samples that each had a gate of their own were up to 18 %
apart for two vectors of 0.8 MB, by which of them had met whom; the same three, sample by sample in turn, within 4 %.

Page tables are in the last cache for all three.  A flush by instruction leaves them there, but an area read or other
sets push them out into memory, unless Assay looks the pages up again.  Without that (surroundings: "tables out"), where
a routine has one stream over small pages (gemv), each page costs a walk that nothing hides, in a guest one through two
sets of tables: of 1.3 MB that is 8 to 15 %, the more the farther apart the pages lie in memory.  On large pages the
difference is gone.

Why they differ, and by how much, is measured too.  Assay's own methods with and without what surrounds a cold call: a
cold TLB and full inner caches, which matter the more the fewer lines there are to fetch.  And the independent timer,
which can flush by instruction in caches that are full of other data (swept), push address translations out as well,
give operands large pages, and call on sets in turn with and without a barrier between: without one, short calls
overlap.
"""
import lab as l
import turns as by_turns
from plot import Plot

TITLE = "agreement of the cold methods (sections 3 and 4; section 3 claims they are equivalent)"
METHODS = ["OneCallFlushX86", "OneCallFlushLRU", "MultiCallFlushLRU"]
SAMPLES = 7			# of a method in a turn


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


# what the independent timer is told, for each cause; the first is what the others are held against
CAUSES = {
    "clflush": ["-m", "clflush"],
    "full caches": ["-m", "swept"],
    "full L2": ["-m", "swept", "-f", 4 << 20],
    "no translations": ["-m", "clflush", "-T"],
    "full, no transl.": ["-m", "swept", "-T"],
    "flushed, large pages": ["-m", "clflush", "-H"],
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
    "LRU, tables out": {"method": "OneCallFlushLRU", "page_tables": "memory"},
    "Multi": {"method": "MultiCallFlushLRU"},
    "Multi, tables out": {"method": "MultiCallFlushLRU", "page_tables": "memory"},
    "Multi backward": {"method": "MultiCallFlushLRU", "walk": "backward"},
    "Multi forward": {"method": "MultiCallFlushLRU", "walk": "forward"},
}

SMALL = [dot(1000), axpy(1000), gemv(45)]
MIDDLE = [dot(10000), axpy(10000), gemv(144), gemm(96), doitgen(30)]
LARGE = [dot(100000), axpy(100000), gemv(400), gemm(216), dot(1000000), axpy(1000000), gemv(1400)]


def one(lab, case, flushes, first):
    """A turn of them; none waits for quiet, so that they are as near to each other as can be."""
    _, _, _, routine, params, variant = case

    def by(flush):
        return lambda: l.samples(lab.evaluate(variant, l.spec(routine, params, "cold", samples=SAMPLES, gate=False,
                                                              flush=flush)))

    return by_turns.one_turn({name: by(flush) for name, flush in flushes.items()}, first)


def measure(lab, cases, enough, most, flushes=None):
    """
    {"dot 1000": Turns of the methods, or of other flushes}; the caller has a service running.  Cases change from turn
    to turn, so each turn has a new runner, and operands lie on other pages: that alone is worth up to 10 %, and methods
    that use one working set would have it in all turns.
    """
    flushes = flushes or {m: {"method": m} for m in METHODS}
    named = {f"{c[0]} {c[1]}": c for c in cases}
    taken = {name: by_turns.Turns(flushes) for name in named}
    by_turns.take(taken, lambda name, first: one(lab, named[name], flushes, first), enough, most)
    return taken


def ratios(turns):
    """Of each method to the first."""
    return [turns.ratio(m, METHODS[0]) for m in METHODS]


def causes(lab, routine, file, n, enough, most):
    """By the independent timer: each cause's time against that of flushing by instruction alone."""
    program = lab.oracle(routine, file, l.AVX2)
    common = ["-n", n, "-s", 21, "-f", 3 * lab.largest_cache()]

    def turn(_, first):
        return by_turns.one_turn({c: lambda how=how: lab.timed([program, *common, *how]) for c, how in CAUSES.items()},
                                 first)

    taken = by_turns.Turns(CAUSES)
    by_turns.take({routine: taken}, turn, enough, most)
    base, *others = CAUSES
    return [f"{routine} {n}", taken.typical(base), *(taken.ratio(c, base) for c in others)]


def surroundings(lab, cases, enough, most):
    """By Assay: each of them against flushing by instruction as it is by default."""
    first, *others = SURROUNDINGS
    return [[name, t.typical(first), *(t.ratio(o, first) for o in others)]
            for name, t in measure(lab, cases, enough, most, SURROUNDINGS).items()]


def main(lab):
    cases = SMALL + MIDDLE + LARGE if not lab.quick else [dot(1000), dot(10000)]
    rows = []
    with lab.service():
        for case, (name, turns) in zip(cases, measure(lab, cases, lab.pick(15, 3), lab.pick(25, 3)).items()):
            base, r = turns.typical(METHODS[0]), ratios(turns)
            warm = lab.evaluate(case[5], l.spec(case[3], case[4], "warm"))
            rows.append([name, case[2] / 1000, base, base / l.typical_ns(warm), *r[1:], l.apart(r), turns.note()])
        short = lab.pick([dot(100), *SMALL, dot(10000), gemv(400)], [dot(1000)])
        around = surroundings(lab, short, lab.pick(9, 1), lab.pick(15, 1))
    columns = ["kernel", "kB", "X86 ns", "cold / hot", "LRU / X86", "Multi / X86", "apart %", "counted"]
    lab.report("exp2_methods", columns, rows)
    lab.report("exp2_surroundings", ["kernel", "X86 ns", *list(SURROUNDINGS)[1:]], around)
    asked = [("axpy", "axpy.c", n) for n in lab.pick([1000, 10000, 40000, 100000], [10000])]
    asked += lab.pick([("gemv", "gemv.c", 400), ("doitgen", "doitgen_avx2.c", 30)], [])
    lab.report("exp2_causes", ["independent", "clflush ns", *list(CAUSES)[1:]],
               [causes(lab, *a, lab.pick(5, 1), lab.pick(9, 1)) for a in asked])
    plot = Plot("Cold methods: time against OneCallFlushX86's", "bytes of operands", "ratio", log_x=True)
    plot.band(0.9, 1.1)
    for column, name in ((4, "OneCallFlushLRU"), (5, "MultiCallFlushLRU")):
        plot.points(name, [1000 * r[1] for r in rows], [r[column] for r in rows])
    lab.plot(plot, "exp2_methods")
