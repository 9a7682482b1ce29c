# SPDX-License-Identifier: Apache-2.0
"""Variants ranked by one time over several contexts: assay best --weight."""
import json
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, REPLAY_WORKER  # noqa: E402
from kernels import WithDaemon, spec_of, variant  # noqa: E402

SUM = "double sum(int n, const double *x)"
# ns by the source's own word; the last crashes where it is warm
TAKES = {"plain": 40, "down": 10, "never warm": 20}
# how slow the host is at each job, cold ones first; 0: it crashes
HOST = [3, 3, 3, 1, 1, 0]
USAGE = 64


class Weights(WithDaemon):
    """The worker replays: what is ranked is the same in each run."""
    worker = REPLAY_WORKER

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name, context in (("sum-cold", "cold"), ("sum-warm", "warm")):
            spec = spec_of(SUM, {"n": 500, "x": {"dims": [600]}}, timing={"samples": 3})
            spec["context"] = context
            cls.daemon.call("sweep.create", {"sweep": {
                "name": name, "spec": spec, "meta": {"host": HOST},
                "variants": [variant(f"/* takes {ns} ns */ {SUM} {{ return x[n]; }}", name=v)
                             for v, ns in TAKES.items()]}})
            cls.daemon.call("job.wait", {"sweep": name})

    def best(self, *words, code=0, form="--json"):
        forms = [form] if form else []
        done = subprocess.run([BUILD / "assay", "-s", self.daemon.socket, *forms, "best", *words],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(code, done.returncode, done.stderr)
        return json.loads(done.stdout) if done.stdout and form == "--json" else done

    def values(self, sweep):
        found = self.daemon.call("results.query", {"sweep": sweep})["results"]
        return {r["name"]: r["time"]["value_ns"] for r in found if r["status"] == "ok"}

    def test_X3_the_ranked_time_is_the_mean_over_the_calls_in_all_contexts(self):
        answer = self.best("--weight", "sum-cold=1", "--weight", "sum-warm=3", "-n", "10")
        cold, warm = self.values("sum-cold"), self.values("sum-warm")
        wanted = sorted((cold[v] + 3 * warm[v]) / 4 for v in ("plain", "down"))
        for got, want in zip(answer["best"], wanted, strict=True):
            self.assertAlmostEqual(want, got["weighted_ns"], delta=1e-9 * want)
            self.assertEqual({"sum-cold": cold[got["name"]], "sum-warm": warm[got["name"]]},
                             got["ns"])

    def test_X3_a_variant_that_failed_in_a_context_is_left_out_and_the_answer_says_so(self):
        answer = self.best("--weight", "sum-cold=1", "--weight", "sum-warm=1", "-n", "10")
        self.assertEqual((1, {"sum-cold": 0, "sum-warm": 1}),
                         (answer["left_out"], answer["missing"]))
        quiet = self.best("--weight", "sum-cold=1", "--weight", "sum-warm=1", form="-q")
        self.assertEqual("", quiet.stderr)
        said = self.best("--weight", "sum-cold=1", "--weight", "sum-warm=1", form="")
        self.assertIn("1 of 3 variants have no ok time in sum-warm", said.stderr)
        self.assertIn("WEIGHTED", said.stdout)
        self.assertEqual(2, len(said.stdout.splitlines()))

    def test_X3_what_makes_no_sense_is_refused(self):
        for words in (["--weight", "sum-cold=1"], ["--weight", "sum-cold", "--weight", "a=1"],
                      ["--weight", "a=0", "--weight", "b=1"], ["--weight", "a=x", "--weight", "b=1"],
                      ["--weight", "a=1", "--weight", "b=1", "sum-cold"],
                      ["--weight", "a=1", "--weight", "b=1", "--confirm"]):
            self.best(*words, code=USAGE)


if __name__ == "__main__":
    unittest.main()
