# SPDX-License-Identifier: Apache-2.0
"""
assay import: specs of other tools (P: automated timer generation, G: generic code optimization),
each imported by the command line and then timed by the real daemon.  The specs are in tests/data/.
What comes out is judged by the routine's answers, not by how long it took.
"""
import json
import pathlib
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "support"))
from command import CommandTest, environment  # noqa: E402
from harness import RealDaemonTest, TIMED  # noqa: E402

POET = TESTS / "data" / "poet"
GCO = TESTS / "data" / "gco"
BAD_SPEC, USAGE, WRONG_ANSWER = 65, 64, 84
TIMED_CODES = (0, 75)       # too_noisy: a busy host has its times, too

# Routines of the specs that have a declaration only.
ROUTINES = {
    "gemm": """
void ATL_USERMM(const int M, const int N, const int K, const double alpha, const double *A, const int lda,
    const double *B, const int ldb, const double beta, double *C, const int ldc)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            double sum = 0.0;
            for (int k = 0; k < K; k++)
                sum += A[i + k * lda] * B[k + j * ldb];
            C[i + j * ldc] = alpha * sum + beta * C[i + j * ldc];
        }
}
""",
    "02_gemv_old_order": """
double dot_step(const int n, const double *x, const int incx, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i * incx] * y[i];
    return sum;
}
""",
    "07_static": """
double table_sum(const int n, const double *t, const float *m, const int rows)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += t[i];
    for (int i = 0; i < rows * 10; i++)
        sum += m[i];
    return sum;
}
""",
    "09_range": """
int gather(const int n, const int start, const int *at, const int *from)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += from[at[i] + start];
    return sum;
}
""",
}


class Importing(CommandTest):
    def poet(self, text, *words):
        """The spec of a text, and what was remarked."""
        ran = self.assay("import", "poet", self.file("x.spec", text), *words)
        return json.loads(ran.stdout), ran.stderr

    def refused(self, format, name, text, place, reason, remedy="", *words):
        ran = self.assay("import", format, self.file(name, text), *words, code=BAD_SPEC)
        self.assertEqual("", ran.stdout)
        self.assertRegex(ran.stderr, rf"{name}:{place}{'' if place.endswith(':') else ': '}")
        self.assertIn(reason, ran.stderr)
        self.assertIn(remedy, ran.stderr)


def with_init(init, routine="void f(const int n, const double *x, double *y);", rest=""):
    return f"routine={routine}\ninit={{\n{init}\n}};\n{rest}"


VECTORS = "n=Macro(N,8);\nx=Vector(double,n,RANDOM,flush);\ny=Vector(double,n,0,flush);"


