# SPDX-License-Identifier: Apache-2.0
"""Operands that C functions of the spec fill, on real compilers and processes."""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import RealDaemonTest, RpcError, assert_timed  # noqa: E402

TIMING = {"samples": 3, "gate": False, "processes": 1}
ROUTINE = "double f(int n, const double *x, const int *at)"
SUM = "double s = 0; for (int i = 0; i < n; i++) s += x[at[i]] * (i + 1); return s;"
SETUP = """
#include <stdlib.h>
static int calls;
void fill(double *x, size_t n) { for (size_t i = 0; i < n; i++) x[i] = i * STEP; calls++; }
void link_up(int *at, size_t n) { for (size_t i = 0; i < n; i++) at[i] = n - i - calls; }
"""
ARGS = {"n": "N", "x": {"dims": ["N"], "init": {"function": "fill"}},
        "at": {"dims": ["N"], "init": {"function": "link_up"}}}


class Setup(RealDaemonTest):
    def document(self, setup=SETUP, body=SUM, args=ARGS, routine=ROUTINE, reference=None, **spec):
        spec = {"routine": routine, "params": {"N": 1000, "STEP": 3}, "args": args, "setup": setup, "context": "warm",
                "timing": TIMING, "check": {"reference": {"source": f"{routine} {{ {reference or body} }}\n"}}, **spec}
        return {"variant": {"source": f"{routine} {{ {body} }}\n"}, "spec": spec}

    def run_one(self, *document, **more):
        (result,) = self.daemon.run(self.document(*document, **more))
        return result

    def answer(self, *document, **more):
        """What the routine returns: its reference returns something else."""
        result = self.run_one(*document, reference="return -1;", **more)
        self.assertEqual("wrong_answer", result["status"], result["detail"])
        return result["check"]["first_bad"]["got"]

    def fails(self, words, setup, **more):
        result = self.run_one(setup, **more)
        self.assertEqual("bad_spec", result["status"], result["detail"])
        self.assertIn(words, result["detail"])
        self.assertIn("spec.setup", result["detail"])

    def refused(self, member, text, job):
        with self.assertRaises(RpcError) as caught:
            self.daemon.call("job.submit", {"job": job})
        fault = caught.exception.data
        self.assertIn(member, fault["member"])
        self.assertIn(text, json.dumps(fault))

    # ---- what they are for ----

    def test_P29_functions_fill_operands_in_the_order_of_the_arguments(self):
        n = 1000
        wanted = sum(3 * (n - i - 1) * (i + 1) for i in range(n))
        self.assertEqual(wanted, self.answer())
        for context in ("warm", "cold"):
            result = assert_timed(self, self.run_one(context=context))
            self.assertEqual("given", result["technique"]["data"])
            self.assertEqual("function", result["technique"]["operands"]["x"]["init"])

    def test_P29_params_and_the_count_change_with_the_point_of_a_sweep(self):
        for n, step in ((1, 5), (10, 2)):
            wanted = sum(step * (n - i - 1) * (i + 1) for i in range(n))
            self.assertEqual(wanted, self.answer(params={"N": n, "STEP": step}))

    def test_two_dimensions_complex_numbers_structs_and_static_memory(self):
        self.assertEqual(23, self.answer("void fill(float (*a)[4], unsigned long n) { a[2][3] = n; a[0][1] = 11; }",
                                         "return a[2][3] + a[0][1];",
                                         {"a": {"dims": [3, 4], "init": {"function": "fill"}}}, "float f(const float (*a)[4])"))
        self.assertEqual(3, self.answer("void fill(double _Complex *a, unsigned long n) { a[0] = 1; a[1] = 2; }",
                                        "return __real__ (a[0] + a[1]);",
                                        {"a": {"dims": [2], "memory": "static", "init": {"function": "fill"}}},
                                        "double f(const double _Complex *a)"))
        pair = "struct pair { double x; int i; };\n"
        document = self.document(f"{pair}void fill(struct pair *p, unsigned long n) {{ p[n - 1].x = n; p[0].i = 7; }}",
                                 "return p[1].x + p[0].i;", {"p": {"dims": [2], "init": {"function": "fill"},
                                                                   "type": {"struct": [["x", "double"], ["i", "int"]]}}},
                                 "double f(const struct pair *p)", reference="return 9;")
        for variant in (document["variant"], document["spec"]["check"]["reference"]):
            variant["source"] = pair + variant["source"]
        (result,) = self.daemon.run(document)
        assert_timed(self, result)

    def test_params_of_any_name_do_not_reach_the_program_around_the_functions(self):
        params = {"N": 1000, "STEP": 3, "size": 1, "bytes": 2, "count": 3, "name": 4, "fills": 5, "function": 6, "open": 7}
        assert_timed(self, self.run_one(SETUP.replace("#include <stdlib.h>", "typedef unsigned long size_t;"), params=params))

    def test_an_operand_that_is_written_is_filled_again_before_each_sample(self):
        result = self.run_one("void fill(double *x, unsigned long n) { for (unsigned i = 0; i < n; i++) x[i] = i; }",
                              "for (int i = 0; i < n; i++) x[i] += 1;",
                              {"n": "N", "x": {"dims": ["N"], "init": {"function": "fill"}}}, "void f(int n, double *x)")
        assert_timed(self, result)

    def test_its_time_is_a_claim_because_no_input_is_fresh(self):
        result = assert_timed(self, self.run_one(timing={"samples": 3}))
        self.assertEqual("claimed", result["trust"])
        self.assertIn("random", result["evidence"]["claimed"])
        self.refused("timing.trust", "no input is random", self.document(timing={"trust": "audited"}))
        self.refused("data", "the operand has one input",
                     self.document(args={**ARGS, "x": {**ARGS["x"], "data": {"rotate": 4}}}))

    def test_they_run_once_for_all_variants_of_a_spec(self):
        """A function whose numbers are other ones in each run gives one answer to all."""
        setup = "#include <time.h>\n#include <stdlib.h>\nvoid fill(double *x, size_t n) " \
                "{ struct timespec t; clock_gettime(CLOCK_REALTIME, &t); x[0] = t.tv_nsec; }"
        args = {"n": "N", "x": {"dims": ["N"], "init": {"function": "fill"}}}
        documents = [self.document(setup, f"return x[0] + 0 * {i};", args, "double f(int n, const double *x)",
                                   reference="return -1;") for i in range(3)]
        for document in documents:
            document["spec"]["check"]["reference"]["source"] = "double f(int n, const double *x) { return -1; }"
        answers = {r["check"]["first_bad"]["got"] for r in self.daemon.run(*documents)}
        self.assertEqual(1, len(answers))

    def test_size_t_is_known_without_a_header(self):
        self.assertEqual(self.answer(), self.answer(SETUP.replace("#include <stdlib.h>", "")))

    # ---- what goes wrong ----

    def test_a_text_that_does_not_compile_is_the_specs_fault(self):
        self.fails("setup.c:1", "void fill(double *x, unsigned long n) { x[0] = nowhere; }")

    def test_a_function_that_is_missing_is_named(self):
        self.fails("link_up", "void fill(double *x, unsigned long n) { }")

    def test_P47_a_crash_names_the_function_and_the_operand(self):
        for body in ("x[1 << 20] = 1;", "x[n + 8] = 1;", "volatile int zero = 0; x[0] = 7 / zero;", "__builtin_abort();",
                     "volatile char a[1 << 24]; for (int i = 0; i < 1 << 24; i++) a[i] = 0;"):
            with self.subTest(body=body):
                self.fails("fill, the init of args.x, died by signal",
                           f"void fill(double *x, unsigned long n) {{ {body} }} void link_up(int *x, unsigned long n) {{ }}")

    def test_what_it_prints_is_in_the_reason_of_its_failure(self):
        self.fails("no table for N = 1000",
                   "#include <stdio.h>\n#include <stdlib.h>\nvoid fill(double *x, size_t n) "
                   "{ printf(\"no table for N = %zu\\n\", n); exit(3); } void link_up(int *x, size_t n) { }")
        assert_timed(self, self.run_one(SETUP.replace("calls++;", "calls++; puts(\"hello\");")
                                        .replace("#include", "#include <stdio.h>\n#include", 1)))

    def test_a_function_that_ends_the_program_has_filled_too_little(self):
        self.fails("link_up, the init of args.at, ended the program",
                   "#include <stdlib.h>\nvoid fill(double *x, size_t n) { } void link_up(int *x, size_t n) { exit(0); }")

    def test_a_function_that_never_ends_is_stopped(self):
        document = self.document("void fill(double *x, unsigned long n) { for (;;) x[0] += 1; }\n"
                                 "void link_up(int *x, unsigned long n) { }")
        document["timeout_ms"] = {"build": 10000}     # its compilers have it, too
        (result,) = self.daemon.run(document)
        self.assertEqual("bad_spec", result["status"])
        self.assertIn("spec.setup: stopped after 10000 ms", result["detail"])

    def test_a_function_has_no_network_and_sees_no_file_of_the_host(self):
        self.fails("none of it", "#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/socket.h>\n"
                   "#include <netinet/in.h>\nvoid link_up(int *x, size_t n) { }\nvoid fill(double *x, size_t n) {\n"
                   "struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = 7, .sin_addr = { 0x0100007f } };\n"
                   "int s = socket(AF_INET, SOCK_STREAM, 0);\n"
                   "if ((s < 0 || connect(s, (void *)&a, sizeof a) != 0) && open(\"%s\", O_RDONLY) < 0)\n"
                   "puts(\"none of it\"); exit(1); }" % self.daemon.log_path)

    def test_the_spec_is_refused_with_the_member_and_a_remedy(self):
        x = ARGS["x"]
        for member, text, more in (
                ("spec.args.x.init", "there is no spec.setup", {"setup": None}),
                ("spec.setup", "no operand is filled", {"args": {**ARGS, "x": {"dims": ["N"]}, "at": {"dims": ["N"]}}}),
                ("spec.args.x.init", "main", {"args": {**ARGS, "x": {**x, "init": {"function": "main"}}}}),
                ("spec.args.x.init", "not a C identifier", {"args": {**ARGS, "x": {**x, "init": {"function": "a b"}}}}),
                ("spec.args.x.init", "rt_", {"args": {**ARGS, "x": {**x, "init": {"function": "rt_fill"}}}}),
                ("spec.args.x.init", "keyword", {"args": {**ARGS, "x": {**x, "init": {"function": "for"}}}}),
                ("spec.args.x.init", "alone does not say", {"args": {**ARGS, "x": {**x, "init": "function"}}}),
                ("spec.args.n.init", "of one number", {"args": {**ARGS, "n": {"init": {"function": "fill"}}}}),
                ("spec.args.x.init", "12582912 bytes at most", {"params": {"N": 1 << 21, "STEP": 1}})):
            with self.subTest(text=text):
                document = self.document(**more)
                if document["spec"]["setup"] is None:
                    del document["spec"]["setup"]
                self.refused(member, text, document)


if __name__ == "__main__":
    unittest.main()
