# SPDX-License-Identifier: Apache-2.0
"""
Bytes of the database are flipped while the daemon is down.  It refuses to start, or it serves each
result as it was stored and names or refuses the others.  The worker replays.
"""
import collections
import contextlib
import json
import os
import pathlib
import re
import shutil
import sqlite3
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import REPLAY_WORKER, Daemon, dice, job  # noqa: E402

COPIES = 24
FLIPS = 8                       # in each copy
PAGE = 4096
LATER = 4000000000
TIMED = 60                      # jobs that are over; those after them wait
PLACES = "header", "pointers", "free", "cells", "texts", "any"
QUERIES = ({}, {"order": "newest"}, {"order": "fastest", "limit": 7}, {"limit": 1000}, {"status": "ok", "limit": 11},
           {"sweep": "one", "limit": 9}, {"sweep": 2, "order": "fastest"}, {"name": "v3"}, {"ids": [3, 30, 59]},
           {"routine": job()["spec"]["routine"], "order": "newest"}, {"since": 1, "before": LATER})
PATHS = ("/v1/results", "/v1/results?order=newest&limit=50", "/v1/sweeps/one", "/v1/sweeps/two/best?top=5", "/v1/jobs/7",
         "/v1/jobs/7/spec", "/v1/queue", "/v1/host", "/v1/info", "/readyz")


def flags(state):
    return {"state": state, "worker": REPLAY_WORKER}


def page_parts(page, first):
    """Offsets of the header, the cell pointers, the free space and the cells of a b-tree's page."""
    at = 100 if first else 0
    kind, cells, content = page[at], *(int.from_bytes(page[at + n:at + n + 2], "big") for n in (3, 5))
    pointers = at + (12 if kind in (2, 5) else 8)
    if kind not in (2, 5, 10, 13) or not pointers + 2 * cells <= content <= PAGE:
        return {"any": range(PAGE)}             # an overflow page, or a free one
    return {"header": range(at, pointers), "pointers": range(pointers, pointers + 2 * cells),
            "free": range(pointers + 2 * cells, content), "cells": range(content, PAGE), "any": range(PAGE)}


def offsets(data):
    """Places of each kind: ranges of offsets in the file."""
    found = collections.defaultdict(list)
    for start in range(0, len(data), PAGE):
        for kind, part in page_parts(data[start:start + PAGE], start == 0).items():
            if part:
                found[kind].append(range(start + part.start, start + part.stop))
    found["texts"] = [range(*match.span()) for match in re.finditer(rb"[ -~]{64,}", data)]
    return found


