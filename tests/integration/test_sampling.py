# SPDX-License-Identifier: Apache-2.0
"""
How many samples there are, and what ended it; on the real daemon.  No test looks at how long
anything takes.  If others keep getting onto the CPU, any sampling may end by its budget;
test_stop.c and test_take.c have the rules without a CPU.
"""
import ctypes
import json
import os
import pathlib
import platform
import struct
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, RealDaemonTest, RpcError, assert_count, assert_timed  # noqa: E402

# Each call takes longer than the one before: no two samples agree.
SLOWER = "void f(void) { static long calls; for (volatile long i = 0; i < calls; i++) ; calls += 100; }"
SLEEP = ("#define _GNU_SOURCE\n#include <time.h>\n"
         "void f(void) { struct timespec t = { 0, 30000000 }; nanosleep(&t, 0); }")

# Each call meets 16 pages for the first time.
FAULTS = ("#define _GNU_SOURCE\n#include <sys/mman.h>\nvoid f(void) {"
          " volatile char *p = mmap(0, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);"
          " for (int i = 0; i < 65536; i += 4096) p[i] = 1;"
          " munmap((char *)p, 65536); }")

PERF_EVENT_OPENS = {"x86_64": 298, "aarch64": 241}
PERF_EVENT_OPEN = PERF_EVENT_OPENS.get(platform.machine())


def job(source, timing, **members):
    return {"variant": {"language": "c", "source": source},
            "spec": {"routine": "void f(void)", "args": {}, "context": "warm", "timing": {"calls": 1, **timing}}, **members}


