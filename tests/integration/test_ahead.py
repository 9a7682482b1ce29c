# SPDX-License-Identifier: Apache-2.0
"""
A slot that times short jobs of a sweep has the next order in hand before it answers the last.  The
job of that order is not begun: whatever happens meanwhile, it loses nothing.  The worker replays,
and answers v2 of a sweep only when the order for v3 is there.
"""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import REPLAY_WORKER, Daemon, job  # noqa: E402


class Ahead(unittest.TestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.state = pathlib.Path(home.name)
        self.gate = self.state / "gate"
        self.daemon = Daemon(state=home.name, worker=REPLAY_WORKER)
        self.addCleanup(self.daemon.stop)

    def sweep(self, act, n=6, **members):
        spec = {**job()["spec"], "context": "warm"}
        meta = {"ends": {"v2": act}, "gate": str(self.gate)}
        document = {"name": "s", "spec": spec, "meta": meta,
                    "variants": [job(name=f"v{i}")["variant"] for i in range(n)], **members}
        return self.daemon.call("sweep.create", {"sweep": document})["ids"]

    def await_file(self, name):
        while not (self.state / name).exists():
            self.daemon.call("server.info")

    def results(self, ids):
        self.daemon.call("job.wait", {"ids": ids})
        return [self.daemon.call("job.get", {"id": i})["result"] for i in ids]

    def in_hand(self, ids):
        """v2 is at work, and the worker has the order for v3."""
        self.await_file(f"early-{ids[2]}")
        self.assertEqual(["timing", "built"], [self.daemon.call("job.get", {"id": i})["state"] for i in ids[2:4]])

    def was_ordered(self, number):
        return (self.state / f"replay-{number}-time.json").stat().st_mtime_ns

    def was_timed(self, number):
        return (self.state / f"replay-{number}-time").exists()

    def test_the_next_order_comes_before_the_answer_and_all_end_well(self):
        self.gate.touch()
        results = self.results(self.sweep("next", n=20))
        self.assertEqual([("ok", 1)] * 20, [(r["status"], r["attempts"]) for r in results])

    def test_a_cancel_ends_a_job_whose_order_is_in_hand_at_once_and_the_others_go_on(self):
        ids = self.sweep("next")
        self.in_hand(ids)
        self.daemon.call("job.cancel", {"id": ids[3]})
        self.assertEqual("cancelled", self.results(ids[3:4])[0]["status"])
        self.gate.touch()
        self.assertEqual(["ok"] * 3 + ["cancelled"] + ["ok"] * 2, [r["status"] for r in self.results(ids)])
        self.assertFalse(self.was_timed(ids[3]))

    def test_the_death_of_a_worker_with_two_orders_costs_the_second_no_attempt(self):
        ids = self.sweep("next_die")
        self.in_hand(ids)
        self.gate.touch()
        results = self.results(ids)
        self.assertEqual([("ok", 1 + (i == 2)) for i in range(6)], [(r["status"], r["attempts"]) for r in results])

    def test_a_pause_takes_the_order_back_and_the_job_is_timed_when_it_is_over(self):
        ids = self.sweep("next")
        self.in_hand(ids)
        self.daemon.call("queue.pause", {"all": True})
        self.gate.touch()
        self.assertEqual("ok", self.results(ids[2:3])[0]["status"])
        self.assertEqual("built", self.daemon.call("job.get", {"id": ids[3]})["state"])
        self.daemon.call("queue.resume", {"all": True})
        self.assertEqual([("ok", 1)] * 6, [(r["status"], r["attempts"]) for r in self.results(ids)])

    def test_a_job_of_more_priority_goes_first_all_the_same(self):
        ids = self.sweep("next")
        self.in_hand(ids)
        urgent = self.daemon.call("job.submit", {"job": {**job(name="urgent"), "priority": 10}})["ids"][0]
        while self.daemon.call("job.get", {"id": urgent})["state"] != "built":
            pass
        self.gate.touch()
        results = self.results([urgent, *ids])
        self.assertEqual([("ok", 1)] * 7, [(r["status"], r["attempts"]) for r in results])
        self.assertLess(self.was_ordered(urgent), self.was_ordered(ids[3]))


if __name__ == "__main__":
    unittest.main()
