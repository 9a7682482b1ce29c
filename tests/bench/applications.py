# SPDX-License-Identifier: Apache-2.0
"""
The applications of apps/.  Each times its own calls of a routine, the first ones in fresh places
and the later ones, with its other work between.  The routine stands in a file of its own, and the
same text is timed by Assay, Google Benchmark and nanobench.
"""
import hashlib
import json
import os
import pathlib
import statistics
import subprocess

from figure import TESTS

import apps_specs
import lab as l
from turns import FEWEST, QUIET, tenth_percentile

HERE = TESTS / "bench" / "apps"
ORACLE = [TESTS / "oracle" / "apps" / "record.c", TESTS / "oracle" / "pace.c"]
MAIN = "-std=c11", "-D_GNU_SOURCE", "-O2"
TUNED = l.AVX2
PLAIN = ["-O2", "-fno-tree-vectorize"]		# another variant of the same routine
NANOBENCH = os.environ.get("NANOBENCH")		# the directory of nanobench.h


def chosen():
    """All of them; with APPS=heat3d,spmv those alone."""
    names = os.environ.get("APPS")
    names = names.split(",") if names else apps_specs.ALL
    return {name: apps_specs.ALL[name]() for name in names}


# ---- the routine by Assay ----

def variant(name, flags=TUNED):
    source = (HERE / "routines" / f"{name}.c").read_text()
    return {"name": name, "language": "c", "source": source, "flags": list(flags)}


# ---- programs ----

class Shop:
    """Makes programs, each once for its sources."""

    def __init__(self, lab):
        self.lab = lab

    def object(self, source, flags):
        texts = [p.read_bytes() for p in (source, HERE / "app.h")]
        key = hashlib.sha256(repr((texts, flags)).encode())
        path = self.lab.directory / "bin" / f"{source.stem}-{key.hexdigest()[:16]}.o"
        if not path.exists():
            compiler = "g++" if source.suffix == ".cc" else "gcc"
            l.run([compiler, *flags, "-c", "-o", path, source])
        return path

    def program(self, name, mains, flags, libraries=("-lm",)):
        objects = [self.object(HERE / f"{name}.c", MAIN), self.object(HERE / "app_memory.c", MAIN),
                   self.object(HERE / "routines" / f"{name}.c", (l.ALIGNMENT, *flags)),
                   *(self.object(source, options) for source, options in mains)]
        key = hashlib.sha256(repr([str(o) for o in objects]).encode()).hexdigest()[:16]
        path = self.lab.directory / "bin" / f"{name}-{key}"
        if not path.exists():
            l.run(["g++", "-o", path, *objects, *libraries])
        return path

    def application(self, name, flags=TUNED):
        mains = [(source, MAIN) for source in (HERE / "app.c", *ORACLE)]
        return self.program(name, mains, flags)

    def google(self, name):
        mains = [(HERE / "peer_gbench.cc", ("-O2",))]
        return self.program(name, mains, TUNED, ("-lbenchmark", "-lpthread", "-lm"))

    def nano(self, name):
        return self.program(name, [(HERE / "peer_nanobench.cc", ("-O2", f"-I{NANOBENCH}"))], TUNED)


def nanobench_is_missing():
    """Why there is no comparison with it, or None."""
    if NANOBENCH is None:
        return "NANOBENCH does not name the directory of nanobench.h, which Debian does not have"
    there = (pathlib.Path(NANOBENCH) / "nanobench.h").exists()
    return None if there else f"no nanobench.h in {NANOBENCH}"


def in_application(lab, program):
    """{"first": …, "later": …} of one process: [(ns, pace)] of its calls."""
    return {calls["application"]: list(zip(calls["calls_ns"], calls["pace_ns"]))
            for calls in lab.on_timing_cpu([program])}


def each_ns(processes):
    """
    Of each process the median of its quiet calls: those whose pace is within QUIET of the tenth
    percentile of all.  None: it had no such call.  If too few processes had any, all calls count.
    """
    limit = QUIET * tenth_percentile([pace for calls in processes for _, pace in calls])
    quiet = [[ns for ns, pace in calls if pace <= limit] for calls in processes]
    if sum(map(bool, quiet)) < min(FEWEST, len(processes)):
        quiet = [[ns for ns, _ in calls] for calls in processes]
    return [statistics.median(calls) if calls else None for calls in quiet]


def typical_ns(processes):
    return statistics.median(ns for ns in each_ns(processes) if ns is not None)


def google_ns(lab, program):
    said = lab.on_timing_cpu([program, "--benchmark_format=json"])["benchmarks"][0]
    return said["real_time"]


def nano_ns(lab, program):
    return float(lab.on_timing_cpu([program]))


# ---- assay fit ----

def fitted(daemon, directory, name, app, later_ns):
    """What `assay fit` proposes for the time of later calls: members of a spec."""
    path, source = directory / f"{name}.spec.json", HERE / "routines" / f"{name}.c"
    path.write_text(json.dumps(apps_specs.spec(app)))
    words = [l.BUILD / "assay", "-s", daemon.socket, "--json", "fit", "--time", f"{later_ns:.1f}ns",
             "-O", " ".join(TUNED), path, source]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if not done.stdout:
        raise RuntimeError(f"{name}: assay fit ended with {done.returncode}: {done.stderr.strip()}")
    [fit] = json.loads(done.stdout)["fits"]
    return fit
