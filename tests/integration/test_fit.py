# SPDX-License-Identifier: Apache-2.0
"""assay fit: an application's times of a routine become the contexts that reproduce them."""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, TREE, DaemonTest, job  # noqa: E402

MISS = 66
WARM, FLUSHED, ENOUGH = 10000, 40000, 20 << 20


class FitTest(DaemonTest):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)

    def file(self, name, content):
        path = self.dir / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def fit(self, *words, code=0):
        done = subprocess.run([BUILD / "assay", "-s", self.daemon.socket, "--json", "fit", *map(str, words)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(code, done.returncode, done.stderr + done.stdout)
        return json.loads(done.stdout) if done.stdout else done.stderr


class Replayed(FitTest):
    """The worker replays a routine of 10 us warm, 40 us from 20 MiB of flush on, and 44 us in the cold context."""

    def setUp(self):
        super().setUp()
        self.job = self.file("job.json", job("routine", {"curve": [WARM, FLUSHED, ENOUGH]}))

    def time_in(self, context):
        document = json.loads(self.job.read_text())
        document["spec"]["context"] = context
        ids = self.daemon.call("job.submit", {"job": document})["ids"]
        self.daemon.call("job.wait", {"ids": ids})
        return self.daemon.call("job.get", {"id": ids[0]})["result"]["time"]["value_ns"]

    def test_P41_a_time_between_warm_and_cold_gets_a_context_that_reproduces_it(self):
        for asked_us in (10.5, 14, 25, 37):
            [fit] = self.fit("--time", f"{asked_us}us", self.job)["fits"]
            self.assertEqual("hit", fit["outcome"])
            self.assertLessEqual(abs(fit["difference"]), 0.03)
            self.assertEqual((0.03, WARM), (fit["band"], fit["warm_ns"]))
            self.assertIn(fit["flushed_ns"], (FLUSHED, None))
            self.assertLessEqual(abs(self.time_in(fit["context"]) / (asked_us * 1000) - 1), 0.03)
            self.assertLessEqual(sum(e["times"] for e in fit["evaluations"]), 72)

    def test_P41_a_narrower_band_is_kept(self):
        [fit] = self.fit("--time", "27123", "--band", "0.2", self.job)["fits"]
        self.assertEqual("hit", fit["outcome"])
        self.assertLessEqual(abs(fit["difference"]), 0.002)

    def test_P41_a_time_that_no_context_gives_is_said_to_be_below_or_above(self):
        [fit] = self.fit("--time", "5us", self.job, code=MISS)["fits"]
        self.assertEqual(("below_warm", "warm", 1.0), (fit["outcome"], fit["context"], fit["difference"]))
        [fit] = self.fit("--time", "100us", self.job, code=MISS)["fits"]
        self.assertEqual(("above_cold", "cold", 44000), (fit["outcome"], fit["context"], fit["reached_ns"]))

    def test_P41_a_routine_that_takes_the_same_warm_and_cold_is_flat(self):
        flat = self.file("flat.json", job("flat", {"levels": {"warm": 10000, "cold": 10100}}))
        [fit] = self.fit("--time", "28us", flat, code=MISS)["fits"]
        self.assertEqual(("flat", True, "none"), (fit["outcome"], fit["flat"], fit["confidence"]))
        self.assertNotEqual("warm", fit["context"])
        [fit] = self.fit("--time", "10us", flat)["fits"]
        self.assertEqual(("hit", True, "warm"), (fit["outcome"], fit["flat"], fit["context"]))

    def test_the_cold_context_is_taken_where_no_flush_is_enough(self):
        [fit] = self.fit("--time", "44.2us", self.job)["fits"]
        self.assertEqual(("hit", "cold"), (fit["outcome"], fit["context"]))
        [fit] = self.fit("--time", "42.2us", "--band", "1", self.job, code=MISS)["fits"]
        self.assertEqual(("closest", "cold"), (fit["outcome"], fit["context"]))

    def test_P42_early_and_late_calls_are_told_apart_and_each_gets_its_context(self):
        calls = [39000, 36000, *[11000 + i % 7 for i in range(60)]]
        calls[30] = 5e6
        answer = self.fit("--times", self.file("calls.json", {"application": "a", "calls_ns": calls}), self.job)
        early, late = answer["fits"]
        self.assertEqual(("early", 2, "hit"), (early["group"], early["calls"], early["outcome"]))
        self.assertEqual(("late", 59, "hit"), (late["group"], late["calls"], late["outcome"]))
        self.assertEqual(1, answer["set_aside"])
        self.assertAlmostEqual(75000 / (75000 + 59 * 11003), early["share"], places=3)
        self.assertAlmostEqual(1, early["share"] + late["share"])
        self.assertLessEqual(abs(self.time_in(early["context"]) / 37500 - 1), 0.03)
        self.assertLessEqual(abs(self.time_in(late["context"]) / 11003 - 1), 0.03)
        [alike] = self.fit("--times", self.file("calls.txt", "11us\n11.1us # second\n10.9us\n11us\n"), self.job)["fits"]
        self.assertEqual(("all", 4), (alike["group"], alike["calls"]))

    def test_the_words_for_people_name_the_context(self):
        done = subprocess.run([BUILD / "assay", "-s", self.daemon.socket, "fit", "--time", "5us", self.job],
                              stdout=subprocess.PIPE, text=True)
        self.assertEqual(MISS, done.returncode)
        self.assertRegex(done.stdout, r'(?m)^context +"warm"$')
        self.assertIn("no context makes this variant so fast", done.stdout)
        calls = self.file("calls.json", [39000, *[11000] * 9])
        text = subprocess.run([BUILD / "assay", "-s", self.daemon.socket, "fit", "--times", calls, self.job],
                              stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertRegex(text, r"early: 1 call, median 39\.00 .s, 28\.3 % of the time\n")
        self.assertRegex(text, r"late: 9 calls, median 11\.00 .s, 71\.7 % of the time\n")
        self.assertRegex(text, r'(?m)^context +\{"flush_bytes": \d+\}$')

    def test_what_makes_no_sense_is_refused(self):
        for words in (["--time", "soon", self.job], [self.job], ["--time", "1us"], ["--band", "x", self.job],
                      ["--time", "1us", "--times", self.job, self.job],
                      ["--times", self.file("few.json", [1, 2, 3]), self.job],
                      ["--times", self.file("bad.txt", "1us\n2us\n3us\nfour\n"), self.job]):
            self.fit(*words, code=64)
        self.assertIn("line 4", self.fit("--times", self.dir / "bad.txt", self.job, code=64))

    def test_a_variant_that_cannot_be_timed_ends_it_with_its_outcome(self):
        broken = self.file("broken.json", job("broken", {"build": ["build_failed"]}))
        self.assertIn("replayed build_failed", self.fit("--time", "1us", broken, code=70))


class States(FitTest):
    """The worker replays a routine of two operands that each add to the time by their place."""
    LEVELS = {"warm": 10000, "cold": 22000,
              "x": {"warm dirty": 0.12, "L2": 0.06, "L3": 0.2, "L3 dirty": 0.3, "cold": 0.8},
              "y": {"L2": 0.04, "L3": 0.27, "cold": 0.4}}

    def setUp(self):
        super().setUp()
        spec = {"routine": "void f(int n, const double *x, double *y)", "args": {
            "n": "N", "x": {"dims": ["N"]}, "y": {"dims": ["N"]}}, "params": {"N": 10000}}
        document = job("two", {"levels": self.LEVELS}, spec=spec)
        document["variant"]["source"] = "void f(int n, const double *x, double *y) {}"
        self.job = self.file("two.json", document)

    def assert_found(self, asked_us, context, args):
        [fit] = self.fit("--time", f"{asked_us}us", self.job)["fits"]
        self.assertEqual(("hit", context, args), (fit["outcome"], fit["context"], fit["args"]))
        return fit

    def test_P41_each_operand_is_placed_where_the_time_says(self):
        self.assert_found(10, "warm", {})
        self.assert_found(22, "cold", {})
        self.assert_found(14.7, "warm", {"x": {"cache": "L3"}, "y": {"cache": "L3"}})
        self.assert_found(18, "warm", {"x": {"cache": "cold"}})
        self.assert_found(20.6, "warm", {"x": {"cache": "cold"}, "y": {"cache": "L3"}})

    def test_an_operand_that_was_just_written_is_dirty(self):
        fit = self.assert_found(11.5, "warm", {"x": {"state": "dirty"}})
        self.assertEqual("sure", fit["confidence"])

    def test_an_operand_with_a_place_of_its_own_keeps_it(self):
        document = json.loads(self.job.read_text())
        document["spec"]["args"]["x"]["cache"] = "L2"
        path = self.file("own.json", document)
        [fit] = self.fit("--time", "14us", "--band", "1", path, code=MISS)["fits"]
        self.assertNotIn("x", fit["args"])

    def with_novelty(self, **members):
        """Twice as long on inputs that are not known by heart."""
        document = json.loads(self.job.read_text())
        document["meta"]["levels"] = {**self.LEVELS, "novel": 2}
        document["spec"].update(members)
        return self.file("novel.json", document)

    def test_inputs_take_turns_in_all_jobs_if_they_did_so_in_one(self):
        turns = {"data": {"rotate": 104}}
        [fit] = self.fit("--time", "41.4us", self.with_novelty())["fits"]
        self.assertEqual(("hit", "warm"), (fit["outcome"], fit["context"]))
        self.assertEqual({"x": {**turns, "cache": "cold"}, "y": {**turns, "cache": "L3"}}, fit["args"])
        self.assertEqual([turns] * len(fit["evaluations"]),
                         [{"data": e["args"]["y"]["data"]} for e in fit["evaluations"]])
        self.assertEqual(20000, fit["warm_ns"])

    def test_a_time_above_cold_on_the_one_input_is_tried_on_inputs_that_take_turns(self):
        path = self.with_novelty(data="one")
        [fit] = self.fit("--time", "44us", path)["fits"]
        self.assertEqual(("hit", "cold", {"rotate": 104}),
                         (fit["outcome"], fit["context"], fit["args"]["x"]["data"]))
        [fit] = self.fit("--time", "18us", path)["fits"]
        self.assertEqual({"x": {"cache": "cold"}}, fit["args"])

    def test_operands_that_say_it_themselves_have_the_inputs_that_they_say(self):
        document = json.loads(self.with_novelty(data="one").read_text())
        for operand in ("x", "y"):
            document["spec"]["args"][operand]["data"] = "one"
        document["meta"]["levels"].pop("novel")
        [fit] = self.fit("--time", "44us", self.file("own.json", document), code=MISS)["fits"]
        self.assertEqual(("above_cold", {}), (fit["outcome"], fit["args"]))

    def test_warm_is_timed_beside_each_state(self):
        [fit] = self.fit("--time", "18us", self.job)["fits"]
        warm, *others = fit["evaluations"]
        self.assertEqual(("warm", {}), (warm["context"], warm["args"]))
        self.assertEqual(1 + sum(e["times"] for e in others), warm["times"])


class ForReal(FitTest):
    """Built and timed; which context fits is judged in tests/timing/."""
    worker = None

    def test_P41_a_dot_product_is_fitted_by_real_timings(self):
        spec = json.loads((TREE / "tests/kernels/dotprod.spec.json").read_text())
        spec["timing"] = {"trust": "claimed", "gate": False}        # an audit compares times
        done = subprocess.run(
            [BUILD / "assay", "-s", self.daemon.socket, "--json", "fit", "--time", "2us", "--evaluations", "4",
             "--samples", "3", "-p", "N=2000", self.file("dot.json", spec),
             TREE / "tests/kernels/dot_plain.c"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        submitted = self.daemon.call("results.query", {"limit": 20})["results"]
        self.assertEqual({os.getuid()}, {r["submitter"] for r in submitted})
        self.assertIn("warm", {r["technique"]["context"] for r in submitted})
        if any(r["status"] == "too_noisy" for r in submitted):
            return
        [fit] = json.loads(done.stdout)["fits"]
        self.assertIn(fit["outcome"], ("hit", "closest", "below_warm", "above_cold", "flat"),
                      done.stderr)
        self.assertEqual(len(submitted), sum(e["times"] for e in fit["evaluations"]))
        self.assertLessEqual(len(submitted), 4)
        warm = statistics.median(r["time"]["value_ns"] for r in submitted
                                 if r["technique"]["context"] == "warm")
        self.assertAlmostEqual(warm, fit["warm_ns"], delta=1e-9 * warm)


if __name__ == "__main__":
    unittest.main()
