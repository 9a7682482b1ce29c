# SPDX-License-Identifier: Apache-2.0
"""Sweeps of a large space arrive in slices: whole, or not at all.  The worker replays."""
import contextlib
import functools
import json
import pathlib
import socket
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, REPLAY_WORKER, TIMEOUT_S, Client, Daemon, RpcError, dice, job  # noqa: E402

FAR = 4000000000
TRIES = 20
ARRIVALS_OF_USER = 4


def sweep(points=12000, name="s", **members):
    """A space of so many points (a multiple of 100), for another year."""
    return {"name": name, "spec": job()["spec"], "template": job()["variant"], "not_before": FAR,
            "space": {"A": list(range(points // 100)), "B": list(range(100))}, **members}


def bad_at_the_end():
    """Its last point has a value that no variant may have."""
    bad = sweep(space={"A": list(range(200)), "B": list(range(99)), "variant": [{}, {"flags": 7}]})
    bad["where"] = ["B == 98 || A < 199"]
    return bad


class TooLate(Exception):
    """The sweep had arrived before the test was done with what it does meanwhile."""


def once_more(test):
    """A test that was held up, so that it came too late, is done again from its beginning."""
    @functools.wraps(test)
    def wrapped(self):
        for _ in range(TRIES):
            try:
                return test(self)
            except TooLate:
                self.doCleanups()
                self.setUp()
        return test(self)
    return wrapped


class Arrivals(unittest.TestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.state = home.name

    def start(self, *flags):
        daemon = Daemon(*flags, state=self.state, worker=REPLAY_WORKER)
        self.addCleanup(daemon.stop)
        self.started = daemon
        return daemon

    def assert_not_arrived(self):
        if "has arrived" in self.started.log():
            raise TooLate

    @contextlib.contextmanager
    def meanwhile(self):
        """What goes wrong here after the sweep has arrived is no fault."""
        try:
            yield
        except Exception:
            self.assert_not_arrived()
            raise

    def connect(self, daemon):
        client = daemon.connect()
        self.addCleanup(client.close)
        return client

    def rows(self):
        """Jobs and sweeps on disk."""
        with contextlib.closing(sqlite3.connect(pathlib.Path(self.state, "assay.db"))) as db:
            return db.execute("SELECT (SELECT count(*) FROM jobs), (SELECT count(*) FROM sweeps)").fetchone()

    def progress(self, client, name="s"):
        return client.call("sweep.get", {"sweep": name})["arriving"]

    def send(self, daemon, document):
        """The sweep has begun to arrive; its call's number."""
        number = daemon.send("sweep.create", {"sweep": document})
        daemon.client.result(daemon.send("server.info"))        # answered after the call has begun
        return number

    def until_stored(self, client, jobs=1):
        """The sweep has that many rows, and goes on arriving."""
        while (progress := self.progress(client))["stored"] < jobs:
            pass
        return progress

    def until_empty(self):
        while self.rows() != (0, 0):
            self.assert_not_arrived()

    def refused(self, call, *params):
        with self.assertRaises(RpcError) as caught:
            call(*params)
        return caught.exception

    @once_more
    def test_D11_a_large_sweep_arrives_whole_and_others_are_served_meanwhile(self):
        daemon = self.start()
        other = self.connect(daemon)
        number = self.send(daemon, sweep())
        with self.meanwhile():
            seen = [self.progress(other) for _ in range(2)] + [self.until_stored(other)]
            self.assertEqual({"checked", "stored", "points"}, set(seen[-1]))
            self.assertEqual((12000, 12000), (seen[-1]["points"], seen[-1]["checked"]))
            self.assertEqual([p["checked"] for p in seen], sorted(p["checked"] for p in seen))
            error = self.refused(other.call, "sweep.create", {"sweep": sweep()})
            self.assertEqual(("conflict", "sweep.name"), (error.word, error.data["member"]))
            self.assertIn("is arriving", error.data["reason"])
            self.assertIn("sweep.cancel", error.data["hint"])
            self.assertEqual("conflict", self.refused(other.call, "job.wait", {"sweep": "s"}).word)
            self.assertEqual(0, other.call("sweep.get", {"sweep": "s"})["jobs"])
        reply = daemon.client.result(number)
        self.assertEqual(([], 12000, False, 0), (reply["ids"], reply["jobs"], reply["existed"], reply["repeated"]))
        whole = other.call("sweep.get", {"sweep": "s"})
        self.assertEqual((None, 12000, 12000), (whole["arriving"], whole["jobs"], whole["states"]["queued"]))
        self.assertEqual(12000, other.call("queue.get")["states"]["queued"])
        self.assertEqual({"done": False, "left": 12000}, other.call("job.wait", {"sweep": "s", "timeout_ms": 0}))

    def test_D11_the_same_sweep_again_is_found_and_another_of_its_name_refused(self):
        daemon = self.start()
        first = daemon.call("sweep.create", {"sweep": sweep()})
        again = daemon.call("sweep.create", {"sweep": sweep()})
        self.assertEqual((True, [], 12000, 12000, first["sweep"]), (
            again["existed"], again["ids"], again["jobs"], again["repeated"], again["sweep"]))
        for other in ({"priority": 1}, {"where": ["A > 0"]}, {"spec": job()["spec"] | {"context": "cold"}},
                      {"space": {"A": list(range(201)), "B": list(range(100))}}):
            error = self.refused(daemon.call, "sweep.create", {"sweep": sweep() | other})
            self.assertEqual(("conflict", "sweep.name"), (error.word, error.data["member"]), other)
        daemon.stop()
        again = self.start().call("sweep.create", {"sweep": sweep()})
        self.assertEqual((True, 12000), (again["existed"], again["jobs"]))

    def test_D11_a_large_space_with_few_points_left_has_their_ids(self):
        daemon = self.start()
        few = sweep(where=["A < 3"])
        first = daemon.call("sweep.create", {"sweep": few})
        self.assertEqual(300, len(set(first["ids"])))
        self.assertNotIn("jobs", first)
        again = daemon.call("sweep.create", {"sweep": few})
        self.assertEqual((True, first["ids"]), (again["existed"], again["ids"]))

    def test_D11_what_is_bad_at_the_end_refuses_the_whole_with_its_place(self):
        daemon = self.start("--queue-limit", "15000")
        error = self.refused(daemon.call, "sweep.create", {"sweep": bad_at_the_end()})
        self.assertEqual(("bad_spec", "sweep.space.variant[1].flags"), (error.word, error.data["member"]))
        error = self.refused(daemon.call, "sweep.create", {"sweep": sweep(where=["A < 0"])})
        self.assertEqual(("bad_spec", "sweep.where"), (error.word, error.data["member"]))
        error = self.refused(daemon.call, "sweep.create", {"sweep": sweep(30000)})
        self.assertEqual("full", error.word)
        error = self.refused(daemon.call, "sweep.create", {"sweep": sweep(1000100)})
        self.assertIn("more than 1000000 points", error.data["reason"])
        self.until_empty()
        self.assertEqual(12000, daemon.call("sweep.create", {"sweep": sweep()})["jobs"])

    @once_more
    def test_D11_places_in_the_queue_are_kept_for_a_sweep_that_arrives(self):
        daemon = self.start("--queue-limit", "12000")
        other = self.connect(daemon)
        number = self.send(daemon, sweep())
        with self.meanwhile():
            self.until_stored(other)
        self.assertEqual("full", self.refused(other.call, "job.submit", {"job": job()}).word)
        self.assertEqual(12000, daemon.client.result(number)["jobs"])

    def post(self, daemon, tcp):
        """A connection of the HTTP door whose sweep is being sent."""
        body = json.dumps(sweep()).encode()
        if tcp:
            client = socket.create_connection(daemon.tcp, timeout=TIMEOUT_S)
        else:
            client = Client(daemon.http_socket).socket
        self.addCleanup(client.close)
        client.sendall(b"POST /v1/sweeps HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                       b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        return client

    def assert_ends(self, daemon, client):
        with self.meanwhile():
            while True:
                with contextlib.suppress(RpcError):         # it has not begun
                    self.until_stored(daemon)
                    break
        client.close()
        self.until_empty()
        error = self.refused(daemon.call, "sweep.get", {"sweep": "s"})
        self.assertEqual("not_found", error.word)

    @once_more
    def test_D11_a_client_that_goes_away_ends_the_arrival(self):
        daemon = self.start()
        client = self.connect(daemon)
        number = client.send("sweep.create", {"sweep": sweep()})
        with self.meanwhile():
            client.result(client.send("server.info"))
            self.assertNotIn(number, client.replies)
        self.assert_ends(daemon, client)
        self.assertEqual(12000, daemon.call("sweep.create", {"sweep": sweep()})["jobs"])

    @once_more
    def test_D11_a_client_of_the_http_door_that_goes_away_ends_the_arrival(self):
        daemon = self.start()
        for tcp in (False, True):
            self.assert_ends(daemon, self.post(daemon, tcp))
        self.assertEqual(12000, daemon.http("POST", "/v1/sweeps", sweep()).json()["jobs"])

    @once_more
    def test_D11_keys_of_an_arrival_that_was_given_up_are_free_at_once(self):
        daemon = self.start()
        other = self.connect(daemon)
        number = self.send(daemon, sweep(key="k"))
        with self.meanwhile():
            self.until_stored(other, 8000)
            other.call("sweep.cancel", {"sweep": "s"})
            self.assert_not_arrived()
        reply = other.call("sweep.create", {"sweep": sweep(key="k")})
        self.assertEqual((12000, 0), (reply["jobs"], reply["repeated"]))
        self.assertEqual("cancelled", self.refused(daemon.client.result, number).word)
        while self.rows() != (12000, 1):
            pass
        self.assertEqual(12000, other.call("queue.get")["states"]["queued"])

    @once_more
    def test_D11_a_key_of_a_sweep_that_arrives_is_refused_for_now(self):
        daemon = self.start()
        other = self.connect(daemon)
        number = self.send(daemon, sweep(key="k"))
        with self.meanwhile():
            self.until_stored(other, 2000)
            error = self.refused(other.call, "job.submit", {"job": job(key="k#7")})
            self.assertEqual(("conflict", "job.key"), (error.word, error.data["member"]))
            self.assertEqual("send it again when that sweep has arrived", error.data["hint"])
        self.assertEqual(12000, daemon.client.result(number)["jobs"])
        error = self.refused(other.call, "job.submit", {"job": job(key="k#7")})
        self.assertIn("which has another document", error.data["reason"])

    @once_more
    def test_D11_a_cancel_ends_the_arrival_and_frees_the_name_at_once(self):
        daemon = self.start()
        other = self.connect(daemon)
        number = self.send(daemon, sweep())
        with self.meanwhile():
            self.until_stored(other, 3000)
            self.assertEqual({"cancelled": 12000}, other.call("sweep.cancel", {"sweep": "s"}))
            self.assert_not_arrived()
        self.assertEqual(3, len(other.call("sweep.create", {"sweep": sweep(
            name="s", space={"A": [1, 2, 3]})})["ids"]))
        self.assertEqual("cancelled", self.refused(daemon.client.result, number).word)
        while self.rows() != (3, 1):
            pass
        self.assertEqual(3, other.call("sweep.get", {"sweep": "s"})["jobs"])

    def test_D11_a_sweep_that_arrived_is_cancelled_whole(self):
        daemon = self.start()
        daemon.call("sweep.create", {"sweep": sweep(11000)})
        self.assertEqual({"cancelled": 11000}, daemon.call("sweep.cancel", {"sweep": "s"}))
        daemon.call("job.wait", {"sweep": "s"})
        self.assertEqual({"cancelled": 11000}, daemon.call("sweep.get", {"sweep": "s"})["statuses"])

    @once_more
    def test_D11_a_user_has_so_many_large_sweeps_arriving(self):
        daemon = self.start()
        other = self.connect(daemon)
        for i in range(ARRIVALS_OF_USER):
            self.send(daemon, sweep(name=f"s{i}"))
        with self.meanwhile():
            self.assertEqual("full", self.refused(other.call, "sweep.create", {"sweep": sweep(name="s4")}).word)

    def test_D11_a_kill_at_any_moment_leaves_all_points_or_none(self):
        random = dice(11)
        for turn in range(5):
            with self.subTest(turn=turn):
                name = f"s{turn}"
                daemon = self.start()
                self.send(daemon, sweep(12000, name=name))
                aim = random.randrange(24000)
                with daemon.connect() as other:
                    while (p := self.progress(other, name)) is not None and p["checked"] + p["stored"] < aim:
                        pass
                daemon.kill()
                daemon.client.close()
                daemon = self.start()
                try:
                    jobs = daemon.call("sweep.get", {"sweep": name})["jobs"]
                except RpcError as error:
                    self.assertEqual("not_found", error.word)
                    self.assertEqual(12000, daemon.call("sweep.create", {"sweep": sweep(12000, name=name)})["jobs"])
                else:
                    self.assertEqual(12000, jobs)
                while self.rows() != (12000 * (turn + 1), turn + 1):
                    pass
                self.assertEqual(12000 * (turn + 1), daemon.call("queue.get")["states"]["queued"])
                daemon.stop()

    @once_more
    def test_D11_jobs_of_a_sweep_that_had_not_arrived_never_run(self):
        daemon = self.start()
        now = sweep(12000)
        del now["not_before"]
        self.send(daemon, now)
        other = self.connect(daemon)
        with self.meanwhile():
            self.until_stored(other, 8000)
        daemon.kill()
        daemon.client.close()
        self.assert_not_arrived()
        daemon = self.start()
        one = daemon.call("job.submit", {"job": job()})["ids"]
        self.assertTrue(daemon.call("job.wait", {"ids": one})["done"])
        self.assertEqual(one, [r["job"] for r in daemon.call("results.query", {})["results"]])
        while self.rows() != (1, 0):
            pass
        self.assertEqual(0, daemon.call("queue.get")["states"]["queued"])

    def test_D11_follow_sends_each_result_of_a_large_sweep_once(self):
        daemon = self.start()
        now = sweep(10100)
        del now["not_before"]
        now["where"] = ["A != 100 || B > 60"]       # 10 039
        reply = daemon.call("sweep.create", {"sweep": now, "follow": True})
        self.assertEqual(10039, reply["jobs"])
        seen = {daemon.client.notification()["result"]["job"] for _ in range(500)}
        self.assertEqual(500, len(seen))
        daemon.call("sweep.cancel", {"sweep": "s"})

    def test_D11_the_command_line_counts_what_it_does_not_list(self):
        daemon = self.start()
        path = pathlib.Path(self.state, "sweep.json")
        path.write_text(json.dumps(sweep(11000)))
        assay = [BUILD / "assay", "--socket", daemon.socket]
        made = subprocess.run([*assay, "sweep", "create", path], capture_output=True, text=True, check=True)
        self.assertRegex(made.stdout, r"^sweep s \(id \d+\): 11000 jobs\n$")
        again = subprocess.run([*assay, "sweep", "create", path], capture_output=True, text=True, check=True)
        self.assertIn("11000 jobs, submitted before", again.stdout)
        daemon.call("sweep.cancel", {"sweep": "s"})
        waited = subprocess.run([*assay, "wait", "--sweep", "s"], capture_output=True, text=True, check=False)
        self.assertIn("11000 cancelled", waited.stdout)


if __name__ == "__main__":
    unittest.main()
