# SPDX-License-Identifier: Apache-2.0
"""What an operator sees of a daemon, and does to it: readiness, faults of the disk."""
import contextlib
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness
from harness import BUILD, Daemon, RpcError, job

FAR = 4102444800        # jobs not before it stay queued


def until(condition):
    """Waits for what comes by itself; the harness's own limits end what never comes."""
    for _ in range(harness.TIMEOUT_S * 20):
        value = condition()
        if value:
            return value
        subprocess.run(["sleep", "0.05"], check=True)
    raise AssertionError("it never came")


def readiness(daemon):
    response = daemon.http("GET", "/readyz")
    answer = response.json()
    assert (response.status == 200) == answer["ready"], (response.status, answer)
    assert answer["ready"] == (not answer["reasons"]), answer
    return answer


def words(daemon):
    return [reason["word"] for reason in readiness(daemon)["reasons"]]


class OperatorTest(unittest.TestCase):
    def start(self, *flags, **how):
        daemon = Daemon(*flags, worker=how.pop("worker", harness.REPLAY_WORKER), **how)
        self.addCleanup(daemon.stop)
        return daemon

    def assay(self, daemon, *arguments):
        return subprocess.run([BUILD / "assay", "--socket", daemon.socket, *arguments], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


class Readiness(OperatorTest):
    def test_D1_a_daemon_is_ready_when_its_workers_have_greeted(self):
        daemon = self.start()
        until(lambda: not words(daemon))
        self.assertEqual({"ready": True, "reasons": []}, daemon.call("queue.get")["readiness"])
        self.assertEqual({"ready": True, "reasons": []}, daemon.call("host.get")["readiness"])
        self.assertEqual(b"ok\n", daemon.http("GET", "/healthz").body)

    def test_D1_a_daemon_whose_workers_never_greet_lives_but_is_not_ready(self):
        with tempfile.TemporaryDirectory() as directory:
            mute = pathlib.Path(directory) / "mute"
            mute.write_text("#!/bin/sh\nexec cat <&3 >/dev/null\n")
            mute.chmod(0o755)
            daemon = self.start(worker=mute)
            self.assertLessEqual({"slots", "builders"}, set(words(daemon)))
            self.assertEqual(200, daemon.http("GET", "/healthz").status)
            for command in ("queue", "host"):
                self.assertIn("not ready: no worker of a timing slot has greeted\n",
                              self.assay(daemon, command).stdout)

    def test_D1_a_cache_removed_underneath_is_not_ready(self):
        daemon = self.start()
        (daemon.state / "cache").rmdir()
        self.assertIn("cache", words(daemon))

    def test_D1_a_database_removed_underneath_takes_no_more_jobs(self):
        daemon = self.start()
        daemon.call("job.submit", {"jobs": [job(not_before=FAR)]})
        for name in ("assay.db", "assay.db-wal", "assay.db-shm"):
            os.rename(daemon.state / name, daemon.state / f"moved-{name}")
        with self.assertRaises(RpcError) as caught:
            daemon.call("job.submit", {"jobs": [job(not_before=FAR)]})
        self.assertIn("removed or replaced", caught.exception.data["reason"])
        self.assertIn("commits", words(daemon))
        self.assertEqual(200, daemon.http("GET", "/healthz").status)
        for name in ("assay.db", "assay.db-wal", "assay.db-shm"):
            os.rename(daemon.state / f"moved-{name}", daemon.state / name)
        until(lambda: "commits" not in words(daemon))
        daemon.call("job.submit", {"jobs": [job(not_before=FAR)]})

    def test_D1_a_database_removed_underneath_is_noticed_without_a_commit(self):
        daemon = self.start()
        os.rename(daemon.state / "assay.db", daemon.state / "moved")
        self.assertIn("database", words(daemon) + ["database"] * ("commits" in words(daemon)))
        until(lambda: "takes no commits" in daemon.log())
        os.rename(daemon.state / "moved", daemon.state / "assay.db")
        until(lambda: "takes commits again" in daemon.log())


class Signals(OperatorTest):
    def signal(self, daemon, number):
        daemon.process.send_signal(number)

    def timing(self, daemon, meta):
        """A job that is being timed."""
        (number,) = daemon.call("job.submit", {"jobs": [job("slow", meta=meta)]})["ids"]
        until(lambda: daemon.call("queue.get")["states"]["timing"] == 1)
        noted = daemon.state / f"replay-{number}-time"      # its worker has begun, and will know it
        until(lambda: noted.exists() and noted.stat().st_size)
        return number

    def ended(self, daemon):
        self.assertEqual(0, daemon.process.wait(harness.TIMEOUT_S))
        daemon.client.close()
        daemon._gone()

    def state_of(self, path, sql):
        with contextlib.closing(sqlite3.connect(path / "assay.db")) as database:
            return database.execute(sql).fetchall()

    def keep(self):
        state = pathlib.Path(tempfile.mkdtemp(prefix="assay-kept-"))
        self.addCleanup(shutil.rmtree, state, True)
        return state

    def test_D1_sigterm_lets_the_timing_under_way_end_and_begins_nothing_else(self):
        state, gate = self.keep(), self.keep() / "gate"
        daemon = self.start("--drain-seconds", "1000", state=state)
        waits = [self.timing(daemon, {"time": ["wait"], "gate": str(gate)})]
        waits += daemon.call("job.submit", {"jobs": [job("next", meta={"time": ["wait"], "gate": str(gate)})]})["ids"]
        until(lambda: daemon.call("queue.get")["states"]["built"] == 1)
        self.signal(daemon, signal.SIGTERM)
        until(lambda: "draining" in words(daemon))
        with self.assertRaises(RpcError) as caught:
            daemon.call("job.submit", {"jobs": [job()]})
        self.assertEqual("unavailable", caught.exception.word)
        self.assertIn("about to stop", caught.exception.data["reason"])
        self.assertEqual(503, daemon.http("POST", "/v1/jobs", job()).status)
        refused = self.assay(daemon, "cancel", str(waits[1]))       # that is no work
        self.assertEqual(0, refused.returncode, refused.stderr)
        gate.touch()
        self.ended(daemon)
        self.assertEqual([(waits[0], "ok"), (waits[1], "cancelled")],
                         self.state_of(state, "SELECT job_id, status FROM results ORDER BY job_id"))

    def test_D1_a_drain_has_a_limit_and_the_job_is_queued_again(self):
        state = self.keep()
        daemon = self.start("--drain-seconds", "1", state=state)
        hangs = self.timing(daemon, {"time": ["hang", "ok"]})
        self.signal(daemon, signal.SIGTERM)
        self.ended(daemon)
        self.assertIn("took too long", daemon.log())
        self.assertEqual([], self.state_of(state, "SELECT * FROM results"))
        again = self.start(state=state)
        self.assertTrue(again.call("job.wait", {"ids": [hangs]})["done"])
        self.assertEqual("ok", again.call("job.get", {"id": hangs})["result"]["status"])

    def test_D1_a_second_sigterm_and_a_sigint_stop_at_once(self):
        for second in (signal.SIGTERM, signal.SIGINT):
            state = self.keep()
            daemon = self.start("--drain-seconds", "1000", state=state)
            self.timing(daemon, {"time": ["hang"]})
            daemon.process.send_signal(signal.SIGTERM)
            until(lambda: "draining" in words(daemon))
            daemon.process.send_signal(second)
            self.ended(daemon)

    def test_D1_the_end_of_the_starter_stops_a_draining_daemon_at_once(self):
        daemon = self.start("--drain-seconds", "1000", state=self.keep())
        self.timing(daemon, {"time": ["hang"]})
        daemon.process.send_signal(signal.SIGTERM)
        until(lambda: "draining" in words(daemon))
        os.close(daemon.end)
        daemon.end = os.open(os.devnull, os.O_RDONLY)
        self.ended(daemon)

    def configured(self, text):
        state = self.keep()
        path = state / "assayd.conf"
        path.write_text(text)
        daemon = self.start("--config", path, state=state)
        return daemon, path

    def test_D1_sighup_takes_what_can_change_and_names_what_needs_a_restart(self):
        daemon, path = self.configured("queue-limit = 10\nbuilders = 1\n")
        path.write_text("queue-limit = 1\nbuilders = 2\nreference-minutes = 5\n")
        self.signal(daemon, signal.SIGHUP)
        until(lambda: "config: read again, 3 settings differ" in daemon.log())
        self.assertIn("info config: queue-limit is changed", daemon.log())
        self.assertIn("info config: reference-minutes is changed", daemon.log())
        self.assertIn("warn config: builders needs a restart", daemon.log())
        with self.assertRaises(RpcError) as caught:
            daemon.call("job.submit", {"jobs": [job(not_before=FAR), job(not_before=FAR)]})
        self.assertEqual("full", caught.exception.word)
        self.assertEqual(5, daemon.call("host.get")["reference"]["minutes"])

    def test_D1_sighup_with_a_bad_file_changes_nothing_and_names_the_line(self):
        daemon, path = self.configured("reference-minutes = 7\n")
        path.write_text("reference-minutes = 8\n\nqueue-limit = many\n")
        self.signal(daemon, signal.SIGHUP)
        until(lambda: "config: it stays as it is" in daemon.log())
        line = next(line for line in daemon.log().splitlines() if "it stays as it is" in line)
        self.assertIn(f"{path} line 3", line)
        self.assertIn("many", line)
        self.assertEqual(7, daemon.call("host.get")["reference"]["minutes"])

    def test_D1_a_storm_of_harmless_signals_does_no_harm(self):
        daemon, path = self.configured("reference-minutes = 7\n")
        ids = []
        for i in range(200):
            for number in (signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGPIPE):
                self.signal(daemon, number)
            if i % 20 == 0:
                ids += daemon.call("job.submit", {"jobs": [job(f"v{i}")]})["ids"]
        path.write_text("reference-minutes = 9\n")
        self.signal(daemon, signal.SIGHUP)
        until(lambda: daemon.call("host.get")["reference"]["minutes"] == 9)
        self.assertTrue(daemon.call("job.wait", {"ids": ids})["done"])
        self.assertEqual(10, self.daemon_results(daemon))

    def daemon_results(self, daemon):
        return len(daemon.call("results.query", {"limit": 1000, "status": "ok"})["results"])


class Logs(OperatorTest):
    def test_D1_a_storm_of_log_lines_is_bounded_and_every_line_is_accounted_for(self):
        state = pathlib.Path(tempfile.mkdtemp(prefix="assay-storm-"))
        self.addCleanup(shutil.rmtree, state, True)
        began, jobs = time.monotonic(), 3000
        daemon = self.start(state=state)
        ids = daemon.call("job.submit", {"jobs": [job(f"v{i}", meta={"build": ["build_failed"]}) for i in range(jobs)]})["ids"]
        while not daemon.call("job.wait", {"ids": ids, "timeout_ms": 30000})["done"]:
            continue
        daemon.client.close()
        daemon.stop()
        log = daemon.log()
        self.assertLessEqual(len(log), 10000 * (time.monotonic() - began + 1))
        left_out = re.findall(r"^info (\d+) lines like this were left out: job=\d+ state=failed", log, re.MULTILINE)
        written = re.findall(r"^info job=\d+ state=failed status=build_failed$", log, re.MULTILINE)
        self.assertEqual(jobs, len(written) + sum(map(int, left_out)), log)


@unittest.skipIf(os.geteuid() != 0, "root alone can mount")
class FullDisk(OperatorTest):
    """The state on a file system of 6 MB."""

    def setUp(self):
        self.state = pathlib.Path(tempfile.mkdtemp(prefix="assay-full-"))
        self.addCleanup(shutil.rmtree, self.state, True)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", self.state],
                                 stderr=subprocess.PIPE, check=False)
        if mounted.returncode != 0:
            self.skipTest(f"no mount here: {mounted.stderr}")
        self.addCleanup(subprocess.run, ["umount", "-l", self.state], check=True)
        self.daemon = self.start(state=self.state)

    def fill(self):
        with open(self.state / "filler", "wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(bytes(4096))
            except OSError:
                pass

    def submit_until_refused(self):
        """Jobs that wait, of about 100 kB each; the ids of the acknowledged ones."""
        ids = []
        try:
            for i in range(200):
                ids += self.daemon.call("job.submit", {"jobs": [job(f"v{i}", not_before=FAR, meta={"x": "x" * 100000})]})["ids"]
        except RpcError as refused:
            self.assertEqual("io", refused.word)
            return ids
        raise AssertionError("the disk never got full")

    def test_D1_a_full_disk_is_not_ready_and_ready_again_with_room(self):
        self.fill()
        ids = self.submit_until_refused()
        self.assertIn("commits", words(self.daemon))
        self.assertIn("not ready: the last commit failed", self.assay(self.daemon, "queue").stdout)
        (self.state / "filler").unlink()
        until(lambda: "commits" not in words(self.daemon))
        for i in ids:
            self.assertEqual("queued", self.daemon.call("job.get", {"id": i})["state"])

    def test_D1_deadlines_that_pass_on_a_full_disk_wait_for_room_without_a_storm(self):
        self.daemon.call("job.submit", {"jobs": [job("hangs", meta={"time": ["hang"]})]})
        until(lambda: self.daemon.call("queue.get")["states"]["timing"] == 1)   # before all others
        deadline = int(time.time()) + 4
        ids = self.daemon.call("job.submit", {"jobs": [job(f"v{i}", deadline=deadline) for i in range(200)]})["ids"]
        self.fill()
        self.submit_until_refused()
        known = time.time() < deadline          # else they are over already: nothing is left to see
        until(lambda: time.time() > deadline + 3)
        if known:
            self.assertLessEqual(self.daemon.log().count("could not be stored"), 5, self.daemon.log())
        (self.state / "filler").unlink()
        self.assertTrue(self.daemon.call("job.wait", {"ids": ids})["done"])
        self.assertEqual({"expired"}, {self.daemon.call("job.get", {"id": i})["result"]["status"] for i in ids})


if __name__ == "__main__":
    unittest.main()
