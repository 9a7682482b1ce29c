# SPDX-License-Identifier: Apache-2.0
# not for sanitizers: its jobs take the ways of other programs', and it looks at what results say
"""
Rows of the papers' inventory (P: automated timer generation, W: context-sensitive timing) shown on
the real daemon, each under its number.  What a kernel sees it reports through its answer: the
reference is compiled from another source and says what the answer must be, so a status of ok is the
proof.  How long anything takes is judged in tests/timing/.
"""
import base64
import copy
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import RpcError, assert_count  # noqa: E402
from kernels import DOT, WithDaemon, dot_spec, source, spec_of, variant  # noqa: E402

VECTOR = {"type": "double", "dims": ["N"], "init": "random"}
GEMM = json.loads(source("gemm.spec.json"))


def seen_spec(args, params=None):
    """A routine of one operand that must find its expectation true."""
    return spec_of("int seen(const double *X, const double *Y)", args, params,
                   "int seen(const double *X, const double *Y) { (void)X, (void)Y; return 1; }")


class FeatureRows(WithDaemon):
    trust = "claimed"                   # fresh inputs would be others, and an audit compares times

    def assert_seen(self, spec, text):
        result = self.assert_timed(self.time_one(spec, text))
        self.assertTrue(result["check"]["passed"], result["check"])

    # ---- one spec, many implementations ----

    def test_P1_one_spec_gives_a_number_for_each_implementation(self):
        results = self.time_all(dot_spec(context="warm"), variant(source("dot_plain.c"), "plain"),
                                variant(source("dot_unroll.c"), "unroll4", UNROLL=4),
                                variant(source("dot_prefetch.c"), "prefetch"))
        for result in results:
            self.assert_timed(result)
            self.assertTrue(result["check"]["passed"])

    def test_P2_the_driver_is_the_same_object_for_every_implementation(self):
        results = self.time_all(dot_spec(context="warm"), variant(source("dot_plain.c")),
                                variant(source("dot_unroll.c"), UNROLL=2), variant(source("dot_unroll.c"), UNROLL=8))
        self.assertEqual(1, len({r["driver"] for r in results}))
        self.assertEqual(3, len({r["binary"] for r in results}))

    def test_P3_P32_as_many_records_and_differences_of_the_clock_as_samples(self):
        spec = dot_spec(context="warm", timing={"samples": 5, "estimator": "min"})
        result = self.assert_timed(self.time_one(spec, source("dot_plain.c")))
        assert_count(self, 5, result)
        self.assertEqual("MultTimingSamples", result["technique"]["sampling"])

    def test_P45_the_result_is_data_that_a_tuner_can_rank(self):
        self.time_all(dot_spec(context="warm"), variant(source("dot_plain.c"), "plain"))
        found = self.daemon.call("results.query", {"routine": "dotprod", "order": "fastest", "limit": 5})["results"]
        values = [r["time"]["value_ns"] for r in found]
        self.assertTrue(values)
        self.assertEqual(sorted(values), values)

    ASSEMBLY = """	.text
	.globl	three
	.type	three, @function
three:	mov	$3, %eax
	ret
	.section .note.GNU-stack,"",@progbits
"""
    FORTRAN = """integer(c_int) function three() bind(c)
  use iso_c_binding
  three = 3
end function
"""

    def compiled(self, *flags):
        """The object that gcc makes of it, as a spec holds it."""
        with tempfile.TemporaryDirectory() as here:
            subprocess.run(["gcc", "-O2", "-fPIC", *flags, "-x", "c", "-", "-o", f"{here}/o"],
                           input="int three(void) { return 3; }",
                           text=True, check=True)
            return base64.b64encode(pathlib.Path(here, "o").read_bytes()).decode()

    def test_L6_L7_L8_L9_L10_each_kind_of_input_runs_gives_its_answer_and_is_timed(self):
        kinds = {"c": "int three(void) { return 3; }",
                 "c++": 'extern "C" int three() { return 3; }',
                 "object": self.compiled("-c"), "shared": self.compiled("-shared")}
        if platform.machine() == "x86_64":
            kinds["asm"] = self.ASSEMBLY
        if shutil.which("gfortran"):
            kinds["fortran"] = self.FORTRAN
        spec = spec_of("int three(void)", {}, reference="int three(void) { return 3; }")
        variants = [{"name": kind, "language": kind, "source": text}
                    for kind, text in kinds.items()]
        for result in self.time_all(spec, *variants):
            with self.subTest(language=result["name"]):
                self.assertTrue(self.assert_timed(result)["check"]["passed"])

    # ---- what the routine is called with ----

    def test_P5_the_arguments_arrive_in_the_order_of_the_prototype(self):
        routine = "void record(const int a, double b, float c, unsigned char d, long e, double *out)"
        args = {"e": -5, "d": 4, "c": "3.5", "b": "2.25", "a": 1, "out": {"type": "double", "dims": [5], "access": "out",
                                                                       "init": {"value": 0}}}
        text = routine + " { out[0] = a; out[1] = b; out[2] = c; out[3] = d; out[4] = e; }"
        expected = routine + " { (void)a, (void)b, (void)c, (void)d, (void)e;" \
                             " out[0] = 1; out[1] = 2.25; out[2] = 3.5; out[3] = 4; out[4] = -5; }"
        self.assert_seen(spec_of(routine, args, reference=expected), text)

    def gemm_of(self, size, expected):
        """The matrix multiply's own spec, and a variant that must find M, N, K and the leading dimensions as expected."""
        spec = copy.deepcopy(GEMM)
        spec["params"] = {"MS": size, "NS": 72, "KS": 72}
        text = source("gemm_block.c").replace(
            "	if (beta != 1.0)", f"	if ({expected})\n		__builtin_trap();\n	if (beta != 1.0)", 1)
        return self.time_all(spec, variant(text, NB=24))[0]

    def test_P7_a_macro_of_another_value_changes_the_argument(self):
        self.assert_timed(self.gemm_of(72, "M != 72 || N != 72 || K != 72"))
        self.assert_timed(self.gemm_of(40, "M != 40 || N != 72 || K != 72"))
        self.assertEqual("crashed", self.gemm_of(40, "M != 72")["status"])

    def test_P8_a_scalar_follows_the_macro_it_is_set_from(self):
        self.assert_timed(self.gemm_of(40, "lda != 40 || ldb != 72 || ldc != 40"))

    def test_P9_a_scalar_set_to_a_constant_arrives_as_it_is(self):
        self.assert_timed(self.gemm_of(72, "alpha != 1.0 || beta != 1.0"))

    def test_P10_all_elements_are_writable_and_the_one_past_the_end_is_not(self):
        routine = "void put(const int N, double *X)"
        args = {"N": "N", "X": {"type": "double", "dims": ["N"], "init": {"value": 0}}}
        spec = spec_of(routine, args, {"N": 1000})
        inside = self.time_one(spec, routine + " { for (int i = 0; i < N; i++) X[i] = i; }")
        past = self.time_one(spec, routine + " { for (int i = 0; i <= N; i++) ((volatile double *)X)[i] = i; }")
        self.assert_timed(inside)
        self.assertEqual("crashed", past["status"])
        self.assertIsNone(past["time"])

    def test_P11_the_same_seed_gives_the_same_numbers_and_another_gives_others(self):
        def operands(x, y):
            return {"X": dict(VECTOR, init={"random": {"seed": x}}), "Y": dict(VECTOR, init={"random": {"seed": y}})}

        text = """int seen(const double *X, const double *Y)
        { int same = 0; for (int i = 0; i < 100; i++) same += X[i] == Y[i]; return %s; }"""
        self.assert_seen(seen_spec(operands(7, 7), {"N": 100}), text % "same == 100")
        self.assert_seen(seen_spec(operands(7, 8), {"N": 100}), text % "same < 5")

    def test_P13_operands_lie_on_the_boundary_asked_for(self):
        for align in (16, 64, 4096):
            args = {"X": dict(VECTOR, align=align), "Y": dict(VECTOR, align=align)}
            self.assert_seen(seen_spec(args, {"N": 100}), f"""int seen(const double *X, const double *Y)
            {{ return (unsigned long)X % {align} == 0 && (unsigned long)Y % {align} == 0; }}""")

    def test_W54_a_misaligned_operand_never_lies_on_the_larger_boundary(self):
        args = {"X": dict(VECTOR, align=16, misalign=64), "Y": dict(VECTOR, align=8, misalign=16)}
        self.assert_seen(seen_spec(args, {"N": 100}), """int seen(const double *X, const double *Y)
        { return (unsigned long)X % 16 == 0 && (unsigned long)X % 64 != 0 && (unsigned long)Y % 16 == 8; }""")

    def test_P14_flags_of_an_operand_take_effect_together(self):
        args = {"X": dict(VECTOR, align=16, cache="cold"), "Y": dict(VECTOR, align=128, cache="warm")}
        spec = seen_spec(args, {"N": 100})
        spec["timing"]["flush"] = {"bytes": 4 << 20}    # of a large cache, sets would take long to make
        self.assert_seen(spec, """int seen(const double *X, const double *Y)
        { return (unsigned long)X % 16 == 0 && (unsigned long)Y % 128 == 0; }""")

    def test_W47_random_data_are_of_mixed_sign(self):
        text = """int seen(const double *X, const double *Y)
        { int n = 0; for (int i = 0; i < 1000; i++) n += X[i] < 0; (void)Y; return n > 300 && n < 700; }"""
        self.assert_seen(seen_spec({"X": VECTOR, "Y": VECTOR}, {"N": 1000}), text)

    def test_P30_an_operand_that_is_written_is_as_at_first_in_every_sample(self):
        routine = "void twice(const int N, double *X)"
        args = {"N": "N", "X": {"type": "double", "dims": ["N"], "init": {"value": 1}}}
        spec = spec_of(routine, args, {"N": 200000}, routine + " { for (int i = 0; i < N; i++) X[i] += X[i]; }",
                       timing={"samples": 7, "calls": 1})
        text = routine + """
        {
            if (X[0] != 1.0 || X[N - 1] != 1.0)
                __builtin_trap();
            for (int i = 0; i < N; i++)
                X[i] *= 2.0;
        }"""
        self.assert_timed(self.time_one(spec, text))

    # ---- what is reported ----

    def test_P15_the_rate_is_the_formula_over_the_time(self):
        result = self.assert_timed(self.time_one(dot_spec(context="warm"), source("dot_plain.c")))
        flops = 2 * DOT["params"]["N"]
        self.assertAlmostEqual(1, result["rate"]["mflops_max"] * result["time"]["min_ns"] / (1e3 * flops), places=6)
        self.assertAlmostEqual(1, result["rate"]["mflops_avg"] * result["time"]["mean_ns"] / (1e3 * flops), places=6)

    def test_P33_minimum_maximum_and_average_are_those_of_the_raw_samples(self):
        time = self.assert_timed(self.time_one(dot_spec(context="warm"), source("dot_plain.c")))["time"]
        raw = time["samples_ns"]
        self.assertAlmostEqual(1, time["min_ns"] / min(raw), places=6)
        self.assertAlmostEqual(1, time["max_ns"] / max(raw), places=6)
        self.assertAlmostEqual(1, time["mean_ns"] / (sum(raw) / len(raw)), places=6)

    def test_P34_without_a_formula_there_is_no_rate(self):
        spec = dot_spec(context="warm")
        del spec["flops"], spec["bytes"]
        result = self.assert_timed(self.time_one(spec, source("dot_plain.c")))
        self.assertNotIn("mflops_max", result.get("rate") or {})
        self.assertNotIn("gbs_max", result.get("rate") or {})

    def test_P35_all_timings_are_in_the_result(self):
        spec = dot_spec(context="cold", timing={"samples": 9, "gate": False})
        result = self.assert_timed(self.time_one(spec, source("dot_plain.c")))
        assert_count(self, 9, result)

    # ---- clocks ----

    # However busy the machine is, a nap is not shorter than it shall be, and takes hardly any of
    # the CPU.
    NAP_NS = 50e6
    NAP = "#include <unistd.h>\nvoid nap(void) { usleep(50000); }\n"

    def nap(self, clock):
        spec = spec_of("void nap(void)", {}, timing={"clock": clock, "samples": 3, "calls": 1})
        result = self.assert_timed(self.time_one(spec, self.NAP))
        self.assertEqual(clock, result["technique"]["clock"])
        return result["time"]

    def test_P22_P25_P27_W9_a_sleeping_routine_takes_wall_time_and_hardly_any_cpu_time(self):
        self.assertGreaterEqual(self.nap("wall")["min_ns"], 0.999 * self.NAP_NS)
        self.assertLess(self.nap("cpu")["min_ns"], 0.5 * self.NAP_NS)

    def test_P26_the_cycle_clock_counts_wall_time_at_the_rate_that_the_host_states(self):
        self.assertGreaterEqual(self.nap("cycle")["min_ns"], 0.99 * self.NAP_NS)

    def test_W11_cpu_time_of_a_routine_with_threads_is_refused(self):
        with self.assertRaises(RpcError) as caught:
            self.time_one(dot_spec(timing={"clock": "cpu"}), source("dot_plain.c"), threads=2)
        self.assertIn("wall", str(caught.exception))

    def test_W12_wall_time_is_the_default_and_cpu_time_one_word(self):
        for asked, taken in (("auto", ("cycle", "wall")), ("wall", ("wall",)), ("cpu", ("cpu",))):
            spec = dot_spec(context="warm", timing={"clock": asked, "samples": 3})
            self.assertIn(self.assert_timed(self.time_one(spec, source("dot_plain.c")))["technique"]["clock"], taken)

    def test_L31_what_calling_takes_is_measured_and_subtracted(self):
        result = self.assert_timed(self.time_one(dot_spec(context="warm"), source("dot_plain.c")))
        self.assertGreater(result["technique"]["overhead_ns"], 0)
        self.assertTrue(result["technique"]["overhead_subtracted"])

    def test_L44_ten_runs_have_their_least_and_most(self):
        spec = dot_spec(context="warm", timing={"samples": 10})
        runs = self.time_all(spec, *[variant(source("dot_plain.c"), "stable")] * 10)
        for result in runs:
            time = self.assert_timed(result)["time"]
            self.assertEqual((min(time["samples_ns"]), max(time["samples_ns"])), (time["min_ns"], time["max_ns"]))
        found = self.daemon.call("results.query", {"name": "stable", "limit": 20})["results"]
        self.assertEqual(sorted(r["time"]["value_ns"] for r in runs), sorted(r["time"]["value_ns"] for r in found))

    def test_P27_cpu_time_counts_what_is_computed(self):
        spec = spec_of("void burn(void)", {}, timing={"clock": "cpu", "samples": 3, "calls": 1})
        text = "void burn(void) { for (volatile long i = 0; i < 20000000; i++) ; }"
        result = self.assert_timed(self.time_one(spec, text))
        # 20 million additions in memory: on any machine
        self.assertGreater(result["time"]["min_ns"], 1e6)

    def test_W15_wall_time_is_judged_by_its_minimum(self):
        for clock in ("wall", "cycle"):
            time = self.assert_timed(self.time_one(dot_spec(context="warm", timing={"clock": clock, "samples": 7,
                                                                                   "estimator": "min"}),
                                                   source("dot_plain.c")))["time"]
            self.assertEqual("min", time["estimator"])
            self.assertEqual(time["min_ns"], time["value_ns"])

    def test_W43_what_the_host_did_meanwhile_is_in_the_evidence(self):
        result = self.assert_timed(self.time_one(dot_spec(context="warm", timing={"samples": 3}),
                                                 source("dot_plain.c")))
        evidence, cpu = result["evidence"], result["technique"]["cpu"]
        self.assertEqual(0, evidence["migrations"])             # it is bound to one CPU
        self.assertLessEqual(evidence["steal_ms"],
                             result["stages_ms"]["run"] + 1000 / os.sysconf("SC_CLK_TCK"))
        shown = pathlib.Path(f"/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_cur_freq").exists()
        self.assertEqual(shown, evidence["frequency_mhz"] != "absent")
        self.assertEqual(shown, "frequency_moved" in evidence)
        if shown:
            low, high = sorted(evidence["frequency_mhz"])
            self.assertTrue(evidence["frequency_moved"] or high <= 1.02 * low, evidence)

    def test_left_to_itself_it_is_judged_by_the_median_of_processes_quiet_or_not(self):
        result = self.assert_timed(self.time_one(dot_spec(context="warm", timing={"samples": 7}), source("dot_plain.c")))
        time, on = result["time"], result["technique"]["canary"] == "on"
        self.assertEqual("median", time["estimator"])
        self.assertEqual(time["median_ns"], time["value_ns"])
        self.assertEqual(time["count"], len(time["process"]))
        self.assertEqual(len(set(time["process"])), (time["processes"] or {"count": 1})["count"])
        self.assertIn(len(time["canary"]), [time["count"]] if on else [time["count"], 0])
        self.assertTrue(on or result["technique"]["canary"].startswith("off: "))

    def test_cold_samples_come_with_what_memory_took_before_each_and_warm_ones_do_not(self):
        cold = self.assert_timed(self.time_one(dot_spec(context="cold", timing={"samples": 5}), source("dot_plain.c")))
        warm = self.assert_timed(self.time_one(dot_spec(context="warm", timing={"samples": 5}), source("dot_plain.c")))
        word = cold["technique"]["memory_canary"]
        self.assertTrue(word == "on" or word.startswith("off: "), word)
        self.assertIn(len(cold["time"]["memory"]), [cold["time"]["count"]] if word == "on" else [cold["time"]["count"], 0])
        self.assertTrue(all(r > 0 for r in cold["time"]["memory"]))
        evidence = cold["evidence"]
        self.assertLessEqual(evidence["memory_rejected"],
                             evidence["rejected"] if word == "on" else evidence["taken"])
        self.assertLessEqual(cold["time"]["count"] - evidence["kept_unfit"],
                             evidence["taken"] - evidence["rejected"])
        self.assertEqual([], warm["time"]["memory"])
        self.assertNotIn("memory_canary", warm["technique"])

    def test_W17_quiet_that_is_insisted_on_is_had_or_the_outcome_is_too_noisy_with_all_there_is(self):
        result = self.time_one(dot_spec(context="warm", timing={"gate": True, "budget_ms": 100}), source("dot_plain.c"))
        time, evidence = result["time"], result["evidence"]
        self.assertIn(result["status"], ("ok", "too_noisy"))
        if result["status"] == "too_noisy":
            assert_count(self, 7, result)
        self.assertLessEqual(evidence["kept_unfit"], evidence["rejected"])
        self.assertEqual(evidence["patience_ms"], 100)

    def test_W16_cpu_time_is_judged_by_its_median(self):
        time = self.assert_timed(self.time_one(dot_spec(context="warm", timing={"clock": "cpu", "samples": 7}),
                                               source("dot_plain.c")))["time"]
        self.assertEqual("median", time["estimator"])
        self.assertEqual(time["median_ns"], time["value_ns"])

    # ---- contexts ----

    def test_W4_without_a_word_about_it_the_operands_are_cold(self):
        spec = dot_spec()
        del spec["context"]
        result = self.assert_timed(self.time_one(spec, source("dot_plain.c")))
        self.assertEqual("cold", result["technique"]["context"])

    def test_W5_a_routine_that_fits_in_cache_is_flushed_all_the_same(self):
        for n in (16, 2000000):
            timing = {"samples": 3, "flush": {"method": "OneCallFlushLRU"}}
            spec = dot_spec(context="cold", params={"N": n}, timing=timing)
            # half a gigabyte of caches takes seconds to flush
            result = self.time_one(spec, source("dot_plain.c"), timeout_ms={"run": 600000})
            technique = self.assert_timed(result)["technique"]
            self.assertEqual("cold OneCallFlushLRU 1", "{context} {method} {calls}".format(**technique))
            self.assertGreater(technique["flush_bytes"], 1 << 20)

    def test_W6_tuned_in_cache_first_and_out_of_cache_then_both_phases_are_recorded(self):
        computing = [variant(source("dot_unroll.c"), f"phase{u}", UNROLL=u) for u in (1, 4)]
        warm = self.time_all(dot_spec(context="warm"), *computing, meta={"phase": 1})
        best = min(range(2), key=lambda i: self.assert_timed(warm[i])["time"]["value_ns"])
        distances = [variant(computing[best]["source"], f"phase2_{flag}", (f"-O{flag}",), **computing[best]["defines"])
                     for flag in (1, 3)]
        cold = self.time_all(dot_spec(context="cold"), computing[best], *distances, meta={"phase": 2})
        self.assertEqual(warm[best]["binary"], self.assert_timed(cold[0])["binary"])
        recorded = [self.daemon.call("job.get", {"id": r["job"]})["result"] for r in warm + cold]
        self.assertEqual([(1, "warm")] * 2 + [(2, "cold")] * 3,
                         [(r["meta"]["phase"], r["technique"]["context"]) for r in recorded])

    def test_W8_each_guard_in_force_is_named_with_the_samples_and_calls(self):
        result = self.assert_timed(self.time_one(self.add_spec(1, "restore", 3), self.ADD_TEXT))
        self.assertEqual({"Page0Guard", "InstLdGuard", "MemAlign", "RangeGuard"}, set(result["technique"]["guards"]))
        assert_count(self, 3, result)
        self.assertEqual((result["time"]["count"], 3),
                         tuple(result["technique"][m] for m in ("samples", "calls")))
        several, words = len(set(result["time"]["process"])) > 1, ("medians of processes", "median", "one sample")
        self.assertIn(result["technique"]["sampling"], words[:1] if several else words)

    def test_W8_no_guard_is_named_that_was_not_in_force(self):
        nothing = {"routine": "void nothing(void)", "context": "warm", "timing": {"samples": 3}}
        result = self.assert_timed(self.time_one(nothing, "void nothing(void) { }"))
        self.assertEqual(["InstLdGuard"], result["technique"]["guards"])
        text = source("dot_plain.c")
        never = self.time_one(dot_spec(), "double gone(void);\n" + text.replace("return", "return gone() +"))
        self.assertEqual(("load_failed", []), (never["status"], never["technique"]["guards"]))
        verified = self.time_one(dot_spec(timing={"samples": 3, "trust": "verified"}), text)
        self.assertEqual((3, "ChallengeResponse"), tuple(verified["technique"][m] for m in ("samples", "method")))
        self.assertEqual(["Page0Guard", "MemAlign"], verified["technique"]["guards"])

    def test_P46_whether_the_data_were_made_up_or_given_is_recorded(self):
        routine = "int seen(const unsigned char *X, const unsigned char *Y)"
        reference = routine + " { (void)X, (void)Y; return 1; }"
        args = {"X": {"dims": [3]}, "Y": {"dims": [3]}}
        made_up = self.assert_timed(self.time_one(spec_of(routine, args, reference=reference), reference))
        self.assertEqual("generated", made_up["technique"]["data"])
        args["Y"]["init"] = {"data": base64.b64encode(b"abc").decode()}
        text = routine + " { (void)X; return Y[0] == 'a' && Y[1] == 'b' && Y[2] == 'c'; }"
        result = self.assert_timed(self.time_one(spec_of(routine, args, reference=reference), text))
        self.assertTrue(result["check"]["passed"])
        self.assertEqual("given", result["technique"]["data"])
        self.assertEqual("default", result["technique"]["timer"])
        sensitive = spec_of(routine, args, reference=reference, data_sensitive=True)
        self.assertIn("checkpoint", self.assert_timed(self.time_one(sensitive, text))["technique"]["timer"])

    def test_W8_each_way_to_flush_can_be_chosen_and_is_named(self):
        for method in ("OneCallFlushLRU", "OneCallFlushX86", "MultiCallFlushLRU"):
            # all of a large cache takes long to flush, and its working sets as long to make
            size = {"bytes": 4 << 20} if method.endswith("LRU") else {}
            spec = dot_spec(context="cold", timing={"samples": 3, "flush": {"method": method, **size}})
            technique = self.assert_timed(self.time_one(spec, source("dot_plain.c")))["technique"]
            self.assertEqual(method, technique["method"])
            self.assertIn("Page0Guard", technique["guards"])
            self.assertIn("InstLdGuard", technique["guards"])

    def test_W50_no_page_is_touched_for_the_first_time_inside_a_sample(self):
        result = self.assert_timed(self.time_one(dot_spec(context="cold", params={"N": 200000}), source("dot_plain.c")))
        # in the sample with the fewest; it reads 781 pages
        self.assertEqual(0, result["evidence"]["own_faults"])

    # ---- numbers that stay in range ----

    ADD = "void add(const int N, double alpha, const double *X, double *Y)"
    ADD_TEXT = ADD + " { for (int i = 0; i < N; i++) Y[i] += alpha * X[i]; }"

    def add_spec(self, x, guard, calls, **members):
        """A routine that adds x to its output in every call."""
        args = {"N": "N", "alpha": 1, "X": {"dims": ["N"], "init": {"value": x}},
                "Y": {"dims": ["N"], "init": {"value": 1}}}
        timing = {"samples": 3, "calls": calls, "range_guard": guard}
        return spec_of(self.ADD, args, {"N": 64}, timing=timing, **members)

    def added(self, guard, x="1e304", calls=20001, text=ADD_TEXT):
        result = self.assert_timed(self.time_one(self.add_spec(x, guard, calls), text))
        return result["technique"], result["evidence"]["range"]

    def test_W44_alternating_signs_keep_an_output_in_range_that_would_overflow(self):
        technique, said = self.added("none")
        self.assertEqual({"form": "none"}, technique["range_guard"])
        self.assertEqual("kept", technique["inout"])
        self.assertEqual(64, said["numbers"]["Y"]["inf"])
        self.assertIn("after repeated calls", said["warning"])
        technique, said = self.added({"alternate": "alpha"})
        self.assertEqual({"form": "alternate", "of": "alpha", "at": "every call"}, technique["range_guard"])
        self.assertIn("RangeGuard", technique["guards"])
        self.assertEqual({"finite": 64, "inf": 0, "nan": 0, "denormal": 0, "zero": 0}, said["numbers"]["Y"])
        self.assertIsNone(said["warning"])

    def test_W44_results_are_summed_with_alternating_signs(self):
        spec = spec_of("double big(double a)", {"a": "1e304"}, timing={"samples": 3, "calls": 20001,
                                                                      "range_guard": "alternate"})
        result = self.assert_timed(self.time_one(spec, "double big(double a) { return a; }"))
        self.assertEqual({"form": "alternate", "of": "return", "at": "every call"}, result["technique"]["range_guard"])
        self.assertEqual(1, result["evidence"]["range"]["numbers"]["return"]["finite"])

    def test_W45_inputs_negated_in_pairs_keep_an_output_in_range(self):
        technique, said = self.added({"pair": "X"})
        self.assertEqual({"form": "pair", "of": "X", "at": "every call"}, technique["range_guard"])
        self.assertEqual(64, said["numbers"]["Y"]["finite"])

    def test_W44_W45_signs_turn_in_a_walk_when_all_sets_had_their_turn(self):
        for guard in ({"alternate": "alpha"}, {"pair": "X"}):
            spec = self.add_spec("1e308", guard, 3000, context="cold")
            spec["timing"]["flush"] = {"method": "MultiCallFlushLRU", "bytes": 4 << 20}
            result = self.assert_timed(self.time_one(spec, self.ADD_TEXT))
            self.assertEqual("every traversal", result["technique"]["range_guard"]["at"])
            self.assertEqual(3000 * 64, result["evidence"]["range"]["numbers"]["Y"]["finite"])

    def test_W46_each_call_has_an_output_of_its_own(self):
        text = self.ADD_TEXT.replace("{", "{ if (Y[0] != 1.0) __builtin_trap(); ", 1)
        technique, said = self.added("separate", calls=50, text=text)
        self.assertEqual({"form": "separate", "at": "every call"}, technique["range_guard"])
        self.assertEqual((50, "again", "restored per call"),
                         (technique["working_sets"], technique["walk"], technique["inout"]))
        self.assertEqual(50 * 64, said["numbers"]["Y"]["finite"])
        shared = self.time_one(self.add_spec("1e304", "restore", 50), text)
        self.assertEqual("crashed", shared["status"])

    def test_W49_what_no_spec_initialises_is_not_zero(self):
        routine = "int seen(const double *X, double *Y, float *Z)"
        args = {"X": {"dims": ["N"]}, "Y": {"dims": ["N"], "access": "out"}, "Z": {"dims": ["N"]}}
        none = routine + " { (void)X, (void)Y, (void)Z; return 0; }"
        self.assert_seen(spec_of(routine, args, {"N": 100}, none), routine + """
        { int n = 0; for (int i = 0; i < 100; i++) n += X[i] == 0 || Y[i] == 0 || Z[i] == 0; return n; }""")

    def test_P47_denormal_inputs_are_counted_and_told(self):
        _, said = self.added("restore", x="1e-310", calls=1)
        self.assertEqual({"finite": 0, "inf": 0, "nan": 0, "denormal": 64, "zero": 0}, said["numbers"]["X"])
        self.assertIn("X has 0 infinite, 0 NaN and 64 denormal of 64 numbers", said["warning"])

    def test_P47_values_that_fade_away_in_repeated_calls_are_told(self):
        routine = "void halve(const int N, double *Y)"
        spec = spec_of(routine, {"N": "N", "Y": {"dims": ["N"], "init": {"value": 1}}}, {"N": 64},
                       timing={"samples": 3, "calls": 1060})
        result = self.assert_timed(self.time_one(spec, routine + " { for (int i = 0; i < N; i++) Y[i] *= 0.5; }"))
        self.assertEqual(64, result["evidence"]["range"]["numbers"]["Y"]["denormal"])
        self.assertIn("64 denormal of 64 numbers after repeated calls, none after one",
                      result["evidence"]["range"]["warning"])

    def test_P47_values_that_have_faded_to_exact_zero_are_reported_as_well(self):
        routine = "void fade(const int N, float *Y)"
        text = routine + " { for (int i = 0; i < N; i++) Y[i] *= 0.25f; }"
        operand = {"type": "float", "dims": ["N"], "init": {"value": 1}}
        for calls, zeros in ((50, 0), (238, 64)):
            spec = spec_of(routine, {"N": "N", "Y": operand}, {"N": 64}, timing={"samples": 3, "calls": calls})
            said = self.assert_timed(self.time_one(spec, text))["evidence"]["range"]
            self.assertEqual(zeros, said["numbers"]["Y"]["zero"])
            if zeros == 0:
                self.assertIsNone(said["warning"])
            else:
                self.assertIn("Y has 64 zeros of 64 numbers after repeated calls, 0 after one", said["warning"])

    def test_P47_a_floating_point_exception_is_reported_and_not_timed(self):
        text = """#define _GNU_SOURCE
        #include <fenv.h>
        double ratio(double a, double b) { feenableexcept(FE_DIVBYZERO); return a / b; }"""
        spec = spec_of("double ratio(double a, double b)", {"a": 1, "b": 0})
        result, = self.time_all(spec, variant(text, flags=("-O2", "-lm")))
        self.assertEqual("crashed", result["status"])
        self.assertIn("SIGFPE", result["detail"])
        self.assertIsNone(result["time"])

    # ---- where and what may go wrong ----

    def test_P44_the_routine_runs_on_one_cpu(self):
        text = """#define _GNU_SOURCE
        #include <sched.h>
        int seen(const double *X, const double *Y)
        { cpu_set_t s; (void)X, (void)Y; return sched_getaffinity(0, sizeof s, &s) == 0 && CPU_COUNT(&s) == 1; }"""
        self.assert_seen(seen_spec({"X": VECTOR, "Y": VECTOR}, {"N": 10}), text)

    def test_P47_a_division_by_zero_is_reported_and_not_timed(self):
        spec = spec_of("int ratio(int a, int b)", {"a": 1, "b": 0})
        result = self.time_one(spec, "int ratio(int a, int b) { return a / b; }")
        self.assertEqual("crashed", result["status"])
        self.assertIn("SIGFPE", result["detail"])
        self.assertIsNone(result["time"])

    def test_P47_a_result_that_is_not_finite_is_reported(self):
        result = self.time_one(dot_spec(context="warm"), """double dotprod(const int N, const double *X, const double *Y)
        { return X[0] * Y[0] * N / 0.0; }""")
        self.assertEqual("not_finite", result["status"])

    def test_P47_a_routine_that_never_returns_is_ended(self):
        result = self.time_one(dot_spec(context="warm"), source("bad_spin.c"),
                               timeout_ms={"run": 2000})
        self.assertEqual("run_timeout", result["status"])
        self.assertIsNone(result["time"])


if __name__ == "__main__":
    unittest.main()
