# SPDX-License-Identifier: Apache-2.0
"""Arguments of every kind on real compilers: structs, arrays, rows of pointers, complex and random scalars."""
import pathlib
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import TIMED, RealDaemonTest, RpcError, assert_timed  # noqa: E402

# without audits, which compare times
TIMING = {"samples": 3, "gate": False, "processes": 1, "trust": "claimed"}
AUDITED = {name: value for name, value in TIMING.items() if name != "trust"}
POINT = {"struct": [["x", "double"], ["c", "char"], ["v", "float", 3], ["i", "int"], ["z", "double _Complex"]]}
POINT_C = "struct point { double x; char c; float v[3]; int i; double _Complex z; };\n"


class Arguments(RealDaemonTest):
    def document(self, routine, body, args, prelude="", reference=None, **spec):
        source = f"{prelude}{routine} {{ {body} }}\n"
        reference = f"{prelude}{routine} {{ {reference or body} }}\n"
        return {"variant": {"source": source}, "spec": {"routine": routine, "args": args, "context": "warm", "timing": TIMING,
                                                        "check": {"reference": {"source": reference}}, **spec}}

    def timed(self, *document, **more):
        (result,) = self.daemon.run(self.document(*document, **more))
        return assert_timed(self, result)

    def assert_audited(self, *document, **more):
        """Fresh inputs were given, and answered right; an audit may doubt a time beside others."""
        (result,) = self.daemon.run(self.document(*document, timing=AUDITED, **more))
        self.assertIn(result["status"], (*TIMED, "suspect"), result["detail"])
        self.assertIn(result["trust"], ("audited", "claimed", "suspect"))
        self.assertGreater(result["evidence"]["audits"]["rounds"], 0)
        return result

    def answer(self, *document, **more):
        """What the routine returns: its reference returns something else."""
        (result,) = self.daemon.run(self.document(*document, **more))
        self.assertEqual("wrong_answer", result["status"], result["detail"])
        return result["check"]["first_bad"]["got"]

    def refused(self, member, text, *document, **more):
        with self.assertRaises(RpcError) as caught:
            self.daemon.call("job.submit", {"job": self.document(*document, **more)})
        self.assertIn(member, caught.exception.data["member"])
        self.assertIn(text, str(caught.exception))

    # ---- structs ----

    def test_P10_a_struct_lies_as_c_lays_it_and_is_drawn_by_its_members(self):
        routine = "double f(int n, const struct point *p)"
        good = "p[k].x >= -1 && p[k].x < 1 && p[k].c >= -100 && p[k].c <= 100 && p[k].i >= -100 && p[k].i <= 100 && " \
               "p[k].v[2] >= -1 && p[k].v[2] < 1 && __real__ p[k].z != __imag__ p[k].z && p[k].v[0] != p[k].v[1]"
        count = f"int met = 0; for (int k = 0; k < n; k++) met += {good}; return met + (double)sizeof *p / 1000;"
        got = self.answer(routine, count, {"n": 50, "p": {"dims": [50], "type": POINT}}, POINT_C, "return -1;")
        self.assertAlmostEqual(50.048, got)

    def test_structs_are_counted_by_index_and_written_and_checked_by_members(self):
        routine = "void f(int n, struct point *p)"
        args = {"n": 8, "p": {"dims": [8], "type": POINT, "init": "index"}}
        body = "for (int k = 0; k < n; k++) { p[k].x += p[k].v[1]; p[k].i = 3 * p[k].i; }"
        self.timed(routine, body, args, POINT_C)
        for context in ("warm", "cold"):
            self.timed(routine, body, args, POINT_C, context=context)
        document = self.document(routine, body, args, POINT_C, body + "p[2].i++;")
        (result,) = self.daemon.run(document)
        self.assertEqual("wrong_answer", result["status"])
        self.assertIn("p[2].i is 6, the reference's is 7; 1 of 56", result["detail"])

    def test_padding_of_structs_does_not_count(self):
        prelude = "struct s { char c; int i; };\n"
        self.timed("void f(struct s *p)", "((char *)p)[1] = 1; p->i = 2;",
                   {"p": {"dims": [1], "type": {"struct": [["c", "char"], ["i", "int"]]}}}, prelude, "p->i = 2;")

    def test_a_struct_behind_void_is_audited_on_fresh_inputs(self):
        body = "double s = 0; const struct point *q = p; for (int k = 0; k < n; k++) s += q[k].x; return s;"
        result = self.assert_audited("double f(int n, const void *p)", body,
                                     {"n": 30000, "p": {"dims": [30000], "type": POINT}}, POINT_C)
        self.assertEqual("struct", result["technique"]["operands"]["p"]["type"])

    def test_structs_that_cannot_be_are_refused(self):
        routine = "void f(struct s *p)"
        for members, place, text in (([], "type.struct", "1 to 64"), ([["x"]], "struct[0]", "must be a member's name"),
                                     ([["x", "double", 0]], "struct[0][2]", "0"), ([["x", "doubel"]], "struct[0][1]", "not a type"),
                                     ([["x", "void"]], "struct[0][1]", "a member is a number"),
                                     ([["x", "struct t"]], "struct[0][1]", "plain type"),
                                     ([["x", "char *"]], "struct[0][1]", "plain type"),
                                     ([["x", "int"], ["x", "int"]], "struct[1][0]", "two members"),
                                     ([["3", "int"]], "struct[0][0]", "not a C identifier")):
            with self.subTest(members):
                self.refused(place, text, routine, "", {"p": {"dims": [1], "type": {"struct": members}}})
        self.refused("p.type", "does not say which members", routine, "", {"p": {"dims": [1]}})
        self.refused("p.init", "no one value", routine, "", {"p": {"dims": [1], "type": POINT, "init": 3}})
        self.refused("p.init", "a seed alone", routine, "", {"p": {"dims": [1], "type": POINT, "init": {"random": {"min": 0}}}})
        self.refused("x.type", "takes a pointer to double", "void f(double *x)", "", {"x": {"dims": [1], "type": POINT}})

    # ---- scratch ----

    def test_an_operand_that_is_not_checked_is_not_compared(self):
        routine = "void f(int n, double *x, double *scratch)"
        args = {"n": 20, "x": {"dims": [20]}, "scratch": {"dims": [20], "checked": False}}
        body = "for (int k = 0; k < n; k++) { scratch[k] = x[k]; x[k] = 2 * scratch[k]; }"
        result = self.timed(routine, body, args, reference="for (int k = 0; k < n; k++) x[k] *= 2;")
        self.assertEqual(20, result["check"]["compared"])
        document = self.document(routine, body + "x[3] = scratch[4];", args, reference=body)
        (result,) = self.daemon.run(document)
        self.assertEqual("wrong_answer", result["status"])

    def test_audits_do_not_compare_what_is_not_checked_either(self):
        args = {"n": 30000, "x": {"dims": [30000]}, "y": {"dims": [30000], "checked": False}}
        body = "double s = 0; for (int k = 0; k < n; k++) { s += x[k]; y[k] = %s; } return s;"
        self.assert_audited("double f(int n, const double *x, double *y)", body % "s", args,
                            reference=body % "-s")

    def test_what_cannot_go_unchecked_is_refused(self):
        routine = "void f(double *x)"
        self.refused("x.checked", "does not write the operand", "void f(const double *x)", "",
                     {"x": {"dims": [1], "checked": False}})
        self.refused("x.checked", "true or false", routine, "", {"x": {"dims": [1], "checked": 0}})
        self.refused("spec.check", "nothing to compare", routine, "", {"x": {"dims": [1], "checked": False}})

    # ---- arrays and rows ----

    def test_P10_pointers_to_rows_of_a_fixed_length_are_plain_memory(self):
        for parameter in ("double (*a)[7]", "double a[][7]", "double a[5][7]"):
            got = self.answer(f"double f(const {parameter})", "return 100 * a[4][6] + a[1][0];",
                              {"a": {"dims": [5, 7], "init": "index"}}, reference="return 0;")
            self.assertEqual(3407, got)

    def test_P10_rows_of_pointers_are_made_by_the_driver(self):
        body = "double s = 0; for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) s += (i + 1) * a[i][k]; return s;"
        want = sum((i + 1) * (7 * i + k) for i in range(5) for k in range(7))
        args = {"n": "ROWS", "m": "COLUMNS", "a": {"dims": ["ROWS", "COLUMNS"], "init": "index"}}
        # all of a large cache takes long to flush, and its working sets as long to make
        flushes = [{"flush": {"method": m, "bytes": 4 << 20}} for m in ("MultiCallFlushLRU", "OneCallFlushLRU")]
        for timing in ({}, {"calls": 40}, *flushes):
            with self.subTest(timing):
                self.assertEqual(want, self.answer("double f(int n, int m, double **a)", body, args, reference="return 0;",
                                                   params={"ROWS": 5, "COLUMNS": 7}, timing={**TIMING, **timing}, context="cold" if
                                                   "flush" in timing else "warm"))
                self.timed("double f(int n, int m, const double *const *a)", body, args, params={"ROWS": 5, "COLUMNS": 7},
                           timing={**TIMING, **timing}, context="cold" if "flush" in timing else "warm")

    def test_a_routine_that_exchanges_rows_finds_them_in_order_at_each_call(self):
        body = "double *t = a[0]; a[0] = a[1]; a[1] = t; a[0][0] += 1;"
        for context, timing in (("warm", {"calls": 1}), ("cold", {})):
            self.timed("void f(double **a)", body, {"a": {"dims": [2, 8]}}, context=context, timing={**TIMING, **timing})

    def test_rows_that_cannot_be_are_refused(self):
        self.refused("a.dims", "rows and columns", "void f(double **a)", "", {"a": {"dims": [4]}})
        self.refused("b.same_as", "pointers to rows", "void f(double *a, double **b)", "", {"a": {"dims": [4]}, "b": {"same_as": "a"}})

    # ---- scalars ----

    def test_P11_random_scalars_follow_their_seeds_and_ranges(self):
        met = set()
        for seed in range(1, 6):
            args = {"x": {"init": {"random": {"seed": seed, "min": 2, "max": 3}}}, "i": {"init": "random"}}
            got = self.answer("double f(double x, int i)", "return i >= -100 && i <= 100 ? x : 0;", args, reference="return -1;")
            self.assertTrue(2 <= got < 3, got)
            self.assertEqual(got, self.answer("double f(double x, int i)", "return x;", args, reference="return -1;"))
            met.add(got)
        self.assertEqual(5, len(met))

    def test_complex_scalars_and_operands_have_two_parts(self):
        routine = "double f(double _Complex a, float _Complex b, const double _Complex *x)"
        args = {"a": {"init": {"value": {"re": "2*N", "im": -3}}}, "b": 5,
                "x": {"dims": [2], "init": {"value": {"re": 0.25, "im": "N"}}}}
        body = "return __real__ a + 100 * __imag__ a + 1e4 * __real__ b + 1e6 * __imag__ b + 1e7 * (__real__ x[1] + __imag__ x[0]);"
        self.assertEqual(14 - 300 + 5e4 + 1e7 * 7.25, self.answer(routine, body, args, reference="return 0;", params={"N": 7}))
        self.assertEqual(3.0, self.answer("double f(const double _Complex *x)", "return __real__ x[3] + __imag__ x[3];",
                                          {"x": {"dims": [4], "init": "index"}}, reference="return 0;"))
        drawn = {"a": {"init": {"random": {"min": 1, "max": 2}}}}
        got = self.answer("double f(double _Complex a)", "return (__real__ a != __imag__ a) * __imag__ a;", drawn, reference="return 9;")
        self.assertTrue(1 <= got < 2, got)

    def test_scalars_that_cannot_be_are_refused(self):
        for value, place, text in (({}, "args.x", "only an init"), ({"dims": [1]}, "args.x", "only an init"),
                                   ({"init": "index"}, "x.init", "random or a value"),
                                   ({"init": {"random": {"order": "sorted"}}}, "random.order", "one number has none"),
                                   ({"init": {"value": {"re": 1, "im": 2}}}, "init.value", "has two parts"),
                                   ({"init": {"random": {"min": 2, "max": 1}}}, "random.min", "not below"),
                                   ([1, 2], "args.x", "an expression or a number")):
            with self.subTest(value):
                self.refused(place, text, "void f(double x)", "", {"x": value})
        self.refused("value.im", "is missing", "void f(double _Complex x)", "", {"x": {"init": {"value": {"re": 1}}}})


