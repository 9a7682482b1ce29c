# SPDX-License-Identifier: Apache-2.0
"""
What the experiments have in common: a daemon, kernels as variants and as objects of the independent timer, tables, CSV
and plots under build/experiments.

The independent timer (tests/oracle) and the applications run on the timing CPU, under SCHED_FIFO where that is
permitted, as Assay's runner does; kernels are compiled by the same compiler with the same flags for both.  Whatever is
compared is run by turns, and compared is the median of the ratios of each turn.
"""
import contextlib
import csv
import hashlib
import json
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "kernels")]
from harness import BUILD, Daemon  # noqa: E402
import sweeps  # noqa: E402

ORACLE = TESTS / "oracle"
TIMING_CPU = os.cpu_count() - 1
OUT = BUILD.parent / "experiments"
ALIGNMENT = "-falign-functions=64"	# as Assay has it, so that kernels lie alike: up to 12 % for gemm, 23 % for axpy
TIMER_FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-O2"]
AVX2 = sweeps.AVX2


class Untimed(RuntimeError):
    """A job that ended without a time."""

    def __init__(self, result):
        super().__init__(f"{result['name']}: {result['status']}: {result['detail']}")


class Lab:
    def __init__(self, quick=False, directory=OUT, database=None):
        """database: of a daemon that has calibrated this host, if any."""
        self.quick = quick
        self.directory = directory
        self.database = database
        self.client = None
        self.fifo = can_fifo()
        (directory / "bin").mkdir(parents=True, exist_ok=True)

    def pick(self, full, quick):
        return quick if self.quick else full

    # ---- Assay ----

    @contextlib.contextmanager
    def service(self, *flags):
        """A daemon on a fresh state directory; evaluate() speaks to it."""
        state = self.directory / "state"
        shutil.rmtree(state, ignore_errors=True)
        state.mkdir(parents=True)
        if self.database is not None:
            shutil.copy(self.database, state)
        daemon = Daemon(*flags, state=state, http=False)
        try:
            with daemon.connect(timeout=None) as self.client:
                yield daemon
        finally:
            self.client = None
            daemon.stop()
            shutil.rmtree(state, ignore_errors=True)

    def evaluate(self, variant, spec):
        """One job, from submission to its result."""
        self.client.call("job.submit", {"job": {"variant": variant, "spec": spec}, "follow": True})
        result = self.client.notification()["result"]
        if result["time"] is None:
            raise Untimed(result)
        return result

    def caches(self):
        """Bytes of each of the timing CPU's caches for data, from the first to the last, as the kernel lists them."""
        listed = pathlib.Path(f"/sys/devices/system/cpu/cpu{TIMING_CPU}/cache").glob("index*")
        found = {(i / "level").read_text(): (i / "size").read_text() for i in listed
                 if (i / "type").read_text().strip() != "Instruction"}
        return [int(found[level].strip()[:-1]) << 10 for level in sorted(found)]

    def largest_cache(self):
        return max(self.caches(), default=32 << 20)

    # ---- the independent timer and the applications ----

    def build(self, name, sources, flags, kernel=None, kernel_flags=(), defines=None, compiler="gcc"):
        """A program of C sources, and a kernel compiled apart as Assay compiles it; made once for its inputs."""
        files = [*sources, *([kernel] if kernel else [])]
        kernel_flags = [ALIGNMENT, *kernel_flags]
        text = [p.read_bytes() for p in files] + [p.read_bytes() for p in sorted(ORACLE.glob("**/*.h"))]
        key = hashlib.sha256(repr((text, flags, kernel_flags, defines)).encode()).hexdigest()[:16]
        program = self.directory / "bin" / f"{name}-{key}"
        if program.exists():
            return program
        objects = []
        if kernel:
            objects.append(program.with_suffix(".o"))
            macros = [f"-D{k}={v}" for k, v in (defines or {}).items()]
            run([compiler, *kernel_flags, "-fPIC", *macros, "-c", "-o", objects[0], kernel])
        run(["g++" if sources[0].suffix == ".cc" else "gcc", *flags, "-o", program, *sources, *objects,
             *(["-lbenchmark", "-lpthread"] if sources[0].suffix == ".cc" else ["-lm"])])
        return program

    def oracle(self, routine, kernel, flags=("-O3",), **defines):
        """The independent timer with this kernel linked in."""
        sources = [ORACLE / f for f in ("timer.c", "clock.c", "space.c", "pace.c", f"routine_{routine}.c")]
        return self.build(f"oracle_{routine}", sources, TIMER_FLAGS, TESTS / "kernels" / kernel, flags, defines)

    def application(self, name, kernel, flags=("-O3",)):
        sources = [ORACLE / "apps" / f"{name}.c", ORACLE / "apps" / "record.c", ORACLE / "pace.c"]
        return self.build(name, sources, TIMER_FLAGS, TESTS / "kernels" / kernel, flags)

    def on_timing_cpu(self, words, fifo=True):
        """What a program prints, as JSON, run where Assay's runner runs."""
        pinned = ["taskset", "-c", TIMING_CPU, *(["chrt", "-f", 10] if fifo and self.fifo else [])]
        return json.loads(run([*pinned, *words]))

    def timed(self, words):
        """(times, paces) of such a program, as turns.py wants them."""
        said = self.on_timing_cpu(words)
        return said["samples_ns"], said["pace_ns"]

    # ---- what is left of an experiment ----

    def table(self, headers, rows):
        """Prints it, columns as wide as they must be."""
        cells = [[cell(c) for c in row] for row in [headers, *rows]]
        widths = [max(len(r[i]) for r in cells) for i in range(len(headers))]
        for r in cells:
            print("  " + "  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(r, widths))))
        sys.stdout.flush()

    def csv(self, name, headers, rows):
        with open(self.directory / f"{name}.csv", "w", newline="") as out:
            csv.writer(out).writerows([headers, *rows])

    def report(self, name, headers, rows):
        self.table(headers, rows)
        self.csv(name, headers, rows)

    def plot(self, plot, name):
        plot.save(self.directory / f"{name}.svg")


def run(words):
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))} ended with {done.returncode}\n{done.stderr}")
    return done.stdout


