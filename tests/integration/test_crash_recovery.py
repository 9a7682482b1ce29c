# SPDX-License-Identifier: Apache-2.0
"""
A daemon that dies at any moment loses nothing that it acknowledged, records nothing twice, and
leaves no process behind.  When it dies follows from what it does, not from how fast it is: a kill
comes soon after it has begun to build or to time a job, has announced a result, or has just started.

This program makes itself the reaper of all orphans below it, so that a left-over worker, jail, compiler or runner
of a killed daemon becomes a child of its own and cannot hide.
"""
import ctypes
import os
import pathlib
import sqlite3
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import IS_SANITIZED, Daemon, dice  # noqa: E402
from processes import processes  # noqa: E402

PR_SET_CHILD_SUBREAPER = 36
KILLS, JOBS = (12, 24) if IS_SANITIZED else (50, 100)
LOOK_S = 0.002                  # between looks, which take time from what is looked at
SOON_S = 0.02                   # at most, after the moment that a kill waits for
HANG_S = 600                    # an end for what hangs
SEED = 50
MOMENTS = ("start", "building", "timing", "result")

SPEC = {
    "routine": "int same(const int N, const int *X)",
    "params": {"N": 64},
    "args": {"N": "N", "X": {"type": "int", "dims": ["N"], "init": "index"}},
    "context": "warm",
    "timing": {"samples": 3, "calls": 1},
}


def variant(i):
    return {"name": f"v{i}", "language": "c", "flags": ["-O0"],
            "source": f"int same(const int N, const int *X)\n"
                      f"{{ for (volatile int i = 0; i < 4000000; i++) ; return X[{i % 64}] + N; }}\n"}


def children():
    """{pid: Process} of those whose parent is this one, zombies aside."""
    return {pid: process for pid, process in processes().items() if process.parent == os.getpid() and process.state != "Z"}


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        pass


class CrashRecovery(unittest.TestCase):
    def setUp(self):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        state = tempfile.TemporaryDirectory(prefix="assay-crash-")
        self.addCleanup(state.cleanup)
        self.state = pathlib.Path(state.name)
        self.random = dice(SEED)

    def start(self):
        daemon = Daemon(state=self.state)
        self.addCleanup(lambda: daemon.client and daemon.client.close())
        return daemon

    def kill(self, daemon):
        """SIGKILL, then wait until nothing that it had started is left."""
        daemon.kill()
        deadline = time.monotonic() + HANG_S
        while True:
            reap()
            left = children()
            if not left:
                return
            self.assertLess(time.monotonic(), deadline, f"left over: {left}")
            time.sleep(0.005)

    def database(self, query):
        db = sqlite3.connect(self.state / "assay.db")
        try:
            return db.execute(query).fetchall()
        finally:
            db.close()

    def await_moment(self, daemon, moment):
        """Until the daemon does this, or nothing is left to do."""
        if moment == "result":
            with daemon.connect() as client:
                client.call("results.subscribe", {"sweep": self.sweep})
                if client.call("job.wait", {"sweep": self.sweep, "timeout_ms": 0})["left"]:
                    client.notification()
        while moment in ("building", "timing"):
            states = daemon.call("queue.get")["states"]
            if states[moment] or not any(states.values()):
                return
            time.sleep(LOOK_S)

    def results(self):
        return self.database("SELECT count(*) FROM results")[0][0]

    def hand_in(self, daemon, first=0):
        """A sweep of a hundred jobs."""
        self.sweep = f"hundred from {first}"
        variants = [variant(i) for i in range(first, first + JOBS)]
        ids = daemon.call("sweep.create", {"sweep": {"name": self.sweep, "spec": SPEC,
                                                     "variants": variants}})["ids"]
        self.assertEqual(JOBS, len(set(ids)))
        return ids

    def test_fifty_kills_in_a_sweep_of_a_hundred_jobs_lose_and_double_nothing(self):
        daemon = self.start()
        ids = self.hand_in(daemon)
        finished, inside = [0], 0
        for n in range(KILLS):
            # a sweep that is ahead of the kills gets no time to go on
            moment = self.random.choice(MOMENTS) if finished[-1] * KILLS <= n * JOBS else "start"
            self.await_moment(daemon, moment)
            time.sleep(self.random.uniform(0, SOON_S) if moment != "start" else 0)
            self.kill(daemon)
            finished.append(self.results())
            inside += finished[-1] < len(ids)
            daemon = self.start()
            if finished[-1] == len(ids):        # this program was held up, the daemon was not
                ids += self.hand_in(daemon, len(ids))
        print("results after each kill:", *finished[1:], flush=True)
        self.assertGreater(inside, KILLS * 3 / 4, "too few kills fell into the sweep")
        daemon.call("job.wait", {"ids": ids})
        self.check_results(daemon, ids)
        self.kill(daemon)
        self.assertEqual([("ok",)], self.database("PRAGMA integrity_check"))

    def check_results(self, daemon, ids):
        results = daemon.call("results.query", {"limit": 1000})["results"]
        self.assertEqual(sorted(ids), sorted(r["job"] for r in results))
        self.assertEqual([], [(r["job"], r["status"], r["detail"]) for r in results
                              if r["status"] not in ("ok", "too_noisy")])
        self.assertEqual(len(results), len({r["cursor"] for r in results}))

    def test_a_submission_cut_off_by_a_kill_can_be_repeated_under_its_key(self):
        keys = [f"key-{i}" for i in range(20)]
        told = {}
        for key in keys:
            daemon = self.start()
            daemon.send("job.submit", {"job": self.job(key)})
            time.sleep(self.random.uniform(0, 0.02))
            self.kill(daemon)
            told[key] = daemon.received_ids()
        daemon = self.start()
        for key in keys:
            ids = daemon.call("job.submit", {"job": self.job(key)})["ids"]
            self.assertIn(told[key], (None, ids))
        self.assertEqual(len(keys), len(self.database("SELECT id FROM jobs")))
        self.kill(daemon)

    def job(self, key):
        return {"variant": variant(0), "spec": SPEC, "key": key}


if __name__ == "__main__":
    unittest.main()