class Poet(Importing):
    """What comes out, without a daemon."""

    def test_P5_P6_P7_P8_P9_figure_4_becomes_the_spec_that_was_written_by_hand(self):
        made = json.loads(self.assay("import", "poet", POET / "gemm.spec").stdout)
        by_hand = json.loads((TESTS / "kernels" / "gemm.spec.json").read_text())
        del by_hand["check"]                        # the figure has no body
        by_hand["context"] = "cold"
        for operand in "ABC":                       # the defaults, written out
            del by_hand["args"][operand]["type"], by_hand["args"][operand]["cache"]
        squeezed = "".join(made.pop("routine").split()), "".join(by_hand.pop("routine").split())
        self.assertEqual(squeezed[1], squeezed[0])
        self.assertEqual(by_hand, made)
        self.assertEqual(["M", "N", "K", "lda", "ldb", "ldc", "alpha", "beta", "A", "B", "C"], list(made["args"]))

    def test_P6_a_statement_for_a_parameter_that_the_routine_lacks_is_refused(self):
        self.refused("poet", "x.spec", with_init(VECTORS + "\nz=1;"), "6:1", 'f has no parameter "z"')
        self.refused("poet", "x.spec", with_init("nn=1;", "void f(int nm);"), "3:1", '"nn"', 'did you mean "nm"?')

    def test_P7_a_number_in_a_size_or_formula_becomes_a_param(self):
        spec, _ = self.poet(with_init("n=100;\nx=Vector(double,n+2,RANDOM,);\ny=Vector(double,n,0,);",
                                      rest='flop="3*n";'))
        self.assertEqual({"n": 100}, spec["params"])
        self.assertEqual(("n", ["n+2"], "3*n"), (spec["args"]["n"], spec["args"]["x"]["dims"], spec["flops"]))

    def test_P8_a_scalar_follows_another_one_and_its_macro(self):
        spec, _ = self.poet("routine=void f(int n, int m, int ld, double *y);\ninit={ ld=m; m=n; n=Macro(NS,9);\n"
                            "y=Matrix(double,ld,2*m,RANDOM,flush); };")
        self.assertEqual(({"NS": 9}, "NS", "NS", ["NS", "2*NS"]),
                         (spec["params"], spec["args"]["ld"], spec["args"]["m"], spec["args"]["y"]["dims"]))

    def test_P10_P28_static_and_allocated_operands_of_one_and_two_dimensions(self):
        spec = json.loads(self.assay("import", "poet", POET / "07_static.spec").stdout)
        self.assertEqual({"dims": ["LENGTH"], "init": "random", "align": 32, "memory": "static"}, spec["args"]["t"])
        self.assertEqual({"dims": ["ROWS", 10], "init": "random", "memory": "static"}, spec["args"]["m"])

    def test_P11_the_generators_seed_is_the_seed_of_each_operand(self):
        spec, remarks = self.poet(with_init(VECTORS), "-p", "RANDSEED=7")
        self.assertEqual({"random": {"seed": 8}}, spec["args"]["x"]["init"])
        self.assertIn("x.spec:4:19: RANDOM:", remarks)

    def test_P11_random_scalars_are_drawn_by_the_driver(self):
        seeds = {name: self.poet((POET / "11_random_scalars.spec").read_text(), "-p", f"RANDSEED={seed}")[0]["args"]
                 for name, seed in (("a", 7), ("b", 7), ("c", 8))}
        self.assertEqual({"init": {"random": {"seed": 9}}}, seeds["a"]["alpha"])
        self.assertEqual(seeds["a"], seeds["b"])
        self.assertNotEqual(seeds["a"], seeds["c"])
        self.assertNotEqual(seeds["a"]["alpha"], seeds["a"]["beta"])

    def test_what_returns_does_not_name_is_scratch(self):
        made = json.loads(self.assay("import", "poet", POET / "13_scratch.spec").stdout)["args"]
        self.assertEqual((False, None, None), tuple(made[x].get("checked") for x in ("scratch", "out", "in")))
        shared = "n=4; x=Vector(double,n,0,); y=x; z=Vector(double,n,0,);"
        routine = "void f(int n, double *x, double *y, double *z);"
        for returned, want in (("y", (None, False)), ("x", (None, False)), ("z", (False, None)), ("x, z", (None, None))):
            made, _ = self.poet(with_init(shared, routine, f"returns({returned});"))
            self.assertEqual(want, tuple(made["args"][x].get("checked") for x in "xz"))

    def test_P12_an_operand_without_flush_is_warm_beside_one_that_is_flushed(self):
        spec, remarks = self.poet(with_init(VECTORS.replace("0,flush", "0,")))
        self.assertEqual(("cold", None, "warm"), (spec["context"], spec["args"]["x"].get("cache"),
                                                  spec["args"]["y"].get("cache")))
        self.assertIn("operands without flush are warm", remarks)
        spec, _ = self.poet(with_init(VECTORS.replace("flush", "")))
        self.assertEqual("warm", spec["context"])

    def test_P13_P14_flags_in_either_order_and_joined(self):
        for flags in "flush|align(32)", "align(32) | flush":
            spec, _ = self.poet(with_init(VECTORS.replace("RANDOM,flush", "RANDOM," + flags)))
            self.assertEqual((32, None), (spec["args"]["x"]["align"], spec["args"]["x"].get("cache")))
        spec, remarks = self.poet(with_init(VECTORS.replace("RANDOM,flush", "RANDOM,align(2)")))
        self.assertEqual(8, spec["args"]["x"]["align"])
        self.assertIn("aligned to 8 bytes, as double needs", remarks)

    def test_P15_the_formula_has_params_for_arguments(self):
        for flop in 'flop="2*(n - 1)/3";', "flop = 2*(n - 1)/3;":
            self.assertEqual("2*(N-1)/3", self.poet(with_init(VECTORS, rest=flop))[0]["flops"])
        self.refused("poet", "x.spec", with_init(VECTORS, rest='flop="2*q";'), "7:9", 'argument or macro "q"')
        self.refused("poet", "x.spec", with_init(VECTORS, rest='flop="2*x";'), "4:1", "x is no scalar")
        self.refused("poet", "x.spec", with_init(VECTORS, rest='flop="2 n";'), "7:7", "column 3")

    def test_P17_the_spec_is_read_and_written_where_it_is_said(self):
        out = self.dir / "out.json"
        self.assertEqual("", self.assay("import", "poet", POET / "gemm.spec", "-o", out).stdout)
        self.assertEqual(72, json.loads(out.read_text())["params"]["MS"])
        self.assay("import", "poet", self.dir / "none.spec", code=66)
        self.assay("import", "poet", POET / "gemm.spec", "-o", self.dir / "no" / "out.json", code=74)

    def test_P18_P24_the_drivers_language_is_c_and_others_are_refused_by_name(self):
        for language in "c", "Cfront.code":
            self.poet(with_init(VECTORS), "-p", f"outputLang={language}")
        ran = self.assay("import", "poet", POET / "gemm.spec", "-p", "outputLang=java", code=USAGE)
        self.assertIn('no driver can be made in "java"', ran.stderr)

    def test_P19_P20_P21_P22_parameters_of_the_generator_say_how_it_is_timed(self):
        spec, _ = self.poet(with_init(VECTORS), *"-p CacheKB=2048 -p UseWallTime=0 -p NREP=50 -p MT=9 "
                            "-p CacheFlushMethod=generic -p Verbose=1".split())
        self.assertEqual({"flush": {"bytes": 2 << 20, "method": "MultiCallFlushLRU"}, "clock": "cpu", "samples": 9,
                          "calls": 50}, spec["timing"])
        spec, _ = self.poet(with_init(VECTORS), *"-p CacheKB=64 -p NREP=1 -p CacheFlushMethod=generic".split())
        self.assertEqual({"flush": {"bytes": 1 << 16, "method": "OneCallFlushLRU"}, "calls": 1}, spec["timing"])

    def test_P19_a_flush_that_cannot_be_is_left_out_with_a_remark_or_refused(self):
        warm = with_init(VECTORS.replace("flush", ""))
        spec, remarks = self.poet(warm, "-p", "CacheKB=64", "-p", "MT=5")
        self.assertEqual({"samples": 5}, spec["timing"])
        self.assertIn("no operand has flush", remarks)
        spec, remarks = self.poet(with_init(VECTORS), "-p", "CacheKB=64", "-p", "CacheFlushMethod=x86")
        self.assertEqual({"flush": {"method": "OneCallFlushX86"}}, spec["timing"])
        self.assertIn("CacheKB is left out", remarks)
        ran = self.assay("import", "poet", POET / "gemm.spec", "-p", "NREP=9", "-p", "CacheFlushMethod=x86",
                         code=USAGE)
        self.assertIn("NREP: more than one call", ran.stderr)
        ran = self.assay("import", "poet", POET / "gemm.spec", "-p", "CacheFlushMethod=none", code=USAGE)
        self.assertIn("it is generic or x86", ran.stderr)

    def test_P20_another_instruction_set_is_refused_by_name(self):
        ran = self.assay("import", "poet", POET / "gemm.spec", "-p", "ISA=Sparc", code=USAGE)
        self.assertIn('ISA: drivers for "Sparc" cannot be made here', ran.stderr)

    def test_P21_the_rate_of_the_clock_is_measured_and_a_given_one_left_out(self):
        spec, remarks = self.poet(with_init(VECTORS), "-p", "MHZ=2600")
        self.assertNotIn("timing", spec)
        self.assertIn("MHZ=2600 is left out: the clock's rate is measured", remarks)
        ran = self.assay("import", "poet", POET / "gemm.spec", "-p", "MHZ=fast", code=USAGE)
        self.assertIn("MHZ", ran.stderr)

    def test_a_parameter_that_the_generator_lacks_is_refused_with_the_nearest(self):
        ran = self.assay("import", "poet", POET / "gemm.spec", "-p", "NREPS=5", code=USAGE)
        self.assertIn("did you mean NREP?", ran.stderr)
        ran = self.assay("import", "poet", POET / "gemm.spec", "-p", "MS=40", code=USAGE)
        self.assertIn("changed when it is timed: assay time -p MS=", ran.stderr)

    def test_P39_P46_a_checkpoint_has_its_image_and_no_args(self):
        spec, remarks = self.poet('routine=int find(void *list, int key);\ncheckpoint="images/words.image"\n'
                                  'init={ key=Macro(KEY,3); };\nflop="2*KEY";\nreturns(list);')
        self.assertEqual({"routine": "int find(void *list, int key)", "checkpoint": "words.image",
                          "params": {"KEY": 3}, "flops": "2*KEY"}, spec)
        for said in "directory of images", "init are left out", "returns is left out":
            self.assertIn(said, remarks)

    def test_P47_a_value_that_cannot_be_is_refused_at_its_place(self):
        self.refused("poet", "x.spec", with_init("n=1.5;", "void f(int n);"), "3:1", "args.n")
        self.refused("poet", "x.spec", with_init(VECTORS.replace("Vector(double,n,R", "Vector(double,n-8,R")),
                     "4:1", "args.x.dims[0]")

    def test_both_orders_of_a_vectors_parts_say_the_same(self):
        specs = [self.poet(with_init(f"n=Macro(N,8);\n{v}\ny=Vector(double,n,0,flush);"))[0] for v in (
            "x=Vector(double,n,RANDOM,flush|align(16));", "x=Vector(double,RANDOM,flush|align(16),n);",
            "x = Vector( double , RANDOM , align(16) | flush , n ) ;")]
        self.assertEqual([specs[0]] * 3, specs)
        bare = [self.poet(with_init(f"n=Macro(N,8);\n{v}\ny=Vector(double,n,0,);"))[0] for v in (
            "x=Vector(double,n,RANDOM,);", "x=Vector(double,n,RANDOM);", "x=Vector(double,RANDOM,,n);")]
        self.assertEqual([bare[0]] * 3, bare)

    def test_include_stands_before_the_reference_and_names_no_file(self):
        ran = self.assay("import", "poet", POET / "06_include_files.spec")
        reference = json.loads(ran.stdout)["check"]["reference"]["source"]
        self.assertIn("#include <math.h>", reference)
        self.assertIn("static int least", reference)
        self.assertNotIn("out_lu.c", reference)
        self.assertIn('06_include_files.spec:4:1: #include "./out_lu.c" is left out: no file is opened', ran.stderr)
        spec, remarks = self.poet('include="./out_x.c"\n' + with_init(VECTORS))
        self.assertNotIn("check", spec)
        self.assertIn('x.spec:1:9: "./out_x.c" is left out', remarks)

    def test_remarks_are_in_the_document_as_well(self):
        made = json.loads(self.assay("--json", "-q", "import", "poet", POET / "12_missing_scalar.spec").stdout)
        said = [(r["line"], r["column"], r["text"]) for r in made["meta"]["remarks"]]
        self.assertIn((19, 6, "beta has no value in init; it is 1"), said)
        self.assertEqual(1, made["spec"]["args"]["beta"])
        quiet = self.assay("-q", "import", "poet", POET / "12_missing_scalar.spec")
        self.assertEqual("", quiet.stderr)

    def test_what_is_wrong_has_its_place_its_reason_and_a_remedy(self):
        f = "void f(const int n, const double *x, double *y);"
        for text, place, reason, remedy in (
                ("", "1:1", "there is no routine", "write: routine="),
                ("rutine=void f(void);", "1:1", "no section begins like this", "did you mean routine=?"),
                ("routine=void f(void)", "1:20", "a routine ends with ; or has a body", "put a ;"),
                ("routine=void f(int n", "1:9", "no declaration of C", "write: routine="),
                ("routine=void f(void) { if (1) {", "1:22", "no brace closes", ""),
                ("routine=quad f(void);", "1:9", '"quad"', ""),
                ("routine=void f(void);\nroutine=void g(void);", "2:1", "already", ""),
                ("routine=void f(int n);\ninit={ n=1", "2:6", "braces", "write: init="),
                (with_init("n=1", f), "3:1", "a statement is NAME=VALUE;", "a ; is missing"),
                (with_init("n;"), "3:1", "a statement is NAME=VALUE;", "write:"),
                (with_init("n=;"), "3:3", "the value of n is missing", ""),
                (with_init("n=1; n=2;"), "3:6", "n has a value already", ""),
                (with_init("n=Macro(N);"), "3:", "the value of N must be a number", "72"),
                (with_init("n=Macro(N,8); x=Vector(double);"), "3:15", "a vector has", "write: Vector("),
                (with_init("n=Macro(N,8); x=Matrix(double,n,0);"), "3:15", "a matrix has", "write: Matrix("),
                (with_init("n=Macro(N,8); x=Vector(double,n,RANDOM,flus);"), "3:15", "a vector has", "flush"),
                (with_init("x=Matrix(double,2,2,RANDOM,flus);"), "3:28", "no flag of an operand", "align(16)"),
                (with_init("x=Matrix(double,2,2,RANDOM,align(24));"), "3:34", "a power of two", "align(16)"),
                (with_init(VECTORS.replace("double,n,R", "float,n,R")), "4:10", "x is double *", "write double"),
                (with_init(VECTORS.replace("double,n,R", "quad,n,R")), "4:10", "quad", ""),
                (with_init(VECTORS.replace("double,n,R", "double,m,R")), "4:17", 'no argument or macro "m"', "sizes"),
                (with_init(VECTORS.replace("double,n,R", "double,sizeof(n),R")), "4:17", "function", "known are"),
                (with_init(VECTORS.replace("double,n,R", "double,n<<2,R")), "4:18", "no part of an expr", "use"),
                (with_init(VECTORS.replace("Macro(N,8)", "x")), "4:1", "x is no scalar", ""),
                (with_init("n=Vector(int,4,RANDOM,);"), "3:1", "n is no pointer", "write int *n"),
                (with_init("n=4; x=Array2D(double,n,n,0,);"), "3:6", "does not point to pointers", "use Matrix"),
                (with_init("x=Matrix(double,4,4,0,);", "void f(double **x);"), "3:1", "points to pointers", "Array2D("),
                (with_init("n=4; x=1;"), "3:8", "x is a pointer", "Vector(double,N,RANDOM,flush)"),
                (with_init("n=4; x=Vector(double,n,RANDOM,);"), "2:6", "y has no value in init", "add: y="),
                (with_init("x=Vector(double,n,RANDOM,);"), "3:17", "n has no value in init", "add to init: n="),
                (with_init("n=m; x=Vector(double,n,0,);", "void f(int n, int m, double *x);")
                 .replace("n=m;", "n=m; m=n;"), "3:1", "depends on itself", ""),
                (with_init("n=RANDOM; x=Vector(double,n,0,);"), "3:1", "n is random", ""),
                (with_init(VECTORS, rest="returns(z);"), "7:9", 'no parameter "z"', ""),
                (with_init(VECTORS, rest="returns(x);"), "7:9", "it is const", "name operands"),
                (with_init(VECTORS, rest="returns(n);"), "7:9", "no pointer", ""),
                (with_init(VECTORS, rest='flop="";'), "7:7", "flop needs a formula", "write: flop="),
                (with_init(VECTORS, rest="checkpoint=f;"), "7:12", "name of the checkpoint", "words.image"),
        ):
            with self.subTest(text=text):
                self.refused("poet", "x.spec", text, place, reason, remedy)

    def test_texts_that_are_none_are_refused_at_the_byte(self):
        spec = with_init(VECTORS).encode()
        self.refused("poet", "x.spec", spec + b"\0", "7:1", "a NUL byte", "give a text")
        self.refused("poet", "x.spec", spec.decode().encode("utf-16"), "1:1", "the text is UTF-16", "iconv -f UTF-16")
        self.refused("poet", "x.spec", spec + b"/* \xe9 */", "7:4", "not UTF-8", "iconv")
        ran = self.assay("import", "poet", self.file("long.spec", spec + b" " * (1 << 20)), code=BAD_SPEC)
        self.assertIn("longer than 1 MiB", ran.stderr)

    def test_a_line_of_a_mebibyte_and_deep_nesting_end_with_a_place(self):
        long = "n=" + "(" * 100000 + "1" + ")" * 100000 + ";"
        self.refused("poet", "x.spec", with_init(long, "void f(int n);"), "3:", "too long")
        grows = "".join(f"#define M{i} M{i + 1}*M{i + 1}\n" for i in range(40))
        self.refused("poet", "x.spec", "include=\n" + grows + with_init(
            "n=4;\nx=Vector(double,M0,RANDOM,);", "void f(int n, double *x);"), "45:17", "nested too deeply")
        self.refused("poet", "x.spec", "include=\n#define A B\n#define B A\n" + with_init(
            "n=4;\nx=Vector(double,A,RANDOM,);", "void f(int n, double *x);"), "7:17", "use themselves")

    def test_an_unknown_format_is_named(self):
        self.assertIn("poet", self.assay("import", "poets", POET / "gemm.spec", code=USAGE).stderr)
        self.assay("import", "poet", code=USAGE)


