# SPDX-License-Identifier: Apache-2.0
# not for sanitizers: what takes long here is gcc, and the programs that it makes are their users'
"""assay driver: the sources of a timer of its own, built and run by the real make and compilers."""
import json
import pathlib
import platform
import shutil
import subprocess
import unittest

from test_cli import BAD_SPEC, TIMEOUT_S, Cli

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = ROOT / "tests" / "kernels"
CONFLICT, BAD_USAGE = 67, 64
STRICT = "CFLAGS=-O2 -Wall -Wextra -Werror"
LAST = "double last(int n, const double *x) { return x[n - 1]; }\n"
LAST_SPEC = {"routine": "double last(int n, const double *x)", "params": {"SIZE": 100}, "context": "cold",
             "args": {"n": "SIZE", "x": {"type": "double", "dims": ["SIZE"],
                                         "init": {"random": {"seed": 7, "min": -1, "max": 1}}}},
             "check": {"reference": {"source": LAST}}}
BUMP = "void bump(int n, int *x) { for (int i = 0; i < n; i++) x[i] += STEP; }\n"
BUMP_SPEC = {"routine": "void bump(int n, int *x)", "context": "warm", "params": {"STEP": 3},
             "args": {"n": 50, "x": {"type": "int", "dims": [50], "init": "index", "access": "inout"}},
             "check": {"reference": {"source": BUMP}}, "timing": {"samples": 5, "clock": "wall"}}


def random_number(seed, i):
    """The i-th number of a seed, between -1 and 1 (splitmix64)."""
    ones = 2 ** 64 - 1
    x = (seed * 0xd1342543de82ef95 + (i + 1) * 0x9e3779b97f4a7c15) & ones
    x = ((x ^ x >> 30) * 0xbf58476d1ce4e5b9) & ones
    x = ((x ^ x >> 27) * 0x94d049bb133111eb) & ones
    return -1 + 2 * ((x ^ x >> 31) >> 11) * 2.0 ** -53


