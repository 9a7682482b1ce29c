# SPDX-License-Identifier: Apache-2.0
"""
What each technique of Whaley and Castaldo is worth on this machine: walking the working sets backwards (section 4,
W34), RangeGuard, Page0Guard, InstLdGuard, MemAlign (sections 5.2 to 5.5).  Assay never times without its guards, so what
they prevent is shown by the independent timer, which can leave each out.
"""
import statistics

import lab as l
from plot import Plot

TITLE = "forward against backward walk; with and without each guard (sections 4 and 5)"
WALKS = ["backward", "forward", "random"]
SIZES = [100, 1000, 10000, 100000]


def walked(lab, n, method, walk=None):
    flush = {"method": method, **({"walk": walk} if walk else {})}
    job = l.variant("dot", "dot_unroll.c", l.AVX2, UNROLL=8), l.spec("dotprod", {"N": n}, "cold", flush=flush)
    return l.typical_ns(lab.evaluate(*job))


def walks(lab):
    rows = []
    plot = Plot("Section 4: time by the order of the working sets, against one flushed call", "N", "ratio", log_x=True)
    sizes = SIZES[:lab.pick(4, 2)]
    for n in sizes:
        turns = []
        for _ in range(lab.pick(7, 3)):
            x86 = walked(lab, n, "OneCallFlushX86")
            turns.append([x86, *(walked(lab, n, "MultiCallFlushLRU", w) / x86 for w in WALKS)])
        rows.append([f"dot {n}", *(statistics.median(c) for c in zip(*turns))])
    for i, w in enumerate(WALKS):
        plot.line(w, sizes, [r[2 + i] for r in rows])
    lab.report("exp4_walks", ["kernel", "one call ns", *(f"{w} / one call" for w in WALKS)], rows)
    lab.plot(plot, "exp4_walks")


def with_and_without(lab, name, program, common, switches, member, rounds):
    """A row: the independent timer with the guard and without it, by turns."""
    guarded, bare = [], []
    for _ in range(rounds):
        guarded.append(lab.on_timing_cpu([program, *common])[member])
        bare.append(lab.on_timing_cpu([program, *common, *switches])[member])
    return [name, statistics.median(guarded), statistics.median(bare),
            statistics.median(b / g for g, b in zip(guarded, bare))]


def guards(lab):
    rounds = lab.pick(21, 5)
    axpy, dot = lab.oracle("axpy", "axpy.c", l.AVX2), lab.oracle("dot", "dot_unroll.c", l.AVX2, UNROLL=8)
    first, hot, cold = ["-s", 1, "-m", "hot"], ["-m", "hot", "-r", 20], ["-s", 1, "-m", "clflush"]

    def row(name, program, common, *switches, member="first_ns"):
        return with_and_without(lab, name, program, common, switches, member, rounds)

    return [
        # the call that loads the code would touch the pages, so it is left out on both sides
        row("Page0Guard, axpy 2000, first call", axpy, [*first, "-n", 2000, "-I"], "-P"),
        row("Page0Guard, axpy 100000, first call", axpy, [*first, "-n", 100000, "-I"], "-P"),
        row("InstLdGuard, dot 100, first call", dot, [*first, "-n", 100], "-I"),
        row("InstLdGuard, dot 2000, first call", dot, [*first, "-n", 2000], "-I"),
        row("InstLdGuard, dot 2000, first call cold", dot, [*cold, "-n", 2000], "-I"),
        row("InstLdGuard, dot 100000, first call cold", dot, [*cold, "-n", 100000], "-I"),
        # section 4, W32: a clock that is read around each call adds what reading it takes, and the call's ends
        row("many calls a reading, or one, dot 100", dot, ["-m", "hot", "-n", 100, "-r", 1000], "-r", 1,
            member="median_ns"),
        row("RangeGuard, dot 2000", dot, [*hot, "-n", 2000], "-D", member="median_ns"),
        row("MemAlign 64, or 8 and not 16, dot 2000", dot, [*hot, "-n", 2000], "-a", 8, "-x", 16, member="median_ns"),
        row("MemAlign 64, or 8 and not 16, axpy 1000", axpy, [*hot, "-n", 1000], "-a", 8, "-x", 16, member="median_ns"),
        row("MemAlign 64, or 8 and not 16, axpy 100000 cold", axpy, ["-m", "clflush", "-n", 100000], "-a", 8, "-x", 16,
            member="median_ns"),
    ]


def biased(lab):
    """
    Two ways not to get a cold time.  W31, section 4: flushes inside the region, from which a loop of flushes alone is
    taken off.  A flush does not cost the same in that loop as after a call, and of two long times the small difference
    is wanted: it came out at minus ten times a short call's time by lines, and at several times it by an area.  W60,
    section 5.6: operands that are written anew instead of flushed are in the cache of who wrote them.
    """
    def row(kernel, name, program, how, common, switches):
        label, right, wrong, _ = with_and_without(lab, f"{name}, {kernel}", program, common, switches, "median_ns",
                                                  lab.pick(7, 3))
        return [label, how, right, wrong, 100 * (wrong / right - 1)]

    rows = []
    for routine, file, n in [("dot", "dot_avx2.c", 1000), ("axpy", "axpy.c", 20000)]:
        program, kernel = lab.oracle(routine, file, l.AVX2), f"{routine} {n}"
        lines, area = ["-m", "clflush", "-n", n], ["-m", "lru", "-n", n, "-s", 3, "-f", lab.largest_cache()]
        rows.append(row(kernel, "loop of flushes taken off", program, "lines", lines, ["-S", "-r", 50]))
        rows.append(row(kernel, "loop of flushes taken off", program, "area", area, ["-S", "-r", 2]))
        rows.append(row(kernel, "written anew, not flushed", program, "lines", lines, ["-m", "hot", "-R"]))
    return rows


def main(lab):
    with lab.service():
        walks(lab)
    lab.report("exp4_biased", ["wrong way", "flush", "right ns", "wrong ns", "bias %"], biased(lab))
    lab.report("exp4_guards", ["guard", "with ns", "without ns", "ratio"], guards(lab))
