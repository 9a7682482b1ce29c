# SPDX-License-Identifier: Apache-2.0
"""Layout as a variable, on the real daemon.  No test looks at how long anything takes."""
import base64
import copy
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, TIMED, RealDaemonTest, RpcError, assert_count  # noqa: E402

KERNELS = pathlib.Path(__file__).resolve().parent.parent / "kernels"
DOT = json.loads((KERNELS / "dotprod.spec.json").read_text())
TOO_NOISY = 75
TRIES = 30                      # of a sweep that others disturb before it has begun
LIMITS = {"run": 600000, "build": 600000}       # ends for what hangs
PLAIN = {"name": "plain", "source": (KERNELS / "dot_plain.c").read_text()}


def dot_job(variant=PLAIN, aligned=None, **timing):
    spec = copy.deepcopy(DOT)
    spec["context"] = "warm"
    spec["params"]["N"] = 500
    spec["timing"] = {"trust": "claimed", **timing}          # an audit compares times
    spec["check"] = {"reference": {"source": PLAIN["source"]}}
    for operand in ("X", "Y"):
        spec["args"][operand].pop("cache", None)
        spec["args"][operand].update(aligned or {})
    return {"variant": variant, "spec": spec, "timeout_ms": LIMITS}


class Layout(RealDaemonTest):
    def run_jobs(self, *documents):
        results = self.daemon.run(*documents)
        for result in results:
            self.assertIn(result["status"], TIMED, result["detail"])
        return results

    def sweep(self, *documents):
        """Results of sweeps: a time that was too noisy has no other layouts beside it."""
        for _ in range(TRIES):
            results = self.run_jobs(*documents)
            if all(result["status"] == "ok" for result in results):
                return results
        self.fail(f"too noisy {TRIES} times: {[r['detail'] for r in results]}")

    def assert_spreads(self, layout):
        """
        The largest median less the smallest, relative to the typical: of all, and of those that a
        factor sets apart.
        """
        each = layout["each"]
        typical = statistics.median(e["median_ns"] for e in each)
        for factor, spread in {None: layout["spread"], **layout["by"]}.items():
            medians = [e["median_ns"] for i, e in enumerate(each) if i == 0
                       or factor in (None, e["varied"])]
            share = (max(medians) - min(medians)) / typical
            if spread is None:
                self.assertLess(share, layout["repeat"])
            else:
                self.assertAlmostEqual(share, spread, places=9)

    def test_a_sweep_over_four_layouts_has_four_entries_with_distinct_offsets(self):
        (result,) = self.sweep(dot_job(layout="sweep", layouts=4, samples=5))
        layout = result["layout"]
        self.assertEqual(("sweep", 4, 1), (layout["mode"], layout["layouts"], layout["seed"]))
        offsets = {(e["code_offset"], tuple(e["operand_shift"]), e["stack_offset"]) for e in layout["each"]}
        self.assertEqual(4, len(offsets))
        self.assertEqual(["none", "code", "operands", "stack"], [e["varied"] for e in layout["each"]])
        self.assertEqual((0, [0, 0], 0), tuple(layout["each"][0][m] for m in ("code_offset", "operand_shift", "stack_offset")))
        self.assertEqual({"code", "operands", "stack"}, set(layout["by"]))
        self.assert_spreads(layout)
        self.assertEqual({}, layout["stays"])
        assert_count(self, 5, result)

    def test_random_layouts_are_a_median_over_processes_with_its_interval(self):
        (result,) = self.run_jobs(dot_job(layout="random", layouts=7, layout_seed=5))
        layout, time = result["layout"], result["time"]
        self.assertEqual(("random", 7, 5), (layout["mode"], layout["layouts"], layout["seed"]))
        self.assertEqual(7, time["count"])
        normalised = time["estimator"] == "normalised"     # where the gate was on and all were quiet
        self.assertIn(time["estimator"], ("normalised", "median"))
        self.assertEqual((time["normalised"] if normalised else time)["median_ns"], time["value_ns"])
        low, high = time["ci95_ns"]
        self.assertTrue(low <= time["median_ns"] <= high)
        self.assertEqual({0, 16, 32, 48}, {e["code_offset"] for e in layout["each"]})
        self.assertNotIn("by", layout)

    def test_two_variants_are_timed_at_the_same_layouts(self):
        other = {"name": "other", "source": "static int unused(int n) { return n; }\n" + PLAIN["source"] +
                 "int used(int n) { return unused(n) + 3; }\n"}
        both = self.sweep(*(dot_job(v, layout="sweep", layouts=4, samples=3) for v in (PLAIN, other)))
        first, second = ([(e["code_offset"], e["operand_shift"], e["stack_offset"]) for e in r["layout"]["each"]]
                         for r in both)
        self.assertEqual(first, second)

    def test_W57_aligned_then_misaligned_are_two_rows(self):
        aligned, misaligned = self.run_jobs(dot_job(aligned={"align": 64}, samples=3),
                                            dot_job(aligned={"align": 8, "misalign": 64}, samples=3, layout="random"))
        self.assertNotEqual(aligned["job"], misaligned["job"])
        self.assertNotEqual(aligned["driver"], misaligned["driver"])
        rows = self.daemon.call("results.query", {"order": "newest", "limit": 100})["results"]
        self.assertLessEqual({aligned["job"], misaligned["job"]}, {r["job"] for r in rows})
        self.assertEqual({"mode": "fixed", "code_offset": 0, "stack_offset": 0}, aligned["layout"])
        for entry in misaligned["layout"]["each"]:
            self.assertEqual([0, 0], [s % 64 for s in entry["operand_shift"]])

    def test_the_code_of_a_shared_object_stays_and_the_result_says_so(self):
        with tempfile.TemporaryDirectory() as directory:
            shared = pathlib.Path(directory, "dot.so")
            subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", shared, KERNELS / "dot_plain.c"], check=True)
            variant = {"language": "shared", "source": base64.b64encode(shared.read_bytes()).decode()}
        (result,) = self.sweep(dot_job(variant, layout="sweep", layouts=6, samples=3))
        self.assertIn("linked already", result["layout"]["stays"]["code"])
        self.assertIsNone(result["layout"]["by"]["code"])
        self.assertEqual(1, len({e["code_offset"] for e in result["layout"]["each"]}))
        self.assertGreater(len({e["stack_offset"] for e in result["layout"]["each"]}), 1)

    def test_the_wall_limit_ends_a_sweep_early_and_the_time_stays(self):
        nap = ("#define _GNU_SOURCE\n#include <time.h>\n"
               "void f(void) { struct timespec t = { 0, 150000000 }; nanosleep(&t, 0); }")
        job = {"variant": {"source": nap}, "timeout_ms": {"run": 8000},
               "spec": {"routine": "void f(void)", "context": "warm",
                        "timing": {"samples": 3, "calls": 1, "layout": "sweep", "layouts": 64}}}
        for _ in range(TRIES):
            (result,) = self.daemon.run(job)
            if result["status"] != "too_noisy":
                break
        # others had the CPU in what should have been the last order
        if result["status"] == "run_timeout":
            self.assertIn("the wall limit was reached", result["detail"])
            return
        self.assertEqual("ok", result["status"], result["detail"])
        self.assertTrue(result["layout"]["cut_short"])
        self.assertLess(result["layout"]["layouts"], 64)
        self.assertGreaterEqual(result["time"]["min_ns"], 0.999 * 15e7)

    def test_what_makes_no_sense_is_refused_at_submission_by_name(self):
        for timing, member in (({"layouts": 4}, "layouts"), ({"layout": "random", "estimator": "min"}, "estimator"),
                               ({"layout": "random", "interval": 0.01}, "interval")):
            with self.assertRaises(RpcError) as refused:
                self.daemon.call("job.submit", {"jobs": [dot_job(**timing)]})
            self.assertIn(f"spec.timing.{member}", str(refused.exception))

    def test_the_command_line_asks_for_it_and_prints_a_line(self):
        with tempfile.TemporaryDirectory() as directory:
            spec = pathlib.Path(directory, "dot.json")
            spec.write_text(json.dumps(dot_job()["spec"]))
            for _ in range(TRIES):
                done = subprocess.run([BUILD / "assay", "-s", self.daemon.socket, "time", "--layouts", "4", spec,
                                       KERNELS / "dot_plain.c"], capture_output=True, text=True,
                                      env={**os.environ, "LC_ALL": "C"})
                if done.returncode != TOO_NOISY:
                    break
        self.assertEqual(0, done.returncode, done.stderr)
        share = r"(?:[\d.]+ %|below repetition)"
        self.assertRegex(" ".join(done.stdout.split()),
                         r" layout [\d.]+ % between the times of 4 layouts in memory "
                         rf"\(code {share}, operands {share}, stack {share}\); "
                         r"[\d.]+ % between two processes with the same layout ")


if __name__ == "__main__":
    unittest.main()
