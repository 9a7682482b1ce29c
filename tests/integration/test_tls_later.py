# SPDX-License-Identifier: Apache-2.0
"""What is sent later than it is asked, to users from afar: waits and streams over TLS, by token and by certificate."""
import http.client
import json
import os
import pathlib
import socket
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from authority import TlsTest, wait_until  # noqa: E402
from event_stream import EventStream  # noqa: E402
from harness import IS_SANITIZED, REPLAY_WORKER, TIMEOUT_S, job  # noqa: E402

FAR = 4102444800        # jobs not before it stay queued
PROOFS = ("token", "certificate")


def sweep(name, n, **members):
    variants = [{"name": f"{name}-{i}", "source": f"int same(const int N) {{ return N + {i}; }}\n"} for i in range(n)]
    return {"name": name, "spec": job()["spec"], "variants": variants, **members}


class LaterTest(TlsTest):
    @classmethod
    def make_users(cls):
        super().make_users()
        cls.ca.make("client", "carol")
        cls.ca.lines["carol"] = 'carol role=submit cert="carol"'

    @classmethod
    def new_daemon(cls, **how):
        return super().new_daemon(worker=REPLAY_WORKER, **how)

    def known(self, proof):
        """A connection, and the headers that its requests need."""
        if proof == "certificate":
            return self.connect("carol"), {}
        return self.connect(), {"Authorization": f"Bearer {self.ca.tokens['alice']}"}

    def asked(self, proof, path):
        connection, headers = self.known(proof)
        connection.request("GET", path, headers=headers)
        return connection

    def events(self, proof, path, last_id=None):
        connection, headers = self.known(proof)
        stream = EventStream(connection, path, last_id, headers)
        self.addCleanup(stream.close)
        return stream

    def submit(self, document):
        made = self.ask("/v1/jobs", "alice", "POST", document)
        self.assertEqual(201, made.status, made.body)
        return made.json()["ids"]

    def gauge(self, name):
        lines = self.ask("/metrics", "rita").body.decode().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(name + " "))


class Waits(LaterTest):
    def test_D12_a_wait_over_tls_ends_with_its_job(self):
        for proof in PROOFS:
            (id,) = self.submit(job("held", not_before=FAR))
            waits = self.asked(proof, f"/v1/jobs/{id}?wait=10m")
            wait_until(lambda: self.gauge("assay_http_waits") == 1, "it waits")
            self.ask(f"/v1/jobs/{id}", "alice", "DELETE")
            answer = waits.getresponse()
            self.assertEqual((200, "cancelled"), (answer.status, json.loads(answer.read())["status"]), proof)
            waits.request("GET", "/v1/info", headers=self.known(proof)[1])
            self.assertEqual(200, waits.getresponse().status)       # the connection serves on

    def test_D12_a_result_over_tls_is_waited_for(self):
        for proof in PROOFS:
            (id,) = self.submit(job(f"timed-{proof}"))
            answer = self.asked(proof, f"/v1/jobs/{id}/result?wait=10m").getresponse()
            self.assertEqual((200, id), (answer.status, json.loads(answer.read())["job"]), proof)

    def test_D12_after_its_time_a_wait_over_tls_is_answered_with_what_there_is(self):
        (id,) = self.submit(job("held", not_before=FAR))
        for proof in PROOFS:
            for path, status in ((f"/v1/jobs/{id}?wait=1ms", 200), (f"/v1/jobs/{id}/result?wait=1ms", 404)):
                self.assertEqual(status, self.asked(proof, path).getresponse().status, proof)
        self.ask(f"/v1/jobs/{id}", "alice", "DELETE")

    def test_D12_who_leaves_while_waiting_over_tls_takes_the_wait_along(self):
        (id,) = self.submit(job("held", not_before=FAR))
        waits = [self.asked(proof, f"/v1/jobs/{id}?wait=10m") for proof in PROOFS]
        wait_until(lambda: self.gauge("assay_http_waits") == 2, "both wait")
        for connection in waits:
            connection.close()
        wait_until(lambda: self.gauge("assay_http_waits") == 0, "both are gone")
        self.ask(f"/v1/jobs/{id}", "alice", "DELETE")


