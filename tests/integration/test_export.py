#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""
A sweep as files of other tools' formats: each is held against a schema of that format (tests/data/export/), and read
as its own readers do.  The sweep has all that is hard: failures, repeats, several cells, sources as points, and names
that are markup and formulas.
"""
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import jsonschema

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/support")
from harness import BUILD, TREE, DaemonTest

ASSAY = BUILD / "assay"
SECRET = "int same(const int N) { return N; } /* SECRET */\n"
FORMATS = ("kernel-tuner", "t4", "t4-1.1", "csv", "ndjson", "markdown", "lnt", "bencher")
SPEC = {"routine": "int same(const int N)", "params": {"N": 7, "M": 3}, "args": {"N": "N"}, "context": "warm",
        "timing": {"samples": 3}}


def variant(name, source=SECRET):
    return {"name": name, "language": "c", "source": source}


def name_of(u, flags, n, source):
    return f"same source=#{source} U={u} flags={','.join(flags)} N={n}"


SPACE = {
    "name": "space <b>|x",
    "spec": SPEC, "template": {"name": "same", "language": "c"},
    "space": {"source": [SECRET, SECRET + "/* SECRET 2 */\n"], "U": [1, 2.5, -1e-05], "flags": [["-O2"], ["-O3", "-g"]],
              "N": [7, 9]},
    "meta": {"samples": [11e6, 10e6, 12e6, 13e6, 10e6, 11e6], "processes": 6, "checked": True, "revision": "r17",
             "ends": {name_of(1, ["-O2"], 7, 0): "build_failed", name_of(1, ["-O2"], 9, 0): "crashed",
                      name_of(1, ["-O3", "-g"], 7, 0): "suspect", name_of(1, ["-O3", "-g"], 9, 0): "cancelled",
                      name_of(2.5, ["-O2"], 7, 0): "too_noisy", name_of(2.5, ["-O2"], 9, 0): "run_timeout"}},
}
HOSTILE = ['=cmd|" /C calc"!A0', "+1+1", "-5", "-x", "@SUM(A1)", " =1", "\uff1d1", "<script>alert(1)</script>",
           "a|b`c`[d](http://e) @f www.g.h", "\"q\", 'r'; s", "twin", "twin"]
VARIANTS = {"name": "hostile", "spec": SPEC, "variants": [variant(name) for name in HOSTILE],
            "yardstick": {"every": 3}, "meta": {"samples": [5.0], "checked": False}}
MANY = {"name": "many", "spec": SPEC, "template": variant("same"), "space": {"A": list(range(40)), "B": list(range(30))},
        "meta": {"samples": [5.0]}}


def read_kernel_tuner(text):
    """As Kernel Tuner's reader: keys are the values in the order of tune_params_keys, by Python's str."""
    cache = json.loads(text, object_pairs_hook=no_twins)
    for key, entry in cache["cache"].items():
        values = [entry[name] for name in cache["tune_params_keys"]]
        assert key == ",".join(str(value) for value in values), (key, values)
        assert all(value in cache["tune_params"][name] for name, value in zip(cache["tune_params_keys"], values)), values
    return cache


def no_twins(pairs):
    assert len({name for name, _ in pairs}) == len(pairs), pairs
    return dict(pairs)


class ExportTest(DaemonTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for sweep in (SPACE, VARIANTS, MANY):
            ids = cls.daemon.call("sweep.create", {"sweep": sweep})["ids"]
            while not cls.daemon.call("job.wait", {"ids": ids, "timeout_ms": 30000})["done"]:
                continue

    def export(self, sweep, format):
        ran = subprocess.run([ASSAY, "-s", self.daemon.socket, "export", sweep, "--format", format],
                             capture_output=True, check=True)
        return ran.stdout.decode()

    def check(self, schema, text):
        document = json.loads(text, object_pairs_hook=no_twins)
        schema = json.loads((TREE / "tests/data/export" / f"{schema}.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.Draft202012Validator(schema).validate(document)
        return document

    def results(self, sweep):
        return self.daemon.call("results.query", {"sweep": sweep, "limit": 1000})["results"]

    def test_P45_kernel_tuner_reads_its_cache_file(self):
        text = self.export(SPACE["name"], "kernel-tuner")
        self.check("kernel-tuner", text)
        cache = read_kernel_tuner(text)
        self.assertEqual(["source", "U", "flags", "N"], cache["tune_params_keys"])
        self.assertEqual({"source": ["#0", "#1"], "U": [1, 2.5, -1e-05], "flags": ["-O2", "-O3 -g"], "N": [7, 9]},
                         cache["tune_params"])
        self.assertEqual(([3], "same"), (cache["problem_size"], cache["kernel_name"]))
        entries = cache["cache"]
        # what says nothing of a variant is not there: Kernel Tuner would measure it
        self.assertEqual(24 - 2, len(entries))
        self.assertNotIn("#0,1,-O3 -g,9", entries)
        self.assertEqual({"#0,1,-O2,7": "CompilationFailedConfig", "#0,1,-O2,9": "RuntimeFailedConfig",
                          "#0,1,-O3 -g,7": "RuntimeFailedConfig", "#0,2.5,-O2,9": "RuntimeFailedConfig"},
                         {key: entry["__error__"] for key, entry in entries.items() if "__error__" in entry})
        self.assertEqual((11.0, [11.0, 10.0, 12.0, 13.0, 10.0, 11.0]),
                         (entries["#1,-1e-05,-O3 -g,9"]["time"], entries["#1,-1e-05,-O3 -g,9"]["times"]))

    def test_P45_twins_are_told_apart_in_a_cache_file_and_yardsticks_left_out(self):
        cache = read_kernel_tuner(self.export("hostile", "kernel-tuner"))
        self.assertEqual(["variant", "job"], cache["tune_params_keys"])
        self.assertEqual(len(HOSTILE), len(cache["cache"]))
        self.assertEqual(set(HOSTILE) - {"\"q\", 'r'; s"} | {"\"q\"%2C 'r'; s"}, set(cache["tune_params"]["variant"]))

    def test_P45_T4_has_each_outcome_and_is_honest_about_answers(self):
        for format, schema in (("t4", "t4-1.0.0"), ("t4-1.1", "t4-1.1.0")):
            document = self.check(schema, self.export(SPACE["name"], format))
            by_point = {tuple(r["configuration"].values()): r for r in document["results"]}
            self.assertEqual(22, len(by_point))
            self.assertEqual(["compile", "runtime", "correctness", "timeout"],
                             [by_point[point]["invalidity"] for point in (
                                 ("#0", 1, "-O2", 7), ("#0", 1, "-O2", 9), ("#0", 1, "-O3 -g", 7), ("#0", 2.5, "-O2", 9))])
            right = by_point["#1", 1, "-O2", 7]
            self.assertEqual((1, [11.0, 10.0, 12.0, 13.0, 10.0, 11.0]), (right["correctness"], right["times"]["runtimes"]))
            self.assertEqual({"time": 11.0, "time_low": 10.0, "time_high": 13.0},
                             {m["name"]: m["value"] for m in right["measurements"] if m["name"] in
                              ("time", "time_low", "time_high")})
            unchecked = self.check(schema, self.export("hostile", format))
            self.assertEqual({0}, {r["correctness"] for r in unchecked["results"]})
            self.assertEqual({"correct"}, {r["invalidity"] for r in unchecked["results"]})

    def test_P45_CSV_has_a_column_for_each_dimension_and_the_interval(self):
        text = self.export(SPACE["name"], "csv")
        self.assertEqual(text.count("\n"), text.count("\r\n"))
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        self.assertEqual(24, len(rows))
        self.assertEqual(["low_ns", "high_ns", "source", "U", "space.flags", "N"], list(rows[0])[-6:])
        row = next(r for r in rows if (r["source"], r["U"], r["space.flags"], r["N"]) == ("#1", "-1e-05", "'-O3 -g", "9"))
        self.assertEqual((11e6, 10e6, 13e6), tuple(float(row[name]) for name in ("value_ns", "low_ns", "high_ns")))
        self.assertEqual(("", ""), (rows[0]["value_ns"], rows[0]["low_ns"]))

    def test_spreadsheets_get_no_formulas_and_all_numbers(self):
        for text in (self.export("hostile", "csv"), subprocess.run(
                [ASSAY, "-s", self.daemon.socket, "results", "--sweep", "hostile", "--csv", "--all"],
                capture_output=True, check=True, text=True).stdout):
            rows = [r for r in csv.DictReader(io.StringIO(text, newline=""))]
            names = {row["name"].removeprefix("'"): row["name"] for row in rows}
            self.assertEqual(set(HOSTILE), set(names))
            for row in rows:
                for cell in row.values():
                    if cell.lstrip(" ")[:1] in tuple("=+-@\t\r\n\uff1d"):
                        float(cell)         # or it would be a formula
            self.assertEqual(("-5", "'+1+1", "twin"), (names["-5"], names["+1+1"], names["twin"]))

    def test_markdown_has_no_markup_of_others(self):
        lines = self.export("hostile", "markdown").splitlines()
        table = [line for line in lines if line.startswith("|")]
        self.assertEqual(2 + len(HOSTILE), len(table))
        self.assertEqual({table[0].count("|")}, {line.count("|") for line in table})
        for word in ("<script", "`", "](http", "://", " @f", "www."):
            self.assertNotIn(word, "\n".join(lines))
        self.assertTrue(self.export(SPACE["name"], "markdown").startswith(r"**space &#60;b&#62;&#124;x**"))

    def test_P45_LNT_and_Bencher_take_their_reports(self):
        report = self.check("lnt", self.export(SPACE["name"], "lnt"))
        self.assertEqual(("r17", 22), (report["run"]["llvm_project_revision"], len(report["tests"])))
        self.assertEqual(len(report["tests"]), len({test["name"] for test in report["tests"]}))
        self.assertEqual(1, sum(test["compile_status"] for test in report["tests"]))
        times = {test["name"]: test.get("execution_time") for test in report["tests"]}
        self.assertEqual(0.011, times["same/" + name_of(1, ["-O2"], 7, 1)])
        metrics = self.check("bencher", self.export(SPACE["name"], "bencher"))
        self.assertEqual({"value": 11e6, "lower_value": 10e6, "upper_value": 13e6},
                         metrics["same/" + name_of(1, ["-O2"], 7, 1)]["latency"])
        self.assertEqual(18, len(metrics))
        self.assertEqual(len(HOSTILE), len(self.check("bencher", self.export("hostile", "bencher"))))

    def test_D8_NDJSON_is_what_results_query_gives(self):
        lines = [json.loads(line) for line in self.export(SPACE["name"], "ndjson").splitlines()]
        self.assertEqual(self.results(SPACE["name"]), lines)

    def test_no_export_shows_a_source_to_others(self):
        with self.daemon.connect_as_nobody() as other:
            for sweep in (SPACE["name"], "hostile"):
                for format in FORMATS:
                    text = other.call("sweep.export", {"sweep": sweep, "format": format})["text"]
                    self.assertNotIn("SECRET", text)
                    self.assertNotIn("replayed build_failed", text)
            row = json.loads(other.call("sweep.export", {"sweep": SPACE["name"], "format": "ndjson"})["text"].split("\n")[0])
            self.assertEqual(("#0", None), (row["meta"]["source"], row["detail"]))
        for format in set(FORMATS) - {"ndjson", "csv"}:
            self.assertNotIn("SECRET", self.export(SPACE["name"], format))

    def test_pages_make_the_same_file(self):
        cursor, pages = None, []
        while not pages or cursor is not None:
            asked = {"sweep": "many", "format": "kernel-tuner"} | ({} if cursor is None else {"cursor": cursor})
            page = self.daemon.call("sweep.export", asked)
            cursor = page["cursor"]
            pages.append(page["text"])
        self.assertEqual(3, len(pages))
        self.assertEqual(1200, len(read_kernel_tuner("".join(pages))["cache"]))
        self.assertEqual("".join(pages), self.export("many", "kernel-tuner"))

    def test_D8_HTTP_sends_the_whole_file(self):
        for format in FORMATS:
            answer = self.daemon.http("GET", f"/v1/sweeps/hostile/export?format={format}")
            self.assertEqual((200, self.export("hostile", format)), (answer.status, answer.body.decode()))
        self.assertEqual("text/csv", self.daemon.http("GET", "/v1/sweeps/2/export?format=csv").type)
        path = "/v1/sweeps/space%20%3Cb%3E%7Cx/export?format=csv"
        self.assertEqual('attachment; filename="space__b__x.csv"',
                         self.daemon.http("HEAD", path).headers["Content-Disposition"])
        for address in (f"http+unix:{self.daemon.http_socket}", "http://%s:%s" % self.daemon.tcp):
            ran = subprocess.run([ASSAY, "-H", address, "export", "hostile", "--format", "t4"], capture_output=True, check=True)
            self.assertEqual(self.export("hostile", "t4"), ran.stdout.decode())
        refused = self.daemon.http("GET", "/v1/sweeps/hostile/export?format=t5")
        self.assertEqual((400, "application/problem+json"), (refused.status, refused.type))

    def test_readers_that_leave_in_the_middle_leave_nothing_behind(self):
        for read in (0, 1, 100000):
            for format in ("ndjson", "csv"):
                with self.daemon.connect_tcp() as reader:
                    reader.sendall(f"GET /v1/sweeps/many/export?format={format} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                    while read > 0:
                        read -= len(reader.recv(read))
        many = self.daemon.http("GET", "/v1/sweeps/many/export?format=ndjson")
        self.assertEqual(1200, len(many.lines()))

    def test_a_file_appears_once_it_is_complete(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.csv"
            command = [ASSAY, "-s", self.daemon.socket, "export", "-f", "csv", "-o", path]
            self.assertEqual(66, subprocess.run([*command, "none"], capture_output=True).returncode)
            self.assertEqual([], list(path.parent.iterdir()))
            subprocess.run([*command, "hostile"], check=True)
            self.assertEqual([path], list(path.parent.iterdir()))
            self.assertEqual(self.export("hostile", "csv").encode(), path.read_bytes())

    def test_refusals_name_the_member_and_the_remedy(self):
        self.assert_refused(self.connect(), "sweep.export", {"sweep": "hostile", "format": "t5"}, "bad_request", "format")
        self.assert_refused(self.connect(), "sweep.export", {"sweep": "none", "format": "t4"}, "not_found")
        for cursor in ("x", "e.-1.0.0", "e.1.0.2", "e.1.0.0 "):
            self.assert_refused(self.connect(), "sweep.export", {"sweep": "hostile", "format": "t4", "cursor": cursor},
                                "bad_request", "cursor")


if __name__ == "__main__":
    unittest.main()
