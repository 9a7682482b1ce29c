# SPDX-License-Identifier: Apache-2.0
"""An acknowledged cancel holds, however soon after its answer the daemon is killed.  The worker replays."""
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import REPLAY_WORKER, Daemon, RpcError, job  # noqa: E402

HANG = {"queued": {}, "building": {"build": ["hang", "ok"]}, "timing": {"time": ["hang", "ok"]}}
SWEEP = {"name": "s", "spec": job()["spec"], "variants": [
    job(name=f"v{i}")["variant"] for i in range(300)], "meta": {"build": ["hang", "ok"]}}


def result_of(daemon, number):
    while not daemon.call("job.wait", {"ids": [number], "timeout_ms": 30000})["done"]:
        pass
    return daemon.call("job.get", {"id": number})["result"]


class Cancel(unittest.TestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.state = home.name

    def start(self, state=None):
        daemon = Daemon(state=state or self.state, worker=REPLAY_WORKER)
        self.addCleanup(daemon.stop)
        return daemon

    def kill(self, daemon):
        daemon.kill()
        daemon.client.close()

    def submit(self, daemon, meta, state):
        """A job in this state; its worker has noted that it hangs for the first time."""
        number = daemon.call("job.submit", {"job": job(meta=meta)})["ids"][0]
        noted = pathlib.Path(self.state, f"replay-{number}-{list(meta)[0] if meta else ''}")
        while daemon.call("job.get", {"id": number})["state"] != state:
            pass
        while meta and not (noted.exists() and noted.stat().st_size):
            pass
        return number

    def test_D10_a_cancel_holds_after_a_kill_in_each_state(self):
        for state in [*HANG] * 4:
            with self.subTest(state=state):
                daemon = self.start()
                ids = []
                if state == "queued":
                    ids.append(self.submit(daemon, HANG["building"], "building"))
                ids.append(self.submit(daemon, HANG[state], state))
                self.assertEqual(ids[-1:], daemon.call("job.cancel", {"id": ids[-1]})["cancelled"])
                self.kill(daemon)
                daemon = self.start()
                self.assertEqual("cancelled", result_of(daemon, ids[-1])["status"])
                if ids[1:]:     # the one in front of it was not cancelled, and goes on
                    self.assertEqual("ok", result_of(daemon, ids[0])["status"])
                daemon.stop()

    def test_D10_a_cancelled_sweep_stays_cancelled_after_a_kill(self):
        daemon = self.start()
        ids = daemon.call("sweep.create", {"sweep": SWEEP})["ids"]
        other = daemon.call("job.submit", {"job": job()})["ids"][0]
        while daemon.call("job.get", {"id": ids[0]})["state"] != "building":
            pass
        self.assertEqual(len(ids), daemon.call("sweep.cancel", {"sweep": "s"})["cancelled"])
        self.kill(daemon)
        daemon = self.start()
        daemon.call("job.wait", {"sweep": "s"})
        self.assertEqual({"cancelled": len(ids)}, daemon.call("sweep.get", {"sweep": "s"})["statuses"])
        self.assertEqual("ok", result_of(daemon, other)["status"])

    def test_D10_a_cancelled_sweep_ends_without_a_kill_and_is_timed_no_more(self):
        daemon = self.start()
        ids = daemon.call("sweep.create", {"sweep": SWEEP})["ids"]
        self.assertEqual(len(ids), daemon.call("sweep.cancel", {"sweep": "s"})["cancelled"])
        daemon.call("job.wait", {"sweep": "s"})
        self.assertEqual({"cancelled": len(ids)}, daemon.call("sweep.get", {"sweep": "s"})["statuses"])
        self.assertEqual(0, daemon.call("sweep.cancel", {"sweep": "s"})["cancelled"])
        self.assertEqual(ids[:1], daemon.call("job.cancel", {"id": ids[0]})["final"])

    def test_D10_on_a_full_disk_a_cancel_is_refused_or_holds(self):
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "assay", self.state],
                                               stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", self.state], check=True)
        daemon = self.start()
        ids = [self.submit(daemon, HANG["building"], "building"), self.submit(daemon, {}, "queued")]
        order = pathlib.Path(self.state, f"replay-{ids[0]}-build.json")
        while not order.exists() or not order.read_text("utf-8").endswith("}"):
            pass                                # the worker's count of attempts is on disk before the disk is full
        ballast = pathlib.Path(self.state, "ballast")
        with contextlib.suppress(OSError), open(ballast, "wb", buffering=0) as f:
            while True:
                f.write(bytes(4096))
        acknowledged = []
        for number in ids * 8:
            with contextlib.suppress(RpcError):
                acknowledged += daemon.call("job.cancel", {"id": number})["cancelled"]
        ballast.unlink()
        self.kill(daemon)
        daemon = self.start()
        for number in ids:
            expected = "cancelled" if number in acknowledged else "ok"
            self.assertEqual(expected, result_of(daemon, number)["status"], acknowledged)


if __name__ == "__main__":
    unittest.main()
