# SPDX-License-Identifier: Apache-2.0
# not for sanitizers: its sweeps take the ways of other programs' jobs
# takes about 120 s
"""
The demo from beginning to end: that it ends, what it prints and leaves, and which variants are
right.  Where others want the CPU, an audit may doubt an honest time: such a word is none of a wrong
answer, and tests/timing/ judges it.
"""
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from demo import DemoRun, sweeps  # noqa: E402
from harness import TIMED  # noqa: E402

HONEST = (*TIMED, "suspect")


class Demo(DemoRun):
    def test_the_demo_ends_and_says_where_the_database_is(self):
        self.assertIn("assay.db", self.ran.stdout)
        self.assertIn("SELECT", self.ran.stdout)
        if self.ran.returncode != 0:
            complaint = self.ran.stdout.split(" results --sweep doitgen --speedup\n", 1)[1]
            self.assertRegex(complaint, r"\A(\w+ ended suspect, not ok\n)+\Z")

    def test_every_sweep_has_its_table_and_its_best(self):
        best = self.ran.stdout.split("  best ", 1)[1]
        for title, document in sweeps.everything():
            self.assertIn(f"{document['name']}: {title}", self.ran.stdout)
            self.assertRegex(best, rf"(?m)^  {re.escape(document['name'])} ")

    def test_every_job_has_exactly_one_result(self):
        self.assertEqual([], self.rows("SELECT id FROM jobs WHERE id NOT IN (SELECT job_id FROM results)"))
        jobs = sum(len(d.get("variants", [])) or len(d["space"]["NB"]) for _, d in sweeps.everything())
        self.assertEqual([(jobs,)], self.rows("SELECT count(*) FROM results WHERE sweep_id IS NOT NULL"))
        self.assertEqual([(jobs,)], self.rows("SELECT count(DISTINCT job_id) FROM results WHERE sweep_id IS NOT NULL"))

    def test_every_good_variant_gives_the_answer_of_the_reference(self):
        for sweep, result in self.honest_results():
            with self.subTest(sweep=sweep, variant=result["name"]):
                self.assertIn(result["status"], HONEST, result["detail"])
                self.assertTrue(result["check"] is None or result["check"]["passed"],
                                result["check"])
                self.assertTrue(result["status"] not in TIMED or result["time"])

    def test_six_forms_of_doitgen_beside_the_reference_give_its_answer(self):
        reference, *forms = self.results_of("doitgen")
        self.assertEqual("reference", reference["name"])
        right = [f["name"] for f in forms if f["status"] in HONEST and f["check"] is not None
                 and f["check"]["passed"]]
        self.assertGreaterEqual(len(right), 6)

    def test_G31_the_form_that_a_search_found_stands_beside_those_unrolled_by_hand(self):
        """The table has the speed-up of each over the same reference: least times of the results."""
        results = {r["name"]: r for r in self.results_of("doitgen")}
        table = self.ran.stdout.split("\ndoitgen: ", 1)[1].split("\n\n", 1)[0]
        for name in ("gco_8_6", "split4", "jam10"):
            ends = [results[n]["status"] for n in ("reference", name)]
            wanted = "-" if ends != ["ok", "ok"] else \
                f"{results['reference']['time']['min_ns'] / results[name]['time']['min_ns']:.2f}x"
            row = re.search(rf"(?m)^  {name} .*$", table)[0]
            self.assertIn(wanted, row.split())

    def test_each_bad_variant_is_reported_under_its_own_word_and_stops_nothing(self):
        ends = {r["name"]: r["status"] for r in self.results_of("bad")}
        self.assertEqual(["plain", "bad_syntax", "bad_crash", "bad_spin", "bad_answer", "unroll4"],
                         list(ends))
        for name, status in ends.items():
            self.assertIn(status, HONEST if sweeps.BAD_ENDS[name] == "ok"
                          else (sweeps.BAD_ENDS[name],), name)


if __name__ == "__main__":
    unittest.main()
