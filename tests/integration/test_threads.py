# SPDX-License-Identifier: Apache-2.0
"""Routines with threads, as compilers make them: a team where the job asks for one, on the CPUs of its slot and no other."""
import pathlib
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, Daemon  # noqa: E402

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
REFERENCE = "double f(int n, const double *x) { return x[0] == 1 ? n : -1; }\n"


def job(source, reference, threads, flags=("-O2", "-fopenmp"), **defines):
    return {"variant": {"name": "team", "language": "c", "source": source, "flags": list(flags), "defines": defines},
            "threads": threads, "timeout_ms": {"run": 20000},
            "spec": {"routine": "double f(int n, const double *x)", "params": {"N": 20000}, "context": "warm",
                     "args": {"n": "N", "x": {"type": "double", "dims": ["N"], "init": {"value": 1}}},
                     "timing": {"samples": 3, "calls": 1},
                     "check": {"reference": {"language": "c", "source": reference}}}}


@unittest.skipIf(BUILD.name == "asan", "the filters would judge the sanitizer's system calls, not the team's")
@unittest.skipUnless(shutil.which("gcc"), "gcc brings libgomp")
class Threads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def result(self, *args, **members):
        id = self.daemon.call("job.submit", {"job": job(*args, **members)})["ids"][0]
        self.assertTrue(self.daemon.call("job.wait", {"ids": [id], "timeout_ms": 55000})["done"])
        return self.daemon.call("job.get", {"id": id})["result"]

    def assert_timed(self, result):
        self.assertIn(result["status"], ("ok", "too_noisy"), result["detail"])

    def test_an_openmp_routine_runs_with_a_team_of_as_many_as_the_job_says(self):
        self.assert_timed(self.result(SUM, PLAIN, 2))
        self.assert_timed(self.result(TEAM, REFERENCE, 2, TEAM=2))
        self.assert_timed(self.result(TEAM, REFERENCE, 3, TEAM=3))

    def test_without_threads_in_the_job_the_team_is_one(self):
        self.assert_timed(self.result(TEAM, REFERENCE, 1, TEAM=1))

    def test_a_routine_with_threads_stays_on_its_slot_whatever_it_asks_for(self):
        result = self.result(LEAVES, REFERENCE, 2, flags=["-O2"])
        self.assert_timed(result)
        self.assertIsNotNone(result["technique"]["cpu"])


if __name__ == "__main__":
    unittest.main()
