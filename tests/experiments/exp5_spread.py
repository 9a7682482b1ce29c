# SPDX-License-Identifier: Apache-2.0
"""
Run-to-run spread, as Figure 7 of Yi, Whaley and others asks it, of Assay, of Google Benchmark and of a timer as a
typical programmer might write it (Whaley and Castaldo, Figure 3b: one untimed call, then the mean of many): the same
kernels, each run a fresh process, by turns, all on the timing CPU under SCHED_FIFO where that is permitted.
"""
import statistics

import lab as l
from plot import Plot

TITLE = "seed figure 7: run-to-run spread of Assay, Google Benchmark and a naive timer"
SAMPLES_HOT, SAMPLES_COLD = 31, 31
PATIENCE_MS = 1000      # that each run may wait for quiet; the default gate waits an eighth of the time
TRIES = 8               # a run that finds no quiet is `too_noisy`, which is no time, and done again
NAIVE_NS = 5e6

KERNELS = {
    "dot 1000": ("dot", "dot_unroll.c", {"UNROLL": 8}, "dotprod", 1000),
    "dot 10000": ("dot", "dot_unroll.c", {"UNROLL": 8}, "dotprod", 10000),
    "axpy 1000": ("axpy", "axpy.c", {}, "axpy", 1000),
    "axpy 10000": ("axpy", "axpy.c", {}, "axpy", 10000),
    "gemm 64": ("gemm", "gemm_block.c", {"NB": 16}, "gemm", 64),
}


def params(name, n):
    return {"MS": n, "NS": n, "KS": n} if name == "gemm" else {"N": n}


class Subject:
    """One kernel, ready to be timed by each."""

    def __init__(self, lab, kernel):
        routine, file, defines, self.spec_name, self.n = KERNELS[kernel]
        self.lab = lab
        self.variant = l.variant(routine, file, l.AVX2, **defines)
        self.naive_program = lab.oracle(routine, file, l.AVX2, **defines)
        source = l.TESTS / "experiments" / "gbench.cc"
        flags = ["-O2", f"-DSIZE={self.n}", f'-DROUTINE="{l.ORACLE}/routine_{routine}.c"']
        self.peer_program = lab.build(f"gbench_{routine}", [source], flags, l.TESTS / "kernels" / file, l.AVX2, defines)
        self.calls = 1
        self.refused = 0

    def own(self, context):
        samples = SAMPLES_HOT if context == "warm" else SAMPLES_COLD
        timing = {"samples": samples, "gate": True, "budget_ms": PATIENCE_MS}
        if context == "cold":
            timing["flush"] = {"method": "OneCallFlushX86"}
        spec = l.spec(self.spec_name, params(self.spec_name, self.n), context, **timing)
        for _ in range(TRIES):
            result = self.lab.evaluate(self.variant, spec)
            if result["status"] == "ok":
                break
            self.refused += 1
        return result

    def peer_ns(self):
        said = self.lab.on_timing_cpu([self.peer_program, "--benchmark_format=json"])["benchmarks"][0]
        assert said["time_unit"] == "ns"
        return said["real_time"]

    def naive_ns(self):
        """Its number of calls is chosen once, for about NAIVE_NS."""
        words = [self.naive_program, "-m", "hot", "-n", self.n, "-s", 1, "-k", "wall"]
        if self.calls == 1:
            self.calls = max(1, int(NAIVE_NS / self.lab.on_timing_cpu([*words, "-r", 100])["min_ns"]))
        return self.lab.on_timing_cpu([*words, "-r", self.calls])["min_ns"]


def measure(lab, rounds, kernels=KERNELS, peers=True):
    """{kernel: {what: [ns of each run]}}; the caller has a service running."""
    subjects = {k: Subject(lab, k) for k in kernels}
    runs = {k: {} for k in kernels}
    for k, s in subjects.items():
        s.own("warm")                   # compiled
    for _ in range(rounds):
        for k, s in subjects.items():
            warm, cold = s.own("warm"), s.own("cold")
            seen = {"Assay": l.typical_ns(warm), "Assay, least": warm["time"]["min_ns"],
                    "Assay cold": l.typical_ns(cold), "Assay cold, least": cold["time"]["min_ns"]}
            if peers:
                seen["Google Benchmark"] = s.peer_ns()
                seen["naive"] = s.naive_ns()
            for name, ns in seen.items():
                runs[k].setdefault(name, []).append(ns)
    print(f"# {sum(s.refused for s in subjects.values())} runs were too noisy and done again", flush=True)
    return runs


def median_cv(runs, name):
    """Percent: the median over the kernels of the spread over the runs."""
    return 100 * statistics.median(l.cv(r[name]) for r in runs.values())


def naive_bias(runs):
    """How far the naive timer (W7) is from the default context, whose operands are out of cache: below 1."""
    return statistics.median(runs["naive"]) / statistics.median(runs["Assay cold"])


def main(lab):
    kernels = list(KERNELS)[:lab.pick(5, 2)]
    with lab.service():
        runs = measure(lab, lab.pick(20, 4), kernels)
    names = list(next(iter(runs.values())))
    rows = [[k, *(100 * l.cv(r[name]) for name in names)] for k, r in runs.items()]
    rows.append(["median", *(median_cv(runs, name) for name in names)])
    lab.report("exp5_spread", ["cv %", *names], rows)
    times = [[k, *(statistics.median(r[n]) for n in names), naive_bias(r)] for k, r in runs.items()]
    lab.report("exp5_times", ["median ns", *names, "naive / cold"], times)
    plot = Plot("Runs of each timer as % of its median, all kernels", "run", "%", log_y=True)
    plot.band(99, 101)
    for name in ("Google Benchmark", "naive", "Assay"):
        values = [100 * v / statistics.median(r[name]) for r in runs.values() for v in r[name]]
        plot.points(name, range(len(values)), values)
    lab.plot(plot, "exp5_spread")
