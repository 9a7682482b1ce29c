# SPDX-License-Identifier: Apache-2.0
"""Spaces of sizes, contexts, files and compilers: what the command line makes of them, timed by the real daemon."""
import csv
import fcntl
import io
import itertools
import os
import pty
import re
import select
import struct
import termios
import unittest

from test_cli import BAD_SPEC, NOT_FOUND, TOO_NOISY, USAGE, WRONG_ANSWER, WithDaemon
from harness import TIMED, TIMEOUT_S, assert_timed

SUSPECT = 86
TIMED_CODES = (0, TOO_NOISY)      # a busy host has its times, too
SUM = "double sum(int n, const double *x) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }\n"
TWO = "double sum(int n, const double *x) { double a = 0, b = 0; int i = 0; for (; i + 1 < n; i += 2) " \
      "{ a += x[i]; b += x[i + 1]; } return i < n ? a + b + x[i] : a + b; }\n"
SPEC = {"routine": "double sum(int n, const double *x)", "params": {"N": 100},
        "args": {"n": "N", "x": {"dims": ["N"]}}, "timing": {"samples": 3, "processes": 1, "gate": False},
        "check": {"reference": {"language": "c", "source": SUM}}}


FLUSH = {"bytes": 1 << 20}      # else cold calls need as many sets as fill the host's caches


class SpaceTest(WithDaemon):
    worker = None           # the real one: compilers run

    def setUp(self):
        super().setUp()
        self.file("sum.c", SUM)
        self.file("two.c", TWO)
        self.file("spec.json", {**SPEC, "timing": {**SPEC["timing"], "flush": FLUSH}})

    def follow(self, space, name, template=None, **members):
        path = self.file("sweep.json", {"name": name, "spec_file": "spec.json", "template": template or {},
                                        "space": space, **members})
        return self.document("sweep", "create", path, "--follow")["results"]

    def test_files_sizes_contexts_and_flags_are_dimensions(self):
        self.file("spec.json", SPEC)
        contexts = [{"flush_bytes": 1 << 20}, "warm"]
        space = {"N": [10, 50], "context": contexts, "source_file": ["sum.c", "two.c"], "flags": [["-O1"], ["-O3"]]}
        results = self.follow(space, "all")
        points = [(r["params"]["N"], r["technique"]["context"], r["meta"]["variant"], tuple(r["flags"])) for r in results]
        self.assertEqual(list(itertools.product((10, 50), ("flush_bytes", "warm"), ("sum", "two"), (("-O1",), ("-O3",)))), points)
        for result in results:
            assert_timed(self, result)
        self.assertEqual(4, len({r["spec_hash"] for r in results}))         # cells
        self.assertEqual('two N=10 context={"flush_bytes":1048576} flags=-O1', results[2]["name"])

    def test_compilers_are_a_dimension(self):
        results = self.follow({"compiler": ["gcc", "clang"], "N": [7]}, "compilers", {"source_file": "sum.c"})
        self.assertEqual(["gcc", "clang"], [r["meta"]["compiler"] for r in results])
        self.assertEqual(2, len({r["compiler"]["version"] for r in results}))

    def test_members_of_the_spec_are_dimensions_by_their_path(self):
        self.file("spec.json", {**SPEC, "context": "warm"})
        results = self.follow({"args.x.align": [8, 4096], "timing.calls": [3]}, "paths", {"source_file": "sum.c"})
        self.assertEqual([8, 4096], [r["technique"]["operands"]["x"]["align"] for r in results])
        self.assertEqual([3, 3], [r["technique"]["calls"] for r in results])

    def test_L20_L42_every_combination_of_offsets_is_visited_and_held(self):
        text = """double both(const double *x, const double *y)
        { return (unsigned long)x % 4096 == AT && (unsigned long)y % 256 == 64 + ON ? x[0] + y[7] : __builtin_nan(""); }"""
        honest = "double both(const double *x, const double *y) { return x[0] + y[7]; }"
        for context, timing in (("cold", {"flush": FLUSH}), ("warm", {}), ("warm", {"layout": "random"}),
                                ("cold", {"flush": FLUSH, "trust": "verified"})):
            spec = {**SPEC, "routine": "double both(const double *x, const double *y)", "params": {"AT": 0, "ON": 0},
                    "args": {"x": {"dims": [700], "align": "2048 * 2", "offset": "AT"},
                             "y": {"dims": [8], "misalign": 256, "offset": "8 * ON / 8"}},
                    "context": context, "check": {"reference": {"language": "c", "source": honest}},
                    "timing": {"samples": 3, "gate": False, **timing}}
            self.file("offsets.json", spec)
            self.file("both.c", text)
            path = self.file("sweep.json", {"name": f"offsets-{context}-{len(timing)}{list(timing)}", "spec_file": "offsets.json",
                             "template_file": "both.c", "space": {"AT": [0, 8, 4088], "ON": [0, 24, 56]}})
            results = self.document("sweep", "create", path, "--follow")["results"]
            self.assertEqual(9, len(results))
            for result in results:
                self.assertIn(result["status"], TIMED, result["detail"])
            found = [(r["technique"]["operands"]["x"].get("offset", 0), r["technique"]["operands"]["y"].get("offset", 0))
                     for r in results]
            self.assertEqual(list(itertools.product((0, 8, 4088), (0, 24, 56))), found)

    def test_a_bad_file_of_a_space_is_named(self):
        for files, code, words in ((["sum.c", "gone.c"], NOT_FOUND, "space.source_file[1]"),
                                   (["sum.c", 3], BAD_SPEC, "space.source_file[1]: must be the name of a file"),
                                   ([], BAD_SPEC, "space.source_file: must be a list of files"),
                                   ("sum.c", BAD_SPEC, "space.source_file: must be a list of files"),
                                   (["spec.json"], BAD_SPEC, "no language has this ending")):
            with self.subTest(files=files):
                path = self.file("bad.json", {"name": "bad", "spec": SPEC, "template": {}, "space": {"source_file": files}})
                self.assertIn(words, self.assay("sweep", "create", path, code=code).stderr)

    def test_a_variant_of_the_space_names_its_file(self):
        results = self.follow({"variant": [{"source_file": "sum.c", "name": "plain"},
                                           {"source_file": "two.c", "flags": ["-O3"]}]}, "variants")
        self.assertEqual(["plain", "two"], [r["meta"]["variant"] for r in results])
        path = self.file("bad.json", {"name": "b", "spec": SPEC, "template": {}, "space": {"variant": [{"source_file": "no.c"}]}})
        self.assertIn("space.variant[0].source_file", self.assay("sweep", "create", path, code=NOT_FOUND).stderr)


