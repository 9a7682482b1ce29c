# SPDX-License-Identifier: Apache-2.0
"""proto/PROTOCOL.md is true: its examples are sent to the real daemon in their order, its tables are the code's."""
import json
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness
from harness import DaemonTest

TEXT = (harness.TREE / "proto" / "PROTOCOL.md").read_text()
BLOCKS = re.findall(r"^```\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
STATUS_H = (harness.TREE / "proto" / "base" / "status.h").read_text()
METHODS_C = (harness.TREE / "daemon" / "api" / "api_methods.c").read_text()
ROUTES_C = (harness.TREE / "daemon" / "http" / "http_routes.c").read_text()


HIDDEN = "…"            # stands for a value that is not shown, and, as a member's name, for members that are not


def example(text):
    return json.loads(text.replace("[…]", '"…"').replace("{…}", '"…"').replace(",…}", ',"…":0}'))


class Protocol(DaemonTest):
    def assert_shape(self, shown, got, where):
        """`got` has the members that the example shows, and others only where the example says so."""
        if shown == HIDDEN:
            return
        if isinstance(shown, dict):
            names = shown.keys() - {HIDDEN}
            self.assertFalse(names - got.keys(), f"{where}: not in the reply")
            if HIDDEN not in shown:
                self.assertFalse(got.keys() - names, f"{where}: not in the example")
            for name in names:
                self.assert_shape(shown[name], got[name], f"{where}.{name}")
        elif isinstance(shown, list):
            self.assertEqual(len(shown), len(got), where)
            for i, (a, b) in enumerate(zip(shown, got)):
                self.assert_shape(a, b, f"{where}[{i}]")
        else:
            self.assertIs(isinstance(shown, (int, float)), isinstance(got, (int, float)), where)

    def rpc_examples(self):
        for block in BLOCKS:
            for line in block.splitlines():
                if line.startswith(("--> ", "<-- ")):
                    yield line[:3], line[4:]

    def test_examples_of_json_rpc_are_what_the_daemon_answers(self):
        client = self.connect()
        for arrow, text in self.rpc_examples():
            if arrow == "-->":
                client.send_bytes(text.encode() + b"\n")
                continue
            shown = example(text)
            if shown.get("method") == "result":
                got = {**shown, "params": client.notification()}
            else:
                got = client.reply(shown["id"])
            with self.subTest(text[:100]):
                self.assert_shape(shown, got, "")
                if "error" in shown:
                    self.assertEqual(shown["error"], got["error"])
                elif "ids" in shown.get("result", {}):
                    self.assertEqual(shown["result"], got["result"])
        self.http_examples()

    def http_examples(self):
        """They stand on the jobs of the examples before."""
        seen = 0
        for block in BLOCKS:
            request = re.match(r"(GET|POST|DELETE) (\S+)(?: (\{.*\}))?(?: Accept: (\S+))?\n"
                               r"(\d+) (\S+)(?: (\{.*))?\n", block)
            if request is None:
                continue
            method, path, body, accept, status, kind, reply = request.groups()
            headers = {"Accept": accept} if accept else None
            response = self.daemon.http(method, path, json.loads(body) if body else None, headers)
            with self.subTest(f"{method} {path}"):
                self.assertEqual((int(status), kind), (response.status, response.type), response.body)
                if reply:
                    self.assert_shape(example(reply), response.json(), "")
            seen += 1
        self.assertGreaterEqual(seen, 14)

    def test_every_method_and_route_is_told(self):
        methods = re.findall(r'\{ "([a-z]+\.[a-z]+)",', METHODS_C)
        self.assertGreaterEqual(len(methods), 14)
        for method in methods:
            self.assertIn(f"**`{method}`**", TEXT)
            self.assertIn(f'"method":"{method}"', TEXT)
        routes = re.findall(r'EVHTTP_REQ_(\w+), +"([^"]+)"', ROUTES_C)
        self.assertGreaterEqual(len(routes), 12)
        for method, pattern in routes:
            path = pattern.replace("/sweeps/:", "/sweeps/SWEEP").replace("/web/:", "/web/FILE").replace(":", "ID")
            self.assertIn(f"`{method} {path}`", TEXT)

    def test_every_outcome_is_told_with_its_exit_code_and_t4_word(self):
        rows = re.findall(r'^\tX\(\w+,\s+(\d+),\s*"(\w+)",\s*"([\w-]+)",[\s\\]*"([^"]+)"\)', STATUS_H, re.MULTILINE)
        self.assertGreaterEqual(len(rows), 25)
        for code, word, t4, _ in rows:
            if t4 == "-":
                self.assertIn(f"`{word}` ({code})", TEXT)
            else:
                self.assertIn(f"| `{word}` | {code} | {t4} |", TEXT)

    def test_the_limits_are_those_that_the_daemon_tells(self):
        limits = self.daemon.call("server.info")["limits"]
        for text, value in (("| one line (JSON-RPC), one body (HTTP) | 16 MiB |", limits["line_bytes"] == 16 << 20),
                            ("| nesting of arrays and objects | 64 |", limits["nesting"] == 64),
                            ("| jobs in one `job.submit` or `sweep.create` | 10 000 |",
                             limits["jobs_per_call"] == 10000),
                            ("| ids in one `job.wait` | 100 000 |", limits["wait_ids"] == 100000),
                            ("| results in one reply | 1000", limits["results_per_page"] == 1000),
                            ("| output that one connection leaves unread | 1 MiB |",
                             limits["output_bytes"] == 1 << 20)):
            self.assertIn(text, TEXT)
            self.assertTrue(value, text)


if __name__ == "__main__":
    unittest.main()
