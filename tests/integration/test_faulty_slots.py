# SPDX-License-Identifier: Apache-2.0
"""Jobs that fail again and again: those at fault themselves, and those that a sick host fails."""
import contextlib
import math
import os
import pathlib
import signal
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from faulty_host import FaultyHostTest  # noqa: E402
from harness import REPLAY_WORKER, TIMED, job  # noqa: E402
from processes import paths_under  # noqa: E402


class FaultySlots(FaultyHostTest):
    """The worker that replays."""

    def test_D10_the_same_fault_of_several_jobs_is_the_hosts(self):
        self.start(worker=REPLAY_WORKER)
        (self.state / "sick").touch()
        ids = self.submit(6, meta={"time": ["sick"]}, retries=1)
        self.await_pause()
        while self.daemon.log().count("the daemon's own job fails there as well") < 2:
            self.daemon.pass_time(9)
            self.daemon.call("job.wait", {"ids": ids, "timeout_ms": 1100})
        self.assertEqual(["replayed internal"], self.paused("slots"))
        (self.state / "sick").unlink()
        self.assertEqual({"ok"}, {r["status"] for r in self.results(ids)})
        self.assertIn("timing goes on", self.daemon.log())

    def await_pause(self):
        """Three jobs in a row fail at once: no time has to pass."""
        while None in self.paused("slots"):
            pass

    def assert_ends(self, ids, *statuses):
        """They end like one of these without any help: no interval of a pause passes."""
        self.daemon.call("job.wait", {"ids": ids})
        self.assertLessEqual({self.daemon.call("job.get", {"id": i})["result"]["status"] for i in ids}, set(statuses))

    def test_D10_jobs_that_are_at_fault_themselves_end_and_stop_no_other(self):
        for stage, act in (("time", "die"), ("time", "internal"), ("build", "internal")):
            with self.subTest(stage=stage, act=act):
                self.start(worker=REPLAY_WORKER)
                bad = self.submit(7, meta={stage: [act]}, retries=1)
                good = self.submit(8, first=7)
                self.assert_ends(good, "ok")
                self.assert_ends(bad, "internal")
                self.assertIn(" goes on", self.daemon.log())
                self.assertNotIn("next try in", self.daemon.log())

    def test_D10_a_job_is_tried_as_often_as_it_says_and_its_result_has_the_number(self):
        self.start(worker=REPLAY_WORKER)
        for retries in (0, 2):
            ids = self.submit(1, meta={"time": ["internal"]}, retries=retries)
            self.assertEqual([(retries + 1, "internal")], [(r["attempts"], r["status"]) for r in self.results(ids)])

    def test_D10_while_the_host_is_sick_only_the_daemons_own_jobs_are_risked(self):
        self.start(worker=REPLAY_WORKER)
        (self.state / "sick").touch()
        ids = self.submit(20, meta={"time": ["sick"]})
        self.await_pause()
        while self.daemon.log().count("the daemon's own job fails there as well") < 6:
            self.daemon.pass_time(math.ceil(self.daemon.call("queue.get")["slots"][0]["retry_s"] or 0))
        touched = [path for path in paths_under(self.state) if path.match("replay-*-time.json")]
        self.assertLess(len([path for path in touched if int(path.name.split("-")[1]) in ids]), 6)
        (self.state / "sick").unlink()
        self.assertEqual({"ok"}, {r["status"] for r in self.results(ids)})

    def test_D10_where_the_queue_has_no_room_for_the_daemons_own_job_another_one_is_tried(self):
        self.start("--queue-limit", "6", worker=REPLAY_WORKER)
        (self.state / "sick").touch()
        ids = self.submit(6, meta={"time": ["sick"]}, retries=1)
        self.await_pause()
        (self.state / "sick").unlink()
        self.assertEqual({"ok"}, {r["status"] for r in self.results(ids)})
        self.assertIn("upkeep=trial failed", self.daemon.log())

    def test_D10_a_job_that_rests_can_be_cancelled(self):
        self.start(worker=REPLAY_WORKER)
        number = self.submit(1, meta={"time": ["internal"]}, retries=100)[0]
        while "failed, again" not in self.daemon.log():
            self.daemon.call("job.get", {"id": number})
        self.daemon.call("job.cancel", {"id": number})
        self.assertEqual("cancelled", self.results([number])[0]["status"])

    def test_D10_the_daemons_own_job_clears_a_slot_whose_workers_were_killed(self):
        """The worker that compiles and times."""
        self.start()
        slow = "int same(const int N) { for (volatile int i = 0; i < 300000000; i++); return N; }\n"
        ids, last = [], None
        while "timing paused" not in self.daemon.log():
            queue = self.daemon.call("queue.get")
            if sum(queue["states"][s] for s in ("queued", "building", "built", "timing")) < 4:
                # at first, and when this program was held up and a job has ended meanwhile
                ids += self.daemon.call("job.submit", {"job": job(retries=100, variant={
                    "language": "c", "source": slow + f"int other{len(ids)};\n"})})["ids"]
                continue
            slot = queue["slots"][0]
            if slot["job"] in ids and slot["job"] != last:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(slot["pid"], signal.SIGKILL)
                last = slot["job"]
        self.assert_ends(ids, *TIMED)
        self.assertIn("timing goes on", self.daemon.log())
        self.assertNotIn("next try in", self.daemon.log())


if __name__ == "__main__":
    unittest.main()