def taking(ns):
    return f"/* takes {ns} ns */ {SUM}"


class IterationsTest(WithDaemon):
    """The time of an iteration, by the real daemon."""
    worker = None

    def time(self, iterations, source, routine, args, code=TIMED_CODES, **members):
        spec = {"routine": routine, "params": {"N": 1000}, "args": args, "iterations": iterations, "context": "warm",
                "timing": {"samples": 3, "processes": 1, "gate": False}, **members}
        self.file("spec.json", spec)
        self.file("it.c", source)
        return self.document("time", self.dir / "spec.json", self.dir / "it.c", code=code)

    def assert_divided(self, result, iterations):
        time = result["time"]
        each = time["per_iteration"]
        self.assertEqual(iterations, each["iterations"])
        for name in ("value_ns", "min_ns", "median_ns"):
            self.assertAlmostEqual(time[name] / iterations, each[name], places=9)

    def test_L26_L32_an_expression_divides_the_time_of_a_call(self):
        result = self.time("N / 4", SUM, "double sum(int n, const double *x)", {"n": "N", "x": {"dims": ["N"]}})
        self.assert_divided(result, 250)
        self.assertNotEqual(result["time"]["value_ns"], result["time"]["per_iteration"]["value_ns"])
        row, = csv.DictReader(io.StringIO(self.said("results", "--csv", result["job"])))
        each = result["time"]["per_iteration"]
        self.assertEqual([each[name] for name in ("iterations", "value_ns", "min_ns", "median_ns")],
                         [float(row[name]) for name in ("iterations", "iteration_ns", "iteration_min_ns",
                                                        "iteration_median_ns")])

    def test_L27_without_it_the_time_is_the_whole_calls(self):
        spec = {"routine": "double sum(int n, const double *x)", "params": {"N": 9},
                "args": {"n": "N", "x": {"dims": ["N"]}}, "context": "warm", "timing": {"samples": 3}}
        self.file("spec.json", spec)
        self.file("it.c", SUM)
        result = self.document("time", self.dir / "spec.json", self.dir / "it.c", code=TIMED_CODES)
        self.assertNotIn("per_iteration", result["time"])
        row, = csv.DictReader(io.StringIO(self.said("results", "--csv", result["job"])))
        self.assertEqual(("", ""), (row["iterations"], row["iteration_ns"]))

    def test_L30_M41_the_routine_returns_how_often_it_went_round(self):
        routine = "int rounds(int n, double *x)"
        source = routine + " { int k = 0; for (int i = 0; i < n; i += 8, k++) x[i] += 1; return k; }"
        args = {"n": "N", "x": {"dims": ["N"]}}
        result = self.time("return", source, routine, args)
        assert_timed(self, result)
        self.assert_divided(result, 125)
        text = self.said("time", self.dir / "spec.json", self.dir / "it.c", code=TIMED_CODES)
        self.assertRegex(text, r"(?m)^ +iteration +[\d.]+ [a-zµ]+ each, 125 in a call$")
        reference = {"reference": {"language": "c", "source": source}}
        wrong = source.replace("return k", "return k + 1")
        result = self.time("return", wrong, routine, args, code=WRONG_ANSWER, check=reference)
        self.assertEqual("wrong_answer", result["status"])

    def test_L30_a_number_of_iterations_below_1_is_a_wrong_answer(self):
        for type, value in (("int", "0"), ("long", "-3"), ("unsigned char", "256")):
            with self.subTest(type=type):
                routine = f"{type} rounds(void)"
                result = self.time("return", f"{routine} {{ return ({type}){value}; }}", routine, {}, code=WRONG_ANSWER)
                self.assertIn("which is no number of iterations", result["detail"])
                self.assertIsNone(result["time"])
        result = self.time("return", "unsigned long rounds(void) { return 1000; }", "unsigned long rounds(void)", {})
        self.assert_divided(result, 1000)

    def test_L30_so_is_one_beyond_what_a_double_has_and_more_than_a_core_can_retire_is_suspect(self):
        routine = "unsigned long rounds(void)"
        result = self.time("return", routine + " { return ~0ul; }", routine, {}, code=WRONG_ANSWER)
        self.assertIn("returned 18446744073709551616", result["detail"])
        result = self.time("return", routine + " { return 1ul << 50; }", routine, {}, code=SUSPECT)
        self.assertEqual("suspect", result["status"])
        self.assertIn("more than any core can retire", result["detail"])

    def test_L30_another_number_in_another_call_is_a_wrong_answer_with_both(self):
        routine = "int rounds(int n)"
        source = routine + " { static int k; return ++k + n; }"
        result = self.time("return", source, routine, {"n": "N"}, code=WRONG_ANSWER)
        self.assertRegex(result["detail"], r"returned \d+ iterations, and 1001 in a call before")

    def test_L30_another_number_than_the_check_has_is_a_wrong_answer_with_both(self):
        routine = "int rounds(int n)"
        source = routine + " { return n / 8; }"
        self.assert_divided(self.time("return", source, routine, {"n": "N"}, check={"iterations": "N / 8"}), 125)
        result = self.time("return", source, routine, {"n": "N"}, code=WRONG_ANSWER, check={"iterations": "N / 4"})
        self.assertIn("returned 125 iterations, and check.iterations is 250", result["detail"])

    def test_an_expected_number_that_nothing_returns_is_refused(self):
        for iterations, want, words in (("N", "N", "compared with what the routine returns"),
                                        ("return", "0 * N", "is 0; a call has 1 iteration or more")):
            self.file("spec.json", {"routine": "int f(int n)", "params": {"N": 9}, "args": {"n": "N"},
                                    "iterations": iterations, "check": {"iterations": want}})
            self.file("it.c", "int f(int n) { return n; }")
            stderr = self.assay("time", self.dir / "spec.json", self.dir / "it.c", code=BAD_SPEC).stderr
            self.assertIn("check.iterations", stderr)
            self.assertIn(words, stderr)

    def test_L26_cycles_of_an_iteration_have_a_source(self):
        routine = "int rounds(int n, double *x)"
        source = routine + " { int k = 0; for (int i = 0; i < n; i += 8, k++) x[i] += 1; return k; }"
        each = self.time("return", source, routine, {"n": "N", "x": {"dims": ["N"]}})["time"]["per_iteration"]
        if "cycles" not in each:
            self.skipTest("the clock is too coarse for the pace")
        self.assertEqual("pace", each["cycles_by"])
        self.assertAlmostEqual(each["median_ns"] * each["core_ghz"], each["cycles"], places=9)


