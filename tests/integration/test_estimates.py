# SPDX-License-Identifier: Apache-2.0
"""Position and time of jobs that wait: what is expected comes about in that order.  The worker replays."""
import contextlib
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, NOBODY, REPLAY_WORKER, Daemon, job  # noqa: E402

COUNT = 30
NOTHING = {"by": None, "unknown": None, "until": None}


def sweep(name, count=COUNT, **more):
    variants = [job(name=f"{name}{i}")["variant"] for i in range(count)]
    return {"name": name, "spec": job()["spec"], "variants": variants, **more}


class Estimates(unittest.TestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        os.chmod(home.name, 0o755)
        self.gates = 0
        self.home = home.name
        self.daemon = Daemon(state=home.name, worker=REPLAY_WORKER)
        self.addCleanup(self.daemon.stop)

    def shut_gate(self):
        """A job that holds the only slot until the file is there."""
        self.gates += 1
        gate = pathlib.Path(self.home, f"gate-{self.gates}")
        self.held = self.daemon.call("job.submit", {"job": job(name="gate", priority=100, meta={
            "time": ["wait"], "gate": str(gate)})})["ids"][0]
        while self.daemon.call("job.get", {"id": self.held})["state"] != "timing":
            pass
        return gate

    def until_nothing_moves(self, count):
        """So many are built, and the job at the gate takes longer than expected already."""
        while self.daemon.call("queue.get")["states"]["built"] < count:
            pass
        while self.get(self.held)["eta_s"] != 0:
            pass

    def get(self, number):
        return self.daemon.call("job.get", {"id": number})

    def order(self):
        """Jobs as they ended."""
        done = sqlite3.connect(f"file:{self.home}/assay.db?mode=ro", uri=True)
        with contextlib.closing(done):
            return [row[0] for row in done.execute("SELECT job_id FROM results ORDER BY cursor")]

    def test_D10_positions_are_the_order_in_which_jobs_are_timed(self):
        gate = self.shut_gate()
        ids = self.daemon.call("sweep.create", {"sweep": sweep("s")})["ids"]
        last = self.daemon.call("job.submit", {"job": job(name="last", priority=-1)})["ids"]
        single = self.daemon.call("job.submit", {"job": job(name="single")})["ids"]
        first = self.daemon.call("job.submit", {"job": job(name="first", priority=5)})["ids"]
        expected = first + single + ids + last
        for place, number in enumerate(expected):
            got = self.get(number)
            self.assertEqual((place + 1, None), (got["position"], got["eta_s"]), number)
            self.assertEqual({**NOTHING, "unknown": "no_rate"}, got["eta"])
        self.assertEqual(3, self.daemon.call("sweep.get", {"sweep": "s"})["position"])
        gate.touch()
        self.daemon.call("job.wait", {"ids": expected})
        # what was built first may be timed while a better one is being built
        order = self.order()[1:]
        self.assertEqual(set(expected), set(order))
        self.assertEqual(ids + last, [number for number in order if number in ids + last])

    def test_D10_a_time_is_of_what_was_measured_and_of_whom(self):
        self.daemon.call("sweep.create", {"sweep": sweep("one")})
        self.daemon.call("job.wait", {"sweep": "one"})
        gate = self.shut_gate()
        ids = self.daemon.call("sweep.create", {"sweep": sweep("two")})["ids"]
        self.until_nothing_moves(COUNT)
        times = [self.get(number)["eta_s"] for number in ids]
        self.assertTrue(all(seconds >= 0 for seconds in times))
        self.assertEqual(sorted(times), times)
        self.assertEqual("user", self.get(ids[0])["eta"]["by"])
        end = self.daemon.call("sweep.get", {"sweep": "two"})
        self.assertAlmostEqual(times[-1], end["eta_s"], delta=max(1, times[-1] / 2))
        rate = self.daemon.call("queue.get")["rate"]
        self.assertEqual((1, 1), (rate["slots"], rate["builders"]))
        self.assertGreater(rate["time_s"], 0)
        self.assertGreater(rate["jobs"], 0)
        gate.touch()
        self.daemon.call("job.wait", {"sweep": "two"})
        over = self.daemon.call("sweep.get", {"sweep": "two"})
        self.assertEqual((None, None, NOTHING), (over["position"], over["eta_s"], over["eta"]))
        self.assertNotIn("position", self.get(ids[0]))

    def test_D10_what_may_not_start_says_why_and_until_when(self):
        gate = self.shut_gate()
        late = self.daemon.call("job.submit", {"job": job(not_before=4102444800)})["ids"][0]
        self.assertEqual({**NOTHING, "unknown": "not_before", "until": 4102444800}, self.get(late)["eta"])
        self.daemon.call("sweep.create", {"sweep": sweep("late", not_before=4102444800)})
        got = self.daemon.call("sweep.get", {"sweep": "late"})
        self.assertEqual((None, None, 4102444800), (got["position"], got["eta_s"], got["eta"]["until"]))
        ids = self.daemon.call("sweep.create", {"sweep": sweep("s")})["ids"]
        self.daemon.call("queue.pause", {"sweep": "s"})
        self.assertEqual((None, "paused"), (self.get(ids[3])["position"], self.get(ids[3])["eta"]["unknown"]))
        self.assertEqual("paused", self.daemon.call("sweep.get", {"sweep": "s"})["eta"]["unknown"])
        # those that were to be built together wait again as soon as the builder has ended the one it is at
        while (user := self.daemon.call("queue.get")["users"][0])["waiting"] < 2 * COUNT + 1:
            pass
        self.assertEqual((0, 2 * COUNT + 1, 2 * COUNT + 1, 1),
                         (user["user"], user["waiting"], user["not_ready"], user["timing"]))
        self.daemon.call("queue.resume", {"sweep": "s"})
        self.assertEqual(4, self.get(ids[3])["position"])
        gate.touch()
        self.daemon.call("job.wait", {"sweep": "s"})

    def test_D10_the_command_line_says_it_in_words(self):
        def show(*words):
            return subprocess.run([BUILD / "assay", "--socket", self.daemon.socket, *words], stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True).stdout
        gate = self.shut_gate()
        ids = self.daemon.call("sweep.create", {"sweep": sweep("s")})["ids"]
        late = self.daemon.call("job.submit", {"job": job(not_before=4102444800)})["ids"][0]
        self.assertRegex(show("queue", str(ids[3])),
                         rf"^job {ids[3]}: \w+, time not known before a job has ended; 4 jobs before it\n$")
        self.assertIn(", asleep until 2", show("queue", str(late)))
        self.assertIn("1 job before its next one", show("sweep", "show", "s"))
        self.assertRegex(show("queue"), r"(?m)^ *0 +\d+ +1 .* time not known before a job has ended$")
        gate.touch()
        self.daemon.call("job.wait", {"sweep": "s"})
        self.assertRegex(show("queue", str(ids[3])), r"^job \d+: done\n$")

    @unittest.skipIf(os.geteuid() != 0, "only root can be several users")
    def test_D10_users_share_and_the_table_shows_them(self):
        gate = self.shut_gate()
        many = self.daemon.call("job.submit", {"jobs": [job(name=f"v{i}") for i in range(500)]})["ids"]
        with self.daemon.connect_as_nobody() as other:
            ten = other.call("job.submit", {"jobs": [job(name=f"n{i}") for i in range(10)]})["ids"]
        positions = [self.get(number)["position"] for number in ten]
        self.assertEqual(sorted(set(positions)), positions)
        self.assertLess(positions[-1], 40)
        self.assertGreaterEqual(self.get(many[-1])["position"], 500 + 10)
        users = {row["user"]: row for row in self.daemon.call("queue.get")["users"]}
        self.assertEqual({0, NOBODY}, set(users))
        self.assertEqual(10, users[NOBODY]["waiting"] + users[NOBODY]["building"])
        self.assertEqual(0, users[NOBODY]["not_ready"])
        gate.touch()
        self.daemon.call("job.wait", {"ids": ten})
        order = self.order()
        self.assertLess(max(order.index(number) for number in ten), 200)
        self.daemon.call("job.cancel", {"ids": many})


if __name__ == "__main__":
    unittest.main()
