# SPDX-License-Identifier: Apache-2.0
"""A metric beside the time: an evaluation library of the user's, in runs of its own; on the real daemon."""
import base64
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import RealDaemonTest, RpcError, assert_count, assert_timed  # noqa: E402

COUNT = "int calls; int f(int n) { calls++; return n / 4; }"
# Start and Stop are called in turn, and the 10th of them says 10 + 100 for each pair before.
OWN_CALLS = """
static struct { double calls; } state;
void *evaluationInit(void) { return &state; }
double evaluationStart(void *s) { return ++((double *)s)[0]; }
double evaluationStop(void *s) { double *n = s; ++*n; return *n + *n / 2 * 8; }
int evaluationClose(void *s) { return s != &state; }
"""
NAMED = OWN_CALLS + """
const char *evaluationName(void) { return "own calls"; }
const char *evaluationUnit(void) { return "calls"; }
"""
PLAIN = """
void *evaluationInit(void) { %s return 0; }
double evaluationStart(void *s) { %s return 0; }
double evaluationStop(void *s) { %s return 12; }
int evaluationClose(void *s) { %s return 0; }
"""
CLAIMED = {"source": "library", "trust": "claimed"}


def plain(init="", start="", stop="", close=""):
    return "#include <math.h>\n" + PLAIN % (init, start, stop, close)


def shared_object(source):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "library.so")
        subprocess.run(["gcc", "-shared", "-fPIC", "-xc", "-", "-o", path], input=source.encode(), check=True)
        return path.read_bytes()


def job(library, *, spec=None, metric=None, timing=None, **members):
    if isinstance(library, str):
        library = {"language": "c", "source": library}
    timing = {"samples": 4, "processes": 1, "calls": 2, "metric": {"library": library, **(metric or {})}, **(timing or {})}
    return {"variant": {"language": "c", "source": COUNT},
            "spec": {"routine": "int f(int n)", "args": {"n": 40}, "context": "warm", "timing": timing, **(spec or {})},
            **members}


class Metric(RealDaemonTest):
    def metric(self, *args, **members):
        (result,) = self.daemon.run(job(*args, **members))
        metric, = assert_timed(self, result)["metrics"]
        return metric

    def assert_absent(self, library, words, **members):
        metric = self.metric(library, **members)
        self.assertEqual({"name": "metric", **CLAIMED}, {k: v for k, v in metric.items() if k != "absent"})
        self.assertIn(words, metric["absent"])

    def test_L24_a_library_that_counts_its_own_calls_gives_exactly_what_it_should(self):
        # the pair k says 2k + 8k - (2k - 1): the samples are 9, 17, 25, 33, of two calls each
        self.assertEqual({"name": "own calls", "unit": "calls", **CLAIMED, "calls": 2, "samples": [9, 17, 25, 33],
                          "per_call": {"min": 4.5, "median": 10.5, "max": 16.5}}, self.metric(NAMED))

    def test_L24_the_value_of_an_iteration_is_that_of_a_call_by_its_iterations(self):
        metric = self.metric(plain(), spec={"iterations": "return"})
        self.assertEqual(({"min": 6, "median": 6, "max": 6}, {"min": 0.6, "median": 0.6, "max": 0.6}),
                         (metric["per_call"], metric["per_iteration"]))

    def test_L24_a_library_may_come_as_a_shared_object_and_the_job_names_its_metric(self):
        metric = self.metric({"language": "shared", "source": base64.b64encode(shared_object(NAMED)).decode()},
                             metric={"name": "pairs", "unit": "p"})
        self.assertEqual(("pairs", "p", [9, 17, 25, 33]), (metric["name"], metric["unit"], metric["samples"]))

    def test_L49_energy_is_joules_of_a_call_or_absent_with_the_reason(self):
        name = "power/energy-pkg/"
        (result,) = self.daemon.run(job(plain(), timing={"counters": [name, "power/energy-none/"]}))
        counters = assert_timed(self, result)["counters"]
        self.assertEqual({"absent"}, set(counters["power/energy-none/"]))
        if "absent" not in counters[name]:
            self.assertEqual(("J", name), (counters[name]["unit"], counters[name]["event"]))
        elif not pathlib.Path("/sys/bus/event_source/devices/power").exists():
            self.assertIn("no energy counters that its kernel knows", counters[name]["absent"])

    def test_what_is_no_name_of_energy_is_refused(self):
        for name in ("power/", "power//", "power/energy-pkg", "power/../x/", "other/energy-pkg/"):
            with self.subTest(name=name), self.assertRaises(RpcError) as refused:
                self.daemon.call("job.submit", {"job": job(plain(), timing={"counters": [name]})})
            self.assertIn("as power/energy-pkg/", str(refused.exception))

    def test_the_library_is_in_no_process_that_is_timed(self):
        self.assert_absent(plain(init="*(volatile int *)8 = 0;"), "SIGSEGV")
        (result,) = self.daemon.run(job(plain(init="*(volatile int *)8 = 0;")))
        assert_count(self, 4, assert_timed(self, result))

    def test_a_library_that_crashes_ends_the_metric_alone(self):
        for part in ("start", "stop", "close"):
            with self.subTest(part=part):
                self.assert_absent(plain(**{part: "*(volatile int *)8 = 0;"}), "SIGSEGV")

    def test_a_function_that_is_missing_is_named(self):
        for name in ("evaluationInit", "evaluationStart", "evaluationStop", "evaluationClose"):
            with self.subTest(name=name):
                self.assert_absent(plain().replace(name, "other"), f"the evaluation library has no function {name}")

    def test_what_is_no_number_is_said_in_words(self):
        self.assert_absent(plain(stop="return NAN;"), "is not a number in sample 1 of 4")
        self.assert_absent(plain(stop="return INFINITY;"), "is infinite in sample 1 of 4")

    def test_a_library_that_says_it_failed_has_no_metric(self):
        self.assert_absent(plain(close="return 3;"), "evaluationClose returned 3")

    def test_a_library_that_hangs_ends_with_the_wall_limit(self):
        for run_ms in (1500, 6000, 24000, 96000):
            (result,) = self.daemon.run(job(plain(stop="for (;;) ;"), timeout_ms={"run": run_ms}))
            if result["status"] != "run_timeout":       # the routine itself has had its time
                break
        metric, = assert_timed(self, result)["metrics"]
        self.assertIn("the wall limit was reached", metric["absent"])

    def test_a_system_call_that_the_jail_refuses_is_named(self):
        self.assert_absent("#include <unistd.h>\n" + plain(start="(void)getppid();"), "getppid")

    def test_a_library_that_does_not_compile_is_a_fault_of_the_spec(self):
        (result,) = self.daemon.run(job("double evaluationStart(void *) { return x; }"))
        self.assertEqual("bad_spec", result["status"])
        self.assertIn("timing.metric.library: ", result["detail"])

    def test_what_has_no_metric_is_refused_with_the_reason(self):
        for members, words in (({"copies": 2}, "copies are many"),
                               ({"against": {"language": "c", "source": COUNT}}, "two are compared")):
            with self.subTest(words=words), self.assertRaises(RpcError) as refused:
                self.daemon.call("job.submit", {"job": job(plain(), **members)})
            self.assertIn(words, str(refused.exception))


if __name__ == "__main__":
    unittest.main()
