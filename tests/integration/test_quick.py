# SPDX-License-Identifier: Apache-2.0
"""A quick look: what tcc builds is checked, marked, and in no ranking."""
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, Daemon, RpcError, TIMED, TIMEOUT_S  # noqa: E402

SPEC = {"routine": "double f(int n, double x)", "args": {"n": "3", "x": "2"}, "context": "warm",
        "timing": {"gate": False, "samples": 3}, "check": {"reference": {"source": "double f(int n, double x) { return n * x; }"}}}
GOOD = "#include <math.h>\ndouble f(int n, double x) { return fabs(n * x); }"
WRONG = "double f(int n, double x) { return n * x + SHIFT; }"


def variant(name, source, compiler="tcc", **members):
    return {"name": name, "source": source, "compiler": compiler, **members}


class Quick(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)
        cls.client = cls.enterClassContext(cls.daemon.connect())

    def result_of(self, **job):
        self.client.call("job.submit", {"job": {"spec": SPEC, "fresh": True, **job}, "follow": True})
        return self.client.notification()["result"]

    @unittest.skipUnless(shutil.which("tcc"), "no tcc")
    def test_quick_answers_are_checked_and_the_result_says_what_it_is(self):
        good = self.result_of(variant=variant("good", GOOD, flags=["-O3", "-march=native"]))
        self.assertIn(good["status"], TIMED, good["detail"])
        self.assertEqual((True, None, None), (good["time"]["quick"], good["time"]["value_ns"], good["rate"]))
        self.assertTrue(good["check"]["done"])
        self.assertRegex(good["compiler"]["version"], "^tcc version")
        wrong = self.result_of(variant=variant("wrong", WRONG, defines={"SHIFT": 1}))
        self.assertEqual("wrong_answer", wrong["status"])
        broken = self.result_of(variant=variant("broken", "double f(int n, double x) { return y; }"))
        self.assertEqual("build_failed", broken["status"])
        self.assertRegex(broken["detail"], r"^variant\.c:1: error: ")

    @unittest.skipUnless(shutil.which("tcc"), "no tcc")
    def test_quick_results_are_in_no_ranking_and_no_export(self):
        variants = [variant("quick", GOOD), variant("real", GOOD, "gcc")]
        self.client.call("sweep.create", {"sweep": {"name": "looks", "spec": SPEC, "variants": variants}})
        self.client.call("job.wait", {"sweep": "looks"})
        results = {r["name"]: r for r in self.client.call("results.query", {"sweep": "looks"})["results"]}
        self.assertNotIn("quick", results["real"]["time"])
        self.assertTrue(results["quick"]["time"]["quick"])
        best = self.client.call("results.best", {"sweep": "looks"})["results"]
        self.assertNotIn("quick", [r["name"] for r in best])
        for form in ("lnt", "bencher"):
            text = subprocess.run([BUILD / "assay", "-s", self.daemon.socket, "export", "looks", "--format", form],
                                  stdout=subprocess.PIPE, text=True, timeout=TIMEOUT_S).stdout
            self.assertNotIn("quick", text, form)

    def test_quick_a_comparison_refuses_it_by_its_place(self):
        with self.assertRaises(RpcError) as refusal:
            self.result_of(variant=variant("a", GOOD, "gcc"), against=variant("b", GOOD))
        self.assertEqual("job.against", refusal.exception.data["member"])
        self.assertRegex(refusal.exception.data["reason"], "no time to compare")


if __name__ == "__main__":
    unittest.main()
