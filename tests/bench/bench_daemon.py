# SPDX-License-Identifier: Apache-2.0
"""The daemon's own CPU time for a job whose variant is found built: taking it in, two orders to workers, its result."""
import pathlib
import time

from bench_rate import sources, sweep
from figure import Figure

FIGURES = {"daemon_us_per_job": "<= 500"}
JOBS = 1000
TEXTS = 10
ROUNDS = 3


def cpu_ns(pid):
    """What the kernel has counted for all threads of a process."""
    return sum(int(p.read_text().split()[0]) for p in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"))


def measure(bench):
    texts = sources()[:TEXTS]
    spec = bench.dot_spec(1000, "warm", gate=False)
    each = []
    with bench.service("daemon") as (daemon, client):
        sweep(client, "built", spec, texts)
        for i in range(ROUNDS):
            before = cpu_ns(daemon.process.pid)
            took = sweep(client, f"again{i}", spec, texts * (JOBS // TEXTS))
            each.append((cpu_ns(daemon.process.pid) - before) / JOBS / 1e3)
            bench.note(f"{JOBS} jobs in {took:.1f} s: {each[-1]:.0f} us of the daemon each")
    yield Figure("daemon_us_per_job", sorted(each)[ROUNDS // 2], "us", FIGURES["daemon_us_per_job"])
