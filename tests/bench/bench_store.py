# SPDX-License-Identifier: Apache-2.0
"""A million stored results: how long each filter takes in each order, and the best of a sweep."""
import json
import math
import random
import shutil
import sqlite3
import time

from bench_queue import fresh, percentile
from figure import Figure
from harness import REPLAY_WORKER, Daemon
from stored import add_points

FIGURES = {"store_1m_query_p99_ms": "<= 20", "store_1m_best_ms": "<= 5"}
RESULTS, SWEEPS, PATTERN, SLICE = 1_000_000, 10, 50, 20_000
QUERIES, LIMIT, SEED, DAY_S, DAYS = 60, 100, 3, 86400, 90
STATUSES = (["ok", "build_failed", "wrong_answer", "too_noisy", "crashed"], (9000, 600, 300, 99, 1))
ORDERS = ("id", "newest", "fastest")


def pattern(client):
    """Some real results, that the million are copies of."""
    for sweep in range(SWEEPS):
        spec = {"routine": f"int routine{sweep}(const int N, const int *X)", "params": {"N": 64},
                "args": {"N": "N", "X": {"type": "int", "dims": ["N"]}}, "context": "warm"}
        client.call("sweep.create", {"sweep": {"name": f"sweep {sweep}", "spec": spec, "variants": [
            {"name": f"v{i}", "language": "c", "source": f"/* takes {100 + i} ns */"} for i in range(PATTERN // SWEEPS)]}})
        client.call("job.wait", {"sweep": f"sweep {sweep}"})


def columns(db, table, without):
    return ", ".join(row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[1] not in without)


def multiply(path):
    """Rows as a daemon that ran for three months would have written them, in transactions of its own."""
    dice, began = random.Random(SEED), time.time() - DAYS * DAY_S
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA synchronous = OFF")
    db.execute("UPDATE results SET finished = ?", (began,))
    db.execute("UPDATE spans SET first = ?, last = ?", (began, began))
    jobs = columns(db, "jobs", ("id", "name", "key"))
    results = columns(db, "results", ("cursor", "job_id", "name", "status", "finished", "value_ns"))
    first = db.execute("SELECT max(id) FROM jobs").fetchone()[0]
    for slice_first in range(first + 1, first + RESULTS + 1, SLICE):
        rows = []
        for i in range(slice_first, slice_first + SLICE):
            status = dice.choices(*STATUSES)[0]
            value = math.exp(dice.gauss(8, 2)) if status in ("ok", "too_noisy") else None
            rows.append((i, 1 + i % PATTERN, f"v{dice.randrange(1000)}", status,
                         began + DAYS * DAY_S * (i - first) / RESULTS, value))
        db.execute("BEGIN")
        db.executemany(f"INSERT INTO jobs (id, name, {jobs}) SELECT ?, ?, {jobs} FROM jobs WHERE id = ?",
                       ((r[0], r[2], r[1]) for r in rows))
        db.executemany(f"INSERT INTO results (cursor, job_id, name, status, finished, value_ns, {results}) "
                       f"SELECT ?, ?, ?, ?, ?, ?, {results} FROM results WHERE job_id = ?",
                       ((r[0], r[0], r[2], r[3], r[4], r[5], r[1]) for r in rows))
        db.execute("COMMIT")
    db.execute("INSERT OR REPLACE INTO counters (sweep_id, what, n) SELECT 0, 'jobs', count(*) FROM jobs"
               " UNION ALL SELECT sweep_id, 'jobs', count(*) FROM jobs WHERE sweep_id > 0 GROUP BY 1")
    add_points(db)
    db.close()
    return began


def filters(began):
    some = [1 + 999 * i for i in range(10)]
    return {
        "none": {}, "sweep": {"sweep": "sweep 3"}, "ids": {"ids": some}, "name": {"name": "v7"}, "no name": {"name": "w"},
        "ok": {"status": "ok"}, "crashed": {"status": "crashed"}, "never": {"status": "forbidden"},
        "routine": {"routine": "routine5"}, "no routine": {"routine": "nosuch"},
        "last hour": {"since": time.time() - 3600}, "last month": {"since": time.time() - 30 * DAY_S},
        "first day": {"before": began + DAY_S}, "most": {"before": time.time() - DAY_S},
        "one day": {"since": began + 40 * DAY_S, "before": began + 41 * DAY_S},
        "sweep crashed": {"sweep": "sweep 3", "status": "crashed"},
    }


def answer_ms(client, data):
    """Until the whole line is there; what it says is not looked at."""
    began, last = time.perf_counter(), b""
    client.send_bytes(data)
    while not last.endswith(b"\n"):
        last = client.socket.recv(1 << 20)
    return 1e3 * (time.perf_counter() - began)


def request(method, params):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n"


def queries(bench, client, began):
    """The 99th percentile of each filter in each order, ms."""
    worst = {}
    for name, members in filters(began).items():
        for order in ORDERS:
            data = request("results.query", {**members, "order": order, "limit": LIMIT})
            answer_ms(client, data)
            worst[name, order] = percentile([answer_ms(client, data) for _ in range(QUERIES)], 0.99)
    slowest = sorted(worst, key=worst.get, reverse=True)[:6]
    bench.note("slowest: " + ", ".join(f"{f} by {o} {worst[f, o]:.1f} ms" for f, o in slowest))
    return max(worst.values())


def measure(bench):
    state = fresh(bench, "store-1m")
    daemon = Daemon(state=state, worker=REPLAY_WORKER, http=False)
    with daemon.connect() as client:
        pattern(client)
    daemon.stop()
    began = multiply(state / "assay.db")
    bench.note(f"{RESULTS} results, {(state / 'assay.db').stat().st_size / 2**30:.1f} GiB")
    start = time.perf_counter()
    daemon = Daemon(state=state, worker=REPLAY_WORKER, http=False)
    bench.note(f"started in {time.perf_counter() - start:.2f} s")
    try:
        with daemon.connect() as client:
            yield Figure("store_1m_query_p99_ms", queries(bench, client, began), "ms", FIGURES["store_1m_query_p99_ms"])
            best = request("results.best", {"sweep": "sweep 3"})
            times = [answer_ms(client, best) for _ in range(QUERIES)]
            bench.note(f"best of a sweep of {RESULTS // SWEEPS}: p99 {percentile(times, 0.99):.2f} ms")
            yield Figure("store_1m_best_ms", percentile(times, 0.5), "ms", FIGURES["store_1m_best_ms"])
    finally:
        daemon.stop()
        shutil.rmtree(state)
