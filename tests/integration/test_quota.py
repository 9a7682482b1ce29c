# SPDX-License-Identifier: Apache-2.0
"""Quotas of a user: jobs and bytes that wait or run, and timing seconds of a day.  The worker replays."""
import contextlib
import json
import os
import pathlib
import pwd
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, NOBODY, REPLAY_WORKER, Daemon, RpcError, job  # noqa: E402
NAME = pwd.getpwuid(NOBODY).pw_name
from moved_clock import MovedClockDaemon  # noqa: E402

FAR = 4102444800
DAY_S = 86400
TIMING_S = 100                  # a quota that no job of these tests uses up by itself


def waiting(count, **members):
    return [job(name=f"v{i}", not_before=FAR, **members) for i in range(count)]


def large_sweep(name="large", points=12000):
    return {"name": name, "spec": job()["spec"], "template": job()["variant"], "not_before": FAR,
            "space": {"A": list(range(points // 100)), "B": list(range(100))}}


@unittest.skipIf(os.geteuid() != 0, "only root can be several users")
class QuotaTest(unittest.TestCase):
    kind = Daemon

    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        os.chmod(home.name, 0o711)
        self.state = home.name
        self.settings = pathlib.Path(home.name, "quota.conf")

    def configure(self, **quotas):
        self.settings.write_text("".join(f"quota-{key.replace('_', '-')} = {n}\n" for key, n in quotas.items()))

    def start(self, **quotas):
        self.configure(**quotas)
        return self.begin()

    def begin(self, **how):
        self.daemon = self.kind("--config", self.settings, "--socket-mode", "0666", state=self.state,
                                worker=REPLAY_WORKER, **how)
        self.addCleanup(self.daemon.stop)
        return self.connect()

    def start_again(self, **how):
        self.daemon.kill()
        if self.daemon.client is not None:
            self.daemon.client.close()
        return self.begin(**how)

    def reload(self, **quotas):
        self.configure(**quotas)
        before = self.daemon.log().count("config: read again")
        self.daemon.process.send_signal(signal.SIGHUP)
        while self.daemon.log().count("config: read again") == before:
            pass

    def connect(self):
        """As the user that has quotas."""
        client = self.daemon.connect_as_nobody()
        self.addCleanup(client.close)
        return client

    def refused(self, call, *params):
        with self.assertRaises(RpcError) as caught:
            call(*params)
        self.assertEqual("full", caught.exception.word)
        return caught.exception.data

    def use(self, client=None):
        users = (client or self.daemon).call("queue.get", {"limit": 0})["quota"]["users"]
        return next((u for u in users if u["user"] == NOBODY), {"jobs": 0, "bytes": 0, "timing_s": 0, "held_until": None})

    def rows(self):
        with contextlib.closing(sqlite3.connect(f"file:{self.state}/assay.db?mode=ro", uri=True)) as db:
            return db.execute("SELECT count(*), coalesce(sum(bytes), 0) FROM jobs WHERE open = 1").fetchone()


class Jobs(QuotaTest):
    def test_D10_a_call_beyond_the_quota_of_jobs_is_refused_whole_and_says_what_to_do(self):
        client = self.start(queued_jobs=10)
        ids = client.call("job.submit", {"jobs": waiting(8)})["ids"]
        error = self.refused(client.call, "job.submit", {"jobs": waiting(3)})
        self.assertEqual(("jobs", f"{NAME} has 8 jobs that wait or run, and 3 more are beyond "
                          "quota-queued-jobs, 10"), (error["member"], error["reason"]))
        self.assertIn("raise quota-queued-jobs", error["hint"])
        self.assertIn("submit fewer at a time",
                      self.refused(client.call, "sweep.create", {"sweep": {
                          "name": "s", "spec": job()["spec"], "variants": [job()["variant"]] * 11}})["hint"])
        self.refused(client.call, "job.submit", {"spec": job()["spec"], "variants": [job()["variant"]] * 3})
        self.assertEqual(8, self.rows()[0])
        self.assertEqual("assayd", client.call("server.info")["name"])
        client.call("job.submit", {"jobs": waiting(2)})
        self.refused(client.call, "job.submit", {"job": waiting(1)[0]})
        client.call("job.cancel", {"ids": ids[:1]})
        client.call("job.wait", {"ids": ids[:1]})
        client.call("job.submit", {"job": waiting(1)[0]})
        self.assertEqual(10, self.use()["jobs"])
        self.daemon.call("job.submit", {"jobs": waiting(20)})       # an operator's
        metrics = self.daemon.http("GET", "/metrics").body.decode()
        self.assertIn('assay_quota_refusals_total{quota="queued-jobs"} 4\n', metrics)

    def test_D10_pipelined_calls_and_two_connections_have_one_quota(self):
        first, second = self.start(queued_jobs=10), self.connect()
        asked = [(client, client.send("job.submit", {"jobs": waiting(3)})) for client in [first, second] * 10]
        accepted = 0
        for client, number in asked:
            with contextlib.suppress(RpcError):
                accepted += len(client.result(number)["ids"])
        self.assertEqual((9, 9), (accepted, self.rows()[0]))

    def test_D10_over_http_the_submitter_is_the_user_at_the_other_end(self):
        client = self.start(queued_jobs=2)
        client.call("job.submit", {"jobs": waiting(2)})
        with self.daemon.connect_tcp(NOBODY) as theirs:
            body = json.dumps(waiting(1)[0]).encode()
            theirs.sendall(b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                           b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
            with theirs.makefile("rb") as stream:
                answer = stream.read()
        self.assertTrue(answer.startswith(b"HTTP/1.1 429"), answer)
        self.assertIn(b"\r\nRetry-After: ", answer)
        self.assertIn(b"quota-queued-jobs", answer)
        self.assertEqual(2, self.rows()[0])

    def test_D10_what_was_submitted_before_is_not_asked_for_again(self):
        client = self.start(queued_jobs=3)
        keyed = [dict(j, key=f"k{i}") for i, j in enumerate(waiting(3))]
        ids = client.call("job.submit", {"jobs": keyed})["ids"]
        self.assertEqual(ids, client.call("job.submit", {"jobs": keyed})["ids"])
        self.reload(queued_jobs=1)
        self.assertEqual(ids, client.call("job.submit", {"jobs": keyed})["ids"])
        self.refused(client.call, "job.submit", {"job": waiting(1)[0]})

    def test_D10_after_a_restart_jobs_that_are_not_read_yet_count(self):
        client = self.start(queued_jobs=5000)
        client.call("sweep.create", {"sweep": {"name": "s", "spec": job()["spec"], "not_before": FAR,
                                               "variants": [job(name=f"v{i}")["variant"] for i in range(5000)]}})
        before = self.use()
        client = self.start_again()
        error = self.refused(client.call, "job.submit", {"job": waiting(1)[0]})
        self.assertIn("has 5000 jobs", error["reason"])
        self.assertEqual((before["jobs"], before["bytes"]), (self.use()["jobs"], self.use()["bytes"]))
        self.reload(queued_jobs=5001)
        client.call("job.submit", {"job": waiting(1)[0]})

    def test_D10_a_quota_is_changed_while_the_daemon_runs(self):
        client = self.start()
        self.assertEqual({"connections": 250, "jobs": None, "bytes": None, "timing_s": None},
                         client.call("queue.get")["quota"]["limits"])
        client.call("job.submit", {"jobs": waiting(5)})
        self.reload(queued_jobs=4, bytes=10 ** 9, timing_seconds=100, connections=2)
        self.assertEqual({"connections": 2, "jobs": 4, "bytes": 10 ** 9, "timing_s": 100},
                         client.call("queue.get")["quota"]["limits"])
        self.refused(client.call, "job.submit", {"job": waiting(1)[0]})
        self.connect()
        third = self.connect()
        self.assertEqual("full", third.receive()["error"]["data"]["word"])
        self.reload(queued_jobs=6)
        client.call("job.submit", {"job": waiting(1)[0]})


class Bytes(QuotaTest):
    def test_D10_a_call_beyond_the_quota_of_bytes_is_refused_whole(self):
        client = self.start(bytes=100000)
        client.call("job.submit", {"job": waiting(1, meta={"x": "y" * 60000})[0]})
        taken = self.use()["bytes"]
        self.assertEqual((1, taken), self.rows())
        self.assertIn(taken, range(60000, 61000))
        error = self.refused(client.call, "job.submit", {"jobs": waiting(2, meta={"x": "y" * 30000})})
        self.assertIn(f"take {taken} bytes, and ", error["reason"])
        self.assertIn("are beyond quota-bytes, 100000", error["reason"])
        self.assertEqual((1, taken), self.rows())
        self.assertIn('assay_quota_refusals_total{quota="bytes"} 1\n',
                      self.daemon.http("GET", "/metrics").body.decode())
        client = self.start_again()
        self.assertIn(f"take {taken} bytes", self.refused(
            client.call, "job.submit", {"jobs": waiting(2, meta={"x": "y" * 30000})})["reason"])
        client.call("job.submit", {"jobs": waiting(1, meta={"x": "y" * 30000})})

    def test_D10_a_spec_and_a_sweeps_document_count_once(self):
        client = self.start(bytes=10 ** 9)
        variants = [job(name=f"v{i}")["variant"] for i in range(100)]
        spec = dict(job()["spec"], params={"N": 7, **{f"UNUSED_{i}": i for i in range(200)}})
        client.call("sweep.create", {"sweep": {"name": "s", "spec": spec, "variants": variants, "not_before": FAR}})
        once = len(json.dumps(spec)) + 100 * len(json.dumps(variants[0]))
        self.assertIn(self.use()["bytes"], range(once // 2, 2 * once))
        client.call("sweep.cancel", {"sweep": "s"})
        client.call("job.wait", {"sweep": "s"})
        self.assertEqual((0, 0), (self.use()["jobs"], self.use()["bytes"]))


class Arrivals(QuotaTest):
    def test_D11_a_large_sweep_beyond_a_quota_is_refused_before_a_row_is_stored(self):
        client = self.start(queued_jobs=11999)
        error = self.refused(client.call, "sweep.create", {"sweep": large_sweep()})
        self.assertIn("and 12000 more are beyond quota-queued-jobs, 11999", error["reason"])
        self.reload(bytes=1000000)
        error = self.refused(client.call, "sweep.create", {"sweep": large_sweep()})
        self.assertIn("are beyond quota-bytes, 1000000", error["reason"])
        while self.rows() != (0, 0):
            pass
        self.assertEqual(0, self.use()["jobs"])
        asked = int(error["reason"].split("and ")[1].split()[0])
        self.reload(queued_jobs=12000, bytes=asked)
        client.call("sweep.create", {"sweep": large_sweep()})
        self.assertEqual((12000, asked), self.rows())
        self.assertEqual((12000, asked), (self.use()["jobs"], self.use()["bytes"]))
        self.refused(client.call, "job.submit", {"job": waiting(1)[0]})

    def test_D11_a_sweep_that_arrives_counts_and_does_not_when_it_is_given_up(self):
        client, other = self.start(queued_jobs=12001), self.connect()
        number = client.send("sweep.create", {"sweep": large_sweep()})
        while self.use(other)["jobs"] == 0:
            pass
        self.refused(other.call, "job.submit", {"jobs": waiting(2)})
        self.refused(other.call, "sweep.create", {"sweep": large_sweep("too")})
        client.result(number)
        client.call("sweep.cancel", {"sweep": "large"})
        client.call("job.wait", {"sweep": "large"})
        self.assertEqual(0, self.use()["jobs"])
        client.send("sweep.create", {"sweep": large_sweep("again")})
        while self.use(other)["jobs"] == 0:
            pass
        other.call("sweep.cancel", {"sweep": "again"})
        while self.use(other)["jobs"] != 0:
            pass
        other.call("job.submit", {"jobs": waiting(12001 % 10000)})


class TimingSeconds(QuotaTest):
    kind = MovedClockDaemon

    def used_up(self, client):
        """The user has had the quota of a slot's time: by a clock that goes on meanwhile."""
        ids = client.call("job.submit", {"job": job(meta={"time": ["wait"], "gate": f"{self.state}/gate"})})["ids"]
        while client.call("job.get", {"id": ids[0]})["state"] != "timing":
            pass
        self.daemon.pass_time(TIMING_S)
        pathlib.Path(self.state, "gate").touch()
        client.call("job.wait", {"ids": ids})
        self.assertEqual("done", client.call("job.get", {"id": ids[0]})["state"])

    def at_noon(self):
        """Hours from each midnight."""
        now = self.daemon.call("job.get", {"id": self.daemon.run(job())[0]["job"]})["submitted"]
        self.daemon.pass_time(int((DAY_S + DAY_S / 2 - now) % DAY_S))

    def test_D10_a_user_whose_day_is_used_up_waits_for_midnight_through_a_restart(self):
        client = self.start(timing_seconds=TIMING_S)
        self.at_noon()
        self.used_up(client)
        use = self.use()
        self.assertGreaterEqual(use["timing_s"], TIMING_S)
        self.assertEqual(0, use["held_until"] % DAY_S)
        ids = client.call("job.submit", {"jobs": [job(name=f"v{i}") for i in range(3)]})["ids"]
        while client.call("job.get", {"id": ids[0]})["state"] != "built":
            pass
        self.daemon.run(job())                                      # an operator's
        held = {"by": "quota-timing-seconds", "until": use["held_until"]}
        self.assertEqual(held, client.call("job.get", {"id": ids[0]})["held"])
        shown = subprocess.run([BUILD / "assay", "--socket", self.daemon.socket, "queue"], stdin=subprocess.DEVNULL,
                               capture_output=True, text=True).stdout
        self.assertRegex(shown, rf"quota: user {NAME}: [0-9.]+ of {TIMING_S} s today, held until [-0-9]+ [:0-9]+\n")
        client = self.start_again(clocks=self.daemon.clocks[:])
        self.daemon.run(job())
        self.assertFalse({client.call("job.get", {"id": i})["state"] for i in ids} & {"timing", "done"})
        self.assertEqual(held, client.call("job.get", {"id": ids[0]})["held"])
        self.daemon.pass_time(DAY_S // 2 + 60)
        client.call("job.wait", {"ids": ids})
        self.assertEqual(["done"] * 3, [client.call("job.get", {"id": i})["state"] for i in ids])
        self.assertLess(self.use()["timing_s"], TIMING_S)

    def test_D10_a_higher_quota_lets_a_held_user_go_on(self):
        client = self.start(timing_seconds=TIMING_S)
        self.at_noon()
        self.used_up(client)
        sweep = {"name": "s", "spec": job()["spec"], "variants": [job()["variant"]] * 2}
        client.call("sweep.create", {"sweep": sweep})
        self.assertEqual("quota-timing-seconds", client.call("sweep.get", {"sweep": "s"})["held"]["by"])
        self.daemon.run(job())
        self.assertEqual(0, client.call("sweep.get", {"sweep": "s"})["states"]["done"])
        self.reload(timing_seconds=5000)
        client.call("job.wait", {"sweep": "s"})
        self.assertIsNone(client.call("sweep.get", {"sweep": "s"})["held"])

    def test_D10_a_clock_that_is_set_to_another_day_begins_that_day(self):
        client = self.start(timing_seconds=TIMING_S)
        self.at_noon()
        self.used_up(client)
        ids = client.call("job.submit", {"job": job()})["ids"]
        self.daemon.run(job())
        self.assertIsNotNone(client.call("job.get", {"id": ids[0]})["held"])
        self.daemon.set_wall_clock(-3 * DAY_S)
        client.call("job.wait", {"ids": ids})
        self.assertEqual("done", client.call("job.get", {"id": ids[0]})["state"])


if __name__ == "__main__":
    unittest.main()