class Streams(LaterTest):
    def test_D12_a_sweep_is_followed_over_tls_to_its_end(self):
        for proof in PROOFS:
            name = f"followed-{proof}"
            ids = self.ask("/v1/sweeps", "alice", "POST", sweep(name, 4)).json()["ids"]
            events = list(self.events(proof, f"/v1/sweeps/{name}/events"))
            self.assertEqual(sorted(ids), sorted(e.data["job"] for e in events if e.name == "result"), proof)
            self.assertEqual(("end", "end", 4), (events[-1].name, events[-1].id, events[-1].data["jobs"]))

    def test_D12_a_stream_over_tls_goes_on_behind_the_last_event(self):
        ids = self.ask("/v1/sweeps", "alice", "POST", sweep("resumed", 5)).json()["ids"]
        for proof in PROOFS:
            with self.events(proof, "/v1/sweeps/resumed/events") as stream:
                first = next(event for event in stream if event.name == "result")
            rest = [e for e in self.events(proof, "/v1/sweeps/resumed/events", first.id) if e.name == "result"]
            self.assertEqual(sorted(ids), sorted([first.data["job"]] + [e.data["job"] for e in rest]))
            self.assertEqual(204, self.events(proof, "/v1/sweeps/resumed/events", "end").status)

    def test_D12_a_stream_without_a_proof_is_refused(self):
        for headers in ({}, {"Authorization": "Bearer none"}):
            stream = EventStream(self.connect(), "/v1/events", headers=headers)
            self.assertEqual(401, stream.status)


