# SPDX-License-Identifier: Apache-2.0
"""
Databases with many results, as a daemon would have written them: copies of one real result, with
points, times and revisions of their own.

    daemon = Daemon(state=state, worker=REPLAY_WORKER); …a sweep with one result…; daemon.stop()
    fill_sweep(state / "assay.db", 1, space({"NB": [8, 16], "MU": [1, 2]}))
"""
import contextlib
import itertools
import json
import math
import pathlib
import random
import sqlite3

SCHEMA = pathlib.Path(__file__).resolve().parent.parent.parent / "schema"


def add_points(db):
    """Of all results, as the migration that brought them made them."""
    db.execute("DELETE FROM points")
    for name, word in (("025-points.sql", "INSERT INTO points"), ("028-repeats.sql", "UPDATE points")):
        text = (SCHEMA / name).read_text()
        first = text.index(word)
        columns = _columns(db, "points", ("repeat_of",))
        db.execute(text[first:text.index(";", first)].replace("INSERT INTO points SELECT", f"INSERT INTO points ({columns}) SELECT"))


def space(dims, where=lambda point: True):
    """All points of a space, as dicts."""
    points = (dict(zip(dims, values)) for values in itertools.product(*dims.values()))
    return [p for p in points if where(p)]


def model_ns(point, dice):
    """A time with a valley somewhere in the space, and noise."""
    ns = 5000.0
    for k, (name, value) in enumerate(point.items()):
        x = value if isinstance(value, (int, float)) else len(str(value)) / 4
        ns *= 1 + 0.06 * (math.log2(1 + abs(x)) - 2.5 - 0.4 * k) ** 2
    return ns * math.exp(abs(dice.gauss(0, 0.01)))


def _timed(result, ns, dice):
    """The result with this time: its samples scatter around it."""
    time = result["time"]
    samples = [ns * math.exp(dice.gauss(0, 0.004)) for _ in range(time["count"])]
    ordered = sorted(samples)
    median = ordered[len(ordered) // 2]
    time.update(value_ns=median, median_ns=median, min_ns=ordered[0], max_ns=ordered[-1], mean_ns=sum(samples) / len(samples),
                p90_ns=ordered[int(0.9 * len(ordered))], samples_ns=samples,
                ci95_ns=[median * (1 - abs(dice.gauss(0.003, 0.001))), median * (1 + abs(dice.gauss(0.003, 0.001)))])
    if time.get("normalised"):
        time["normalised"].update(min_ns=ordered[0], median_ns=median, mean_ns=time["mean_ns"], p90_ns=time["p90_ns"], ci95_ns=time["ci95_ns"])
    return median


def _columns(db, table, without):
    return ", ".join(row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[1] not in without)


class Copies:
    """Writes copies of the first result of a sweep behind all others."""

    def __init__(self, path, sweep, seed=1):
        self.db = sqlite3.connect(path, isolation_level=None)
        self.dice = random.Random(seed)
        self.sweep = sweep
        self.job, text = self.db.execute("SELECT job_id, json FROM results WHERE sweep_id = ? AND status = 'ok' ORDER BY cursor", (sweep,)).fetchone()
        self.text = text
        self.doc = self.db.execute("SELECT doc FROM jobs WHERE id = ?", (self.job,)).fetchone()[0]
        self.next = 1 + max(self.db.execute("SELECT max(id) FROM jobs").fetchone()[0],
                            self.db.execute("SELECT max(cursor) FROM results").fetchone()[0])
        self.jobs = _columns(self.db, "jobs", ("id", "name", "key", "doc", "sum"))
        self.results = _columns(self.db, "results", ("cursor", "job_id", "name", "status", "finished", "value_ns", "json", "sum", "identity"))

    def add(self, name, meta, ns, status="ok", finished=None):
        result, doc, number = json.loads(self.text), json.loads(self.doc), self.next
        self.next += 1
        value = _timed(result, ns, self.dice) if status == "ok" else None
        result.update(job=number, cursor=number, name=name, meta=meta, status=status)
        if status != "ok":
            result.update(time=None, rate=None)
        finished = finished or result["finished"] + number / 10
        result["finished"] = finished
        doc["meta"] = meta
        doc["variant"]["name"] = name
        self.db.execute(f"INSERT INTO jobs (id, name, doc, {self.jobs}) SELECT ?, ?, ?, {self.jobs} FROM jobs WHERE id = ?",
                        (number, name, json.dumps(doc), self.job))
        self.db.execute(f"INSERT INTO results (cursor, job_id, name, status, finished, value_ns, json, {self.results}) "
                        f"SELECT ?, ?, ?, ?, ?, ?, ?, {self.results} FROM results WHERE job_id = ?",
                        (number, number, name, status, finished, value, json.dumps(result), self.job))
        return number

    def end(self):
        self.db.execute("INSERT OR REPLACE INTO counters (sweep_id, what, n) SELECT 0, 'jobs', count(*) FROM jobs"
                        " UNION ALL SELECT sweep_id, 'jobs', count(*) FROM jobs WHERE sweep_id > 0 GROUP BY 1")
        add_points(self.db)


@contextlib.contextmanager
def copies(path, sweep, seed=1):
    c = Copies(path, sweep, seed)
    c.db.execute("BEGIN")
    yield c
    c.end()
    c.db.execute("COMMIT")
    c.db.close()


def fill_sweep(path, sweep, points, name="v", failing=0.02):
    """A result for each point; some of them do not compile."""
    with copies(path, sweep) as c:
        for point in points:
            words = " ".join(f"{k}={v}" for k, v in point.items())
            status = "build_failed" if c.dice.random() < failing else "ok"
            c.add(f"{name} {words}", point, model_ns(point, c.dice), status)


def fill_history(path, sweep, steps, name, repeats=2):
    """Results over revisions: steps is a list of (revision, time)."""
    with copies(path, sweep, seed=2) as c:
        for k, (revision, ns) in enumerate(steps):
            for _ in range(repeats):
                c.add(name, {"revision": revision}, ns, finished=1.79e9 + 86400 * k)