WRAPPER = GCO / "doitgen_wrap.c"
DOITGEN = (WRAPPER, GCO / "doitgen_ref.c")


def directives(*lines, code="int f(int n, double *a) { return n + (int)a[0]; }"):
    return "".join(f"/*$ATLAS {line} */\n" for line in ("ROUTINE f", *lines)) + code


SIZED = "SIZE 2:9:3", "ARG N IN int $size", "ARG A[N][N+1] INOUT double $rand"


class Gco(Importing):
    def gco(self, text, *words):
        ran = self.assay("import", "gco", self.file("x.c", text), *words)
        return json.loads(ran.stdout), ran.stderr

    def test_G12_G13_G14_G15_G16_G17_G18_G21_G22_the_papers_wrapper_becomes_a_spec_and_a_sweep(self):
        ran = self.assay("import", "gco", *DOITGEN)
        sweep = json.loads(ran.stdout)
        spec = sweep["spec"]
        self.assertEqual("int doitgen_ref(int ia1, int ia2, double *a, double *x, int ldx, int np, int nq, int nr, "
                         "int ns)", spec["routine"])
        self.assertEqual({"SIZE": list(range(1, 32))}, sweep["space"])
        scalar = dict.fromkeys(("ia2", "ldx", "np", "nq", "nr", "ns"), "SIZE")
        self.assertEqual({**scalar, "ia1": 1, "a": {"dims": ["SIZE"] * 3, "init": "random", "access": "inout"},
                          "x": {"dims": ["SIZE"] * 2, "init": "random", "access": "in"}}, spec["args"])
        self.assertEqual(("doitgen_ref", sweep["template"]["source"]),
                         (sweep["name"], spec["check"]["reference"]["source"]))
        self.assertIn("doitgen_wrap.c:3:18: the words are one name: DOITGEN_REF", ran.stderr)
        self.assertIn("doitgen_wrap.c:1:1: the types of f2c.h stand in place of it", ran.stderr)

    def test_G13_sizes_in_steps_and_one_alone(self):
        self.assertEqual({"SIZE": [2, 5, 8]}, self.gco(directives(*SIZED))[0]["space"])
        for size, want in ("7", [7]), ("3:5", [3, 4, 5]), ("100:300:50", [100, 150, 200, 250, 300]):
            self.assertEqual({"SIZE": want}, self.gco(directives(f"SIZE {size}", *SIZED[1:]))[0]["space"])

    def test_G13_without_sizes_it_is_one_job(self):
        made, _ = self.gco(directives("ARG N IN int 4", "ARG A[N] OUT double 0"))
        self.assertEqual({"spec", "variant"}, set(made))
        self.assertEqual(({"n": 4, "a": {"dims": [4], "init": {"value": 0}, "access": "out"}}, None),
                         (made["spec"]["args"], made["spec"].get("params")))

    def test_G14_G16_sizes_are_formulas_over_arguments_without_case(self):
        made, _ = self.gco(directives("SIZE 4:8", "ARG n IN int 2*$size+1", "ARG a[N*2][$size] IN double $rand"))
        self.assertEqual(("2*SIZE+1", ["(2*SIZE+1)*2", "SIZE"]),
                         (made["spec"]["args"]["n"], made["spec"]["args"]["a"]["dims"]))

    def test_G16_the_size_is_no_macro_that_the_file_uses(self):
        made, _ = self.gco("int SIZE;\n" + directives(*SIZED))
        self.assertEqual(["ATLAS_SIZE"], list(made["space"]))

    def test_G17_a_random_scalar_is_drawn_by_the_driver(self):
        made, remarks = self.gco(directives("ARG N IN int $rand", "ARG A[3] IN double $rand"))
        self.assertEqual({"init": {"random": {"seed": 1, "min": 1, "max": 100}}}, made["spec"]["args"]["n"])
        self.assertIn("N is drawn at random, an integer from 1 to 100", remarks)

    def test_G19_each_direction_is_the_operands_access(self):
        for word in "IN", "OUT", "INOUT":
            made, _ = self.gco(directives("ARG N IN int 3", f"ARG A[N] {word} double $rand"))
            self.assertEqual(word.lower(), made["spec"]["args"]["a"]["access"])

    def test_G22_G23_an_argument_by_its_address_and_types_of_f2c(self):
        made, remarks = self.gco('#include "f2c.h"\n' + directives(
            "SIZE 5:5", "ARG N IN int $size", "ARG A[N] INOUT double $rand",
            code="/* Subroutine */ int f(integer *n, doublereal *a) { return *n > a[0]; }"))
        self.assertEqual({"dims": [1], "init": {"value": "SIZE"}, "access": "in"}, made["spec"]["args"]["n"])
        self.assertIn("typedef int integer;", made["template"]["source"])
        self.assertNotIn("f2c.h", made["template"]["source"])

    def test_the_sweep_has_the_name_asked_for_and_the_spec_can_stand_alone(self):
        self.assertEqual("mine", self.gco(directives(*SIZED), "--name", "mine")[0]["name"])
        made, _ = self.gco(directives(*SIZED), "--spec")
        self.assertEqual({"SIZE": 9}, made["params"])

    def test_what_is_wrong_has_its_place_its_reason_and_a_remedy(self):
        n, a = SIZED[1:]
        for text, place, reason, remedy in (
                ("int f(void) { return 0; }", "1:1", "there is no ROUTINE directive", "ROUTINE name"),
                ("/*$ATLAS ROUTINE */", "1:17", "the routine's name is missing", "ROUTINE name"),
                ("/*$ATLAS ROUTINE f */ int g(int n) { return n; }", "1:18", 'no function "f"', "it defines g"),
                ("/*$ATLAS ROUTINE f */ int f(quad n) { return n; }", "1:23", '"quad"', ""),
                ("/*$ATLAS ROUTINE f", "1:1", "the comment does not end", ""),
                (directives("ROUTINE g"), "2:18", "there is a ROUTINE already", ""),
                (directives("SIZES 1:2"), "2:10", "no directive of GCO", "ROUTINE, SIZE or ARG"),
                (directives("SIZE 1:x"), "2:15", "sizes are first:last:step", "SIZE 1:31:1"),
                (directives("SIZE 9:1"), "2:15", "sizes are first:last:step", "SIZE 1:31:1"),
                (directives("SIZE 1:5:0"), "2:15", "sizes are first:last:step", ""),
                (directives("SIZE 0:5"), "2:15", "from 1 up", ""),
                (directives("SIZE 99999999999999999999"), "2:15", "sizes are", ""),
                (directives("SIZE 1:1000000000"), "2:15", "1000000000 sizes", "a larger step"),
                (directives(*SIZED, "SIZE 1:2"), "5:15", "there is a SIZE already", ""),
                (directives("ARG"), "2:13", "the argument's name is missing", "ARG N IN int"),
                (directives("ARG N"), "2:14", "the direction is IN, OUT or INOUT", ""),
                (directives("ARG N INN int 1"), "2:16", "the direction is IN, OUT or INOUT", ""),
                (directives("ARG N IN quad 1"), "2:19", "no type known here", ""),
                (directives("ARG N IN int"), "2:14", "value is missing", "ARG N IN int $size"),
                (directives("ARG A[N IN double 1"), "2:15", "no bracket closes", ""),
                (directives(n, n), "3:14", "N is described already", ""),
                (directives(n, a), "2:23", "there is no SIZE directive", "SIZE 1:31:1"),
                (directives(*SIZED[:2]), "1:18", "no ARG describes the parameter a", "ARG a[N] IN double"),
                (directives(*SIZED, "ARG B IN int 1"), "5:14", 'f has no parameter "B"', ""),
                (directives("SIZE 1:2", n, "ARG A[M] IN double $rand"), "4:16", 'no argument or $size "M"', ""),
                (directives("SIZE 1:2", "ARG N[2] IN int 1", a), "3:14", "n is no pointer", ""),
                (directives("SIZE 1:2", "ARG N IN long 1", a), "3:19", "n is int in the routine", "write int"),
                (directives("SIZE 1:2", "ARG N OUT int 1", a), "3:16", "n cannot be OUT: it is no pointer", ""),
                (directives("ARG N IN int N", "ARG A[2] IN double 1"), "2:14", "depends on itself", ""),
                (directives("ARG N IN int $rand", "ARG A[N] IN double 1"), "2:14", "N is random", ""),
                (directives("ARG N IN int $rnd", "ARG A[2] IN double 1"), "2:23", '"$rnd"', ""),
                (directives("ARG N IN int 1/2", "ARG A[N] IN double 1"), "3:14", "args.a.dims[0]", ""),
        ):
            with self.subTest(text=text):
                self.refused("gco", "x.c", text, place, reason, remedy)


