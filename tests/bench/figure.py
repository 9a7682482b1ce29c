# SPDX-License-Identifier: Apache-2.0
"""What the figures are made with: a Figure, a daemon of one's own, the kernels."""
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "experiments")]
from harness import BUILD, Daemon, TIMED  # noqa: E402
from lab import Lab  # noqa: E402

HOUSE_CPU, TIMING_CPU = 0, os.cpu_count() - 1


ONE_BUILDER = ("--builders", 1)      # beside a compiler that has one CPU
CALIBRATIONS = 3                # at most, on a host that is loud now and then


class Unmeasured(Exception):
    """A reading without which there is no figure; the text names it."""


class Figure:
    def __init__(self, name, value, unit, goal, why=None):
        """goal: a comparison and a number, ">= 0.8"; why: the reading that prevented a value."""
        self.name, self.value, self.unit, self.goal, self.why = name, value, unit, goal, why
        self.ok = value is not None and self.reached()

    def reached(self):
        comparison, bound = self.goal.split()
        bound = float(bound)
        return {"<": self.value < bound, "<=": self.value <= bound,
                ">=": self.value >= bound}[comparison]

    def as_json(self):
        return {"name": self.name, "value": self.value, "unit": self.unit, "goal": self.goal,
                "ok": self.ok, "why": self.why}

    def __str__(self):
        value = "none" if self.value is None else f"{self.value:.4g}"
        reason = f": {self.why}" if self.why else ""
        verdict = "ok" if self.ok else "short"
        return f"{self.name} {value} {self.unit} {self.goal.replace(' ', '')} {verdict}{reason}"


def end_of(client, document):
    """One job, from submission to its result, good or bad."""
    client.call("job.submit", {"job": document, "follow": True})
    return client.notification()["result"]


def result_of(client, document):
    """A result that has a time."""
    result = end_of(client, document)
    if result["status"] not in TIMED or result["time"] is None:
        raise Unmeasured(f"{result['name']}: {result['status']}: {result['detail']}")
    return result


def compiled_s(commands, cpu):
    """Seconds that these commands take on one CPU, one after another."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {cpu})
    try:
        began = time.perf_counter()
        for command in commands:
            subprocess.run(command, check=True)
        return time.perf_counter() - began
    finally:
        os.sched_setaffinity(0, before)


def calibrate(client):
    """Finds the host's flush area; the reason if it was not found."""
    client.call("host.calibrate")
    errands = ("calibration", "reference")
    while any((host := client.call("host.get"))[errand]["running"] for errand in errands):
        time.sleep(0.2)
    found = host["calibration"]["flush_bytes"] is not None
    return host["calibration"]["failed"] or (None if found else "no area was found")


def laboratory(bench, name):
    """What experiments measure with, in a directory of its own."""
    return Lab(directory=bench.directory / name, database=bench.database)


class Bench:
    def __init__(self):
        self.directory = BUILD.parent / "bench"
        self.directory.mkdir(parents=True, exist_ok=True)
        self.database = None                # of a daemon that has calibrated this host

    def calibrate(self):
        """Once, before all figures; each service begins with what was found."""
        with self.service("calibrated") as (_, client):
            for _ in range(CALIBRATIONS):
                if (failed := calibrate(client)) is None:
                    break
        if failed:
            self.note(f"not calibrated: {failed}")
        else:
            self.database = self.directory / "calibrated" / "assay.db"
            self.note("calibrated")

    def note(self, text):
        """Prints the readings behind a figure."""
        print(f"# {text}", file=sys.stderr, flush=True)

    @contextlib.contextmanager
    def service(self, name, flags=(), worker=None):
        """A daemon on a fresh state directory, and a connection to it."""
        state = self.directory / name
        shutil.rmtree(state, ignore_errors=True)
        state.mkdir(parents=True)
        if self.database is not None:
            shutil.copy(self.database, state)
        daemon = Daemon(*flags, state=state, worker=worker, http=False)
        try:
            with daemon.connect(timeout=None) as client:
                yield daemon, client
        finally:
            daemon.stop()

    def kernel(self, name):
        return (TESTS / "kernels" / name).read_text()

    def dot_spec(self, n, context, **timing):
        spec = json.loads(self.kernel("dotprod.spec.json"))
        spec["params"]["N"] = n
        spec["context"] = context
        if timing:
            spec["timing"] = timing
        return spec
