# SPDX-License-Identifier: Apache-2.0
# runs alone: its copies and teams keep all CPUs busy
"""Launches on more than one core: over numbers of copies, and of kernels with OpenMP, on a slot of two CPUs."""
import json
import pathlib
import re
import unittest

from test_cli import USAGE, WithDaemon
from test_launch import FEW, TIMED_CODES, WALK, timed_rows

MICRO = pathlib.Path(__file__).resolve().parent.parent / "micro"
# They return how many threads have worked, as if that were their iterations.
SERIAL = """int entryPoint(int n, float *a)
{
  for (int i = 0; i < n; i++) a[i] += 1;
  return 1;
}
"""
TEAM = """#include <omp.h>
int entryPoint(int n, float *a)
{
  int team = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++) a[i] += 1;
#pragma omp atomic
    team++;
  }
  return team;
}
"""


class LaunchCores(WithDaemon):
    worker = None           # the real one
    flags = ("--slots", "0-1", "--builders", "1")

    def test_L41_a_sweep_over_cores_has_a_row_for_each_core_of_each_number(self):
        walk = self.file("walk.c", WALK)
        words = ("launch", *FEW, walk, "--nbvector", "2", "--startvector", "400", "--nbprocess", "1-2")
        rows = timed_rows(self.said("-q", *words, "--csv", code=TIMED_CODES))
        self.assertEqual([("1", ""), ("2", "0"), ("2", "1")], [(r["copies"], r["cpu"]) for r in rows])
        self.assertEqual({"ok"}, {r["status"] for r in rows})
        said = self.said("-q", *words, code=TIMED_CODES)
        self.assertRegex(said, r"copies +value +least core +most")
        self.assertEqual(["1", "2"], re.findall(r"(?m)^walk +400 +(\d+) ", said))
        self.assertRegex(said, r"(?m)^walk, 400 elements: (saturated by 1 copy|(not )?saturated by 2 copies)$")

    def test_L41_the_page_has_a_curve_over_numbers_of_cores(self):
        page = self.dir / "page.html"
        self.said("-q", "micro", "run", MICRO / "stencil.xml", "--metarepetition", "3", "--programs", "2", "--startvector", "4096",
                  "--nbprocess", "1-2", "--report", page, code=TIMED_CODES)
        html = page.read_text()
        self.assertIn("By number of cores", html)
        self.assertEqual(4, html.count("<circle"))

    def test_L41_what_is_no_number_of_copies_is_refused(self):
        walk = self.file("walk.c", WALK)
        for text in ("0", "3-2", "1-", "two", "1-9999"):
            self.assertIn("is no number of copies", self.assay("launch", walk, "--nbprocess", text, code=USAGE).stderr)
        self.assertIn("is for one sweep", self.assay("launch", walk, "--nbprocess", "1-2", "--print", code=USAGE).stderr)

    def test_L43_a_kernel_with_openmp_has_a_row_beside_serial_code(self):
        words = (self.file("serial.c", SERIAL), self.file("team.c", TEAM), "--startvector", "4000", "--threads", "2", "-O", "-fopenmp")
        rows = timed_rows(self.said("-q", "launch", *FEW, "--csv", *words, code=TIMED_CODES))
        self.assertEqual([("serial", "ok", "1"), ("team", "ok", "2")], [(r["kernel"], r["status"], r["iterations"]) for r in rows])

    def test_M44_programs_with_parallel_loops_run_on_a_team(self):
        said = self.said("-q", "micro", "run", MICRO / "openmp.xml", "--metarepetition", "3", "--programs", "2", "--startvector",
                         "4096", "--threads", "2", "-O", "-fopenmp", "--ndjson", code=TIMED_CODES)
        results = [json.loads(line) for line in said.splitlines()]
        self.assertEqual(2, len(results))
        for result in results:
            self.assertIsNotNone(result["time"], result["detail"])
            self.assertEqual([0, 1], result["technique"]["cpus"])


if __name__ == "__main__":
    unittest.main()
