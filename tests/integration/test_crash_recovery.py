# SPDX-License-Identifier: Apache-2.0
# time limit: 300 s
"""
A daemon that dies at any moment loses nothing that it acknowledged, records nothing twice, and leaves no process behind.

This program makes itself the reaper of whatever is orphaned below it, so that a left-over worker, jail, compiler or runner
of a killed daemon becomes a child of its own and cannot hide.
"""
import ctypes
import os
import pathlib
import random
import sqlite3
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import Daemon  # noqa: E402

PR_SET_CHILD_SUBREAPER = 36
KILLS, JOBS = 50, 100
LONGEST_LIFE_S = 2.0
GONE_WITHIN_S = 10
DONE_WITHIN_MS = 200000

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
    """{pid: name} of the processes whose parent is this one, the dead that nobody has waited for aside."""
    found = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = stat.read_text().split("(", 1)[1].rsplit(")", 1)
        except OSError:
            continue  # it ended meanwhile
        state, parent = rest.split()[:2]
        if int(parent) == os.getpid() and state != "Z":
            found[int(stat.parent.name)] = name
    return found


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
        seed = int(os.environ.get("SEED", random.randrange(1 << 32)))
        print(f"SEED={seed}", flush=True)
        self.random = random.Random(seed)

    def start(self):
        daemon = Daemon(state=self.state)
        self.addCleanup(lambda: daemon.client and daemon.client.close())
        return daemon

    def kill(self, daemon):
        """SIGKILL, then wait until nothing that it had started is left."""
        daemon.kill()
        deadline = time.monotonic() + GONE_WITHIN_S
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

    def test_fifty_kills_in_a_sweep_of_a_hundred_jobs_lose_and_double_nothing(self):
        daemon = self.start()
        ids = daemon.call("sweep.create", {"sweep": {"name": "hundred", "spec": SPEC,
                                                     "variants": [variant(i) for i in range(JOBS)]}})["ids"]
        self.assertEqual(JOBS, len(set(ids)))
        finished = []
        longest = LONGEST_LIFE_S / 5
        for n in range(1, KILLS + 1):
            time.sleep(self.random.uniform(0, longest))
            self.kill(daemon)
            finished.append(self.database("SELECT count(*) FROM results")[0][0])
            # shorter lives when the sweep is ahead of the kills, longer when it is behind
            longest = min(LONGEST_LIFE_S, longest * (0.7 if finished[-1] * KILLS > n * JOBS else 1.25))
            daemon = self.start()
        print("results after each kill:", *finished, flush=True)
        self.assertTrue(daemon.call("job.wait", {"sweep": "hundred", "timeout_ms": DONE_WITHIN_MS})["done"])
        self.check_results(daemon, ids)
        self.kill(daemon)
        self.assertEqual([("ok",)], self.database("PRAGMA integrity_check"))
        self.assertGreater(sum(n < JOBS for n in finished), KILLS * 3 / 4, "too few kills fell into the sweep")

    def check_results(self, daemon, ids):
        results = daemon.call("results.query", {"sweep": "hundred", "limit": 1000})["results"]
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
