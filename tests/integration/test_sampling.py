# SPDX-License-Identifier: Apache-2.0
# time limit: 120 s
"""How many samples there are, and what ended it; on the real daemon.  No test looks at how long anything takes."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, Daemon, RpcError  # noqa: E402

# Each call takes longer than the one before: no two samples agree.
SLOWER = "void f(void) { static long calls; for (volatile long i = 0; i < calls; i++) ; calls += 100; }"
SLEEP = ("#define _GNU_SOURCE\n#include <time.h>\n"
         "void f(void) { struct timespec t = { 0, 30000000 }; nanosleep(&t, 0); }")

# Each call meets 16 pages for the first time.
FAULTS = ("#define _GNU_SOURCE\n#include <sys/mman.h>\nvoid f(void) {"
          " volatile char *p = mmap(0, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);"
          " for (int i = 0; i < 65536; i += 4096) p[i] = 1;"
          " munmap((char *)p, 65536); }")


def job(source, timing, **members):
    return {"variant": {"language": "c", "source": source},
            "spec": {"routine": "void f(void)", "args": {}, "context": "warm", "timing": {"calls": 1, **timing}}, **members}


class Sampling(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def run_job(self, document):
        (number,) = self.daemon.call("job.submit", {"jobs": [document]})["ids"]
        self.assertTrue(self.daemon.call("job.wait", {"ids": [number], "timeout_ms": 60000})["done"])
        result = self.daemon.call("job.get", {"id": number})["result"]
        self.assertIn(result["status"], ("ok", "too_noisy"), result["detail"])
        return result

    def run_undisturbed(self, document):
        """Where others keep getting onto the CPU, sampling gives up with "budget": then once more."""
        for _ in range(5):
            result = self.run_job(document)
            if result["technique"]["ended_by"] != "budget":
                break
        return result

    def technique(self, *args, **members):
        return self.run_job(job(*args, **members))["technique"]

    def test_a_count_that_was_asked_for_ends_it(self):
        technique = self.run_undisturbed(job(SLOWER, {"samples": 9, "budget_ms": 60000}))["technique"]
        self.assertEqual("samples", technique["ended_by"])
        self.assertEqual(9, technique["samples"])
        self.assertIsNone(technique["interval"])

    def test_an_interval_that_was_reached_ends_it(self):
        result = self.run_undisturbed(job(SLOWER, {"interval": 1, "samples": 6, "budget_ms": 60000, "max_samples": 10000}))
        technique = result["technique"]
        self.assertEqual("interval", technique["ended_by"])
        self.assertLessEqual(technique["interval"]["reached"], technique["interval"]["asked"])
        low, high = result["time"]["ci95_ns"]
        self.assertLess(low, high)

    def test_the_most_samples_end_it(self):
        technique = self.run_undisturbed(job(SLOWER, {"interval": 1e-6, "samples": 5, "max_samples": 12,
                                                      "budget_ms": 60000}))["technique"]
        self.assertEqual("max_samples", technique["ended_by"])
        self.assertEqual(12, technique["samples"])
        self.assertGreater(technique["interval"]["reached"], technique["interval"]["asked"])

    def test_the_budget_ends_it(self):
        technique = self.technique(SLEEP, {"interval": 1e-6, "samples": 3, "budget_ms": 1})
        self.assertEqual("budget", technique["ended_by"])

    def test_the_wall_limit_ends_it(self):
        # More samples than the limit has room for: those that others disturb cannot end it first.
        result = self.run_job(job(SLEEP, {"interval": 1e-6, "samples": 100, "budget_ms": 60000},
                                  timeout_ms={"run": 1500}))
        self.assertEqual("wall limit", result["technique"]["ended_by"])
        self.assertTrue(result["evidence"]["cut_short"])

    def test_events_are_counted_per_call_and_those_that_cannot_be_are_absent_with_the_reason(self):
        names = ["PERF_COUNT_SW_PAGE_FAULTS", "PERF_COUNT_SW_TASK_CLOCK", "PERF_COUNT_HW_INSTRUCTIONS"]
        counters = self.run_job(job(FAULTS, {"calls": 4, "samples": 3, "counters": names}))["counters"]
        self.assertEqual(names, list(counters))
        for counter in counters.values():
            if "absent" in counter:
                self.assertNotIn("per_call", counter)
                self.assertTrue(counter["absent"])
            else:
                self.assertGreater(counter["per_call"], 0)
                self.assertGreater(counter["calls"], 0)
        if "absent" not in counters["PERF_COUNT_SW_PAGE_FAULTS"]:
            self.assertAlmostEqual(16, counters["PERF_COUNT_SW_PAGE_FAULTS"]["per_call"], delta=4)

    def test_without_a_word_about_counters_there_are_none(self):
        self.assertIsNone(self.run_job(job(SLOWER, {"samples": 3}))["counters"])

    def test_an_event_that_the_host_lacks_is_refused_at_submission_with_the_nearest_name(self):
        self.technique(SLOWER, {"samples": 1})          # there is a worker now, and it has said what it knows
        with self.assertRaises(RpcError) as refused:
            self.daemon.call("job.submit", {"jobs": [job(SLOWER, {"counters": ["PERF_COUNT_SW_PAGE_FAULT"]})]})
        self.assertEqual("bad_spec", refused.exception.word)
        self.assertEqual("jobs[0].spec.timing.counters[0]", refused.exception.data["member"])
        self.assertIn("PERF_COUNT_SW_PAGE_FAULTS", refused.exception.data["hint"])

    def test_a_unit_that_an_event_lacks_is_a_bad_spec_by_the_words_of_libpfm(self):
        document = job(SLOWER, {"counters": ["PERF_COUNT_SW_PAGE_FAULTS:no_such_unit"]})
        (number,) = self.daemon.call("job.submit", {"jobs": [document]})["ids"]
        self.assertTrue(self.daemon.call("job.wait", {"ids": [number], "timeout_ms": 60000})["done"])
        result = self.daemon.call("job.get", {"id": number})["result"]
        self.assertEqual("bad_spec", result["status"])
        self.assertIn("spec.timing.counters[0]", result["detail"])

    def test_the_difference_of_regions_is_taken_where_it_was_asked_for(self):
        spin = "void f(void) { for (volatile int i = 0; i < 100; i++) ; }"
        result = self.run_undisturbed(job(spin, {"difference": True, "calls": 200, "samples": 9}))
        technique = result["technique"]
        self.assertTrue(technique["difference"])
        self.assertFalse(technique["overhead_subtracted"])
        self.assertIsNone(technique["bias_bound"])
        self.assertEqual(9, technique["samples"])
        self.assertIn(result["time"]["estimator"], ("median", "normalised"))
        self.assertGreater(result["time"]["median_ns"], 0)

    def test_a_short_region_states_its_bias(self):
        spin = "void f(void) { for (volatile int i = 0; i < 10; i++) ; }"
        short, long = (self.technique(spin, {"calls": calls, "samples": 9}) for calls in (4, 100000))
        self.assertGreater(short["bias_bound"], long["bias_bound"])

    def test_W21_the_host_states_rate_resolution_and_overhead_of_each_clock_and_a_result_those_of_its_own(self):
        self.technique(SLOWER, {"samples": 1})          # there is a worker now
        clocks = {c["kind"]: c for c in self.daemon.call("host.get")["clocks"]}
        self.assertLessEqual({"wall", "cpu"}, set(clocks))
        for kind, clock in clocks.items():
            technique = self.technique(SLOWER, {"clock": kind, "samples": 3})
            self.assertEqual(kind, technique["clock"])
            self.assertEqual(clock["counter"], technique["counter"])
            self.assertEqual([clock[m] for m in ("tick_hz", "resolution_ns", "overhead_ns")],
                             [technique[m] for m in ("tick_hz", "resolution_ns", "clock_overhead_ns")])
        shown = subprocess.run([BUILD / "assay", "-s", self.daemon.socket, "host"], stdout=subprocess.PIPE, text=True)
        self.assertIn("counter CLOCK_THREAD_CPUTIME_ID", shown.stdout)

    def test_the_command_line_asks_for_an_interval_and_shows_how_it_ended(self):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "job.json")
            path.write_text(json.dumps(job(SLOWER, {"samples": 6, "budget_ms": 60000})))
            argv = [BUILD / "assay", "-s", self.daemon.socket, "time", path, "--interval", "1"]
            shown = subprocess.run(argv, stdout=subprocess.PIPE, text=True, env={**os.environ, "TERM": "dumb"})
            self.assertIn("ended by interval with the median known to", shown.stdout)
            whole = subprocess.run([*argv, "--json"], stdout=subprocess.PIPE, text=True)
            self.assertEqual("interval", json.loads(whole.stdout)["technique"]["ended_by"])


if __name__ == "__main__":
    unittest.main()