def can_fifo():
    return subprocess.run(["chrt", "-f", "10", "true"], stderr=subprocess.DEVNULL).returncode == 0


def cell(value):
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1e4 else f"{value:.0f}"
    return str(value)


# ---- times ----

def typical_ns(result):
    """What Assay reports as the time: the gated normalised median where it has one."""
    time = result["time"]
    normalised = time.get("normalised")
    return normalised["median_ns"] if normalised else time["median_ns"]


def samples(result):
    """(ns, paces) of its samples, as turns.py wants them: what the canary took, by a neighbour's doing and the clock's."""
    time = result["time"]
    base = result["evidence"]["canary_base_ticks"]
    return time["samples_ns"], [base * c * p for c, p in zip(time["canary"], time["pace"])]


def cv(values):
    return statistics.stdev(values) / statistics.mean(values)


def percent_off(ratio):
    return 100 * abs(ratio - 1)


def apart(ratios):
    """Percent by which the largest of several ratios exceeds the smallest."""
    return 100 * (max(ratios) / min(ratios) - 1)


def roughness(values):
    """Percent: how far each point of a curve is from the geometric middle of its neighbours, on average."""
    middles = [math.sqrt(a * b) for a, b in zip(values, values[2:])]
    return 100 * statistics.mean(abs(v / m - 1) for v, m in zip(values[1:-1], middles))


def geometric(first, last, points):
    """Whole numbers from first to last, evenly spaced on a log axis."""
    step = math.log(last / first) / (points - 1)
    return [round(first * math.exp(i * step)) for i in range(points)]


# ---- kernels as jobs ----

def spec(name, params=None, context="cold", **timing):
    """A kernel's spec without its check, with these params; every operand as the context has it."""
    s = sweeps.spec(name)
    s.pop("check", None)
    s["params"].update(params or {})
    s["context"] = context
    for argument in s["args"].values():
        if isinstance(argument, dict):
            argument.pop("cache", None)
    if timing:
        s["timing"] = timing
    return s


variant = sweeps.variant