class GcoTimed(RealDaemonTest, Importing):
    def setUp(self):
        Importing.setUp(self)
        self.env = environment(ASSAY_SOCKET=self.daemon.socket)

    def test_G4_G12_G13_the_papers_sweep_is_timed_at_each_size_and_checked(self):
        sweep = self.dir / "sweep.json"
        self.assay("import", "gco", *DOITGEN, "-o", sweep)
        document = json.loads(sweep.read_text())
        document["spec"]["timing"] = {"samples": 3, "trust": "claimed"}
        sweep.write_text(json.dumps(document))
        lines = self.assay("--ndjson", "sweep", "create", sweep, "--follow", code=TIMED_CODES).stdout.splitlines()
        results = [r for r in map(json.loads, lines) if "status" in r and "check" in r]
        self.assertEqual(list(range(1, 32)), sorted(r["params"]["SIZE"] for r in results))
        for result in results:
            self.assertIn(result["status"], TIMED, result["detail"])
            self.assertTrue(result["check"]["passed"], result["check"])

    def test_G19_what_goes_in_and_out_is_as_at_first_in_every_call(self):
        """Each call adds 1: without restoring, the last answer would be that of many calls."""
        code = "void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] += 1; }"
        spec = self.dir / "f.json"
        self.assay("import", "gco", self.file("f.c", directives(
            "ARG N IN int 20", "ARG A[N] INOUT double 0", code=code)), "-o", spec)
        result = json.loads(self.assay("--json", "time", "--samples", "5", spec, code=TIMED_CODES).stdout)
        self.assertIn(result["status"], TIMED, result["detail"])
        self.assertTrue(result["check"]["passed"], result["check"])