class Names(RealDaemonTest):
    """Routines under the names that C++ and Fortran give them."""

    def run_one(self, routine, source, language, args, **spec):
        (result,) = self.daemon.run({"variant": {"language": language, "source": source}, "spec": {
            "routine": routine, "args": args, "context": "warm", "timing": TIMING, **spec}})
        return result

    @unittest.skipUnless(shutil.which("g++"), "no g++")
    def test_P5_a_routine_of_cxx_needs_no_extern_c(self):
        prelude = "#include <complex.h>\nstruct s { int i; };\n"
        operand, record = {"dims": [4]}, {"dims": [4], "type": {"struct": [["i", "int"]]}}
        for routine, args in (("int f(void)", {}), ("int f(int a)", {"a": 1}),
                              ("double f(const double *x, const double *y, double *z, double *w)", dict.fromkeys("xyzw", operand)),
                              ("int f(unsigned long n, const char *a, char *b, const char *c, char *d)",
                               {"n": 1, **dict.fromkeys("abcd", operand)}),
                              ("void f(const struct s *x, struct s *y, const struct s *z)", dict.fromkeys("xyz", record)),
                              ("float f(float _Complex x, const float _Complex *y, float _Complex z)",
                               {"x": 1, "y": operand, "z": 2}),
                              ("int f(_Bool b, signed char c, unsigned char u, short s, unsigned short v, unsigned i, long l, "
                               "long long m, unsigned long long n, float x, long double y)", dict.fromkeys("bcusvilmnxy", 1))):
            with self.subTest(routine):
                body = " { }" if routine.startswith("void") else " { return 7; }"
                assert_timed(self, self.run_one(routine, prelude + routine.replace("_Bool", "bool") + body, "c++", args))

    @unittest.skipUnless(shutil.which("g++"), "no g++")
    def test_other_types_of_cxx_are_refused_with_what_to_do(self):
        result = self.run_one("int f(const double *x)", "int f(const float *x) { return x[0]; }", "c++", {"x": {"dims": [4]}})
        self.assertEqual("load_failed", result["status"])
        self.assertIn('the object has _Z1fPKf; in C++ declare it extern "C"', result["detail"])

    @unittest.skipUnless(shutil.which("gfortran"), "no gfortran")
    def test_P18_G23_a_routine_of_fortran_takes_its_arguments_by_reference(self):
        source = "real(8) function fdot(n, x, y)\ninteger :: n\nreal(8) :: x(n), y(n)\nfdot = dot_product(x, y)\nend function\n"
        reference = {"source": "double fdot(const int *n, const double *x, const double *y)"
                               "{ double s = 0; for (int i = 0; i < *n; i++) s += x[i] * y[i]; return s; }"}
        operand = {"dims": [100]}
        result = self.run_one("double fdot(const int *n, const double *x, const double *y)", source, "fortran",
                              {"n": {"dims": [1], "init": 100}, "x": operand, "y": operand}, check={"reference": reference})
        assert_timed(self, result)
        result = self.run_one("double fdot(int n, const double *x, const double *y)", source, "fortran",
                              {"n": 100, "x": operand, "y": operand})
        self.assertEqual("load_failed", result["status"])
        self.assertIn("fdot_; in Fortran declare it with bind(c)", result["detail"])
        result = self.run_one("double fdot(int n, const double *x, const double *y)",
                              f"module m\ncontains\n{source}end module\n", "fortran", {"n": 100, "x": operand, "y": operand})
        self.assertIn("in a module of Fortran declare it with bind(c)", result["detail"])


if __name__ == "__main__":
    unittest.main()
