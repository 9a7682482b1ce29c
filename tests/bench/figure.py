# SPDX-License-Identifier: Apache-2.0
"""What the figures are made with: a Figure, a daemon of one's own, the kernels."""
import contextlib
import json
import os
import pathlib
import shutil
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "support"))
from harness import BUILD, Daemon  # noqa: E402

HOUSE_CPU, TIMING_CPU = 0, os.cpu_count() - 1


class Figure:
    def __init__(self, name, value, unit, goal):
        """goal: a comparison and a number, ">= 0.8"."""
        self.name, self.value, self.unit, self.goal = name, value, unit, goal
        self.ok = value is not None and self.reached()

    def reached(self):
        comparison, bound = self.goal.split()
        bound = float(bound)
        return {"<": self.value < bound, "<=": self.value <= bound, ">=": self.value >= bound}[comparison]

    def as_json(self):
        return {"name": self.name, "value": self.value, "unit": self.unit, "goal": self.goal, "ok": self.ok}

    def __str__(self):
        value = "none" if self.value is None else f"{self.value:.4g}"
        return f"{self.name} {value} {self.unit} {self.goal.replace(' ', '')} {'ok' if self.ok else 'short'}"


class Bench:
    def __init__(self):
        self.directory = BUILD.parent / "bench"
        self.directory.mkdir(parents=True, exist_ok=True)

    def note(self, text):
        """What a figure was made of, for whoever looks on."""
        print(f"# {text}", file=sys.stderr, flush=True)

    @contextlib.contextmanager
    def service(self, name, flags=(), worker=None):
        """A daemon on a fresh state directory, and a connection to it."""
        state = self.directory / name
        shutil.rmtree(state, ignore_errors=True)
        state.mkdir(parents=True)
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
