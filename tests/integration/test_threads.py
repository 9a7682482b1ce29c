# SPDX-License-Identifier: Apache-2.0
# runs alone: its teams spin on all CPUs
"""Routines with threads, as compilers make them: a team where the job asks for one, on the CPUs of its slot and no other."""
import functools
import os
import pathlib
import shutil
import subprocess
import sys
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, IS_SANITIZED, REPLAY_WORKER, TIMED, Daemon, RealDaemonTest  # noqa: E402

SUM = """#include <omp.h>
double f(int n, const double *x)
{
	double s = 0;
#pragma omp parallel for reduction(+:s)
	for (int i = 0; i < n; i++)
		s += x[i];
	return s;
}
"""
PLAIN = "double f(int n, const double *x) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }\n"
TEAM = """#include <omp.h>
double f(int n, const double *x)
{
	int team = 0;
#pragma omp parallel
#pragma omp atomic
	team++;
	return team == TEAM && x[0] == 1 ? n : -team;
}
"""
LEAVES = """#define _GNU_SOURCE
#include <sched.h>
double f(int n, const double *x)
{
	int was = sched_getcpu(), bad = 0;
	cpu_set_t all;

	CPU_ZERO(&all);
	for (int i = 0; i < 64; i++)
		if (i != was)
			CPU_SET(i, &all);
	bad = sched_setaffinity(0, sizeof all, &all);
	for (int i = 0; i < 100; i++) {
		sched_yield();
		bad |= sched_getcpu() != was;
	}
	return x[0] == 1 && !bad ? n : -1;
}
"""
# Each of TEAM threads alone on a CPU of its own, and that one is the same in each call; without OpenMP in SPREAD below.
APART = """#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
double f(int n, const double *x)
{
	static int home[TEAM];
	int cpu[TEAM], good = x[0] == 1;

#pragma omp parallel num_threads(TEAM)
	{
		cpu_set_t may;
		int me = omp_get_thread_num();

		sched_getaffinity(0, sizeof may, &may);
		cpu[me] = CPU_COUNT(&may) == 1 ? sched_getcpu() + 1 : -1;
	}
	for (int i = 0; i < TEAM; i++) {
		good &= cpu[i] > 0 && (home[i] == 0 || home[i] == cpu[i]);
		home[i] = cpu[i];
		for (int k = 0; k < i; k++)
			good &= cpu[k] != cpu[i];
	}
	return good ? n : -1;
}
"""
SPREAD = """#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
static void *where(void *cpu)
{
	cpu_set_t all;

	CPU_ZERO(&all);
	CPU_SET(0, &all);
	CPU_SET(1, &all);
	sched_setaffinity(0, sizeof all, &all);
	*(int *)cpu = sched_getcpu();
	return cpu;
}
double f(int n, const double *x)
{
	int cpu = -1, mine = sched_getcpu();
	pthread_t other;

	if (pthread_create(&other, 0, where, &cpu) != 0 || pthread_join(other, 0) != 0)
		return -1;
	return x[0] == 1 && cpu >= 0 && cpu != mine && sched_getcpu() == mine ? n : -1;
}
"""
# C11's threads are there, and give back what they return.
SPREAD_C11 = """#define _GNU_SOURCE
#include <sched.h>
#include <threads.h>
static int where(void *cpu)
{
	*(int *)cpu = sched_getcpu();
	return *(int *)cpu - 7;
}
double f(int n, const double *x)
{
	int cpu = -1, mine = sched_getcpu(), said = 0;
	thrd_t other;

	if (thrd_create(&other, where, &cpu) != thrd_success || thrd_join(other, &said) != thrd_success)
		return -1;
	return x[0] == 1 && cpu >= 0 && cpu != mine && said == cpu - 7 && sched_getcpu() == mine ? n : -1;
}
"""
# On one CPU: a thread that waits leaves it to the others at once.
COUNTS = """#include <omp.h>
#ifndef __clang__
static int kmp_get_blocktime(void) { return 0; }
#endif
double f(int n, const double *x)
{
	return kmp_get_blocktime() == 0 && omp_get_num_procs() == 1 && omp_get_max_threads() == 2 && x[0] == 1 ? n : -1;
}
"""
# As TEAM, and each thread has memory of its own.
EATS = """#include <omp.h>
#include <stdlib.h>
double f(int n, const double *x)
{
	int team = 0;
#pragma omp parallel num_threads(TEAM)
	{
		char *volatile mine = malloc(1000);

		if (mine != NULL)
#pragma omp atomic
			team++;
		free(mine);
	}
	return team == TEAM && x[0] == 1 ? n : -team;
}
"""
REFERENCE = "double f(int n, const double *x) { return x[0] == 1 ? n : -1; }\n"


