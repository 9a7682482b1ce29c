# SPDX-License-Identifier: Apache-2.0
"""What clients may do to each other: nothing.  Both doors of the real daemon under clients that are fast, slow, or greedy."""
import concurrent.futures
import contextlib
import http.client
import json
import os
import pathlib
import socket
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness
from harness import DaemonTest, job
from moved_clock import MovedClockDaemon

RESULTS = 60
CALLS = 8000
PAGES = 30


class Stored(DaemonTest):
    """Results of 3 kB each are there."""
    results = RESULTS

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.ids = cls.daemon.call("job.submit", {"jobs": [job(f"r{i}") for i in range(cls.results)]})["ids"]
        cls.daemon.call("job.wait", {"ids": cls.ids})

    def sends(self, client, *requests):
        """Sends all of it in a thread of its own, as a client that pipelines does."""
        data = b"".join(requests)
        thread = threading.Thread(target=client.send_bytes, args=(data,))
        thread.start()
        self.addCleanup(thread.join)

    def connect_http(self, tcp=False):
        client = harness.Client(self.daemon.http_socket)
        if tcp:
            client.socket.close()
            client.socket = socket.create_connection(self.daemon.tcp, timeout=harness.TIMEOUT_S)
        self.addCleanup(client.close)
        return client

    def read_answer(self, answers):
        """One answer of a connection that stays open."""
        status = answers.readline().split()[1]
        headers = dict(line.decode().split(": ") for line in iter(lambda: answers.readline().strip(), b""))
        self.assertEqual(b"200", status)
        return json.loads(answers.read(int(headers["Content-Length"])))


def request(number, method, **params):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


class Reading(Stored):
    def test_D10_thousands_of_calls_at_once_are_all_answered(self):
        client = self.connect()
        self.sends(client, *(request(i, "job.get", id=self.ids[i % RESULTS]) for i in range(CALLS)))
        for i in range(CALLS):
            reply = client.receive()
            self.assertEqual((i, self.ids[i % RESULTS]), (reply["id"], reply["result"]["id"]))

    def test_D10_pages_of_many_results_at_once_are_all_answered(self):
        client = self.connect()
        self.sends(client, *(request(i, "results.query", limit=RESULTS) for i in range(PAGES)))
        for i in range(PAGES):
            self.assertEqual(RESULTS, len(client.reply(i)["result"]["results"]))

    def test_D10_pipelined_http_requests_are_all_answered_in_their_order(self):
        paths = [f"/v1/results?limit={RESULTS}"] * PAGES + [f"/v1/jobs/{i}" for i in self.ids] * 10
        for tcp in (False, True):
            client = self.connect_http(tcp)
            self.sends(client, *(b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % path.encode() for path in paths))
            with client.socket.makefile("rb") as answers:
                bodies = [self.read_answer(answers) for _ in paths]
            self.assertEqual([RESULTS] * PAGES, [len(body["results"]) for body in bodies[:PAGES]])
            self.assertEqual(self.ids * 10, [body["id"] for body in bodies[PAGES:]])

    def test_D10_a_subscriber_that_stops_reading_for_a_while_gets_every_result_once_and_in_order(self):
        client = self.connect()
        client.call("results.subscribe", {"all": True})
        late = job("late", {"samples": [1.5] * 10000})    # more than the connection's output and the kernel's buffers hold
        ids = self.daemon.call("job.submit", {"jobs": [late] * 40})["ids"]
        self.daemon.call("job.wait", {"ids": ids})
        told = [client.notification() for _ in ids]
        self.assertEqual(sorted(ids), sorted(t["result"]["job"] for t in told))
        cursors = [t["cursor"] for t in told]
        self.assertEqual(sorted(set(cursors)), cursors)


