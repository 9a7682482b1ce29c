# SPDX-License-Identifier: Apache-2.0
"""
The daemon's own part of a job: taking it in, two orders to workers, its result on disk.  Its workers
replay what the real one answered to one such job, so that nothing is compiled or timed; the host
is imagined, with 64 CPUs and 8 timing slots.
"""
import contextlib
import os
import pathlib
import re
import shutil
import statistics

from bench_rate import sources, sweep
from figure import BUILD, Figure
from harness import Daemon, TREE
from host_tree import HostTree

FIGURES = {"daemon_us_per_job": "<= 250", "daemon_jobs_per_s": ">= 2000"}
CPUS, SLOTS = 64, 8
SWEEPS, JOBS, TEXTS = 4, 5000, 10
RECORDING_WORKER = TREE / "tests" / "support" / "recording_worker.py"
REPLAYING_WORKER = BUILD / "tests" / "replay_replies"


def cpu_s(pid):
    """What the kernel has counted for all threads of a process."""
    return sum(int(p.read_text().split()[0]) for p in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


def workers_of(pid):
    """Its children that are workers; others come and go."""
    pids = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(p) for p in pids if pathlib.Path(f"/proc/{p}/comm").read_text().startswith(REPLAYING_WORKER.name)]


def reading(daemon):
    """So far: CPU seconds of the daemon and of its workers, commits and their seconds."""
    metrics = daemon.http("GET", "/metrics").body.decode()
    counted = [float(re.search(rf"^assay_commit_seconds_{what} (.*)$", metrics, re.M)[1]) for what in ("count", "sum")]
    return [cpu_s(daemon.pid), sum(map(cpu_s, workers_of(daemon.pid))), *counted]


def record(bench, spec):
    """A directory with the replies to one job of the sweeps."""
    replies = bench.directory / "replies"
    shutil.rmtree(replies, ignore_errors=True)
    replies.mkdir(parents=True)
    os.environ.update(ASSAY_REPLIES=str(replies), ASSAY_BUILD=str(BUILD))
    with bench.service("recorded", worker=RECORDING_WORKER) as (_, client):
        sweep(client, "recorded", spec, sources()[:1])
    return replies


@contextlib.contextmanager
def imagined_host(bench):
    state, root = bench.directory / "imagined", bench.directory / "imagined-host"
    for directory in (state, root):
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
    HostTree(root, CPUS)
    slots = ",".join(map(str, range(CPUS - SLOTS, CPUS)))
    daemon = Daemon("--sysfs-root", root, "--timing-cpus", slots, "--builders", SLOTS,
                    state=state, worker=REPLAYING_WORKER)
    try:
        with daemon.connect(timeout=None) as client:
            yield daemon, client
    finally:
        daemon.stop()


def measure(bench):
    texts, spec = sources()[:TEXTS] * (JOBS // TEXTS), bench.dot_spec(1000, "warm", gate=False)
    record(bench, spec)
    costs, rates = [], []
    with imagined_host(bench) as (daemon, client):
        for i in range(SWEEPS):
            before = reading(daemon)
            took = sweep(client, f"replayed{i}", spec, texts)
            spent, workers, commits, committing = (x - y for x, y in zip(reading(daemon), before))
            costs.append(1e6 * spent / JOBS)
            rates.append(JOBS / took)
            bench.note(f"{JOBS} jobs in {took:.2f} s, {rates[-1]:.0f}/s: the daemon {spent / took:.0%} of a CPU, "
                       f"{costs[-1]:.0f} us a job; in {commits:.0f} commits {committing / took:.0%} of the time; "
                       f"its {2 * SLOTS} workers {workers / took:.0%} of a CPU")
    yield Figure("daemon_us_per_job", statistics.median(costs), "us", FIGURES["daemon_us_per_job"])
    yield Figure("daemon_jobs_per_s", statistics.median(rates), "jobs/s", FIGURES["daemon_jobs_per_s"])