def job(source, reference, threads, flags=("-O2", "-fopenmp"), **defines):
    return {"variant": {"name": "team", "language": "c", "source": source, "flags": list(flags), "defines": defines},
            "threads": threads, "timeout_ms": {"run": 120000},
            "spec": {"routine": "double f(int n, const double *x)", "params": {"N": 20000}, "context": "warm",
                     "args": {"n": "N", "x": {"type": "double", "dims": ["N"], "init": {"value": 1}}},
                     "timing": {"samples": 3, "calls": 1,
                                "trust": "claimed"},     # an audit compares times
                     "check": {"reference": {"language": "c", "source": reference}}}}


def run(daemon, document):
    return daemon.run(document)[0]


@functools.cache
def openmp_compilers():
    """Those with a library of OpenMP: GCC's, LLVM's."""
    def links(compiler):
        words = [compiler, "-xc", "-", "-fopenmp", "-shared", "-fPIC", "-o", os.devnull]
        return shutil.which(compiler) and subprocess.run(words, input=SUM, text=True, check=False, stderr=subprocess.DEVNULL).returncode == 0
    return [c for c in ("gcc", "clang") if links(c)]


def openmp_jobs(*args, **members):
    """The job, as each of these compilers builds it."""
    for compiler in openmp_compilers():
        document = job(*args, **members)
        document["variant"]["compiler"] = compiler
        yield compiler, document


@unittest.skipIf(IS_SANITIZED, "the filters would judge the sanitizer's system calls, not the team's")
@unittest.skipUnless(shutil.which("gcc"), "gcc brings libgomp")
class Threads(RealDaemonTest):
    def assert_timed(self, result):
        self.assertIn(result["status"], TIMED, result["detail"])

    def assert_each_is_timed(self, *args, **members):
        for compiler, document in openmp_jobs(*args, **members):
            with self.subTest(compiler):
                self.assert_timed(run(self.daemon, document))

    def test_an_openmp_routine_runs_with_a_team_of_as_many_as_the_job_says(self):
        self.assert_each_is_timed(SUM, PLAIN, 2)
        self.assert_each_is_timed(TEAM, REFERENCE, 2, TEAM=2)
        self.assert_each_is_timed(TEAM, REFERENCE, 3, TEAM=3)

    def test_a_large_team_that_allocates_is_no_crime(self):
        self.assert_each_is_timed(EATS, REFERENCE, 100, TEAM=100)

    def test_without_threads_in_the_job_the_team_is_one(self):
        self.assert_each_is_timed(TEAM, REFERENCE, 1, TEAM=1)

    def test_a_thread_without_threads_in_the_job_is_refused_with_what_to_do(self):
        for source in (SPREAD, SPREAD_C11):
            result = run(self.daemon, job(source, REFERENCE, 1, flags=["-O2", "-pthread"]))
            self.assertEqual("forbidden", result["status"])
            self.assertIn('if it starts threads, the job needs "threads"', result["detail"])

    def test_a_team_counts_the_cpus_of_its_slot(self):
        self.assert_each_is_timed(COUNTS, REFERENCE, 2)

    def test_a_routine_with_threads_stays_on_its_slot_whatever_it_asks_for(self):
        result = run(self.daemon, job(LEAVES, REFERENCE, 2, flags=["-O2"]))
        self.assert_timed(result)
        self.assertEqual([result["technique"]["cpu"]], result["technique"]["cpus"])
        self.assertIsNotNone(result["technique"]["cpu"])


