# SPDX-License-Identifier: Apache-2.0
"""
What users of one daemon do to each other: ten jobs behind a hundred thousand of another user; a
sweep, single submissions and a timing while 256 connections ask for results.
"""
import contextlib
import shutil
import statistics
import time

import http_readers
from bench_queue import percentile
from bench_rate import SOURCE
from figure import Figure
from harness import REPLAY_WORKER, Daemon

FIGURES = {"fair_10_behind_100k": "<= 2", "http_256_submit_p99_ms": "<= 50", "http_256_sweep_ratio": ">= 0.9",
           "timing_under_load_pct": "<= 2"}
TEN, MANY, CALL = 10, 100_000, 10_000
CONNECTIONS, STORED, PATH = 256, 2000, "/v1/results?limit=20&order=newest"
SUBMISSIONS, SWEEP, BLOCKS, TIMINGS = 200, 60, 6, 8


def variant(tag):
    """Distinct in its text and in its bytes, alike in what it costs."""
    return {"name": f"v{tag}", "language": "c", "flags": ["-O3"],
            "source": SOURCE.format(sums=4, tag=tag).replace("return dot", f"return N == -{tag + 1} ? {tag} : dot")}


def jobs(bench, first, n, **members):
    spec = bench.dot_spec(1000, "warm", gate=False)
    return [{"variant": variant(first + i), "spec": spec, **members} for i in range(n)]


@contextlib.contextmanager
def service(bench, name, **how):
    """With HTTP, which the bench's other daemons do not have."""
    state = bench.directory / name
    shutil.rmtree(state, ignore_errors=True)
    state.mkdir(parents=True)
    if bench.database is not None:
        shutil.copy(bench.database, state)
    daemon = Daemon("--socket-mode", "0666", state=state, **how)
    try:
        with daemon.connect(timeout=None) as client:
            yield daemon, client
    finally:
        daemon.stop()


def finished(client, documents):
    """Seconds from submission to the last result."""
    began = time.perf_counter()
    ids = client.call("job.submit", {"jobs": documents})["ids"]
    client.call("job.wait", {"ids": ids})
    return time.perf_counter() - began


# ---- shares ----

def fair(bench):
    """Ten jobs of one user alone, then behind those of another."""
    state = bench.directory / "fair"
    shutil.rmtree(state, ignore_errors=True)
    state.mkdir(parents=True)
    state.chmod(0o755)
    daemon = Daemon("--socket-mode", "0666", "--queue-limit", 2 * MANY, state=state, http=False)
    try:
        with daemon.connect(timeout=None) as many, daemon.connect_as_nobody() as ten:
            ten.socket.settimeout(None)
            alone = [finished(ten, jobs(bench, TEN * i, TEN)) for i in range(3)]
            for first in range(0, MANY, CALL):
                many.call("job.submit", {"jobs": jobs(bench, 1_000_000 + first, CALL)})
            behind = [finished(ten, jobs(bench, 1000 + TEN * i, TEN)) for i in range(3)]
    finally:
        daemon.stop()
    shutil.rmtree(state)
    bench.note(f"ten jobs alone {min(alone):.2f}–{max(alone):.2f} s, behind {MANY} {min(behind):.2f}–{max(behind):.2f} s")
    return statistics.median(behind) / statistics.median(alone)


# ---- beside readers ----

def fill(client, bench):
    """Results to ask for."""
    spec = bench.dot_spec(1000, "warm")
    client.call("sweep.create", {"sweep": {"name": "stored", "spec": spec, "variants": [
        {"name": f"v{i}", "language": "c", "source": f"/* takes {10 + i} ns */", "flags": []} for i in range(STORED)]}})
    client.call("job.wait", {"sweep": "stored"})


def submissions(bench, client, first):
    """ms of each."""
    waits = []
    for document in jobs(bench, first, SUBMISSIONS, not_before=int(time.time()) + 86400):
        began = time.perf_counter()
        client.call("job.submit", {"job": document})
        waits.append(1e3 * (time.perf_counter() - began))
    return waits


def submit_beside_readers(bench):
    with service(bench, "readers", worker=REPLAY_WORKER) as (daemon, client):
        fill(client, bench)
        alone = submissions(bench, client, 0)
        with http_readers.reading(daemon.tcp, CONNECTIONS, PATH) as readers:
            beside = submissions(bench, client, SUBMISSIONS)
    bench.note(f"a submission alone p50 {percentile(alone, 0.5):.1f}, p99 {percentile(alone, 0.99):.1f} ms; beside readers p50 "
               f"{percentile(beside, 0.5):.1f}, p99 {percentile(beside, 0.99):.1f} ms ({readers.answers} answers)")
    return percentile(beside, 0.99)


def dot(bench, client):
    """The value of one warm dot product, whose variant is found built."""
    document = {"variant": variant(0), "spec": bench.dot_spec(1000, "warm"), "fresh": True}
    ids = client.call("job.submit", {"job": document})["ids"]
    client.call("job.wait", {"ids": ids})
    return client.call("job.get", {"id": ids[0]})["result"]["time"]["value_ns"]


def work_beside_readers(bench):
    """(sweep's rate, change of a timing in %): blocks alone and beside readers in turn."""
    seconds, values, first = {True: [], False: []}, {True: [], False: []}, 0
    with service(bench, "work") as (daemon, client):
        finished(client, jobs(bench, 10_000_000, 200))
        dot(bench, client)
        for block in range(BLOCKS):
            beside = block % 2 == 1
            with contextlib.ExitStack() as stack:
                if beside:
                    stack.enter_context(http_readers.reading(daemon.tcp, CONNECTIONS, PATH))
                seconds[beside].append(finished(client, jobs(bench, first, SWEEP)))
                values[beside] += [dot(bench, client) for _ in range(TIMINGS)]
            first += SWEEP
    bench.note(f"{SWEEP} jobs alone {[round(s, 2) for s in seconds[False]]} s, beside readers {[round(s, 2) for s in seconds[True]]} s")
    alone, beside = statistics.median(values[False]), statistics.median(values[True])
    bench.note(f"warm dot product alone {alone:.2f} ns ({min(values[False]):.2f}–{max(values[False]):.2f}), beside readers "
               f"{beside:.2f} ns ({min(values[True]):.2f}–{max(values[True]):.2f})")
    return statistics.median(seconds[False]) / statistics.median(seconds[True]), 100 * abs(beside / alone - 1)


def measure(bench):
    yield Figure("fair_10_behind_100k", fair(bench), "x", FIGURES["fair_10_behind_100k"])
    yield Figure("http_256_submit_p99_ms", submit_beside_readers(bench), "ms", FIGURES["http_256_submit_p99_ms"])
    rate, change = work_beside_readers(bench)
    yield Figure("http_256_sweep_ratio", rate, "x", FIGURES["http_256_sweep_ratio"])
    yield Figure("timing_under_load_pct", change, "%", FIGURES["timing_under_load_pct"])
