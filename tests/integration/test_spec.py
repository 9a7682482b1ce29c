# SPDX-License-Identifier: Apache-2.0
"""
assay spec: a routine's source or binary becomes a spec, and what is guessed is marked (P4: a spec
that is derived instead of written by hand).  Kernels of all kinds, each derived and then timed.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "support"))
from command import ASSAY, CommandTest  # noqa: E402
from harness import RealDaemonTest, TIMED, TIMEOUT_S  # noqa: E402

BAD_SPEC, USAGE, NOT_FOUND = 65, 64, 66
TIMED_CODES = (0, 75)           # too_noisy: a busy host has its times, too

KERNELS = """#include <math.h>
void gemm(const int M, const int N, const int K, double alpha, const double *A, int lda,
    const double *B, int ldb, double beta, double *C, int ldc)
{
	for (int j = 0; j < N; j++)
		for (int i = 0; i < M; i++) {
			double sum = 0;
			for (int k = 0; k < K; k++)
				sum += A[i + k * lda] * B[k + j * ldb];
			C[i + j * ldc] = alpha * sum + beta * C[i + j * ldc];
		}
}
double dot(int n, const double *x, int incx, const float *restrict y)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		s += x[i * incx] * y[i];
	return s;
}
void gather(unsigned n, double *out, const double *from, const int *at)
{
	for (unsigned i = 0; i < n; ++i)
		out[i] = sqrt(fabs(from[at[i]]));
}
void by_address(const int *n, double *a, double *scratch)
{
	int i;
	for (i = 1; i <= *n; i++) {
		scratch[i - 1] = a[i - 1];
		a[i - 1] = 2 * scratch[i - 1];
	}
}
void stencil(int n, int steps, double *a, double *b)
{
	for (int t = 0; t < steps; t++) {
		double *from = a, *to = b;
		if (t % 2) {
			from = b;
			to = a;
		}
		for (int i = n - 2; i >= 1; i--)
			to[i] = 0.5 * (from[i - 1] + from[i + 1]);
	}
}
void rows(int n, int m, float a[n][m], float b[][10])
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < 10; j++)
			b[i][j] = a[i][j % m];
}
void triangular(int n, const double *L, double *x)
{
	for (int i = 0; i < n; i++) {
		const double *row = L + i * n;
		for (int j = 0; j < i; j++)
			x[i] -= row[j] * x[j];
		x[i] /= 2 + fabs(row[i]);
	}
}
static void helper(double *x, int n) { for (int i = 0; i < n; i++) x[i] *= 0.5; }
void calls(int _n, double *x)
{
	helper(x, _n);
}
struct vec { double x, y; };
typedef struct { struct vec pos; float v[3]; int id; char c[2][2]; } part;
double move(int n, part *p, const struct vec *by, double dt)
{
	double s = 0;
	for (int i = 0; i < n; i++) {
		part *q = &p[i];
		p[i].pos.x += dt * by[i].x;
		q->pos.y = by[i].y * dt;
		p[i].v[1] = 2;
		s += p[i].pos.x;
	}
	return s;
}
void table(int n, int m, double **a, const float *const *b, double *sums[])
{
	for (int i = 0; i < n; i++) {
		double *r = a[i];
		for (int j = 0; j < m; j++) {
			r[j] = 2 * b[i][j];
			sums[i][j] += r[j];
		}
	}
}
void nest(int n, double *a)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j <= i; j++)
			for (int k = n - 1; k >= j; k--)
				a[i * n + j] += a[k] * 2.0;
}
double twos(int n, const double *x)
{
	double s = 0, t = 0;
	if (n <= 0)
		return 0;
	for (int i = 0; i < n; i += 2) {
		s += log(2 + x[i] * x[i]);
		t = fma(x[i + 1], s, t);
	}
	return s + t;
}
double positive(int n, const double *x)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		if (x[i] > 0)
			s += x[i];
	return s;
}
long walks(const long *p, long n)
{
	long s = 0;
	while (n-- > 0)
		s += *p;
	return s;
}
"""
DOT = "double dot(int n, const double *x, const double *y) { double s = 0; %s return s; }\n"
APPLICATION = """#include <stdio.h>
#include <time.h>
double dot(int n, const double *x, const double *y);
static double x[4000], y[4000];
int main(void)
{
	for (int i = 0; i < 40; i++) {
		struct timespec a, b;
		clock_gettime(CLOCK_MONOTONIC, &a);
		x[i] = dot(4000, x, y);
		clock_gettime(CLOCK_MONOTONIC, &b);
		printf("%.0f\\n", (b.tv_sec - a.tv_sec) * 1e9 + b.tv_nsec - a.tv_nsec);
	}
}
"""
NAMES = "gemm dot gather by_address stencil rows triangular calls move table nest twos positive walks".split()


class Deriving(CommandTest):
    def derived(self, routine, text=KERNELS):
        """The spec of a routine, and {member: value} of what is guessed in it."""
        made = json.loads(self.assay("spec", self.file("k.c", text), "--routine", routine).stdout)
        return made["spec"], {g["member"]: g["value"] for g in made["meta"]["guesses"]}

    def refused(self, text, said, *words, name="k.c", code=BAD_SPEC):
        ran = self.assay("spec", self.file(name, text), *words, code=code)
        self.assertEqual("", ran.stdout)
        for part in said:
            self.assertIn(part, ran.stderr)


class Source(Deriving):
    def test_P4_a_matrix_multiply_has_the_spec_that_was_written_by_hand(self):
        spec, guesses = self.derived("gemm")
        self.assertEqual({"M": "M", "N": "N", "K": "K", "lda": "M", "ldb": "K", "ldc": "M"},
                         {k: v for k, v in spec["args"].items() if k in ("M", "N", "K", "lda", "ldb", "ldc")})
        self.assertEqual((["K*M"], ["K*N"], ["M*N"]), tuple(spec["args"][x]["dims"] for x in "ABC"))
        self.assertEqual((None, None, "inout"), tuple(spec["args"][x].get("access") for x in "ABC"))
        self.assertEqual(KERNELS, spec["check"]["reference"]["source"])
        self.assertEqual(spec["params"], {k[7:]: v for k, v in guesses.items() if k.startswith("params.")})

    def test_P4_every_guess_is_in_the_document_and_on_stderr(self):
        ran = self.assay("spec", self.file("k.c", KERNELS), "--routine", "dot")
        made = json.loads(ran.stdout)
        for guess in made["meta"]["guesses"]:
            value = json.dumps(guess["value"], separators=(",", ":"))
            self.assertIn(f"k.c:{guess['line']}:{guess['column']}: {guess['member']} {value} is a guess: "
                          f"{guess['why']}", ran.stderr)
            at = made["spec"]
            for part in guess["member"].split("."):
                at = at[part]
            self.assertEqual(guess["value"], at)
        self.assertEqual("", self.assay("-q", "spec", self.file("k.c", KERNELS), "--routine", "dot").stderr)

    def test_P4_sizes_come_from_the_loops(self):
        for routine, want in {
                "dot": {"n": "n", "incx": 1, "x": ["n"], "y": ["n"]},
                "gather": {"n": "n", "out": ["n"], "from": ["n"], "at": ["n"]},
                "by_address": {"n": [1], "a": ["n"], "scratch": ["n"]},
                "stencil": {"n": "n", "steps": "steps", "a": ["n"], "b": ["n"]},
                "rows": {"n": "n", "m": "m", "a": ["n", "m"], "b": ["n", 10]},
                "triangular": {"n": "n", "L": ["n*n"], "x": ["n"]},
        }.items():
            with self.subTest(routine=routine):
                spec, _ = self.derived(routine)
                self.assertEqual(want, {k: v["dims"] if isinstance(v, dict) else v for k, v in spec["args"].items()})

    def test_P4_bounds_come_from_conditions_of_any_form(self):
        for start, condition, want in (
                ("0", "i + k <= n", "-k+n+1"), ("0", "n > i", "n"), ("0", "2 * i < n", "((n-1)/2)+1"), ("k", "i < n && i < 2 * n", "n"),
                ("n - 1", "i >= k", "n"), ("n - 1", "0 <= i", "n"), ("n", "i > k", "n+1"), ("0", "i < n - k", "-k+n")):
            with self.subTest(condition):
                step = "i--" if start[0] == "n" else "i++"
                text = f"void f(int n, int k, double *x) {{ for (int i = {start}; {condition}; {step}) x[i] = k; }}"
                self.assertEqual([want], self.derived("f", text)[0]["args"]["x"]["dims"])

    def test_P4_rows_are_as_long_as_the_type_says_and_not_as_their_use(self):
        text = ("void f(int n, int m, double a[n][m], double (*b)[7], double c[3][5][m]) { for (int i = 0; i < n; i++) "
                "{ a[i][0] = b[i][1]; c[1][2][i] = 1; } }")
        spec, _ = self.derived("f", text)
        self.assertEqual((["n", "m"], ["n", 7], [2, 5, "m"]), tuple(spec["args"][x]["dims"] for x in "abc"))

    def test_an_integer_of_unknown_value_is_a_param(self):
        spec, guesses = self.derived("f", "void f(double *x, int mode) { x[0] = mode; }")
        self.assertEqual(("mode", 1, 1), (spec["args"]["mode"], spec["params"]["mode"], guesses["params.mode"]))

    def test_P4_what_is_assigned_is_an_output(self):
        for routine, want in {"gather": {"out": "out"}, "by_address": {"a": "inout", "scratch": "inout"},
                              "stencil": {"a": "inout", "b": "inout"}, "rows": {"a": "in", "b": "out"},
                              "triangular": {"x": "inout"}, "calls": {}}.items():
            with self.subTest(routine=routine):
                args = self.derived(routine)[0]["args"]
                self.assertEqual(want, {k: v["access"] for k, v in args.items()
                                        if isinstance(v, dict) and "access" in v})

    def test_P4_operations_are_counted_where_loops_alone_say_how_often(self):
        for routine, want in {"gemm": "2*K*M*N+3*M*N", "dot": "2*n", "gather": "n", "by_address": "n",
                              "stencil": "2*n*steps-4*steps", "rows": None, "triangular": "n*n+n", "calls": None,
                              "move": "4*n", "table": "2*m*n", "nest": "(2*n*n*n+3*n*n+n)/3", "twos": "6*((n-1)/2+1)+1",
                              "positive": None, "walks": None}.items():
            with self.subTest(routine=routine):
                spec, guesses = self.derived(routine)
                self.assertEqual((want, want), (spec.get("flops"), guesses.get("flops")))

    def test_a_count_of_operations_is_what_a_machine_would_count(self):
        """The loops of nest, gone through."""
        for n in 1, 2, 7, 20:
            count = sum(2 for i in range(n) for j in range(i + 1) for _ in range(j, n))
            self.assertEqual(count, eval(self.derived("nest")[0]["flops"].replace("/", "//"), {"n": n}))

    def test_what_may_decide_how_often_leaves_operations_out(self):
        for body in ("while (x[0] < 1) x[0] += 1;", "for (int i = 0; i < n; i++) { if (x[i] > 1) break; x[i] *= 2; }",
                     "for (int i = 0; i < n; i++) { x[i] *= 2; i += (int)x[i]; }", "for (int i = 0; x[i] > 0; i++) x[i] *= 2;",
                     "for (int i = 1; i < n; i *= 2) x[i] *= 2;", "for (int i = 0; i < n; i++) x[i] = g(x[i]) * 2;",
                     "int m = (int)x[0]; for (int i = 0; i < m; i++) x[i] *= 2;",
                     "switch (n) { case 1: x[0] *= 2; }", "x[0] = n > 2 && x[0] * 2 > 1 ? x[1] * 3 : 1;"):
            with self.subTest(body):
                spec, _ = self.derived("f", f"double g(double);\nvoid f(int n, double *x) {{ {body} }}")
                self.assertNotIn("flops", spec)

    PART = {"struct": [["pos_x", "double"], ["pos_y", "double"], ["v", "float", 3], ["id", "int"], ["c", "char", 4]]}

    def test_P4_structs_are_described_by_their_members(self):
        spec, _ = self.derived("move")
        self.assertEqual("double move(int n, struct part *p, const struct vec *by, double dt)", spec["routine"])
        p, by = spec["args"]["p"], spec["args"]["by"]
        self.assertEqual((["n"], "inout", self.PART), (p["dims"], p["access"], p["type"]))
        self.assertEqual((["n"], {"struct": [["x", "double"], ["y", "double"]]}), (by["dims"], by["type"]))

    def test_P4_pointers_to_pointers_are_rows(self):
        spec, _ = self.derived("table")
        self.assertEqual("void table(int n, int m, double **a, const float *const *b, double **sums)", spec["routine"])
        self.assertEqual({"a": (["n", "m"], "inout"), "b": (["n", "m"], None), "sums": (["n", "m"], "inout")},
                         {x: (spec["args"][x]["dims"], spec["args"][x].get("access")) for x in ("a", "b", "sums")})

    def test_elements_that_are_indices_are_a_permutation(self):
        self.assertEqual("permutation", self.derived("gather")[0]["args"]["at"]["init"])

    def test_what_cannot_be_known_has_a_param_of_its_own(self):
        spec, guesses = self.derived("calls")
        self.assertEqual((["SIZE"], 1000), (spec["args"]["x"]["dims"], spec["params"]["SIZE"]))
        self.assertEqual(["SIZE"], guesses["args.x.dims"])

    def test_what_is_wrong_has_a_reason_and_a_remedy(self):
        self.refused(KERNELS, ("defines several functions", "it defines gemm, dot", "use --routine"))
        self.refused(KERNELS, ('defines no function "gem"', "it defines gemm"), "--routine", "gem")
        self.refused("int x;", ("defines no function",))
        self.refused("int f(int a { return a; }", ("k.c:1:", "expected ')'"))
        for members, ending in (("int *a;", ""), ("int a : 3;", ""), ("union { int a; float b; } a;", ""), ("", ""),
                                ("char c; int a;", " __attribute__((packed))"),
                                ("int a; double x __attribute__((aligned(32)));", "")):
            self.refused(f"struct s {{ {members} }}{ending}; void f(struct s *p) {{ }}",
                         ("k.c:1:", "p is a struct that a spec cannot describe", "write a routine around it"))
        for declaration in ("double ***p", "double *(*p)[4]", "void **p", "void (*p)(void)", "struct s *p"):
            self.refused(f"struct s; void f({declaration}) {{ }}", ("k.c:1:", "p ", "write a routine around it"))
        self.refused("double *f(double *x) { return x; }", ("k.c:1:9: the result is of a type", "write a routine"))
        self.refused("int f(int) { return 1; }", ("k.c:1:", "a parameter has no name"))
        self.refused(b"int f(void) { return 1; }\0", ("k.c:1:26: a NUL byte",))
        self.refused("int f(void) { return 1; }".encode("utf-16"), ("k.c:1:1: the text is UTF-16",))
        self.refused("\n" * ((1 << 20) + 1), ("longer than 1 MiB",))
        self.assay("spec", self.dir / "none.c", code=NOT_FOUND)
        self.assay("spec", code=USAGE)

    def test_no_file_that_the_source_names_is_opened(self):
        secret = self.file("secret.h", "#error found\n")
        for line in f'#include "{secret}"', '#include "secret.h"', f"#include <{secret}>", "#include <../secret.h>", \
                f'#define H "{secret}"\n#include H':
            ran = self.assay("spec", self.file("k.c", f"{line}\nint f(void) {{ return 1; }}\n"), code=BAD_SPEC)
            self.assertNotIn("found\n", ran.stderr)
            self.assertIn("k.c:", ran.stderr)

    def test_deep_nesting_ends(self):
        for text in ("int f(int n, int *x) { return x[" + "(" * 250 + "n" + ")" * 250 + "]; }",
                     "int f(int n, int *x) { return " + "x[" * 300 + "n" + "]" * 300 + "; }",
                     "int f(int n, int *x) { int s = 0; " + "for (int i = 0; i < n; i++) " * 100 + "s += x[i]; return s; }"):
            ran = subprocess.run([ASSAY, "spec", self.file("k.c", text)], env=self.env, timeout=TIMEOUT_S,
                                 capture_output=True, text=True)
            self.assertIn(ran.returncode, (0, BAD_SPEC), ran.stderr)
            self.assertIn("k.c", ran.stderr)


class Binary(Deriving):
    def compiled(self, name, *flags, compiler="gcc"):
        out = self.dir / name
        subprocess.run([compiler, "-O2", *flags, self.file("k.c", KERNELS), "-o", out, "-lm"], check=True)
        return out

    def test_P4_types_and_const_come_from_the_debugging_information(self):
        want = self.derived("gemm")[0]["routine"]
        for name, flags in {"k.o": ("-g", "-c"), "k.so": ("-g", "-shared", "-fPIC")}.items():
            with self.subTest(name=name):
                made = json.loads(self.assay("spec", self.compiled(name, *flags), "--routine", "gemm").stdout)
                self.assertEqual(want, made["spec"]["routine"])
                guessed = {g["member"] for g in made["meta"]["guesses"]}
                self.assertLessEqual({f"args.{x}.dims" for x in "ABC"} | {"args.C.access"}, guessed)

    def test_P4_structs_and_rows_come_from_the_debugging_information_of_each_compiler(self):
        for compiler in filter(shutil.which, ("gcc", "clang", "clang-19")):
            for name, flags in {"k.o": ("-g", "-c"), "k.so": ("-g", "-shared", "-fPIC")}.items():
                for routine in ("move", "table"):
                    with self.subTest(compiler=compiler, name=name, routine=routine):
                        path = self.compiled(name, *flags, compiler=compiler)
                        made = json.loads(self.assay("-q", "spec", path, "--routine", routine).stdout)["spec"]
                        want = self.derived(routine)[0]
                        self.assertEqual(want["routine"], made["routine"])
                        self.assertNotIn("flops", made)
                        for argument, value in want["args"].items():
                            if isinstance(value, dict):
                                self.assertEqual(value.get("type"), made["args"][argument].get("type"))
                                self.assertEqual(len(value["dims"]), len(made["args"][argument]["dims"]))

    def test_structs_of_a_binary_that_cannot_be_described_are_refused(self):
        for members in "int *a;", "int a : 3;", "union { int a; float b; } a;", "double x __attribute__((aligned(32)));":
            text = f"struct s {{ int first; {members} }}; void f(struct s *p) {{ }}"
            out = self.dir / "s.o"
            subprocess.run(["gcc", "-g", "-c", self.file("s.c", text), "-o", out], check=True)
            ran = self.assay("spec", out, code=BAD_SPEC)
            self.assertIn("p of f has a type that a spec cannot have", ran.stderr)

    def test_what_is_wrong_has_a_reason_and_a_remedy(self):
        self.refused(self.compiled("p.o", "-c").read_bytes(), ("has no debugging information", "-g"), name="q.o")
        self.refused(self.compiled("p.o", "-c", "-g").read_bytes(), ("several functions", "use --routine"), name="q.o")
        self.refused(self.compiled("p.o", "-c", "-g").read_bytes(), ("has no function gem", "it has"), "--routine",
                     "gem", name="q.o")
        self.refused(b"\177ELF" + b"nonsense" * 100, ("q.o: ",), name="q.o")
        whole = self.compiled("p.o", "-c", "-g").read_bytes()
        for cut in range(64, len(whole), len(whole) // 16):
            with self.subTest(cut=cut):
                self.refused(whole[:cut], ("q.o: ",), "--routine", "gemm", name="q.o")


class Timed(RealDaemonTest, Deriving):
    def setUp(self):
        Deriving.setUp(self)
        self.env["ASSAY_SOCKET"] = str(self.daemon.socket)

    def test_P1_an_application_leads_to_a_time_for_each_implementation_in_its_context(self):
        """It times its own calls; its object gives the spec, its calls the context."""
        routine = self.file("dot.c", DOT % "for (int i = 0; i < n; i++) s += x[i] * y[i];")
        application, calls, spec = self.dir / "application", self.dir / "calls", self.dir / "dot.json"
        objects = []
        for source in routine, self.file("main.c", APPLICATION):
            objects.append(source.with_suffix(".o"))
            subprocess.run(["gcc", "-O2", "-g", "-c", source, "-o", objects[-1]], check=True)
        subprocess.run(["gcc", *objects, "-o", application], check=True)
        calls.write_text(subprocess.run([application], check=True, capture_output=True, text=True).stdout)
        self.assay("-q", "spec", objects[0], "-o", spec)
        others = [self.file(f"{name}.c", DOT % loop) for name, loop in (
            ("down", "while (n-- > 0) s += x[n] * y[n];"),
            ("two", "int i = 0; for (; i + 1 < n; i += 2) s += x[i] * y[i] + x[i + 1] * y[i + 1]; "
                    "for (; i < n; i++) s += x[i] * y[i];"))]
        made = json.loads(self.assay("--json", "time", "--samples", "3", "-p", "n=4000", "--reference", routine, spec,
                                     routine, *others, code=TIMED_CODES).stdout)
        self.assertEqual(["dot", "down", "two"], sorted(r["name"] for r in made["results"]))
        for result in made["results"]:
            self.assertIn(result["status"], TIMED, result["detail"])
            self.assertTrue(result["check"]["passed"], result["check"])
            self.assertGreater(result["time"]["value_ns"], 0)
        fitted = self.assay("--json", "fit", "--times", calls, "--evaluations", "4", "-p", "n=4000", spec, routine,
                            code=(0, NOT_FOUND))       # so few jobs need not find the state
        self.assertIn("context", fitted.stdout)

    def test_P4_each_derived_spec_is_timed_and_its_guesses_are_kept(self):
        source = self.file("k.c", KERNELS)
        for routine in NAMES:
            with self.subTest(routine=routine):
                spec = self.dir / f"{routine}.json"
                self.assay("-q", "spec", source, "--routine", routine, "-o", spec)
                # few bytes to flush: as many sets of small operands as fill a large cache need memory of their own
                made = self.assay("--json", "time", "--samples", "3", "--context", "1048576", spec, source, code=TIMED_CODES)
                result = json.loads(made.stdout)
                self.assertIn(result["status"], TIMED, result["detail"])
                if "check" in json.loads(spec.read_text())["spec"]:
                    self.assertTrue(result["check"]["passed"], result["check"])
                self.assertTrue(result["meta"]["guesses"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
