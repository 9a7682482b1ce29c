# SPDX-License-Identifier: Apache-2.0
"""A sweep, a user or the whole queue is held back, until it is resumed and no shorter.  The worker replays."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, NOBODY, REPLAY_WORKER, Daemon, RpcError, job  # noqa: E402

COUNT = 20
SWEEP = {"name": "s", "spec": job()["spec"], "variants": [job(name=f"v{i}")["variant"] for i in range(COUNT)]}


def run_assay(daemon, *words):
    return subprocess.run([BUILD / "assay", "--socket", daemon.socket, *words], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)


class Pause(unittest.TestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        os.chmod(home.name, 0o755)
        self.state = home.name
        self.daemon = self.start()

    def start(self):
        daemon = Daemon(state=self.state, worker=REPLAY_WORKER)
        self.addCleanup(daemon.stop)
        return daemon

    def start_again(self):
        self.daemon.kill()
        self.daemon.client.close()
        self.daemon = self.start()

    def states(self):
        return self.daemon.call("sweep.get", {"sweep": "s"})["states"]

    def begin_paused(self, target):
        """A sweep behind a job that hangs, once; then it is paused."""
        first = self.daemon.call("job.submit", {"job": job(meta={"time": ["hang", "ok"]})})["ids"][0]
        noted = pathlib.Path(self.state, f"replay-{first}-time")
        while self.daemon.call("job.get", {"id": first})["state"] != "timing":
            pass
        while not (noted.exists() and noted.stat().st_size):
            pass
        self.daemon.call("sweep.create", {"sweep": SWEEP})
        self.assertEqual({"paused": True}, self.daemon.call("queue.pause", target))

    def test_D10_a_pause_holds_after_a_kill_and_others_go_on(self):
        self.begin_paused({"sweep": "s"})
        for _ in range(2):
            self.start_again()
            other = self.daemon.call("job.submit", {"job": job()})["ids"]
            self.daemon.call("job.wait", {"ids": other})
            self.assertEqual("sweep", self.daemon.call("sweep.get", {"sweep": "s"})["paused"])
            self.assertEqual(COUNT, self.states()["queued"])
            self.assertEqual([{"id": 1, "name": "s"}], self.daemon.call("queue.get")["paused"]["sweeps"])
        self.assertEqual({"paused": False}, self.daemon.call("queue.resume", {"sweep": 1}))
        self.daemon.call("job.wait", {"sweep": "s"})
        self.assertEqual(COUNT, self.states()["done"])

    def test_D10_a_paused_queue_begins_nothing_and_is_ready(self):
        self.begin_paused({"all": True})
        self.start_again()
        ids = self.daemon.call("job.submit", {"job": job()})["ids"]
        self.assertEqual(("queued", "all"), tuple(self.daemon.call("job.get", {"id": ids[0]})[m]
                                                  for m in ("state", "paused")))
        self.assertEqual(0, self.states()["building"] + self.states()["timing"])
        self.assertNotIn("paused", [r["word"] for r in self.daemon.call("queue.get")["readiness"]["reasons"]])
        self.assertEqual(ids, self.daemon.call("job.cancel", {"ids": ids})["cancelled"])
        self.daemon.call("queue.resume", {"all": True})
        self.daemon.call("job.wait", {"sweep": "s"})
        self.assertEqual(COUNT, self.states()["done"])

    def test_D10_one_pause_is_of_one_thing(self):
        for bad in ({}, {"all": False}, {"all": True, "user": 1}, {"user": -1}, {"user": 2 ** 32}, {"sweep": "none"}):
            with self.subTest(bad), self.assertRaises(RpcError):
                self.daemon.call("queue.pause", bad)
        self.assertEqual({"all": False, "users": [], "sweeps": []}, self.daemon.call("queue.get")["paused"])

    def test_D10_http_and_the_command_line_pause_too(self):
        self.daemon.call("sweep.create", {"sweep": {**SWEEP, "not_before": "2100-01-01T00:00:00Z"}})
        self.assertEqual({"paused": True}, self.daemon.http("POST", "/v1/queue/pause?sweep=s", {}).json())
        self.assertEqual({"paused": True}, self.daemon.http("POST", "/v1/queue/pause?user=4711", {}).json())
        self.assertEqual(0, run_assay(self.daemon, "queue", "pause", "--all").returncode)
        shown = run_assay(self.daemon, "queue").stdout
        self.assertIn("paused: all; user 4711; sweep s\n", shown)
        for words in (["--all"], ["--user", "4711"], ["--sweep", "s"]):
            self.assertEqual("resumed\n", run_assay(self.daemon, "queue", "resume", *words).stdout)
        self.assertNotIn("paused:", run_assay(self.daemon, "queue").stdout)
        self.assertNotEqual(0, run_assay(self.daemon, "queue", "pause").returncode)

    @unittest.skipIf(os.geteuid() != 0, "only root can be several users")
    def test_D10_a_pause_is_its_owners_and_operators(self):
        self.daemon.call("sweep.create", {"sweep": {**SWEEP, "not_before": "2100-01-01T00:00:00Z"}})
        with self.daemon.connect_as_nobody() as client:
            for target in ({"sweep": "s"}, {"user": 0}, {"all": True}):
                for method in ("queue.pause", "queue.resume"):
                    with self.assertRaises(RpcError) as refused:
                        client.call(method, target)
                    self.assertEqual("denied", refused.exception.data["word"])
            self.assertEqual({"paused": True}, client.call("queue.pause", {"user": NOBODY}))
            ids = client.call("job.submit", {"job": job()})["ids"]
            other = self.daemon.call("job.submit", {"job": job()})["ids"]
            self.daemon.call("job.wait", {"ids": other})
            self.assertEqual("user", client.call("job.get", {"id": ids[0]})["paused"])
            self.start_again()
        self.assertEqual([NOBODY], self.daemon.call("queue.get")["paused"]["users"])
        self.daemon.call("queue.resume", {"user": NOBODY})
        self.daemon.call("job.wait", {"ids": ids})


if __name__ == "__main__":
    unittest.main()
