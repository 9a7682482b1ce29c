# SPDX-License-Identifier: Apache-2.0
"""
Whatever was acknowledged before a power cut is there after it: jobs, results that were announced,
cancels.  Writes that were not synced may be lost, torn, or out of order.
"""
import json
import os
import pathlib
import shutil
import sqlite3
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import REPLAY_WORKER, Daemon, dice  # noqa: E402
from recorded_disk import RecordedDaemon, cuts  # noqa: E402

CUTS = int(os.environ.get("CUTS", 100))     # more by hand: each is a copy, looked at whole
CALLS, STARTED = 60, 4


def job(name, **members):
    return {"variant": {"name": name, "language": "c", "source": f"/* {name} */"}, "key": name, "spec": {
        "routine": "int same(const int N, const int *X)", "params": {"N": 4},
        "args": {"N": "N", "X": {"type": "int", "dims": ["N"]}}, "context": "warm"}, **members}


class Witness:
    """A client that notes at what point in time it was promised what."""

    def __init__(self, daemon, random):
        self.daemon, self.client, self.random = daemon, daemon.connect(), random
        self.jobs, self.results, self.cancels = [], [], []      # (point, id, name | result | None)

    def submit(self, call):
        documents = [job(f"j{call}-{i}") for i in range(self.random.randint(1, 5))]
        if call % 5 == 0:
            documents = [{**d, "not_before": 1 << 33} for d in documents]
        ids = self.client.call("job.submit", {"jobs": documents, "follow": True})["ids"]
        point = self.daemon.written()
        self.jobs += [(point, ident, d["key"]) for ident, d in zip(ids, documents)]
        if call % 5 == 0:
            self.client.call("job.cancel", {"ids": ids[:1]})
            self.cancels.append((self.daemon.written(), ids[0], None))
        while self.client.notifications:
            self.note(self.client.notifications.popleft())

    def note(self, notification):
        result = notification["result"]
        result.pop("user_name", None)       # of the reply, not of what is stored
        self.results.append((self.daemon.written(), result["job"], result))

    def wait(self):
        self.client.call("job.wait", {"ids": [ident for _, ident, name in self.jobs if int(name[1:].split("-")[0]) % 5]})
        while self.client.notifications:
            self.note(self.client.notifications.popleft())
        self.client.close()


class PowerCut(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.random = dice(4)
        daemon = RecordedDaemon(worker=REPLAY_WORKER, http=False)
        cls.addClassCleanup(daemon.disk.unlink)
        cls.witness = Witness(daemon, cls.random)
        for call in range(CALLS):
            cls.witness.submit(call)
        cls.witness.wait()
        daemon.stop()
        cls.record = daemon.disk.read_bytes()

    def setUp(self):
        self.state = pathlib.Path(tempfile.mkdtemp(prefix="assay-cut-"))
        self.addCleanup(shutil.rmtree, self.state)

    def points(self, n):
        return [self.random.randrange(len(self.record)) for _ in range(n)]

    def restore(self, files):
        for name in ("assay.db-shm", *files):
            (self.state / name).unlink(missing_ok=True)
        for name, content in files.items():
            (self.state / name).write_bytes(content)

    def promised(self, what, point):
        return [(ident, it) for at, ident, it in what if at <= point]

    def test_every_copy_is_sound_and_has_all_that_was_promised(self):
        looked_at = 0
        for point, files in cuts(self.record, self.points(CUTS), self.random):
            self.restore(files)
            self.look(point)
            looked_at += 1
        self.assertEqual(CUTS, looked_at)
        self.assertGreater(len(self.witness.results), CALLS)

    def look(self, point):
        db = sqlite3.connect(self.state / "assay.db")
        try:
            self.assertEqual([("ok",)], db.execute("PRAGMA integrity_check").fetchall())
            if not self.promised(self.witness.jobs, point):
                return          # not all tables may be there
            jobs = dict(db.execute("SELECT id, key FROM jobs"))
            self.assertEqual([], [p for p in self.promised(self.witness.jobs, point) if jobs.get(p[0]) != p[1]])
            results = {i: json.loads(text) for i, text in db.execute("SELECT job_id, json FROM results")}
            self.assertEqual([], [i for i, told in self.promised(self.witness.results, point) if results.get(i) != told])
            held = {i for i, in db.execute("SELECT id FROM jobs WHERE cancelled")}
            self.assertEqual([], [i for i, _ in self.promised(self.witness.cancels, point) if i not in held])
        finally:
            db.close()

    def test_a_daemon_goes_on_with_such_a_copy(self):
        for point, files in cuts(self.record, self.points(STARTED), self.random):
            self.restore(files)
            daemon = Daemon(state=self.state, worker=REPLAY_WORKER, http=False)
            try:
                self.keeps_promises(daemon, point)
            finally:
                daemon.stop()

    def keeps_promises(self, daemon, point):
        for ident, name in self.promised(self.witness.jobs, point):
            self.assertEqual(name, daemon.call("job.get", {"id": ident})["name"])
        cancelled = [i for i, _ in self.promised(self.witness.cancels, point)]
        while cancelled and not daemon.call("job.wait", {"ids": cancelled, "timeout_ms": 30000})["done"]:
            continue
        self.assertEqual({"cancelled"} if cancelled else set(),
                         {daemon.call("job.get", {"id": i})["status"] for i in cancelled})


if __name__ == "__main__":
    unittest.main()
