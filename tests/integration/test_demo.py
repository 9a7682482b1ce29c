# SPDX-License-Identifier: Apache-2.0
# time limit: 300 s
"""The demo from beginning to end, in a directory of its own: what it prints, what it leaves, what it ends with."""
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "kernels")]
from harness import BUILD  # noqa: E402
import sweeps  # noqa: E402

TIMED = ("ok", "too_noisy")


class DemoTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory(prefix="assay-demo-")
        cls.addClassCleanup(directory.cleanup)
        cls.state = pathlib.Path(directory.name) / "state"
        cls.ran = subprocess.run([TESTS / "kernels" / "demo.sh", BUILD, cls.state], stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
        if cls.ran.returncode != 0:
            print(cls.ran.stdout, (cls.state / "assayd.log").read_text(), flush=True)

    def rows(self, query, *values):
        with sqlite3.connect(self.state / "assay.db") as db:
            return db.execute(query, values).fetchall()

    def ends_of(self, sweep):
        return self.rows("SELECT r.name, r.status FROM results r JOIN sweeps s ON s.id = r.sweep_id WHERE s.name = ?"
                         " ORDER BY r.job_id", sweep)

    def test_the_demo_ends_well_and_says_where_the_database_is(self):
        self.assertEqual(0, self.ran.returncode)
        self.assertIn("assay.db", self.ran.stdout)
        self.assertIn("SELECT", self.ran.stdout)

    def test_every_sweep_has_its_table_and_its_best(self):
        best = self.ran.stdout.split("  best ", 1)[1]
        for title, document in sweeps.everything():
            self.assertIn(f"{document['name']}: {title}", self.ran.stdout)
            self.assertIn(f"  {document['name']} ", best)

    def test_every_job_has_exactly_one_result(self):
        self.assertEqual([], self.rows("SELECT id FROM jobs WHERE id NOT IN (SELECT job_id FROM results)"))
        jobs = sum(len(d.get("variants", [])) or len(d["space"]["NB"]) for _, d in sweeps.everything())
        self.assertEqual([(jobs,)], self.rows("SELECT count(*) FROM results WHERE sweep_id IS NOT NULL"))
        self.assertEqual([(jobs,)], self.rows("SELECT count(DISTINCT job_id) FROM results WHERE sweep_id IS NOT NULL"))

    def test_the_best_of_each_sweep_was_timed_in_turn_with_the_next(self):
        (count,), = self.rows("SELECT count(*) FROM results WHERE sweep_id IS NULL")
        self.assertGreaterEqual(count, len(sweeps.everything()))

    def test_every_good_variant_is_timed_and_right(self):
        for _, document in sweeps.everything():
            if document["name"] == "bad":
                continue
            for name, status in self.ends_of(document["name"]):
                if "avx2" not in name and "NB=" not in name:    # those need a CPU that has AVX2
                    self.assertIn(status, TIMED, f"{document['name']} {name}")

    def test_six_forms_of_doitgen_beside_the_reference_give_its_answer(self):
        right = [name for name, status in self.ends_of("doitgen") if status in TIMED]
        self.assertEqual("reference", right[0])
        self.assertGreaterEqual(len(right) - 1, 6)

    def test_each_bad_variant_is_reported_under_its_own_word_and_stops_nothing(self):
        ends = self.ends_of("bad")
        self.assertEqual(["plain", "bad_syntax", "bad_crash", "bad_spin", "bad_answer", "unroll4"], [n for n, _ in ends])
        for name, status in ends:
            self.assertIn(status, TIMED if sweeps.BAD_ENDS[name] == "ok" else (sweeps.BAD_ENDS[name],), name)


if __name__ == "__main__":
    unittest.main()
