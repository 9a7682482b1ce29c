# SPDX-License-Identifier: Apache-2.0
"""
Kills.  Acknowledged cancels that hold over SIGKILL; and a mixed load of ten minutes (SOAK_S asks
for more) in which clients and workers are killed every few seconds, the daemon every minute of the
first half: nothing acknowledged is lost or doubled, and in the second half the daemon's size is flat.
"""
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import threading
import time

from bench_submit import memory_mib
from figure import Figure
from harness import REPLAY_WORKER, Daemon, Disconnected

FIGURES = {"cancel_holds": ">= 100", "soak_ten_minutes": ">= 1"}
CANCELS = 100
STAGES = ("queued", "building", "timing")
PERIOD_S, DAEMON_KILL_S, WORKER_KILL_S, CLIENT_KILL_S = 600, 60, 7, 3
ENDS = (["ok", "crashed", "internal", "die"], (900, 90, 9, 1))       # of timings, and how often
SOON_S, PAUSE_S = 0.05, 0.02
GROWTH = 1.1                    # of the resident size over the second half, at most
SEED = 12


def job(name, **meta):
    return {"variant": {"name": name, "language": "c", "source": f"/* {name} */"}, "meta": meta, "spec": {
        "routine": "int same(const int N, const int *X)", "params": {"N": 4},
        "args": {"N": "N", "X": {"type": "int", "dims": ["N"]}}, "context": "warm"}}


def fresh(bench, name):
    state = bench.directory / name
    shutil.rmtree(state, ignore_errors=True)
    state.mkdir(parents=True)
    return state


# ---- cancels ----

def await_state(client, number, state):
    while client.call("job.get", {"id": number})["state"] != state:
        time.sleep(0.002)


def cancelled_then_killed(bench, stage):
    """The status in which a job ends that was cancelled at this stage just before SIGKILL; None: it goes on."""
    state = fresh(bench, "cancel")
    meta = {"building": {"build": ["hang"]}, "timing": {"time": ["hang"]}}.get(stage, {})
    document = job("doomed", **meta)
    if stage == "queued":
        document["not_before"] = int(time.time()) + 86400
    daemon = Daemon(state=state, worker=REPLAY_WORKER, http=False)
    client = daemon.connect()
    ident = client.call("job.submit", {"job": document})["ids"][0]
    await_state(client, ident, stage)
    client.call("job.cancel", {"id": ident})
    daemon.kill()
    client.close()
    daemon = Daemon(state=state, worker=REPLAY_WORKER, http=False)
    try:
        with daemon.connect() as client:
            client.call("job.wait", {"ids": [ident], "timeout_ms": 5000})
            return client.call("job.get", {"id": ident})["status"]
    finally:
        daemon.stop()


def cancel_holds(bench):
    ends = [cancelled_then_killed(bench, STAGES[i % len(STAGES)]) for i in range(CANCELS)]
    held = ends.count("cancelled")
    if held < CANCELS:
        bench.note("did not hold: " + ", ".join(f"{STAGES[i % len(STAGES)]}: {e}" for i, e in enumerate(ends)
                                                if e != "cancelled"))
    return held


# ---- the soak ----

