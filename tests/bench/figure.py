# SPDX-License-Identifier: Apache-2.0
"""What the figures are made with: a Figure, a daemon of one's own, a connection to it."""
import itertools
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys

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


class Service:
    """A private assayd on a fresh state directory, with its process id."""

    def __init__(self, build, state):
        shutil.rmtree(state, ignore_errors=True)
        state.mkdir(parents=True)
        self.socket = state / "assay.sock"
        ready, told = os.pipe()
        with open(state / "assayd.log", "w") as log:
            self.process = subprocess.Popen(
                [build / "assayd", "--state", state, "--socket", self.socket, "--ready-fd", str(told)],
                stdin=subprocess.DEVNULL, stderr=log, pass_fds=[told])
        os.close(told)
        up = os.read(ready, 1)
        os.close(ready)
        if not up:
            raise RuntimeError(f"the daemon did not start:\n{(state / 'assayd.log').read_text()}")
        self.pid = self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=30)

    def connect(self):
        return Connection(self.socket)


class Connection:
    """JSON-RPC, one object a line; notifications wait until they are asked for."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("rb")
        self.ids = itertools.count(1)
        self.news = []

    def send(self, method, params):
        self.send_line(self.line(method, params))

    def line(self, method, params):
        return json.dumps({"jsonrpc": "2.0", "id": next(self.ids), "method": method, "params": params}).encode() + b"\n"

    def send_line(self, line):
        self.socket.sendall(line)

    def reply(self):
        while True:
            said = self.message()
            if "method" not in said:
                break
            self.news.append(said["params"]["result"])
        if "error" in said:
            raise RuntimeError(json.dumps(said["error"]))
        return said["result"]

    def message(self):
        line = self.lines.readline()
        if not line:
            raise RuntimeError("the daemon closed the connection")
        return json.loads(line)

    def call(self, method, params=None):
        self.send(method, params or {})
        return self.reply()

    def next_result(self):
        if self.news:
            return self.news.pop(0)
        return self.message()["params"]["result"]


class Bench:
    def __init__(self, build):
        self.build = pathlib.Path(build).resolve()
        self.directory = self.build.parent / "bench"
        self.directory.mkdir(parents=True, exist_ok=True)

    def note(self, text):
        """What a figure was made of, for whoever looks on."""
        print(f"# {text}", file=sys.stderr, flush=True)

    def service(self, name):
        return Service(self.build, self.directory / name)

    def kernel(self, name):
        return (pathlib.Path(__file__).resolve().parent.parent / "kernels" / name).read_text()

    def dot_spec(self, n, context, **timing):
        spec = json.loads(self.kernel("dotprod.spec.json"))
        spec["params"]["N"] = n
        spec["context"] = context
        if timing:
            spec["timing"] = timing
        return spec