class Driver(Cli):
    def setUp(self):
        super().setUp()
        self.out = self.dir / "out"

    def driver(self, *words, **how):
        return self.assay("driver", *words, "-o", self.out, **how)

    def make(self, *words, code=0):
        ran = subprocess.run(["make", "-C", self.out, *words], text=True, stdin=subprocess.DEVNULL,
                             timeout=TIMEOUT_S, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(code, ran.returncode, ran.stdout)
        self.said_by_make = ran.stdout
        figures = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
        return {figure["name"]: figure for figure in figures}

    def assert_timed(self, figure):
        self.assertEqual("ok", figure["outcome"], figure)
        self.assertIs(True, figure["right"], figure)
        self.assertLessEqual(0, figure["min_ns"])
        self.assertLessEqual(figure["min_ns"], figure["median_ns"])
        self.assertLess(0, figure["samples"])

    def make_spec(self, spec, source, **members):
        return self.driver(self.file("k.spec.json", {**spec, **members}), self.file("k.c", source))

    def refused(self, *said, spec=LAST_SPEC, code=BAD_SPEC, **members):
        ran = self.driver(self.file("k.spec.json", {**spec, **members}), self.file("k.c", LAST), code=code)
        for words in said:
            self.assertIn(words, ran.stderr)
        self.assertFalse(self.out.exists())

    def test_X2_G20_cold_vectors_are_flushed_timed_and_checked_with_either_compiler(self):
        self.driver(KERNELS / "dotprod.spec.json", KERNELS / "dot_plain.c", KERNELS / "bad_answer.c")
        for compiler in filter(shutil.which, ("gcc", "clang")):
            with self.subTest(compiler=compiler):
                self.make("clean")
                figures = self.make("-j2", f"CC={compiler}", STRICT, "run", code=2)
                self.assert_timed(figures["dot_plain"])
                self.assertLess(0, figures["dot_plain"]["mflops"])
                if platform.machine() in ("x86_64", "aarch64"):
                    self.assertEqual(1, figures["dot_plain"]["calls"])
                    self.assertLessEqual(2 * 20000 * 8 // 128, figures["dot_plain"]["flushed_lines"])
                self.assertIs(False, figures["bad_answer"]["right"])
                self.assertEqual("wrong_answer", figures["bad_answer"]["outcome"])
                self.assertRegex(self.said_by_make, r"bad_answer .*WRONG: 1 of 1 numbers, first return\[0\]")

    def test_X2_warm_matrices_of_doitgen_are_restored_and_no_line_is_flushed(self):
        self.driver(KERNELS / "doitgen.spec.json", KERNELS / "doitgen_tile.c", KERNELS / "doitgen_jam.c")
        figures = self.make("-j2", STRICT, "run")
        for name in ("doitgen_tile", "doitgen_jam"):
            self.assert_timed(figures[name])
            self.assertEqual(0, figures[name]["flushed_lines"])

    def test_G20_defines_flags_and_compiler_of_a_variant_are_in_the_makefile(self):
        self.driver(KERNELS / "gemm.spec.json", KERNELS / "gemm_block.c", "-D", "NB=24", "-O", "-O3 -funroll-loops")
        makefile = (self.out / "Makefile").read_text()
        self.assertIn("'-O3' '-funroll-loops'", makefile)
        self.assertIn("'-DNB=24'", makefile)
        self.assert_timed(self.make("-j2", STRICT, "run")["gemm_block"])

    def test_X2_operands_have_the_numbers_that_assay_gives_them(self):
        self.make_spec(LAST_SPEC, LAST)
        for name in ("fill.c", "sort.c", "text.c"):
            with self.subTest(file=name):
                ours = (ROOT / "worker/runner/sample" / name).read_text()
                self.assertEqual(ours.replace('"worker/runner/sample/', '"'), (self.out / "runtime" / name).read_text())
        self.assertEqual(random_number(7, 99), self.make("-j2", "run")["k"]["result"])

    def test_G20_a_define_for_make_changes_a_param(self):
        self.make_spec(LAST_SPEC, LAST)
        self.make("-j2", "run")
        self.assertEqual(random_number(7, 41), self.make("-j2", "DEFS=-DSIZE=42", "run")["k"]["result"])

    def test_X2_a_result_of_integers_and_samples_and_clock_are_the_specs(self):
        self.make_spec(BUMP_SPEC, BUMP)
        figure = self.make("-j2", STRICT, "run")["k"]
        self.assert_timed(figure)
        self.assertEqual(5, figure["samples"])
        self.assertIn('.rt_clock = "wall"', (self.out / "driver.c").read_text())

    def test_X2_a_crash_is_said_and_the_next_variant_is_timed(self):
        crash = self.file("crash.c", "double last(int n, const double *x) { (void)n; (void)x; __builtin_trap(); }\n")
        self.driver(self.file("k.spec.json", LAST_SPEC), crash, self.file("k.c", LAST))
        figures = self.make("-j2", "run", code=2)
        self.assertEqual("crashed", figures["crash"]["outcome"])
        self.assert_timed(figures["k"])

    def test_X2_a_variant_that_ends_the_process_is_not_taken_for_timed(self):
        source = "void exit(int);\ndouble last(int n, const double *x) { (void)n; (void)x; exit(0); }\n"
        self.make_spec(LAST_SPEC, source)
        self.assertEqual("crashed", self.make("-j2", "run", code=2)["k"]["outcome"])

    def test_X2_a_flush_by_reading_flushes_no_lines_by_instruction(self):
        self.make_spec(LAST_SPEC, LAST, timing={"samples": 3, "flush": {"method": "OneCallFlushLRU", "bytes": 1 << 20}})
        figure = self.make("-j2", STRICT, "run")["k"]
        self.assert_timed(figure)
        self.assertEqual(0, figure["flushed_lines"])

    def test_X2_structs_rows_and_complex_numbers_are_checked_by_their_parts(self):
        struct = {"type": {"struct": [["a", "int"], ["b", "double", 3]]}, "dims": [9], "init": "random",
                  "access": "inout"}
        rows = {"type": "double", "dims": [9, 4], "init": "random", "access": "inout"}
        numbers = {"type": "double _Complex", "dims": [9], "init": "random", "access": "inout"}
        for name, operand, declared, body in (
                ("struct", struct, "struct p { int a; double b[3]; };\nvoid f(int n, struct p *q)",
                 "q[n - 4].b[2] = V;"),
                ("rows", rows, "void f(int n, double **q)", "q[n - 4][3] = V;"),
                ("complex", numbers, "void f(int n, double _Complex *q)", "q[n - 4] = V * 1.0i;")):
            with self.subTest(operand=name):
                shutil.rmtree(self.out, ignore_errors=True)
                source = declared + " { " + body + " }\n"
                spec = {"routine": declared.split("\n")[-1], "context": "warm", "args": {"n": 9, "q": operand},
                        "check": {"reference": {"source": "#define V 5\n" + source}}, "timing": {"samples": 3}}
                self.driver(self.file("k.spec.json", spec), self.file("right.c", "#define V 5.0\n" + source),
                            self.file("wrong.c", "#define V 5.1\n" + source))
                figures = self.make("-j2", STRICT, "run", code=2)
                self.assert_timed(figures["right"])
                self.assertEqual("wrong_answer", figures["wrong"]["outcome"])
                self.assertRegex(self.said_by_make, r"wrong .*first q\[" + ("23" if name == "rows" else "5"))

    def test_G20_variants_in_other_languages_are_built_by_their_compilers(self):
        spec = self.file("k.spec.json", {
            "routine": "void add(const int *n, const double *x, double *y)", "context": "warm", "args": {
                "n": {"type": "int", "dims": [1], "init": {"value": 40}},
                "x": {"type": "double", "dims": [40], "init": "random"},
                "y": {"type": "double", "dims": [40], "init": "random", "access": "inout"}},
            "check": {"reference": {"source": "void add(const int *n, const double *x, double *y)\n"
                                              "{ for (int i = 0; i < *n; i++) y[i] += x[i]; }\n"}}})
        sources = [self.file("c++.cc", "void add(const int *n, const double *x, double *y)\n"
                                       "{ for (int i = 0; i < *n; i++) y[i] += x[i]; }\n")]
        if shutil.which("gfortran"):
            sources.append(self.file("fortran.f90", "subroutine add(n, x, y)\n integer n\n"
                                                    " double precision x(n), y(n)\n y = y + x\nend\n"))
        self.driver(spec, *sources)
        figures = self.make("-j2", "run")
        for source in sources:
            self.assert_timed(figures[source.stem])

    def test_G20_marks_of_the_shell_and_of_make_reach_the_compiler(self):
        text = "\"$(x) $x #'`%s,\""
        source = self.file("k.c", "#include <string.h>\n" + LAST.replace(
            "x[n - 1]", f"strcmp(MARKS, {text}) == 0 ? x[n - 1] : 9"))
        self.driver(self.file("k.spec.json", LAST_SPEC), source, "-D", f"MARKS={text}")
        self.assert_timed(self.make("-j2", "run")["k"])

    def test_G20_files_beside_a_variant_are_built_with_it(self):
        spec = self.file("k.spec.json", LAST_SPEC)
        helper = self.file("helper.c", "double of(const double *x, int i) { return x[i]; }\n")
        source = self.file("k.c", '#include "of.h"\ndouble last(int n, const double *x) { return of(x, n - 1); }\n')
        header = self.file("of.h", "double of(const double *, int);\n")
        self.driver(spec, source, "--with", helper, "--with", header)
        self.assert_timed(self.make("-j2", "run")["k"])

    def test_X2_what_the_timer_cannot_do_is_refused_by_its_member(self):
        x = LAST_SPEC["args"]["x"]
        self.refused("spec.code", code=BAD_SPEC, spec={**LAST_SPEC, "code": "cold"})
        self.refused("spec.context", context={"flush_level": "L2"})
        self.refused("spec.timing.flush.method", timing={"flush": {"method": "MultiCallFlushLRU"}})
        self.refused("spec.timing.difference", context="warm", timing={"difference": True})
        self.refused("spec.args.x.cache", args={"n": "SIZE", "x": {**x, "cache": "L1"}})
        self.refused("spec.args.x.state", context="warm", args={"n": "SIZE", "x": {**x, "state": "dirty"}})
        self.refused("spec.args.x.init.function", setup="void f(double *x) { x[0] = 1; }\n",
                     args={"n": "SIZE", "x": {**x, "init": {"function": "f"}}})

    def test_X2_an_image_is_refused(self):
        spec = {"routine": "void f(double *x)", "checkpoint": "app.image"}
        self.refused("spec.checkpoint", spec=spec)

    def test_X2_what_is_left_out_is_remarked_on_and_in_the_readme(self):
        said = self.make_spec(LAST_SPEC, LAST, timing={"gate": True, "trust": "audited", "processes": 3}).stderr
        readme = (self.out / "README").read_text()
        for member in ("spec.timing.gate", "spec.timing.trust", "spec.timing.processes"):
            self.assertIn(f"left out: {member}: ", said)
            self.assertIn(f"\n{member}: ", readme)

    def test_G20_a_directory_that_is_not_empty_stays_as_it_is(self):
        self.out.mkdir()
        (self.out / "mine").write_text("kept")
        ran = self.driver(KERNELS / "dotprod.spec.json", KERNELS / "dot_plain.c", code=CONFLICT)
        self.assertIn("is not empty", ran.stderr)
        self.assertEqual(["mine"], [path.name for path in self.out.iterdir()])

    def test_G20_a_missing_file_and_missing_words_are_refused(self):
        spec = KERNELS / "dotprod.spec.json"
        self.assertIn("none.c", self.driver(spec, self.dir / "none.c", code=(BAD_SPEC, 66, 74)).stderr)
        self.assertFalse(self.out.exists())
        self.assertIn("there is no variant", self.driver(spec, code=BAD_USAGE).stderr)
        self.assertIn("-o DIR", self.assay("driver", spec, code=BAD_USAGE).stderr)


if __name__ == "__main__":
    unittest.main()