class Sampling(RealDaemonTest):
    def run_job(self, document):
        (result,) = self.daemon.run(document)
        return assert_timed(self, result)

    def technique(self, *args, **members):
        return self.run_job(job(*args, **members))["technique"]

    def assert_ended_by(self, ended_by, technique):
        """True if it was that, and not the budget, nor the job's wall limit, which is no longer."""
        self.assertIn(technique["ended_by"], (ended_by, "budget", "wall limit"))
        return technique["ended_by"] == ended_by

    def assert_samples(self, wanted, result):
        """
        All of them; fewer only where some were rejected.  A result has no more of a process than
        its share, and samples that were clean may be loud beside a canary that is quicker.
        """
        least = 1 if result["evidence"]["rejected"] else wanted
        self.assertIn(result["technique"]["samples"], range(least, wanted + 1))
        self.assertEqual(result["technique"]["samples"], result["time"]["count"])

    def test_a_count_that_was_asked_for_ends_it(self):
        result = self.run_job(job(SLOWER, {"samples": 9, "budget_ms": 60000}))
        if self.assert_ended_by("samples", result["technique"]):
            self.assert_samples(9, result)
        self.assertIn(result["time"]["count"], range(1, 10))
        self.assertIsNone(result["technique"]["interval"])

    def test_samples_are_shared_out_to_as_many_processes_as_are_asked_for(self):
        result = self.run_job(job("void f(void) { static int calls; calls++; }",
                                  {"samples": 10, "processes": 4, "gate": False}))
        self.assertEqual(sorted(result["time"]["process"]), result["time"]["process"])
        if result["technique"]["ended_by"] == "samples" and not result["evidence"]["rejected"]:
            self.assertEqual([3, 3, 2, 2], [result["time"]["process"].count(p) for p in range(4)])
            self.assertEqual(4, result["time"]["processes"]["count"])
        self.assertIsNone(result["time"]["ci95_ns"])           # of four medians there is none

    def test_more_processes_than_samples_are_refused(self):
        for timing in ({"samples": 3, "processes": 4}, {"processes": 2, "layout": "random"},
                       {"processes": 2, "trust": "verified"}):
            with self.assertRaises(RpcError) as refused:
                self.daemon.call("job.submit", {"jobs": [job(SLOWER, timing)]})
            self.assertIn("processes", str(refused.exception))

    def test_code_lies_elsewhere_in_each_process_and_one_that_crashes_is_enough(self):
        crash = "void f(void) { if ((unsigned long)f >> 12 & 1) __builtin_trap(); }"
        (result,) = self.daemon.run(job(crash, {"samples": 60, "processes": 60, "gate": False}))
        self.assertEqual("crashed", result["status"])

    def test_an_interval_that_was_reached_ends_it(self):
        result = self.run_job(job(SLOWER, {"interval": 1, "samples": 6, "budget_ms": 60000,
                                           "max_samples": 10000}))
        technique = result["technique"]
        if self.assert_ended_by("interval", technique):
            self.assertLessEqual(technique["interval"]["reached"], technique["interval"]["asked"])
            low, high = result["time"]["ci95_ns"]
            self.assertLess(low, high)

    def test_the_most_samples_end_it(self):
        result = self.run_job(job(SLOWER, {"interval": 1e-6, "samples": 5, "max_samples": 12,
                                           "budget_ms": 60000}))
        technique = result["technique"]
        if technique["ended_by"] == "interval":     # all samples took the same number of ticks
            self.assertLessEqual(technique["interval"]["reached"], technique["interval"]["asked"])
        elif self.assert_ended_by("max_samples", technique):
            self.assert_samples(12, result)
            self.assertGreater(technique["interval"]["reached"], technique["interval"]["asked"])

    def test_the_budget_ends_it(self):
        technique = self.technique(SLEEP, {"interval": 1e-6, "samples": 3, "budget_ms": 1})
        self.assertEqual("budget", technique["ended_by"])

    def test_the_wall_limit_ends_it(self):
        """
        There are more samples than the limit has room for, on any machine.  What fits is estimated
        by what a sample took: if others have the CPU in the last order, the limit is reached in it.
        """
        (result,) = self.daemon.run(job(SLEEP,
                                        {"interval": 1e-6, "samples": 300, "budget_ms": 60000},
                                        timeout_ms={"run": 4000}))
        if result["status"] == "run_timeout":
            self.assertIn("the wall limit was reached", result["detail"])
            return
        assert_timed(self, result)
        self.assertEqual("wall limit", result["technique"]["ended_by"])
        self.assertTrue(result["evidence"]["cut_short"])

    def can_count(self, kind, event):
        """
        Whether the kernel lets a process count this of itself (perf_event_open, exclude_kernel).
        """
        attributes = struct.pack("=IIQQQQQIIQ", kind, 64, event, 0, 0, 0, 1 << 5, 0, 0, 0)
        fd = ctypes.CDLL(None).syscall(PERF_EVENT_OPEN, attributes, 0, -1, -1, 0)
        if fd >= 0:
            os.close(fd)
        return fd >= 0

    @unittest.skipUnless(platform.machine() in PERF_EVENT_OPENS,
                         "the number of the system call is not known")
    def test_page_faults_are_counted_per_call_where_the_kernel_lets_us(self):
        counter = self.counters("PERF_COUNT_SW_PAGE_FAULTS")
        if self.can_count(1, 2) and os.geteuid() == 0:
            self.assertNotIn("absent", counter)
        if "absent" not in counter:
            self.assertAlmostEqual(16, counter["per_call"], delta=4)
            self.assertGreater(counter["calls"], 0)

    @unittest.skipUnless(platform.machine() in PERF_EVENT_OPENS,
                         "the number of the system call is not known")
    def test_an_event_without_a_counter_is_absent_with_the_reason_and_not_0(self):
        counter = self.counters("PERF_COUNT_HW_INSTRUCTIONS")
        if not self.can_count(0, 1):
            self.assertIn("absent", counter)
        if "absent" in counter:
            self.assertNotIn("per_call", counter)
            self.assertTrue(counter["absent"])
        else:
            self.assertGreater(counter["per_call"], 16)         # it writes to 16 pages

    def counters(self, name):
        counters = self.run_job(job(FAULTS, {"calls": 4, "samples": 3,
                                             "counters": [name]}))["counters"]
        self.assertEqual([name], list(counters))
        return counters[name]

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
        (result,) = self.daemon.run(document)
        self.assertEqual("bad_spec", result["status"])
        self.assertIn("spec.timing.counters[0]", result["detail"])

    def test_the_difference_of_regions_is_taken_where_it_was_asked_for(self):
        spin = "void f(void) { for (volatile int i = 0; i < 100; i++) ; }"
        result = self.run_job(job(spin, {"difference": True, "calls": 200, "samples": 9}))
        technique = result["technique"]
        self.assertTrue(technique["difference"])
        self.assertFalse(technique["overhead_subtracted"])
        self.assertIsNone(technique["bias_bound"])
        assert_count(self, 9, result)
        self.assertIn(result["time"]["estimator"], ("median", "normalised"))

    def test_a_short_region_states_its_bias(self):
        spin = "void f(void) { for (volatile int i = 0; i < 10; i++) ; }"
        short, long = (self.technique(spin, {"calls": calls, "samples": 9})["bias_bound"] for calls in (4, 100000))
        if None not in (short, long):           # of a first call that others delayed it is not known
            self.assertGreater(short, long)

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
        self.assertIn("counter CLOCK_PROCESS_CPUTIME_ID with children", shown.stdout)

    def test_the_command_line_asks_for_an_interval_and_shows_how_it_ended(self):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "job.json")
            path.write_text(json.dumps(job(SLOWER, {"samples": 6, "budget_ms": 60000})))
            argv = [BUILD / "assay", "-s", self.daemon.socket, "time", path, "--interval", "1"]
            shown = subprocess.run(argv, stdout=subprocess.PIPE, text=True, env={**os.environ, "TERM": "dumb"}).stdout
        (whole,) = self.daemon.call("results.query", {"order": "newest", "limit": 1})["results"]
        technique = whole["technique"]
        self.assert_ended_by("interval", technique)
        self.assertEqual(1, technique["interval"]["asked"])
        words = f"ended by {technique['ended_by']} with the median known to"
        if technique["interval"]["reached"] is None:        # too few samples leave the median unknown
            self.assertNotIn("with the median known to", " ".join(shown.split()))
        else:
            self.assertIn(words, " ".join(shown.split()))


if __name__ == "__main__":
    unittest.main()