class TimeTest(WithDaemon):
    """assay time with several values of an option, by the worker that replays."""

    def setUp(self):
        super().setUp()
        self.spec = self.file("spec.json", SPEC)
        self.files = [self.file(name + ".c", taking(ns)) for name, ns in (("a", 40), ("b", 10), ("c", 20))]

    def time(self, *words, **how):
        return self.document("time", *words, self.spec, *self.files, **how)

    def test_sizes_and_contexts_are_one_table_with_a_winner_per_cell(self):
        text = self.said("time", "-p", "N=200,1000,3000", "--context", "cold,warm", self.spec, *self.files)
        head, *lines = text.split("\n\n")[0].splitlines()
        self.assertEqual(["N", "context", "a", "b", "c", "fastest", "speed-up"], head.split())
        self.assertEqual(list(itertools.product(("200", "1000", "3000"), ("cold", "warm"))),
                         [tuple(line.split()[:2]) for line in lines])
        for line in lines:
            self.assertRegex(line, r" 40.00 ns +10.00 ns +20.00 ns +b +4.00x$")
            self.assertLessEqual(len(line), 80)
        self.assertIn("b is fastest in 6 of 6 cells.", text)

    def test_the_document_says_size_by_variant(self):
        document = self.time("-p", "N=200,1000", "--context", "cold,4096")
        self.assertEqual({"cells": ["N", "context"], "variants": ["a", "b", "c"]}, document["axes"])
        contexts = ("cold", {"flush_bytes": 4096})
        self.assertEqual([{"N": n, "context": c} for n, c in itertools.product((200, 1000), contexts)],
                         [cell["cell"] for cell in document["cells"]])
        names = {r["job"]: r["name"] for r in document["results"]}
        self.assertEqual(["b N=200 context=cold", 'b N=200 context={"flush_bytes":4096}', "b N=1000 context=cold",
                          'b N=1000 context={"flush_bytes":4096}'],
                         [names[cell["fastest"]] for cell in document["cells"]])
        self.assertEqual([3] * 4, [len(cell["jobs"]) for cell in document["cells"]])
        self.assertEqual(12, len(document["results"]))

    def test_compilers_and_flags_make_variants_of_each_file(self):
        document = self.time("--compiler", "gcc,clang", "-O", "2,3", "-O", "-mavx2")
        self.assertNotIn("cells", document)
        self.assertEqual([f"{f} {c} {o}" for f in "abc" for c in ("gcc", "clang") for o in ("-O2", "-O3")],
                         [r["name"] for r in sorted(document["results"], key=lambda r: r["job"])])
        self.assertEqual(["-O3", "-mavx2"], sorted(document["results"], key=lambda r: r["job"])[1]["flags"])
        document = self.time("-O", "-O1 -mavx2,-O2", "-p", "N=5,6")
        self.assertEqual(["a -O1 -mavx2", "a -O2", "b -O1 -mavx2", "b -O2", "c -O1 -mavx2", "c -O2"],
                         document["axes"]["variants"])

    def test_one_variant_at_several_sizes_is_a_table_without_winners(self):
        text = self.said("time", "-p", "N=5,6", self.spec, self.files[0])
        self.assertEqual([["N", "a"], ["5", "40.00", "ns"], ["6", "40.00", "ns"]],
                         [line.split() for line in text.splitlines()[:3]])
        self.assertNotIn("fastest", text)

    def test_what_does_not_fit_80_columns_is_a_line_each_and_the_winners(self):
        files = [self.file(f"a_rather_long_name_{i}.c", taking(10 + i)) for i in range(5)]
        text = self.on_terminal("time", "-p", "N=5,6", self.spec, *files)
        rows, winners, words = text.split("\n\n", 2)
        self.assertEqual(11, len(rows.splitlines()))
        self.assertEqual([["5", "10.00", "ns", "a_rather_long_name_0"], ["6", "10.00", "ns", "a_rather_long_name_0"]],
                         [line.split() for line in winners.splitlines()[1:]])
        self.assertIn("is fastest in 2 of 2 cells", words)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)

    def on_terminal(self, *words):
        """What it prints on a terminal of 80 columns."""
        leader, follower = pty.openpty()
        self.addCleanup(os.close, leader)
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.assay("-q", *words, stdout=follower)
        os.close(follower)
        text = b""
        while select.select([leader], [], [], TIMEOUT_S)[0]:
            try:
                text += os.read(leader, 1 << 16)
            except OSError:
                break
        return re.sub(r"\x1b\[[0-9;]*m", "", text.decode().replace("\r\n", "\n"))

    def test_values_between_commas_that_mean_nothing_are_refused(self):
        for words, said in ((("-p", "N=200,,3"), "-p: there is nothing beside a comma"),
                            (("-p", "N=2,2"), "-p: \"2\" is given twice"),
                            (("--context", "cold,"), "--context: there is nothing beside a comma"),
                            (("--context", "cold,cold"), "--context: \"cold\" is given twice"),
                            (("--compiler", "gcc,gcc"), "--compiler: \"gcc\" is given twice"),
                            (("-O", "2,2"), "--flags: \"2\" is given twice"),
                            (("-p", "M=2,3"), "there is no param \"M\"")):
            with self.subTest(words=words):
                self.assertIn(said, self.assay("time", *words, self.spec, *self.files, code=USAGE).stderr)
        ran = self.assay("time", "--context", "cold,tepid", self.spec, *self.files, code=BAD_SPEC)
        self.assertIn("spec.context", ran.stderr)
        self.assertIn("tepid", ran.stderr)
        ran = self.assay("time", "-O", "2,fastest", self.spec, *self.files, code=BAD_SPEC)
        self.assertRegex(ran.stderr, r"a\.c: variant\.flags\[0\]")