@unittest.skipIf(IS_SANITIZED, "the filters would judge the sanitizer's system calls, not the team's")
@unittest.skipUnless(shutil.which("gcc"), "gcc brings libgomp")
@unittest.skipUnless({0, 1} <= os.sched_getaffinity(0), "CPUs 0 and 1 are needed")
class WideSlot(unittest.TestCase):
    """A slot of two CPUs, which are all that this host may have: daemon and compilers are on them, too."""

    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--slots", "0-1", "--builders", "1")
        cls.addClassCleanup(cls.daemon.stop)

    def technique(self, *args, **members):
        result = run(self.daemon, job(*args, **members))
        self.assertIn(result["status"], TIMED, result["detail"])
        return result["technique"]

    def assert_on_both(self, *args, **members):
        for compiler, document in openmp_jobs(*args, **members):
            with self.subTest(compiler):
                result = run(self.daemon, document)
                self.assertIn(result["status"], TIMED, result["detail"])
                self.assertEqual([0, 1], result["technique"]["cpus"])

    def test_each_thread_of_a_team_has_a_cpu_of_its_own(self):
        self.assert_on_both(APART, REFERENCE, 2, TEAM=2)

    def test_so_do_threads_that_are_started_in_each_call_and_would_rather_be_elsewhere(self):
        for source in (SPREAD, SPREAD_C11):
            self.assertEqual([0, 1], self.technique(source, REFERENCE, 2, flags=["-O2", "-pthread"])["cpus"])

    def test_a_larger_team_shares_them(self):
        self.assert_on_both(TEAM, REFERENCE, 3, TEAM=3)
        self.assert_on_both(EATS, REFERENCE, 100, TEAM=100)

    def test_a_routine_without_threads_has_the_first(self):
        technique = self.technique(TEAM, REFERENCE, 1, TEAM=1)
        self.assertEqual((0, [0]), (technique["cpu"], technique["cpus"]))

    def test_caches_are_swept_on_both(self):
        document = job(SUM, PLAIN, 2)
        document["spec"] |= {"context": "cold",
                             "timing": {"samples": 3, "trust": "claimed",
                                        "flush": {"method": "OneCallFlushLRU",
                                                                                  "bytes": 1000000}}}
        result = run(self.daemon, document)
        self.assertIn(result["status"], TIMED, result["detail"])
        self.assertEqual(2, result["technique"]["flush_cpus"])

    def test_two_teams_that_are_compared_are_each_on_both(self):
        document = job(APART, REFERENCE, 2, TEAM=2)
        document["against"] = {**document["variant"], "name": "other", "defines": {"TEAM": 2, "OTHER": 1}}
        result = run(self.daemon, document)
        self.assertIn(result["status"], TIMED, result["detail"])
        self.assertEqual([0, 1], result["technique"]["cpus"])

    def test_the_command_line_shows_them_too(self):
        for words, lines in ((["host"], r"(?m)CPUs 0-1: "), (["queue"], r"(?m)^timing: CPUs 0-1 ")):
            done = subprocess.run([BUILD / "assay", "--socket", self.daemon.socket, *words],
                                  capture_output=True, text=True, check=True)
            self.assertRegex(done.stdout, lines)

    def test_host_and_queue_say_which_cpus_a_slot_has(self):
        host = self.daemon.call("host.get")
        self.assertEqual([0, 1], host["timing_cpus"])
        self.assertEqual([[0, 1]], [slot["cpus"] for slot in host["slots"]])
        self.assertEqual([[0, 1]], [slot["cpus"] for slot in self.daemon.call("server.info")["slots"]])
        self.assertEqual([[0, 1]], [slot["cpus"] for slot in self.daemon.call("queue.get")["slots"]])


ONE, TWO, FOUR = [1], [2, 3], [4, 5, 6, 7]


class Choice(unittest.TestCase):
    """Which slot a job gets, on a host of 8 cores with slots of 1, 2 and 4 CPUs that hwloc makes up."""

    @classmethod
    def setUpClass(cls):
        with unittest.mock.patch.dict(os.environ, HWLOC_SYNTHETIC="pack:1 l3:1(size=33554432) core:8 pu:1"):
            cls.daemon = Daemon("--slots", "1; 2-3; 4-7", "--builders", "1", worker=REPLAY_WORKER)
        cls.addClassCleanup(cls.daemon.stop)

    def cpus(self, threads):
        return run(self.daemon, job(SUM, PLAIN, threads))["technique"]["cpus"]

    def test_a_job_with_threads_gets_a_slot_with_as_many_cpus(self):
        for threads, slots in ((1, (ONE, TWO, FOUR)), (2, (TWO, FOUR)), (3, (FOUR,)), (4, (FOUR,))):
            self.assertIn(self.cpus(threads), slots)

    def test_one_with_more_threads_than_any_slot_has_cpus_gets_the_widest(self):
        self.assertEqual(FOUR, self.cpus(16))

    def test_a_job_that_waits_for_its_slot_does_not_hold_up_those_behind_it(self):
        hang = {**job(SUM, PLAIN, 4), "meta": {"time": ["hang"]}}
        holder, waiter = self.daemon.call("job.submit", {"jobs": [hang, job(SUM, PLAIN, 3)]})["ids"]
        self.assertIn(self.cpus(1), (ONE, TWO))
        self.assertFalse(self.daemon.call("job.wait", {"ids": [waiter], "timeout_ms": 10})["done"])
        self.daemon.call("job.cancel", {"id": holder})
        self.assertTrue(self.daemon.call("job.wait", {"ids": [waiter]})["done"])

    def test_slots_that_cannot_be_are_named(self):
        for slots, words in (("1; 1-2", "CPU 1 is in two slots"), ("2-x", "no list of slots"), ("1023", "no CPU 1023")):
            done = subprocess.run([BUILD / "assayd", "--state", self.daemon.state / "no", "--slots", slots],
                                  capture_output=True, text=True, check=False)
            self.assertNotEqual(0, done.returncode)
            self.assertIn(words, done.stderr)
            self.assertIn("slots", done.stderr)


if __name__ == "__main__":
    unittest.main()
