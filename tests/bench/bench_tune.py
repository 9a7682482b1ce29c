# SPDX-License-Identifier: Apache-2.0
"""
From a source to its winner: doitgen with n = 30, over gcc -O3 of the source as it is.  Both are compared in one job
after the search.  GCO's space (a block and an unrolling up to it), the plain source without a template, and a template.

Minutes are of the longest of these searches.  Its overhead is the part in which no compiler ran.
"""
import contextlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import threading
import time

from figure import BUILD, Figure, TESTS, Unmeasured, result_of

FIGURES = {"gco_496": ">= 1.06", "tune_source": ">= 6", "tune_template": ">= 10", "tune_minutes": "<= 5",
           "tune_overhead_pct": "<= 25"}
KERNELS = TESTS / "kernels"
SIZE = 30
TURNS = 5                       # comparisons at the end; their median counts


class Compilers(threading.Thread):
    """What part of a time some compiler ran: looked up every few milliseconds."""

    PAUSE_S = 0.03
    NAMES = {"cc1", "as", "ld", "ld.bfd", "gcc", "gcc-12", "collect2", "clang", "clang-14", "clang-19"}

    def __init__(self):
        super().__init__(daemon=True)
        self.looks, self.seen, self.over = 0, 0, False

    def one_runs(self):
        for process in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                if pathlib.Path("/proc", process, "comm").read_text().strip() in self.NAMES:
                    return True
        return False

    def run(self):
        while not self.over:
            self.looks += 1
            self.seen += self.one_runs()
            time.sleep(self.PAUSE_S)

    def outside_percent(self):
        self.over = True
        self.join()
        return 100 * (1 - self.seen / max(1, self.looks))


def search(bench, daemon, name, source, *words):
    """The winner's job; seconds and per cent of them without a compiler."""
    winner = bench.directory / f"{name}.winner.json"
    winner.unlink(missing_ok=True)
    compilers = Compilers()
    compilers.start()
    began = time.monotonic()
    ran = subprocess.run([BUILD / "assay", "-s", daemon.socket, "tune", source, *words, "--context", "warm",
                          "--json", "--quiet", "--winner", winner], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seconds, outside = time.monotonic() - began, compilers.outside_percent()
    if ran.returncode != 0:
        raise Unmeasured(f"{name}: {ran.stderr.strip()}")
    found = json.loads(ran.stdout)
    bench.note(f"{name}: {found['evaluations']} points, {found['stopped']} stopped early, {found['failed']} failed, "
               f"{seconds:.0f} s, {outside:.0f} % without a compiler; {found['winner']['name']}")
    return json.loads(winner.read_text()), seconds, outside


def speedup(bench, client, name, job, reference):
    """Over gcc -O3: both in one process, call by call in turn, since the host's speed changes from job to job."""
    plain = {"name": "reference", "language": "c", "compiler": "gcc", "flags": ["-O3"], "source": reference}
    ratios = [result_of(client, {**job, "against": plain})["comparison"]["ratio"] for _ in range(TURNS)]
    bench.note(f"{name}: winner / reference {', '.join(f'{r:.4f}' for r in ratios)}")
    return 1 / statistics.median(ratios)


def measure(bench):
    took, outside = [], []
    plain = (KERNELS / "doitgen_plain.c").read_text()
    with bench.service("tune") as (daemon, client):
        for figure, source, words in (
                ("gco_496", KERNELS / "doitgen_plain.c",
                 ("--script", KERNELS / "doitgen_gco.script", "-O", "3", "-n", "496", "--strategy", "exhaustive")),
                ("tune_source", shutil.copy(KERNELS / "doitgen_plain.c", bench.directory / "doitgen.c"),
                 ("-p", f"n={SIZE}", "-n", "120")),
                ("tune_template", KERNELS / "doitgen_template.c",
                 ("--spec", KERNELS / "doitgen_plain.spec.json", "--space", "ROWS=1:6", "--space",
                  "WIDTH=8,16,32", "--space", "compiler=gcc,clang-19", "-O", "3 -march=native", "-n", "60"))):
            job, seconds, percent = search(bench, daemon, figure, source, *words)
            took.append(seconds / 60)
            outside.append(percent)
            yield Figure(figure, speedup(bench, client, figure, job, plain), "ratio", FIGURES[figure])
    yield Figure("tune_minutes", max(took), "min", FIGURES["tune_minutes"])
    yield Figure("tune_overhead_pct", max(outside), "%", FIGURES["tune_overhead_pct"])