class Damage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        home = tempfile.TemporaryDirectory()
        cls.addClassCleanup(home.cleanup)
        cls.home = pathlib.Path(home.name)
        cls.whole = cls.home / "whole"
        cls.whole.mkdir(0o755)
        os.chmod(cls.home, 0o755)
        cls.fill(Daemon("--socket-mode", "0666", **flags(cls.whole)))
        with contextlib.closing(sqlite3.connect(cls.whole / "assay.db")) as database:
            cls.texts = dict(database.execute("SELECT job_id, json FROM results"))
        cls.data = (cls.whole / "assay.db").read_bytes()

    @classmethod
    def fill(cls, daemon):
        def sweep(name, client):
            variants = [job(name=f"v{i}")["variant"] | {"source": f"int same(const int N) {{ return N; }} /* takes {i} ns */"}
                        for i in range(1, 11)]
            point = {"name": name, "variants": variants, "spec": job()["spec"], "meta": {"of": name, "é": "ü" * 200}}
            ids = client.call("sweep.create", {"sweep": point})["ids"]
            while not client.call("job.wait", {"ids": ids, "timeout_ms": 30000})["done"]:
                continue

        with daemon.connect_as_nobody() if os.geteuid() == 0 else daemon.connect() as other:
            sweep("one", daemon)
            sweep("two", other)
            for client in None, other:
                daemon.run(*[job(name=f"w{i}", meta={"note": "x" * 50 * i}) for i in range(20)], client=client)
            for client in daemon, other:
                client.call("job.submit", {"jobs": [job(name=f"later{i}", not_before=LATER) for i in range(3)]})
        daemon.stop()

    # ---- damage ----

    def copy(self, number):
        """A state directory with bytes flipped in its database, in one kind of place."""
        random = dice(2611 + number)
        places = offsets(self.data)[PLACES[number % len(PLACES)]]
        data = bytearray(self.data)
        for _ in range(FLIPS):
            data[random.choice(random.choice(places))] ^= random.randint(1, 255)
        state = self.home / str(number)
        shutil.copytree(self.whole, state, ignore=shutil.ignore_patterns("*.sock", "*.log"))
        (state / "assay.db").write_bytes(data)
        return state

    # ---- asking ----

    def assert_error(self, error):
        self.assertIn(error["data"]["word"], ("io", "not_found"), error)
        self.assertTrue(error["message"], error)

    def assert_result(self, result, answer):
        """It is as it was stored; a waiting job whose row is damaged may have ended since."""
        text = self.texts.get(result["job"])
        if text is None:
            self.assertNotEqual("ok", result["status"], result)
        else:
            self.assertEqual(json.loads(text), {name: value for name, value in result.items() if name != "user_name"})
            self.assertIn(text[1:-1].encode(), answer)      # as it is, beside the name of its user

    def ask(self, method, params=None):
        """The result and its line, or None and its error's word; JSON in any case."""
        identity = self.client.send(method, params)
        line = self.line()
        reply = json.loads(line)
        self.assertEqual(identity, reply["id"])
        if "error" in reply:
            self.assert_error(reply["error"])
            return None, reply["error"]["data"]["word"]
        return reply["result"], line

    def line(self):
        while b"\n" not in self.client.buffer:
            more = self.client._receive_bytes()
            self.assertTrue(more, "the daemon hung up")
            self.client.buffer += more
        line, self.client.buffer = self.client.buffer.split(b"\n", 1)
        return line

    def pages(self, params):
        """Jobs that came, jobs that were named as damaged, and whether all pages came."""
        came, damaged, cursor = [], [], {}
        while True:
            page, line = self.ask("results.query", params | cursor)
            if page is None:
                self.unfound |= line == "not_found"
                return came, damaged, False
            for result in page["results"]:
                self.assert_result(result, line)
            came += [result["job"] for result in page["results"]]
            self.assertLessEqual(len(came), len(set(came)) + FLIPS, "the same pages again")
            damaged += page.get("damaged", [])
            if page["next"] is None:
                return came, damaged, True
            cursor = {"cursor": page["next"]}

    def ask_jobs(self):
        for number in range(1, TIMED + 7):
            answer, line = self.ask("job.get", {"id": number})
            if answer is None:
                self.unfound |= line == "not_found"
            elif answer["result"] is not None:
                self.assert_result(answer["result"], line)
            self.ask("job.spec", {"id": number})

    def ask_sweeps(self):
        for sweep in "one", "two", 1, 2:
            self.ask("sweep.get", {"sweep": sweep})
            best, line = self.ask("results.best", {"sweep": sweep, "top": 5})
            for result in best["results"] if best else ():
                self.assert_result(result, line)

    def ask_http(self, daemon):
        for path in PATHS:
            answer = daemon.http("GET", path)
            self.assertIn(answer.type, ("application/json", "application/problem+json"), path)
            document = answer.json()
            if answer.status >= 400 and path != "/readyz":
                self.assertEqual("application/problem+json", answer.type, path)
                self.assertTrue(document["detail"], path)
            for result in document.get("results", ()):
                self.assert_result(result, answer.body)
        metrics = daemon.http("GET", "/metrics")
        self.assertEqual(200, metrics.status)
        for line in metrics.body.decode().splitlines():
            self.assertRegex(line, r"^(#.*|\w+(\{.*\})? [0-9.eE+-]+)$")

    def ask_all(self, daemon):
        self.unfound = False
        came, damaged, ended = self.pages({"limit": 10})
        for query in QUERIES:
            self.pages(query)
        self.ask_jobs()
        self.ask_sweeps()
        for method in "queue.get", "host.get", "server.info":
            self.ask(method)
        self.ask_http(daemon)
        check, _ = self.ask("store.check")
        lost = self.unfound or ended and not set(self.texts) <= set(came) | set(damaged)
        self.assertFalse(lost and check is not None and check["ok"], "rows are missing and a check finds nothing")

    def assert_refusal(self, text):
        self.assertRegex(text, r"did not start, status [1-9]\d*\n")
        self.assertIn("assay.db", text)
        self.assertIn("restore a backup", text)
        self.assertNotIn("Sanitizer", text)

    def test_D10_of_a_database_with_flipped_bytes_each_result_is_as_stored_or_named_or_refused(self):
        served = 0
        for number in range(COPIES):
            with self.subTest(copy=number, place=PLACES[number % len(PLACES)]):
                state = self.copy(number)
                try:
                    daemon = Daemon(**flags(state))
                except RuntimeError as refusal:
                    self.assert_refusal(str(refusal))
                    continue
                served += 1
                try:
                    with daemon.connect() as self.client:
                        self.ask_all(daemon)
                finally:
                    daemon.stop()
        self.assertGreater(served, 0)

    def test_D10_of_the_whole_database_every_result_comes_back(self):
        daemon = Daemon(**flags(self.whole))
        self.addCleanup(daemon.stop)
        self.unfound = False
        with daemon.connect() as self.client:
            self.assertEqual((sorted(self.texts), [], True), self.pages({}))
            self.ask_all(daemon)
            self.assertTrue(self.ask("store.check")[0]["ok"])


if __name__ == "__main__":
    unittest.main()