class Deaf(Stored):
    """One second is the time that these clients have."""
    flags = ("--client-timeout", "1")
    results = 100

    def assert_cut_off(self, client):
        """The daemon ends the connection, though it has more to say than was read."""
        while b"cut off" not in self.daemon.log().encode():
            self.daemon.call("job.wait", {"sweep": self.sweep, "timeout_ms": 50})
        self.assertTrue(client.is_cut_off())

    def setUp(self):
        document = {"name": self.id(), "spec": job()["spec"], "not_before": 4102444800, "variants": [job()["variant"]]}
        self.sweep = self.daemon.call("sweep.create", {"sweep": document})["sweep"]

    def test_D10_a_request_at_a_drip_is_cut_off_and_an_idle_connection_lives_on(self):
        idle, drip = self.connect(), self.connect()
        idle.call("server.info")
        drip.socket.settimeout(0.05)
        line = iter(request(1, "server.info").ljust(1 << 20))
        with self.assertRaises((harness.Disconnected, BrokenPipeError)):
            while True:
                drip.send_bytes(bytes([next(line)]))
                try:
                    error = drip.receive()["error"]
                except TimeoutError:
                    continue
        self.assertIn("longer than 1 s", error["message"])
        self.assertEqual("assayd", idle.call("server.info")["name"])

    def test_D10_http_requests_at_a_drip_are_cut_off_and_an_idle_connection_lives_on(self):
        idle, drips = [self.connect_http(), self.connect_http(True)], []
        for start in (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n",
                      b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"):
            for tcp in (False, True):
                drips.append(self.connect_http(tcp))
                drips[-1].send_bytes(start)
                drips[-1].socket.settimeout(0.05)
        with concurrent.futures.ThreadPoolExecutor() as threads:
            for answer in threads.map(self.drip_until_cut_off, drips):
                self.assertIn(b"HTTP/1.1 408 ", answer)
        for client in idle:
            client.send_bytes(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertIn(b" 200 ", client.socket.recv(1000))
        metrics = self.daemon.http("GET", "/metrics").body.decode()
        self.assertIn('assay_connections_cut_off_total{door="http",reason="slow"} 4\n', metrics)
        self.assertIn('assay_http_answers_total{code="408"} 4\n', metrics)

    def drip_until_cut_off(self, client):
        """What the daemon had to say."""
        while True:
            try:
                client.send_bytes(b"A: b\r\n")
            except (BrokenPipeError, ConnectionResetError):
                pass
            with contextlib.suppress(TimeoutError):
                return client.socket.recv(1000)

    def test_D10_a_peer_that_takes_nothing_of_much_is_cut_off(self):
        client = self.connect()
        for i in range(20):
            client.send("results.query", {"limit": RESULTS})
        self.assert_cut_off(client)


class Greedy(Stored):
    results = 5

    @classmethod
    def new_daemon(cls):
        return MovedClockDaemon(*cls.flags, worker=cls.worker)

    def setUp(self):
        self.daemon.stop_time()

    def resident_bytes(self):
        return self.metric("process_resident_memory_bytes")

    def metric(self, name):
        lines = self.daemon.http("GET", "/metrics").body.decode().splitlines()
        return next(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(name))

    def send_what_goes(self, client, data):
        """All that the daemon takes of it."""
        with contextlib.suppress(TimeoutError):
            client.socket.sendall(data)
            return True
        return False

    def test_D10_half_lines_of_one_user_take_bounded_memory_and_end_when_there_is_room(self):
        before = self.resident_bytes()
        half = b" " * (8 << 20)
        clients = [self.connect() for _ in range(12)]
        for client in clients[:4]:
            client.send_bytes(half)
        for client in clients[4:]:
            client.socket.settimeout(0.3)
        with concurrent.futures.ThreadPoolExecutor() as threads:
            went = list(threads.map(lambda client: self.send_what_goes(client, half), clients[4:]))
        self.assertEqual([False] * 8, went)
        if harness.BUILD.name != "asan":       # which keeps what was freed for a while
            self.assertLess(self.resident_bytes() - before, 80 << 20)
        self.assertEqual("assayd", self.daemon.call("server.info")["name"])
        for client in clients[:4]:
            client.send_bytes(request(1, "server.info"))
            self.assertEqual(1, client.receive()["id"])
        for client in clients[4:8]:     # these have room now, for what they could not send before
            client.socket.settimeout(harness.TIMEOUT_S)
            client.send_bytes(half + b"\n" + request(2, "server.info"))
            self.assertEqual(2, client.receive()["id"])

    def test_D10_waits_of_a_user_are_refused_beyond_their_budget(self):
        document = {"name": "waited for", "spec": job()["spec"], "not_before": 4102444800,
                    "variants": [job()["variant"]] * 10000}
        ids = self.daemon.call("sweep.create", {"sweep": document})["ids"]
        client = self.connect()
        for i in range(450):
            client.send("job.wait", {"sweep": "waited for"})
        with self.assertRaises(harness.RpcError) as caught:
            client.result(450)
        self.assertEqual(("full", True), (caught.exception.word, "subscribe" in caught.exception.data["hint"]))
        self.assertTrue(self.daemon.call("job.wait", {"ids": self.ids})["done"])
        client.close()
        self.assertFalse(self.daemon.call("job.wait", {"ids": ids, "timeout_ms": 1})["done"])
        self.daemon.call("sweep.cancel", {"sweep": "waited for"})


@unittest.skipUnless(os.geteuid() == 0, "needs root to be another user")
class Quota(Stored):
    flags = ("--quota-connections", "3", "--socket-mode", "0666")
    results = 1

    def test_D10_a_user_has_its_quota_of_connections_and_operators_get_in(self):
        os.chmod(self.daemon.state, 0o711)
        theirs = [self.daemon.connect_as_nobody() for _ in range(4)]
        for client in theirs:
            self.addCleanup(client.close)
        for client in theirs[:3]:
            self.assertEqual("assayd", client.call("server.info")["name"])
        refused = theirs[3].receive()["error"]
        self.assertEqual((-32004, "full"), (refused["code"], refused["data"]["word"]))
        self.assertIn("quota-connections", refused["data"]["hint"])
        self.assertTrue(theirs[3].is_cut_off())
        for _ in range(5):
            self.assertEqual("assayd", self.connect().call("server.info")["name"])
        metrics = self.daemon.http("GET", "/metrics").body.decode()
        self.assertIn('assay_connections_refused_total{door="rpc",reason="full"} 1\n', metrics)


@unittest.skipUnless(os.geteuid() == 0, "needs root to be another user")
class QuotaOverTcp(Stored):
    flags = ("--quota-connections", "260")
    results = 1

    def served(self, uid):
        """A connection that stays open, and the status of its first answer; None: it was closed without."""
        connection = http.client.HTTPConnection(*self.daemon.tcp)
        connection.sock = self.daemon.connect_tcp(uid)
        self.addCleanup(connection.close)
        return connection, self.status(connection)

    def status(self, connection):
        try:
            connection.request("GET", "/healthz")
            response = connection.getresponse()
            response.read()
        except ConnectionError:
            return None
        return response.status

    def test_D10_a_user_over_tcp_has_a_quota_of_its_own(self):
        theirs = [self.served(harness.NOBODY) for _ in range(256)]
        self.assertEqual({200}, {status for _, status in theirs})
        self.assertEqual({200}, {self.status(connection) for connection, _ in theirs})
        last = [self.served(harness.NOBODY)[1] for _ in range(5)]
        self.assertEqual([200] * 4, last[:4])
        self.assertIn(last[4], (429, None))
        self.assertEqual([200, 200], [self.served(uid)[1] for uid in (harness.NOBODY - 1, 0)])
        metrics = self.daemon.http("GET", "/metrics", tcp=True).body.decode()
        self.assertIn('assay_connections_refused_total{door="http",reason="full"} 1\n', metrics)
        self.assertEqual(200, self.daemon.http("GET", "/readyz", tcp=True).status)


class Framing(Stored):
    """Requests whose end another reader might see elsewhere."""
    results = 1
    HOST = b"Host: localhost\r\n"
    JSON = b"POST /v1/jobs HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"

    def answers(self, data, tcp=False):
        """Status lines of all answers until the daemon closes the connection."""
        client = self.connect_http(tcp)
        client.socket.sendall(data)
        with client.socket.makefile("rb") as stream:
            return [int(line.split()[1]) for line in stream.read().splitlines() if line.startswith(b"HTTP/1.")]

    def test_D10_what_two_readers_may_read_differently_is_refused_and_ends_the_connection(self):
        get = b"GET /healthz HTTP/1.1\r\n"
        bad = (get + b"\r\n", get + self.HOST * 2 + b"\r\n", get + self.HOST + b" folded: x\r\n\r\n",
               get + self.HOST + b"A: b\r\n folded\r\n\r\n", get + b"Host: localhost\n\r\n",
               get + self.HOST + b"A : b\r\n\r\n", get + self.HOST + b"A: \0b\r\n\r\n", get + self.HOST + b"A: b\rc\r\n\r\n",
               get + self.HOST + b"Content-Length: 3\r\n\r\nabc",
               self.JSON + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
               self.JSON + b"Content-Length: 2, 3\r\n\r\n{}", self.JSON + b"Content-Length: +2\r\n\r\n{}",
               self.JSON + b"Transfer-Encoding : chunked\r\nContent-Length: 2\r\n\r\n{}",
               self.JSON + b"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n",
               self.JSON + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
               self.JSON + b"Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n",
               self.JSON + b"Transfer-Encoding: chunked\r\n\r\n2;x=\"\n\"\r\n{}\r\n0\r\n\r\n",
               self.JSON + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}}\r\n0\r\n\r\n",
               self.JSON + b"Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n")
        good = get + self.HOST + b"\r\n"
        for tcp in (False, True):
            for data in bad:
                with self.subTest(data, tcp=tcp):
                    self.assertEqual([200, 400], self.answers(good + data + good, tcp))

    def test_D10_a_post_that_says_nothing_of_a_body_has_an_empty_one(self):
        post = b"POST /v1/jobs HTTP/1.1\r\n" + self.HOST
        last = b"GET /healthz HTTP/1.1\r\nConnection: close\r\n" + self.HOST + b"\r\n"
        for tcp in (False, True):
            self.assertEqual([415, 400, 400, 405, 200], self.answers(
                post + b"\r\n" + self.JSON + b"\r\n" + self.JSON + b"Connection: keep-alive\r\n\r\n"
                + post.replace(b"POST", b"PUT") + b"\r\n" + last, tcp))
            self.assertEqual([404, 200], self.answers(b"DELETE /v1/jobs/999999 HTTP/1.1\r\n" + self.HOST + b"\r\n" + last, tcp))

    def test_D10_each_length_of_a_body_has_its_answer(self):
        body = json.dumps(job("measured")).encode()
        delete = b"DELETE /v1/jobs/999999 HTTP/1.1\r\n" + self.HOST
        last = b"GET /healthz HTTP/1.1\r\nConnection: close\r\n" + self.HOST + b"\r\n"

        def length(n):
            return b"Content-Length: %d\r\n\r\n" % n
        cases = (
            ([201, 200], self.JSON + length(len(body)) + body),
            ([400, 200], self.JSON + length(0)),
            ([422, 200], self.JSON + length(2) + b"{}"),
            ([413], self.JSON + length(9999999999999999999)),
            ([400], self.JSON + b"Content-Length: -1\r\n\r\n"),
            ([400], self.JSON + b"Content-Length: \r\n\r\n"),
            ([400], self.JSON + b"Content-Length: 2\r\n" + length(2) + b"{}"),
            ([404, 200], delete + b"\r\n"),
            ([404, 200], delete + length(0)),
            ([400], delete + length(2) + b"{}"),
            ([400], delete + length((16 << 20) + 1)),
            ([400], delete + b"Content-Length: 0\r\n" + length(2) + b"{}"),
            ([400], delete + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
        for tcp in (False, True):
            for codes, data in cases:
                with self.subTest(data[:160], tcp=tcp):
                    self.assertEqual(codes, self.answers(data + last, tcp))

    def test_D10_a_body_that_ends_before_its_length_is_no_request(self):
        body = json.dumps(job("half")).encode()
        before = self.jobs_accepted()
        for tcp in (False, True):
            for sent in (0, 1, len(body) - 1):
                client = self.connect_http(tcp)
                client.socket.sendall(self.JSON + b"Content-Length: %d\r\n\r\n" % len(body) + body[:sent])
                client.socket.shutdown(socket.SHUT_WR)
                with client.socket.makefile("rb") as stream, self.subTest(tcp=tcp, sent=sent):
                    self.assertNotIn(b"HTTP/1.1 2", stream.read())
        self.assertEqual(before, self.jobs_accepted())

    def jobs_accepted(self):
        metrics = self.daemon.http("GET", "/metrics").body.decode().splitlines()
        return [line for line in metrics if line.startswith("assay_jobs_total ")]

    def test_D10_bodies_in_pieces_are_put_together(self):
        body = json.dumps(job("chunked")).encode()
        for at in (1, 7, len(body) - 1):
            chunks = b"".join(b"%X\r\n%s\r\n" % (len(piece), piece) for piece in (body[:at], body[at:]))
            self.assertEqual([201], self.answers(self.JSON + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                                                 + chunks + b"0\r\n\r\n"))

    def test_D10_a_peer_that_has_sent_all_is_still_answered(self):
        body = json.dumps(job("last")).encode()
        post = self.JSON + b"Content-Length: %d\r\n\r\n" % len(body) + body
        for tcp in (False, True):
            client = self.connect_http(tcp)
            client.socket.sendall(post * 3)
            client.socket.shutdown(socket.SHUT_WR)
            with client.socket.makefile("rb") as stream:
                self.assertEqual(3, stream.read().count(b"HTTP/1.1 201 "))

    def test_D10_pages_of_other_sites_cannot_read(self):
        for tcp in (False, True):
            for header in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"},
                           {"Sec-Fetch-Site": "same-site"}):
                self.assertEqual(403, self.daemon.http("GET", "/v1/results", headers=header, tcp=tcp).status)
            for header in ({"Sec-Fetch-Site": "none"}, {"Sec-Fetch-Site": "same-origin"},
                           {"Origin": "http://localhost", "Host": "localhost"}):
                self.assertEqual(200, self.daemon.http("GET", "/v1/results", headers=header, tcp=tcp).status)


if __name__ == "__main__":
    unittest.main()
