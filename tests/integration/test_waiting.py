# SPDX-License-Identifier: Apache-2.0
"""Nothing that waits blocks what could run: jobs too wide for the free slot, and limits of connections.  The worker replays."""
import contextlib
import os
import pathlib
import resource
import sys
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness
from harness import REPLAY_WORKER, Daemon, DaemonTest, job

AHEAD_MAX = 64                  # built jobs of a user for slots of one width
SESSIONS = 1000                 # JSON-RPC connections, of operators too
ONE, TWO = [1], [2, 3]


class Widths(unittest.TestCase):
    """A host of 4 cores, which hwloc makes up, with a slot of 1 CPU and one of 2."""

    def setUp(self):
        with unittest.mock.patch.dict(os.environ, HWLOC_SYNTHETIC="pack:1 l3:1(size=33554432) core:4 pu:1"):
            self.daemon = Daemon("--slots", "1; 2-3", "--builders", "1", worker=REPLAY_WORKER)
        self.addCleanup(self.daemon.stop)

    def submit(self, *jobs):
        return self.daemon.call("job.submit", {"jobs": list(jobs)})["ids"]

    def state(self, number):
        return self.daemon.call("job.get", {"id": number})["state"]

    def cpus(self, number):
        self.daemon.call("job.wait", {"ids": [number]})
        return self.daemon.call("job.get", {"id": number})["result"]["technique"]["cpus"]

    def begin(self, **members):
        number = self.submit(job("holder", meta={"time": ["hang"]}, **members))[0]
        while self.state(number) != "timing":
            pass
        return number

    def built(self):
        return self.daemon.call("queue.get", {"limit": 0})["states"]["built"]

    def test_D10_D11_wide_jobs_that_wait_for_their_slot_are_passed_by_narrow_ones(self):
        holder = self.begin(threads=2)
        wide = self.submit(*(job(f"w{i}", threads=2, priority=50) for i in range(AHEAD_MAX + 10)))
        while self.built() < AHEAD_MAX - 1:         # the holder counts, too
            pass
        narrow = self.submit(*(job(f"n{i}", threads=1) for i in range(5)))
        for number in narrow:
            self.assertEqual(ONE, self.cpus(number))
        self.assertEqual("timing", self.state(holder))
        self.assertNotIn("done", {self.state(number) for number in wide})
        self.daemon.call("job.cancel", {"id": holder})
        self.assertEqual([TWO] * len(wide), [self.cpus(number) for number in wide])

    def test_D10_D11_narrow_jobs_hold_up_no_wide_one_that_has_its_slot_free(self):
        holders = [self.begin(threads=1)]
        holders.append(self.begin(threads=1))
        narrow = self.submit(*(job(f"n{i}", threads=1, priority=50) for i in range(AHEAD_MAX + 10)))
        wide = self.submit(job("w", threads=2))[0]
        while self.state(wide) != "built":
            pass
        on_two = [slot["job"] for slot in self.daemon.call("queue.get")["slots"] if slot["cpus"] == TWO]
        self.daemon.call("job.cancel", {"ids": on_two})
        self.assertEqual(TWO, self.cpus(wide))
        self.daemon.call("job.cancel", {"ids": list(set(holders) - set(on_two))})
        self.daemon.call("job.wait", {"ids": narrow})

    def test_D10_more_threads_than_any_slot_has_blocks_nothing(self):
        holder = self.begin(threads=2)
        too_wide = self.submit(job("huge", threads=16, priority=90))[0]
        self.assertEqual(ONE, self.cpus(self.submit(job("n"))[0]))
        self.assertEqual("built", self.state(too_wide))
        self.daemon.call("job.cancel", {"id": holder})
        self.assertEqual(TWO, self.cpus(too_wide))


class Connections(DaemonTest):
    def test_D10_a_connection_too_many_is_refused_clearly_and_one_that_closes_makes_room(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2 * SESSIONS)), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        with contextlib.ExitStack() as stack:
            open_now = [stack.enter_context(self.daemon.connect()) for _ in range(SESSIONS)]
            self.assertEqual("assayd", open_now[-1].call("server.info")["name"])
            with self.daemon.connect() as refused:
                error = refused.receive()["error"]
                self.assertEqual((-32004, "full"), (error["code"], error["data"]["word"]))
                self.assertEqual(("too many connections", "try again later"),
                                 (error["message"], error["data"]["hint"]))
                self.assertTrue(refused.is_cut_off())
            self.assertEqual("assayd", open_now[0].call("server.info")["name"])
            for tcp in (False, True):
                self.assertEqual(200, self.daemon.http("GET", "/v1/queue", tcp=tcp).status)
            open_now[0].close()
            self.assertEqual("assayd", self.connected()["name"])
        metrics = self.daemon.http("GET", "/metrics").body.decode()
        self.assertNotIn('assay_connections_refused_total{door="rpc",reason="full"} 0\n', metrics)

    def connected(self):
        """Once the daemon has seen that another is closed."""
        while True:
            client = self.connect()
            with contextlib.suppress(harness.Disconnected, OSError):
                return client.call("server.info")


if __name__ == "__main__":
    unittest.main()