class SlowReaders(LaterTest):
    """A reader that sleeps over a stream in TLS: its results wait in the database, not in the daemon's memory."""
    JOBS = 500
    SLEEPERS = 20
    more_flags = ("--client-timeout", "3600")       # nobody is cut off for sleeping

    def resident_bytes(self):
        return int(pathlib.Path(f"/proc/{self.daemon.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")

    def sleeper(self, proof, path):
        """Has asked and reads nothing; its kernel takes little."""
        connection, headers = self.known(proof)
        connection.sock = self.ca.context("carol" if proof == "certificate" else None).wrap_socket(
            self.narrow_socket(), server_hostname="localhost")
        connection.request("GET", path, headers=headers)
        return connection

    def narrow_socket(self):
        raw = socket.socket()
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.settimeout(TIMEOUT_S)
        raw.connect(("127.0.0.1", self.daemon.tls[1]))
        return raw

    def jobs_of(self, stream, n):
        jobs = []
        for event in stream:
            jobs += [event.data["job"]] if event.name == "result" else []
            if len(jobs) == n:
                break
        return jobs

    def test_D12_readers_that_sleep_over_tls_take_no_memory_and_lose_nothing(self):
        sleepers = [self.sleeper(PROOFS[i % 2], "/v1/events?after=0") for i in range(self.SLEEPERS)]
        wait_until(lambda: self.gauge("assay_http_event_streams") == self.SLEEPERS, "all follow")
        before = self.resident_bytes()
        ids = self.submit({"jobs": [job(f"s{i}", {"samples": [i + 1.0] * 60}) for i in range(self.JOBS)]})
        awake = self.events("token", "/v1/events?after=0")
        self.assertEqual(sorted(ids), sorted(self.jobs_of(awake, self.JOBS)))
        bytes_of_all = len(self.ask("/v1/results", "rita", Accept="application/x-ndjson").body)
        if not IS_SANITIZED:        # which keeps what is freed
            self.assertLess(self.resident_bytes() - before, self.SLEEPERS * bytes_of_all / 2)
        for connection in sleepers[:2]:
            stream = EventStream.__new__(EventStream)
            stream.connection, stream.comments, stream.retry_ms, stream.last_id = connection, 0, None, None
            stream.response = connection.getresponse()
            got = self.jobs_of(stream, 100)
            again = self.events("token", "/v1/events", stream.last_id)      # it is dropped, and comes back
            connection.close()
            self.assertEqual(sorted(ids), sorted(got + self.jobs_of(again, self.JOBS - 100)))


class ReadOnlyDoor(LaterTest):
    """Plain HTTP for all who can connect: every write is refused with its reason, and nothing private leaves."""
    more_flags = ("--read-only", "127.0.0.1:0")
    SECRET = "a_secret_of_alice"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        me = cls()
        text = f"/* {cls.SECRET} */ int same(const int N) {{ return N; }}\n"
        made = me.ask("/v1/sweeps", "alice", "POST", {"name": "mine", "spec": job()["spec"], "variants": [
            {"name": "good", "source": text}, {"name": "bad", "source": f"int same(const int N) {{ return {cls.SECRET}; }}\n"}]})
        cls.ids = made.json()["ids"]
        for id in cls.ids:
            me.ask(f"/v1/jobs/{id}?wait=10m", "alice")
        me.doCleanups()

    def openly(self, path, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection(*self.daemon.read_only, timeout=TIMEOUT_S)
        self.addCleanup(connection.close)
        return self.ask(path, None, method, body, connection=connection, **headers)

    def routes(self):
        """(method, path) of each operation that is described, about the sweep and its jobs."""
        document = self.openly("/openapi.json").json()
        values = {"id": str(self.ids[0]), "sweep": "mine", "name": "job.json", "file": "assay.js"}
        for path, operations in document["paths"].items():
            for name, value in values.items():
                path = path.replace("{" + name + "}", value)
            for method in operations:
                yield method.upper(), path

    def test_D9_every_write_at_the_read_only_door_is_refused_with_the_reason(self):
        bodies = {"/v1/jobs": job(), "/v1/sweeps": sweep("theirs", 1), "/v1/compare": {
            "spec": job()["spec"], "variants": [{"source": "int same(const int N) { return N; }\n"}] * 2}, "/v1/cancel": {"ids": self.ids[:1]}}
        writes = [(m, p) for m, p in self.routes() if m in ("POST", "PUT", "PATCH", "DELETE") and p != "/v1/wait"]
        self.assertGreater(len(writes), 6)
        for method, path in writes:
            query = "?all=true" if path.startswith("/v1/queue/") else "?visibility=all" if path.endswith("/share") else ""
            for token in ({}, {"Authorization": f"Bearer {self.ca.tokens['olga']}"}):     # which does not count here
                answer = self.openly(path + query, method, bodies.get(path), Content_Type="application/json", **token)
                self.assertEqual((403, "denied"), (answer.status, answer.json()["word"]), (method, path))
                self.assertRegex(answer.json()["detail"], r"you may read", path)
        self.assertEqual([], [s["name"] for s in self.openly("/v1/sweeps?search=theirs").json()["sweeps"]])
        waited = self.openly("/v1/wait", "POST", {"ids": self.ids[:1]}, Content_Type="application/json")     # it only reads
        self.assertEqual((200, {"done": True, "left": 0}), (waited.status, waited.json()))

    def test_D9_what_all_may_read_is_read_there_and_nothing_private_leaves(self):
        asked = {"/v1/sweeps/mine/export": "?format=csv", "/v1/history": "?routine=same&name=good"}
        read = 0
        for method, path in self.routes():
            if method != "GET" or path == "/v1/events":
                continue
            for accept in ("*/*", "application/x-ndjson"):
                answer = self.openly(path + asked.get(path, ""), Accept=accept)
                self.assertIn(answer.status, (200, 404) if path == "/v1/sweeps/mine/report" else (200,), path)
                self.assertNotIn(self.SECRET.encode(), answer.body, path)
                read += 1
        self.assertGreater(read, 40)
        self.assertIn(self.SECRET, self.ask(f"/v1/jobs/{self.ids[0]}/spec", "alice").body.decode())

    def test_D9_strangers_do_not_learn_which_names_there_are(self):
        for name in ("root", "no-such-user"):
            answer = self.openly(f"/v1/sweeps?user={name}")
            self.assertEqual((200, []), (answer.status, answer.json()["sweeps"]), name)

    def test_D9_waits_and_streams_are_reads(self):
        self.assertEqual(200, self.openly(f"/v1/jobs/{self.ids[0]}/result?wait=10m").status)
        events = self.openly(f"/v1/jobs/{self.ids[1]}/events")
        self.assertEqual((200, "text/event-stream"), (events.status, events.type))
        self.assertIn(b"event: end", events.body)
        self.assertNotIn(self.SECRET.encode(), events.body)


class Limits(LaterTest):
    """A user's own limit is 429, the server's 503; both say when to try again."""
    more_flags = ("--quota-queued-jobs", "2", "--queue-limit", "3", "--quota-connections", "4")

    def assert_full(self, answer, status, words):
        self.assertEqual((status, "full", "1"), (answer.status, answer.json()["word"], answer.headers["Retry-After"]))
        self.assertIn(words, answer.json()["detail"])

    def test_D10_a_users_quota_of_jobs_is_429_and_a_full_queue_503(self):
        held = [self.submit(job(f"a{i}", not_before=FAR))[0] for i in range(2)]
        self.assert_full(self.ask("/v1/jobs", "alice", "POST", job("a2", not_before=FAR)), 429, "quota-queued-jobs, 2")
        self.assertEqual(201, self.ask("/v1/jobs", "bob", "POST", job("b0", not_before=FAR)).status)
        self.assert_full(self.ask("/v1/jobs", "bob", "POST", job("b1", not_before=FAR)), 503, "the queue holds 3 jobs")
        for id in held:
            self.ask(f"/v1/jobs/{id}", "alice", "DELETE")

    def test_D10_a_users_quota_of_connections_is_429(self):
        kept = [self.connect() for _ in range(4)]
        for connection in kept:
            self.assertEqual(200, self.ask("/v1/info", "bob", connection=connection).status)
        answer = self.ask("/v1/info", "bob")
        self.assert_full(answer, 429, "has 4 connections already")
        self.assertEqual(200, self.ask("/v1/info", "rita").status)

    def test_D10_strangers_use_up_no_quota_of_connections(self):
        for _ in range(9):      # each may become any user
            raw = socket.create_connection(("127.0.0.1", self.daemon.tls[1]), timeout=TIMEOUT_S)
            self.addCleanup(raw.close)
        self.assertEqual(200, self.ask("/v1/info", "rita").status)


if __name__ == "__main__":
    unittest.main()
