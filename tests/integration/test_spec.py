# SPDX-License-Identifier: Apache-2.0
# time limit: 120 s
"""
assay spec: a routine's source or binary becomes a spec, and what is guessed is marked (P4: a spec
that is derived instead of written by hand).  Kernels of all kinds, each derived and then timed.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "support"))
from harness import BUILD, RealDaemonTest, TIMED  # noqa: E402

ASSAY = BUILD / "assay"
BAD_SPEC, USAGE, NOT_FOUND = 65, 64, 66
TIMEOUT_S = 120                 # an end for what hangs

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
long walks(const long *p, long n)
{
	long s = 0;
	while (n-- > 0)
		s += *p;
	return s;
}
"""
NAMES = "gemm dot gather by_address stencil rows triangular calls walks".split()


class Deriving(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="assay-spec-")
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)
        env = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "ASSAY_"))}
        self.env = {**env, "LC_ALL": "C.UTF-8", "ASSAY_SHARE_CPUS": "yes"}

    def file(self, name, text):
        path = self.dir / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def assay(self, *words, code=0):
        ran = subprocess.run([ASSAY, *map(str, words)], env=self.env, stdin=subprocess.DEVNULL, timeout=TIMEOUT_S,
                             capture_output=True, text=True)
        self.assertNotIn("Sanitizer", ran.stderr)
        self.assertEqual(code, ran.returncode, f"{words}\n{ran.stdout}\n{ran.stderr}")
        return ran

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

    def test_P4_what_is_assigned_is_an_output(self):
        for routine, want in {"gather": {"out": "out"}, "by_address": {"a": "inout", "scratch": "inout"},
                              "stencil": {"a": "inout", "b": "inout"}, "rows": {"a": "in", "b": "out"},
                              "triangular": {"x": "inout"}, "calls": {}}.items():
            with self.subTest(routine=routine):
                args = self.derived(routine)[0]["args"]
                self.assertEqual(want, {k: v["access"] for k, v in args.items()
                                        if isinstance(v, dict) and "access" in v})

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
        self.refused("struct s { int a; }; int f(struct s *p) { return p->a; }",
                     ("k.c:1:38: p has a type that a spec cannot have", "write a routine around it"))
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
    def compiled(self, name, *flags):
        out = self.dir / name
        subprocess.run(["gcc", "-O2", *flags, self.file("k.c", KERNELS), "-o", out, "-lm"], check=True)
        return out

    def test_P4_types_and_const_come_from_the_debugging_information(self):
        want = self.derived("gemm")[0]["routine"]
        for name, flags in {"k.o": ("-g", "-c"), "k.so": ("-g", "-shared", "-fPIC")}.items():
            with self.subTest(name=name):
                made = json.loads(self.assay("spec", self.compiled(name, *flags), "--routine", "gemm").stdout)
                self.assertEqual(want, made["spec"]["routine"])
                guessed = {g["member"] for g in made["meta"]["guesses"]}
                self.assertLessEqual({f"args.{x}.dims" for x in "ABC"} | {"args.C.access"}, guessed)

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

    def test_P4_each_derived_spec_is_timed_and_its_guesses_are_kept(self):
        source = self.file("k.c", KERNELS)
        for routine in NAMES:
            with self.subTest(routine=routine):
                spec = self.dir / f"{routine}.json"
                self.assay("-q", "spec", source, "--routine", routine, "-o", spec)
                result = json.loads(self.assay("--json", "time", "--samples", "3", spec, source).stdout)
                self.assertIn(result["status"], TIMED, result["detail"])
                if "check" in json.loads(spec.read_text())["spec"]:
                    self.assertTrue(result["check"]["passed"], result["check"])
                self.assertTrue(result["meta"]["guesses"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
