# SPDX-License-Identifier: Apache-2.0
"""Readings of the database that take long: a client that leaves ends them, and so does their limit of time.  The worker replays."""
import contextlib
import json
import pathlib
import socket
import sqlite3
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness
from harness import REPLAY_WORKER, Client, RpcError, job
from moved_clock import MovedClockDaemon

TRIES = 30                      # a reading that meets its limit of time first, on a busy machine, is made again
LIMIT_S = 5
REMEDY = "ask for fewer rows, or filter by sweep, name or ids"
NDJSON = "Accept: application/x-ndjson\r\n"

# A reading of any result ends only when it is interrupted.
ENDLESS = """
ALTER TABLE results RENAME TO kept_results;
CREATE VIEW results AS SELECT * FROM kept_results
    WHERE (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n) != cursor;
"""
AS_BEFORE = "DROP VIEW results; ALTER TABLE kept_results RENAME TO results;"


class Leaving(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = MovedClockDaemon(worker=REPLAY_WORKER)
        cls.addClassCleanup(cls.daemon.stop)
        cls.daemon.run(job())
        cls.script(ENDLESS)
        cls.addClassCleanup(cls.script, AS_BEFORE)

    @classmethod
    def script(cls, text):
        with contextlib.closing(sqlite3.connect(cls.daemon.state / "assay.db", timeout=harness.TIMEOUT_S)) as database:
            database.executescript(text)

    def readings(self, what):
        """A value of assay_readings or assay_readings_total, by its label."""
        for line in self.daemon.http("GET", "/metrics").body.decode().splitlines():
            if line.startswith("assay_readings") and f'="{what}"' in line:
                return int(line.split()[1])
        raise AssertionError(what)

    def http_request(self, path, headers="", tcp=False):
        """A socket whose reading has begun."""
        if tcp:
            client = socket.create_connection(self.daemon.tcp, timeout=harness.TIMEOUT_S)
        else:
            client = Client(self.daemon.http_socket).socket
        self.addCleanup(client.close)
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode())
        return self.until_running(client)

    def until_running(self, client):
        before = self.readings("limit")
        while self.readings("running") == 0 and self.readings("limit") == before:
            pass
        return client

    def assert_ends_when_left(self, begin):
        for _ in range(TRIES):
            left, limit = self.readings("left"), self.readings("limit")
            begin().close()
            while self.readings("running") + self.readings("waiting") != 0:
                pass
            if self.readings("left") == left + 1:
                return
            self.assertEqual(limit + 1, self.readings("limit"))
        self.fail("readings go on without their client")

    def test_D10_a_reading_ends_when_its_client_leaves_at_any_door(self):
        for tcp in (False, True):
            for headers in ("", NDJSON):
                with self.subTest(tcp=tcp, headers=headers):
                    self.assert_ends_when_left(lambda: self.http_request("/v1/results?limit=1", headers, tcp))

        def rpc():
            client = self.daemon.connect()
            client.send("results.query", {})
            return self.until_running(client)
        self.assert_ends_when_left(rpc)

    def test_D10_a_client_that_closed_its_sending_side_first_ends_it_too(self):
        for tcp in (False, True):
            def half_closed():
                client = self.http_request("/v1/results?limit=1", tcp=tcp)
                client.shutdown(socket.SHUT_WR)
                self.daemon.call("server.info")
                return client
            with self.subTest(tcp=tcp):
                self.assert_ends_when_left(half_closed)

    def test_D10_a_reading_that_takes_too_long_is_refused_with_what_to_do(self):
        client = self.daemon.connect()
        self.addCleanup(client.close)
        number = client.send("results.query", {})
        self.until_running(client)
        self.daemon.pass_time(LIMIT_S + 1)
        with self.assertRaises(RpcError) as caught:
            client.result(number)
        self.assertEqual(("full", REMEDY), (caught.exception.word, caught.exception.data["hint"]))
        self.assertIn(f"longer than {LIMIT_S} s", caught.exception.data["reason"])

    def test_D10_a_client_that_has_sent_all_is_there_until_the_answer(self):
        for tcp in (False, True):
            client = self.http_request("/v1/results?limit=1", "Connection: close\r\n", tcp)
            client.shutdown(socket.SHUT_WR)
            left = self.readings("left")
            self.daemon.pass_time(LIMIT_S + 1)
            answer = b"".join(iter(lambda: client.recv(1 << 16), b""))
            head, body = answer.split(b"\r\n\r\n", 1)
            with self.subTest(tcp=tcp):
                self.assertIn(b" 503 ", head.splitlines()[0])
                self.assertEqual(REMEDY, json.loads(body)["hint"])
                self.assertEqual(left, self.readings("left"))


if __name__ == "__main__":
    unittest.main()