class PoetTimed(RealDaemonTest, Importing):
    """Figure 4 and specs in its grammar, each imported and timed."""

    def setUp(self):
        Importing.setUp(self)
        self.env = environment(ASSAY_SOCKET=self.daemon.socket)

    def test_scratch_may_differ_and_outputs_may_not(self):
        spec = self.dir / "scratch.json"
        self.assay("import", "poet", POET / "13_scratch.spec", "-o", spec)
        good = json.loads(spec.read_text())["check"]["reference"]["source"]
        for rest, code in (("scratch[3] = 77;", TIMED_CODES), ("out[3] = 77;", WRONG_ANSWER)):
            variant = self.file("v.c", good.rstrip().removesuffix("}") + rest + " }")
            ran = self.assay("--json", "time", "--samples", "3", spec, variant, code=code)
            if code == TIMED_CODES:
                self.assertEqual(200, json.loads(ran.stdout)["check"]["compared"])

    def routine_of(self, name, spec):
        if name in ROUTINES:
            return ROUTINES[name]
        return spec["check"]["reference"]["source"]

    def time(self, name):
        spec = self.dir / f"{name}.json"
        self.assay("import", "poet", POET / f"{name}.spec", "-o", spec)
        document = json.loads(spec.read_text())
        variant = self.file(f"{name}.c", self.routine_of(name, document))
        result = json.loads(self.assay("--json", "time", "--samples", "3", spec, variant,
                                       code=TIMED_CODES).stdout)
        self.assertIn(result["status"], TIMED, result["detail"])
        if "check" in document:
            self.assertTrue(result["check"]["passed"], result["check"])
        return result

    def test_P1_P23_each_spec_goes_from_its_text_to_a_time(self):
        names = sorted(path.stem for path in POET.glob("*.spec"))
        self.assertEqual(17, len(names))
        for name in names:
            with self.subTest(name=name):
                self.time(name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