class BestTest(WithDaemon):
    def create(self, name, space):
        document = {"name": name, "spec": SPEC, "template": {"language": "c"}, "space": space}
        self.assay("sweep", "create", self.file("sweep.json", document), "--follow")

    def variants(self, **ns):
        return [{"name": name, "source": taking(each)} for name, each in ns.items()]

    def test_the_best_is_of_each_cell(self):
        self.create("cells", {"N": [5, 6], "context": ["cold", "warm"], "variant": self.variants(a=40, b=10, c=20)})
        document = self.document("best", "cells")
        self.assertEqual([f"b N={n} context={c}" for n in (5, 6) for c in ("cold", "warm")],
                         [r["name"] for r in document["results"]])
        self.assertEqual([1] * 4, [cell["results"] for cell in document["cells"]])
        self.assertEqual([0.5] * 4, [cell["difference"]["ratio"] for cell in document["cells"]])
        self.assertIsNone(document["difference"])
        two = self.document("best", "cells", "-n", 2)
        self.assertEqual([r["name"][0] for r in two["results"]], ["b", "c"] * 4)
        self.assertEqual([2] * 4, [cell["results"] for cell in two["cells"]])
        self.assertEqual(5, len(self.said("best", "cells").splitlines()))

    def test_cells_without_an_ok_result_are_left_out(self):
        slow = {"time": ["wrong_answer"]}
        self.create("one-fails", {"N": [5, 6], "variant": self.variants(a=40)})
        document = {"name": "failing", "spec": SPEC, "template": {"language": "c", "source": taking(3)}, "meta": slow,
                    "space": {"N": [5, 6]}}
        self.assay("sweep", "create", self.file("sweep.json", document), "--follow")
        self.assertEqual(["a N=5", "a N=6"], [r["name"] for r in self.document("best", "one-fails")["results"]])
        self.assertIn("no job of sweep failing has ended ok: 2 wrong_answer", self.assay("best", "failing", code=NOT_FOUND).stderr)

    def test_a_sweep_of_one_spec_is_as_before(self):
        self.create("single", {"variant": self.variants(a=40, b=10)})
        document = self.document("best", "single")
        self.assertNotIn("cells", document)
        self.assertEqual((["b"], 0.25), ([r["name"] for r in document["results"]], document["difference"]["ratio"]))

    def test_to_confirm_across_cells_is_refused(self):
        self.create("confirmed", {"N": [5, 6], "variant": self.variants(a=40, b=10)})
        ran = self.assay("best", "confirmed", "--confirm", code=USAGE)
        self.assertIn("the sweep has 2 cells, and times of two cells are not compared", ran.stderr)

    def test_a_followed_sweep_has_a_winner_per_cell(self):
        document = {"name": "followed", "spec": SPEC, "template": {"language": "c"},
                    "space": {"N": [5, 600], "variant": self.variants(a=40, b=10), "flags": [["-O2"], ["-O3"]]}}
        text = self.said("sweep", "create", self.file("sweep.json", document), "--follow")
        head, *lines = text.splitlines()[:3]
        self.assertEqual(["N", "a flags=-O2", "a flags=-O3", "b flags=-O2", "b flags=-O3", "fastest", "speed-up"],
                         [word.strip() for word in head.split("  ") if word.strip()])
        self.assertEqual(["5", "600"], [line.split()[0] for line in lines])
        for line in lines:
            self.assertIn("b flags=-O2 or b flags=-O3", line)
            self.assertIn("4.00x", line)


if __name__ == "__main__":
    unittest.main()
