# SPDX-License-Identifier: Apache-2.0
"""
What statistics cost (Whaley and Castaldo, section 6; X12): accuracy against the time that tuning takes.  Many jobs of
one kernel, each in a process of its own, are dealt into groups of a few.  A group's value is the median over its
processes of what an estimator makes of each one's first samples.  Its error is against the median of all jobs; its cost
is what so many processes with so many samples take.
"""
import statistics

import lab as l
from plot import Plot

TITLE = "section 6: the error of a time against what it costs, by processes, samples and estimator"
N, MOST = 20000, 31
PROCESSES, SAMPLES = (1, 2, 4, 8), (1, 3, 7, 15, 31)
FEW = 3


def one(lab, context, samples):
    spec = l.spec("dotprod", {"N": N}, context, samples=samples, gate=False)
    return lab.evaluate(l.variant("dot", "dot_unroll.c", l.AVX2, UNROLL=8), spec)


def normalised(result, n):
    """Samples are divided by how slow the clock was, where that is known."""
    time = result["time"]
    slowness = time.get("slowness") or [1] * len(time["samples_ns"])
    return statistics.median(ns / s for ns, s in list(zip(time["samples_ns"], slowness))[:n])


ESTIMATORS = {
    "min": lambda result, n: min(result["time"]["samples_ns"][:n]),
    "median": lambda result, n: statistics.median(result["time"]["samples_ns"][:n]),
    "normalised": normalised,
}


def cost_ms(few, many):
    """Of a process, and of each of its samples; the variant is built."""
    less, more = (statistics.median(r["stages_ms"]["run"] for r in results) for results in (few, many))
    each = max(0, (more - less) / (MOST - FEW))
    return max(0, less - FEW * each), each


def errors(results, estimator, processes, samples, truth):
    """Percent, of each group."""
    values = [estimator(r, samples) for r in results]
    groups = [values[i:i + processes] for i in range(0, len(values) - processes + 1, processes)]
    return sorted(l.percent_off(statistics.median(g) / truth) for g in groups)


def quantile(ordered, share):
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def rows_of(context, results, costs):
    truth = statistics.median(ESTIMATORS["median"](r, MOST) for r in results)
    for name, estimator in ESTIMATORS.items():
        for p in PROCESSES:
            for n in SAMPLES:
                off = errors(results, estimator, p, n, truth)
                yield [context, name, p, n, p * (costs[0] + n * costs[1]), statistics.median(off), quantile(off, 0.9)]


def frontier(rows):
    """Those that no cheaper one beats, cheapest first."""
    best = []
    for row in sorted(rows, key=lambda r: r[4]):
        if not best or row[6] < best[-1][6]:
            best.append(row)
    return best


def main(lab):
    jobs = lab.pick(160, 48)
    headers = ["context", "estimator", "processes", "samples", "cost ms", "median error %", "p90 error %"]
    plot = Plot("error of a time against its cost", "ms", "90th percentile of the error, %", log_x=True, from_zero=True)
    every, worthwhile = [], []
    with lab.service():
        for context in ("warm", "cold"):
            few = [one(lab, context, FEW) for _ in range(lab.pick(15, 7))]
            many = [one(lab, context, MOST) for _ in range(jobs)]
            rows = list(rows_of(context, many, cost_ms(few, many)))
            every += rows
            worthwhile += frontier(rows)
            for name in ESTIMATORS:
                best = frontier([r for r in rows if r[1] == name])
                plot.line(f"{context}, {name}", [r[4] for r in best], [r[6] for r in best])
    lab.csv("exp12_statistics", headers, every)
    lab.report("exp12_frontier", headers, worthwhile)
    lab.plot(plot, "exp12_statistics")