class Soak:
    """A daemon that may die, and what it has acknowledged."""

    def __init__(self, bench, state):
        self.bench, self.state, self.dice = bench, state, random.Random(SEED)
        self.expected = {}              # id: name of the job that it was given for
        self.unsure = 0                 # calls whose answer was lost: sent again with their keys
        self.calls = self.kills = 0
        self.start()

    def start(self):
        self.daemon = Daemon(state=self.state, worker=REPLAY_WORKER, http=False)
        self.client = self.daemon.connect()

    def restart(self):
        """The daemon is dead, or dies now."""
        self.daemon.kill()
        self.client.close()
        self.start()

    def kill_daemon(self):
        """Soon, in the middle of what comes next."""
        self.kills += 1
        threading.Timer(self.dice.uniform(0, SOON_S), self.daemon.process.kill).start()

    def documents(self):
        names = [f"s{self.calls}-{i}" for i in range(self.dice.randint(1, 40))]
        return [{**job(n, time=self.dice.choices(*ENDS)), "key": n} for n in names]

    def submit(self):
        self.calls += 1
        documents = self.documents()
        while True:
            try:
                ids = self.client.call("job.submit", {"jobs": documents})["ids"]
                break
            except (Disconnected, OSError):
                self.unsure += 1
                self.restart()
        for ident, document in zip(ids, documents):
            if self.expected.setdefault(ident, document["key"]) != document["key"]:
                raise RuntimeError(f"job {ident} was acknowledged twice")

    def cancel(self):
        ident = self.dice.choice(list(self.expected)[-200:])
        self.client.call("job.cancel", {"id": ident})

    def kill_worker(self):
        report = self.client.call("queue.get", {"limit": 0})
        pids = [s["pid"] for s in report["slots"] + report["builders"] if s["pid"]]
        if pids:
            os.kill(self.dice.choice(pids), signal.SIGKILL)
            self.kills += 1

    def kill_client(self):
        """One that has asked for much and goes in the middle of it."""
        with self.daemon.connect() as doomed:
            doomed.send("results.subscribe", {"all": True, "after": 0})
            doomed.send_bytes(json.dumps({"jsonrpc": "2.0", "id": 1}).encode()[:-3])
        self.kills += 1

    def look(self):
        for order in ("id", "newest", "fastest"):
            self.client.call("results.query", {"order": order, "limit": 50})

    def act(self, due):
        """What is due, and one thing more; a daemon that died meanwhile is replaced."""
        try:
            for what in due:
                what()
            self.dice.choice((self.submit, self.submit, self.cancel, self.look) if self.expected else (self.submit,))()
            self.await_room()
            self.sizes.append(memory_mib(self.daemon.pid, "VmRSS"))
        except (Disconnected, OSError, StopIteration):
            self.restart()

    def await_room(self):
        """The load is bounded: no more than a thousand jobs wait."""
        while sum(self.client.call("queue.get", {"limit": 0})["states"][s] for s in ("queued", "built")) > 1000:
            time.sleep(0.05)

    def run(self, seconds, kills_daemon):
        """Resident MiB, looked at all along."""
        began, self.sizes = time.monotonic(), []
        due = {self.kill_worker: WORKER_KILL_S, self.kill_client: CLIENT_KILL_S}
        if kills_daemon:
            due[self.kill_daemon] = DAEMON_KILL_S
        next_at = {what: began + period for what, period in due.items()}
        while (now := time.monotonic()) < began + seconds:
            ready = [what for what, at in next_at.items() if at <= now]
            next_at.update({what: now + due[what] for what in ready})
            self.act(ready)
            time.sleep(PAUSE_S)
        return self.sizes

    def end(self):
        while sum(self.client.call("queue.get", {"limit": 0})["states"][s]
                  for s in ("queued", "building", "built", "timing")):
            time.sleep(0.1)
        self.client.close()
        self.daemon.stop()

    def verdicts(self):
        """What is wrong with the store, in words."""
        db = sqlite3.connect(pathlib.Path(self.state) / "assay.db")
        rows = db.execute("SELECT job_id, name FROM results").fetchall()
        sound = db.execute("PRAGMA integrity_check").fetchone()[0]
        db.close()
        names = dict(rows)
        return [text for text, is_wrong in (
            (f"{len(set(self.expected) - set(names))} lost", set(self.expected) - set(names)),
            (f"{len(rows) - len(names)} doubled", len(rows) != len(names)),
            ("mixed up", any(names[i] != n for i, n in self.expected.items() if i in names)),
            (f"database: {sound}", sound != "ok")) if is_wrong]


def soak(bench):
    """1: nothing lost, nothing doubled, size flat."""
    seconds = float(os.environ.get("SOAK_S", PERIOD_S))
    s = Soak(bench, fresh(bench, "soak"))
    s.run(seconds / 2, kills_daemon=True)
    sizes = s.run(seconds / 2, kills_daemon=False)
    s.end()
    third = len(sizes) // 3
    before, after = max(sizes[third:2 * third]), max(sizes[2 * third:])
    wrong = s.verdicts()
    if after > GROWTH * before:
        wrong.append(f"the daemon grew from {before:.1f} to {after:.1f} MiB")
    bench.note(f"{len(s.expected)} jobs, {s.kills} kills, {s.unsure} answers lost, {before:.1f} and {after:.1f} MiB: "
               + (", ".join(wrong) or "nothing lost, nothing doubled"))
    return int(not wrong)


def measure(bench):
    yield Figure("cancel_holds", cancel_holds(bench), "of 100", FIGURES["cancel_holds"])
    yield Figure("soak_ten_minutes", soak(bench), "ok", FIGURES["soak_ten_minutes"])
