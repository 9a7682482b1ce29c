#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""
assay compare-runs: two runs of the same variants.  Runs are sweeps of the worker that replays, and files of their
results with times that a test makes.
"""
import copy
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, DaemonTest, job  # noqa: E402

ASSAY = BUILD / "assay"
NOTHING = 66
OLD = [100.0, 101.0, 99.5, 100.5, 100.2, 99.8]      # a time of each process
TIMES = {"same": [100.1, 100.9, 99.6, 100.4, 100.3, 99.7], "slow": [110.2, 111.0, 109.5, 110.3, 110.6, 109.9],
         "fast": [90.2, 91.0, 89.5, 90.3, 90.6, 89.9], "little": [101.8, 102.6, 101.1, 102.0, 101.9, 101.2]}


def sweep(name, ns, source="", **meta):
    return {"name": name, "spec": job()["spec"], "space": {"U": [1, 2], "N": [7, 9]},
            "template": {"name": "v", "language": "c", "source": "/* */" + source},
            "meta": {"samples": ns, "processes": len(ns), "revision": name, **meta}}


class CompareRunsTest(DaemonTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.run_sweep(sweep("old", OLD))
        cls.model, = [r for r in cls.daemon.call("results.query", {"sweep": "old"})["results"]
                      if r["meta"]["U"] == 1 and r["meta"]["N"] == 7]

    @classmethod
    def run_sweep(cls, document):
        ids = cls.daemon.call("sweep.create", {"sweep": document})["ids"]
        while not cls.daemon.call("job.wait", {"ids": ids, "timeout_ms": 30000})["done"]:
            continue

    def compare(self, *words, code=0):
        ran = subprocess.run([ASSAY, "-s", self.daemon.socket, "compare-runs", *map(str, words)], capture_output=True,
                             text=True)
        self.assertEqual(code, ran.returncode, ran.stdout + ran.stderr)
        return ran

    def document(self, *words, code=0):
        return json.loads(self.compare("--json", *words, code=code).stdout)

    def result(self, name, ns, **members):
        """A result of one sample in each process."""
        made = copy.deepcopy(self.model)
        made["time"].update(value_ns=sorted(ns)[len(ns) // 2], samples_ns=ns, process=list(range(len(ns))))
        return {**made, "name": name, "meta": {}, **members}

    def file(self, name, *results):
        path = self.folder / f"{name}.ndjson"
        path.write_text("".join(json.dumps(result) + "\n" for result in results))
        return path

    def verdicts(self, a, b, *words, code=0):
        document = self.document(*words, self.file("a", *a), self.file("b", *b), code=code)
        return {pair["name"]: pair["verdict"] for pair in document["pairs"]}

    def test_sweeps_are_paired_by_their_points(self):
        ends = {"v U=1 N=9": "crashed", "v U=2 N=7": "cancelled"}
        self.run_sweep(sweep("new", [1.1 * x for x in TIMES["same"]], ends=ends))
        document = self.document("old", "new", code=1)
        self.assertEqual({(1, 7): "slower", (1, 9): "broken", (2, 7): "not compared", (2, 9): "slower"},
                         {(p["meta"]["U"], p["meta"]["N"]): p["verdict"] for p in document["pairs"]})
        slower = document["pairs"][0]
        low, high = slower["interval"]
        self.assertTrue(1 < low < 1.1 < high, slower)
        self.assertEqual((True, 2, "bonferroni"), (document["regression"], document["compared"], document["correction"]))
        back = self.document("new", "old")
        self.assertEqual((2, 1, False), (back["counts"]["faster"], back["counts"]["mended"], back["regression"]))
        said = self.compare("old", "new", code=1).stdout
        self.assertIn("2 slower, 1 broken, 1 not compared;", said)
        self.assertIn("1.1000", said)

    def test_the_interval_is_welchs_on_logarithms(self):
        a, b = [math.log(x) for x in OLD], [math.log(x) for x in TIMES["slow"]]
        pair, = self.document(self.file("a", self.result("v", OLD)), self.file("b", self.result("v", TIMES["slow"])),
                              code=1)["pairs"]
        mean = [sum(x) / 6 for x in (a, b)]
        error = [sum((x - m) ** 2 for x in xs) / 5 / 6 for xs, m in ((a, mean[0]), (b, mean[1]))]
        freedom = sum(error) ** 2 / (error[0] ** 2 / 5 + error[1] ** 2 / 5)
        self.assertAlmostEqual(10, freedom, delta=0.2)
        half = 2.2305 * math.sqrt(sum(error))       # t of 9.9 degrees, 5 %
        self.assertAlmostEqual(math.exp(mean[1] - mean[0]), pair["ratio"], places=12)
        for got, want in zip(pair["interval"], (-half, half)):
            self.assertAlmostEqual(math.exp(mean[1] - mean[0] + want), got, delta=1e-5)

    def test_the_threshold_decides_what_counts(self):
        a = [self.result(name, OLD) for name in TIMES]
        b = [self.result(name, ns) for name, ns in TIMES.items()]
        self.assertEqual({"same": "indistinguishable", "slow": "slower", "fast": "faster", "little": "indistinguishable"},
                         self.verdicts(a, b, code=1))
        self.assertEqual("slower", self.verdicts(a, b, "--threshold", "0.01", code=1)["little"])
        self.assertEqual("indistinguishable", self.verdicts(a, b, "--threshold", "20%")["slow"])

    def test_equal_variants_get_no_verdict(self):
        dice = random.Random(5)
        a, b = ([self.result(f"v{i}", [100 * math.exp(dice.gauss(0, 0.02)) for _ in range(6)]) for i in range(300)]
                for _ in range(2))
        self.assertEqual({"indistinguishable"}, set(self.verdicts(a, b, "--threshold", "0").values()))

    def test_what_cannot_be_compared_says_why(self):
        raced = self.result("raced", OLD)
        raced["time"].update(raced=True, value_ns=None, bound_ns=150.0)
        near = self.result("near", OLD)
        near["time"].update(raced=True, value_ns=None, bound_ns=100.7)
        single = self.result("single", OLD)
        single["time"]["process"] = [0] * 6
        warm = self.result("cold", TIMES["slow"])
        warm["technique"]["context"] = "cold"
        least = self.result("least", TIMES["slow"])
        least["time"]["estimator"] = "min"
        names = ("raced", "near", "single", "cold", "least", "given", "gone")
        document = self.document(self.file("a", *(self.result(name, OLD) for name in names)),
                                 self.file("b", raced, near, single, warm, least, self.result("given", OLD),
                                           self.result("come", OLD)), code=1)
        self.assertEqual({"raced": ("slower", "it was given up in a race"),
                          "near": ("not compared", "it was given up in a race"),
                          "single": ("not compared", "fewer than three processes"),
                          "cold": ("not compared", "their contexts differ"),
                          "least": ("not compared", "their estimators differ"),
                          "given": ("not compared", "it is one timing, given again"),
                          "gone": ("only in A", None), "come": ("only in B", None)},
                         {pair["name"]: (pair["verdict"], pair["reason"]) for pair in document["pairs"]})

    def test_repeated_results_are_pooled_and_a_timing_counts_once(self):
        first, again = self.result("v", OLD), self.result("v", [1.001 * x for x in OLD])
        pair, = self.document(self.file("a", first, first, again), self.file("b", self.result("v", TIMES["same"])))["pairs"]
        self.assertEqual((3, 12, 6), (pair["a"]["results"], pair["a"]["processes"], pair["b"]["processes"]))

    def test_other_hosts_are_warned_of(self):
        here, there = self.result("v", OLD, host_class="aaaa"), self.result("v", TIMES["same"], host_class="bbbb")
        a, b = self.file("a", here), self.file("b", there)
        self.assertIn("different classes", self.compare(a, b).stderr)
        self.assertEqual(1, len(self.document(a, b)["warnings"]))
        self.assertEqual("", self.compare(a, self.file("c", self.result("v", TIMES["same"], host_class="aaaa"))).stderr)

    def test_no_pair_that_was_compared_is_no_success(self):
        """A gate in CI is not to be green because names were changed."""
        a = self.file("a", self.result("v", OLD), self.result("w", OLD))
        said = self.compare(a, a, code=NOTHING)
        self.assertIn("2 not compared.\n", said.stdout)
        self.assertIn("no pair was compared: of v and others, it is one timing, given again", said.stderr)
        self.assertIn('"fresh": true', said.stderr)
        said = self.compare(a, self.file("b", self.result("renamed", OLD)), code=NOTHING)
        self.assertIn("no variant is in both runs", said.stderr)
        self.assertIn("--by-name", said.stderr)
        self.assertIs(False, self.document(a, a, code=NOTHING)["regression"])
        single = self.result("v", TIMES["slow"])
        single["time"]["process"] = [0] * 6
        self.assertIn("fewer than three processes", self.compare(a, self.file("b", single), code=NOTHING).stderr)
        for one, other, code in (("ok", "crashed", 1), ("crashed", "ok", 0)):
            ends = [self.result("v", OLD, status=status) for status in (one, other)]
            self.compare(self.file("a", ends[0]), self.file("b", ends[1]), code=code)
        self.run_sweep(sweep("once", OLD))
        self.run_sweep({**sweep("again", OLD), "meta": {"samples": OLD, "processes": len(OLD), "revision": "once"}})
        self.compare("once", "again", code=NOTHING)

    def test_markdown_escapes_names(self):
        name = "a|b<script>`x`"
        said = self.compare("--markdown", self.file("a", self.result(name, OLD)),
                            self.file("b", self.result(name, TIMES["slow"])), code=1).stdout
        row = next(line for line in said.splitlines() if "slower |" in line)
        self.assertIn("a&#124;b&#60;script&#62;&#96;x&#96;", row)
        self.assertIn("\n1 slower;", said)

    def test_refusals_name_what_is_wrong(self):
        self.assertIn("bad.ndjson:1: is no result", self.compare(self.file("bad", ["x"]), "old", code=64).stderr)
        self.assertIn("--threshold", self.compare("old", "old", "--threshold", "x%", code=64).stderr)
        self.assertIn("there is no sweep", self.compare("old", "never", code=66).stderr)
        self.assertIn("needs two", self.compare("old", code=64).stderr)


if __name__ == "__main__":
    unittest.main()
