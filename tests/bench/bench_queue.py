# SPDX-License-Identifier: Apache-2.0
"""A million jobs that wait: how fast they come in, what they weigh, what they cost others, how soon they are back."""
import contextlib
import json
import shutil
import time

from bench_submit import memory_mib
from figure import Figure
from harness import REPLAY_WORKER, Daemon

FIGURES = {"queue_1m_submit_per_s": ">= 20000", "queue_1m_rss_mib": "<= 300", "queue_1m_restart_s": "<= 3",
           "queue_mixed_10k_s": "<= 0.5", "queue_wait_submit_p99_ms": "<= 5"}
MILLION, CALL, MIXED, SINGLES = 1_000_000, 10_000, 100_000, 500
TOMORROW_S = 86400


def job(bench, tag=0, priority=0):
    """One that waits until tomorrow."""
    return {"variant": {"name": f"v{tag}", "language": "c", "source": bench.kernel("dot_plain.c"), "flags": ["-O3"],
                        "defines": {"TAG": tag}},
            "spec": bench.dot_spec(1000, "warm"), "not_before": int(time.time()) + TOMORROW_S, "priority": priority}


def line(method, params):
    """A request as bytes, so that writing it costs no time that is measured."""
    return json.dumps({"jsonrpc": "2.0", "id": "one", "method": method, "params": params}).encode() + b"\n"


def answered(client, data):
    began = time.perf_counter()
    client.send_bytes(data)
    client.result("one")
    return time.perf_counter() - began


@contextlib.contextmanager
def daemon_on(state):
    daemon = Daemon("--queue-limit", 2 * MILLION, state=state, worker=REPLAY_WORKER, http=False)
    try:
        with daemon.connect(timeout=None) as client:
            yield daemon, client
    finally:
        daemon.stop()


def fresh(bench, name):
    state = bench.directory / name
    shutil.rmtree(state, ignore_errors=True)
    state.mkdir(parents=True)
    return state


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def queued(client):
    return client.call("queue.get", {"limit": 0})["states"]["queued"]


def restart(bench, state):
    """Seconds from the start of a daemon until it has read all and has taken one job more."""
    began = time.perf_counter()
    with daemon_on(state) as (_, client):
        serves = time.perf_counter() - began
        while client.call("queue.get", {"limit": 0})["unread"] > 0:
            time.sleep(0.02)
        if queued(client) < MILLION + SINGLES:
            raise RuntimeError("jobs are missing after the restart")
        client.call("job.submit", {"job": job(bench)})
        took = time.perf_counter() - began
        bench.note(f"serves after {serves:.2f} s, has read all after {took:.2f} s")
        return took


def million(bench):
    state = fresh(bench, "queue-1m")
    call = line("job.submit", {"jobs": [job(bench, i) for i in range(CALL)]})
    single = line("job.submit", {"job": job(bench)})
    with daemon_on(state) as (daemon, client):
        calls = [answered(client, call) for _ in range(MILLION // CALL)]
        waits = [1e3 * answered(client, single) for _ in range(SINGLES)]
        rss = memory_mib(daemon.pid, "VmRSS")
    bench.note(f"calls of {CALL}: first {calls[0]:.2f} s, last {calls[-1]:.2f} s; one more job: "
               f"p50 {percentile(waits, 0.5):.2f} ms, p99 {percentile(waits, 0.99):.2f} ms")
    yield Figure("queue_1m_submit_per_s", MILLION / sum(calls), "jobs/s", FIGURES["queue_1m_submit_per_s"])
    yield Figure("queue_1m_rss_mib", rss, "MiB", FIGURES["queue_1m_rss_mib"])
    yield Figure("queue_wait_submit_p99_ms", percentile(waits, 0.99), "ms", FIGURES["queue_wait_submit_p99_ms"])
    yield Figure("queue_1m_restart_s", restart(bench, state), "s", FIGURES["queue_1m_restart_s"])
    shutil.rmtree(state)


def mixed(bench):
    """Seconds of the slowest call when half of all jobs have another priority than the others."""
    state = fresh(bench, "queue-mixed")
    call = line("job.submit", {"jobs": [job(bench, i, i % 2) for i in range(CALL)]})
    with daemon_on(state) as (_, client):
        calls = [answered(client, call) for _ in range(MIXED // CALL)]
    shutil.rmtree(state)
    bench.note(f"mixed priorities, calls of {CALL}: " + ", ".join(f"{c:.2f}" for c in calls) + " s")
    return max(calls)


def measure(bench):
    yield Figure("queue_mixed_10k_s", mixed(bench), "s", FIGURES["queue_mixed_10k_s"])
    yield from million(bench)
