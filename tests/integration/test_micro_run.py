# SPDX-License-Identifier: Apache-2.0
"""assay micro run: programs of a description, built and timed by the real daemon."""
import json
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import TIMED  # noqa: E402
from test_cli import BAD_SPEC, USAGE, WithDaemon  # noqa: E402
from test_launch import TIMED_CODES, timed_rows  # noqa: E402

MICRO = pathlib.Path(__file__).resolve().parent.parent / "micro"
LOAD_STORE = MICRO / "load_store.xml"
# As unrolled.xml does: a dot product in one sum.
DOT = """int entryPoint(int n, double *a, double *b)
{
  double sum = 0;
  int i, k;

  for (i = 0; i + UNROLL <= n; i += UNROLL)
    for (k = 0; k < UNROLL; k++)
      sum += a[i + k] * b[i + k];
  a[n] = sum;
  return i / UNROLL;
}
"""
FEW = ("--metarepetition", "3", "--repetition", "2")


class MicroRun(WithDaemon):
    worker = None           # the real one: the programs are assembled and run

    def run_few(self, *words, **how):
        return self.said("-q", "micro", "run", LOAD_STORE, *FEW, *words, code=TIMED_CODES, **how)

    def test_L48_the_least_of_each_unroll_factor_is_printed_by_level(self):
        page = self.dir / "page.html"
        said = self.run_few("--programs", "12", "--levels", "L1,L2", "--report", page)
        heading, columns, *rows = (line for line in said.strip().splitlines() if not line.startswith("L1: "))
        self.assertRegex(heading, r"^Least (ns|cycles \(\w+\)) of an iteration, and of each load or store in it:$")
        self.assertEqual(["unroll", "L1", "L2", "L1", "each", "L2", "each"], columns.split())
        factors = [int(row.split()[0]) for row in rows]
        self.assertEqual(sorted(set(factors)), factors)
        for row in rows:
            unroll, l1, l2, l1_each, l2_each = map(float, row.split())
            self.assertAlmostEqual(l1 / unroll, l1_each, delta=0.01 * l1_each)
            self.assertAlmostEqual(l2 / unroll, l2_each, delta=0.01 * l2_each)
        html = page.read_text()
        self.assertIn("by unroll factor", html)
        self.assertEqual(2 * len(rows), html.count("<circle"))
        self.assertNotRegex(html, r"<script|src=|href=")

    def test_L39_a_level_has_arrays_of_half_the_first_or_twice_the_one_above(self):
        caches = self.document("host")["caches"]
        sweep = self.document("micro", "run", LOAD_STORE, "--programs", "2", "--print", "--levels", "L1,L2,memory")
        memory = min(2 * (caches["l3_bytes"] or caches["l2_bytes"]), 128 << 20)       # it is not calibrated
        first = caches["l1_bytes"] // 8
        self.assertEqual([first, first // 2, first // 4, caches["l1_bytes"] // 2, memory // 4], sweep["space"]["N"])
        self.assertEqual(60000 + 500 * (memory >> 20) if memory > 17 << 20 else None, sweep.get("timeout_ms", {}).get("run"))
        self.assertEqual("int entryPoint(int n, float *a0)", sweep["spec"]["routine"])

    def test_M41_what_a_program_does_stays_with_its_result(self):
        said = self.run_few("--ndjson", "--programs", "3", "--startvector", "4000")
        results = [json.loads(line) for line in said.splitlines()]
        self.assertLessEqual({r["status"] for r in results}, set(TIMED), [r["detail"] for r in results])
        for result in results:
            meta = result["meta"]
            self.assertEqual(meta["unroll"], meta["loads"] + meta["stores"])
            self.assertEqual(4000 // (4 * meta["unroll"]), result["time"]["per_iteration"]["iterations"])
            self.assertEqual(meta["variant"], result["name"].split()[0])
            self.assertIn("SSE", meta["isa"])
            self.assertEqual(meta["unroll"] + 4, meta["instructions"])      # two steps, the counter, the jump

    def test_L25_csv_has_a_row_for_each_program_and_size(self):
        rows = timed_rows(self.run_few("--csv", "--programs", "2", "--startvector", "1000", "--endvector",
                                                            "2000", "--stepvector", "1000"))
        self.assertEqual([("1000", "ok"), ("1000", "ok"), ("2000", "ok"), ("2000", "ok")],
                         [(r["elements"], r["status"]) for r in rows])
        self.assertEqual(2, len({r["kernel"] for r in rows}))
        for row in rows:
            self.assertEqual((len(row["sequence"]), "movaps", "", ""),
                             (int(row["unroll"]), row["operations"], row["immediates"], row["level"]))
        rows = timed_rows(self.run_few("--csv", "--programs", "1", "--levels", "L1,L2"))
        self.assertEqual(["L1", "L1 base", "L1 base", "L2"], [row["level"] for row in rows])

    def test_L39_L48_the_first_level_is_timed_at_smaller_sizes_too(self):
        document = json.loads(self.run_few("--json", "--programs", "2", "--levels", "L1,L2"))
        first = self.document("host")["caches"]["l1_bytes"] // 8
        by_size = {size: [row for row in document["rows"] if row["elements"] == size] for size in (first, first // 2, first // 4, 4 * first)}
        self.assertEqual([2, 2, 2, 2], [len(rows) for rows in by_size.values()])
        for large, half, quarter, second in zip(*by_size.values()):
            self.assertEqual(1, len({row["kernel"] for row in (large, half, quarter, second)}))
            self.assertEqual([None, None], [half["steady"], quarter["steady"]])
            self.assertEqual(second["value"], second["steady"])
            if large["steady"] not in (None, large["value"]):   # the difference of times by that of iterations
                slopes = [(a["value"] * a["iterations"] - b["value"] * b["iterations"]) / (a["iterations"] - b["iterations"])
                          for a, b in ((large, half), (half, quarter))]
                self.assertAlmostEqual(min(slopes), large["steady"], delta=0.2 * large["value"])    # a clock is read thrice
                self.assertLess(large["steady"], large["value"])
        with_sizes = json.loads(self.run_few("--json", "--programs", "1", "--startvector", "1000"))["rows"]
        self.assertEqual([None], [row["steady"] for row in with_sizes])

    def test_L39_a_size_in_which_a_program_makes_few_passes_is_no_base(self):
        wide = self.file("wide.xml", LOAD_STORE.read_text().replace("<swap_after_unroll/>", "")
                         .replace("<min>1</min>\n      <max>8</max>", "<min>80</min>\n      <max>80</max>"))
        first = self.document("host")["caches"]["l1_bytes"] // 8
        for words, bases in (((LOAD_STORE,), 2), ((LOAD_STORE, "--info", "function"), 0), ((LOAD_STORE, "--iteration-count", "640"), 0),
                             ((LOAD_STORE, "--iterations", "100"), 0), ((wide,), 0 if first < 16 * 320 else 2)):
            with self.subTest(words=words):
                sweep = self.document("micro", "run", *words, "--programs", "1", "--print", "--levels", "L1")
                self.assertEqual([first >> n for n in range(1 + bases)], sweep["space"]["N"])

    def test_L25_one_document_has_the_rows_and_what_the_programs_do(self):
        document = json.loads(self.run_few("--json", "--programs", "2", "--startvector", "1000"))
        self.assertEqual([1000, 1000], [row["elements"] for row in document["rows"]])
        for row in document["rows"]:
            self.assertEqual(row["kernel"], row["meta"]["variant"])
            self.assertEqual(1000 // row["meta"]["step"], row["iterations"])

    def test_M41_what_all_programs_must_return_is_in_the_spec(self):
        sweep = self.document("micro", "run", MICRO / "order.xml", "--programs", "3", "--print", "--startvector", "64")
        self.assertEqual("(N - N % 4) / 4 * 1", sweep["spec"]["check"]["iterations"])
        self.assertEqual({1}, {v["meta"]["counts"] for v in sweep["space"]["variant"]})
        said = self.said("-q", "micro", "run", MICRO / "order.xml", *FEW, "--programs", "1", "--csv", "--startvector", "66", code=TIMED_CODES)
        row, = timed_rows(said)
        self.assertEqual(("ok", "16"), (row["status"], row["iterations"]), row["note"])
        sweep = self.document("micro", "run", LOAD_STORE, "--print", "--startvector", "64")       # of several unroll factors
        self.assertNotIn("check", sweep["spec"])

    def test_M41_options_of_the_generator_go_to_it(self):
        words = ("micro", "run", LOAD_STORE, "--print", "--startvector", "640")
        narrow, wide = (self.document(*words, "--programs", "1", *more)["space"]["variant"][0]["source"]
                        for more in ((), ("--vector", "32")))
        self.assertNotIn("%ymm", narrow)
        self.assertIn("%ymm", wide)
        self.assertIn("unroll", self.assay(*words, "--verbose").stderr)
        self.assertNotEqual("", self.assay(*words, "--plugin", "/nonexistent.so", code=(64, 65, 66, 74)).stderr)
        ignored = self.file("ignored.xml", LOAD_STORE.read_text().replace("<kernel>", "<hardware_detector><execute>x</execute></hardware_detector><kernel>", 1))
        words = ("micro", "run", ignored, "--print", "--startvector", "640", "--programs", "1")
        self.assertIn("is ignored", self.assay(*words).stderr)
        self.assertEqual("", self.assay("-q", *words).stderr)

    def test_L47_a_routine_is_timed_beside_its_twin(self):
        routine = self.file("dot.c", DOT)
        page = self.dir / "page.html"
        words = ("-q", "micro", "run", MICRO / "unrolled.xml", *FEW, "--twin-of", routine, "--startvector", "1024", "-O", "-O2")
        said = self.said(*words, "--report", page, code=TIMED_CODES)
        columns, *rows = said.strip().splitlines()
        self.assertEqual("elements unroll twin routine unit predicted gain gain error", " ".join(columns.split()))
        self.assertEqual([str(u) for u in range(1, 9)], [row.split()[1] for row in rows])
        number = r"-?[\d.]+ %"
        for row in rows:
            self.assertRegex(row, rf"{number} +{number} +[+-][\d.]+ %$")
        self.assertIn("predicted by the twin", page.read_text())
        sweep = self.document(*words[1:], "--print")
        real = [v for v in sweep["space"]["variant"] if v["meta"].get("real")]
        self.assertEqual([{"UNROLL": u} for u in range(1, 9)], [v["defines"] for v in real])
        ran = self.said(*words[:3], MICRO / "unrolled.xml", *FEW, "--twin-of", self.file("bad.c", "int x = y;"), "--startvector",
                        "1024", code=(70, 75))      # 75: a program in front was too noisy
        self.assertRegex(ran, r"(?m)^bad u1, 1024 elements: build_failed: ")
        self.assertIn("compares calls", self.assay(*words, "--info", "raw", code=USAGE).stderr)

    def test_M40_descriptions_for_other_uses_run_too(self):
        for name in ("stencil", "stride", "latency"):
            with self.subTest(name=name):
                said = self.said("-q", "micro", "run", MICRO / f"{name}.xml", *FEW, "--csv", "--programs", "1", "--startvector",
                                 "4096", code=TIMED_CODES)
                row, = timed_rows(said)
                self.assertEqual("ok", row["status"], row["note"])

    def test_what_cannot_be_run_is_refused_with_the_place(self):
        bad = self.file("bad.xml", "<description><kernel><instruktion/></kernel></description>")
        for words, code, said in (((bad,), BAD_SPEC, "instruktion"), ((), USAGE, "needs one description"),
                                  ((LOAD_STORE, "--levels", "L1,L9"), USAGE, '"L9" is no level'),
                                  ((LOAD_STORE, "--levels", "L1,L2,L1"), USAGE, "L1 is given twice"),
                                  ((LOAD_STORE, "--limit", "1"), USAGE, "for some of the programs: --programs N"),
                                  ((LOAD_STORE, "--report", "/nonexistent/p.html", "--programs", "1"), 74, "--report: /nonexistent/"),
                                  ((LOAD_STORE, "--cpupin", "1"), USAGE, "the daemon owns its timing CPUs")):
            with self.subTest(words=words):
                ran = self.assay("micro", "run", *words, code=code)
                self.assertIn(said, ran.stderr)
                self.assertEqual(1, len(re.findall(r"(?m)^assay", ran.stderr)), ran.stderr)

    def test_too_many_programs_have_the_option_that_draws_some(self):
        many = self.file("many.xml", LOAD_STORE.read_text().replace("<max>8</max>\n    </unrolling>", "<max>30</max>\n    </unrolling>"))
        said = self.assay("micro", "run", many, code=78).stderr
        self.assertIn("micro run calls it --programs N", said)
        said = self.said("micro", "run", "--help")
        self.assertIn("of the draws of --programs and --limit", said)

    def test_what_needs_no_daemon_to_be_wrong_asks_none(self):
        ran = self.assay("-s", "/nonexistent/assay.sock", "micro", "run", LOAD_STORE, "--levels", "L1,L9", code=USAGE)
        self.assertIn('"L9" is no level', ran.stderr)


if __name__ == "__main__":
    unittest.main()
