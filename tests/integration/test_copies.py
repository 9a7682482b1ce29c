# SPDX-License-Identifier: Apache-2.0
# runs alone: its copies spin on all CPUs
"""Copies of a variant that run at once: a row a core, a start in common, and a copy that fails is named."""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import cheats  # noqa: E402
from harness import BUILD, IS_SANITIZED, REPLAY_WORKER, TIMED, Daemon, RpcError  # noqa: E402

PROTOTYPE = "int f(int n, const double *x, double *y)"
TWICE = PROTOTYPE + """
{
	for (int i = 0; i < n; i++)
		y[i] = 2 * x[i];
	return n / 8;
}
"""
# What a copy does on its CPU alone: the others are honest.
ON_CPU_1 = """#define _GNU_SOURCE
#include <sched.h>
%s
int f(int n, const double *x, double *y)
{
	for (int i = 0; i < n; i++)
		y[i] = 2 * x[i];
	if (sched_getcpu() == 1) {
		%s
	}
	return n / 8;
}
"""
CALLS = "static int calls;"
# Its spot, and the samples in its lane, by the memory that it has of the runner's.
SPOT = """
#include "forge.h"
static char *header, *sample;
static uint32_t own;
static volatile uint64_t *spot(uint32_t copy, size_t member)
{
	uint64_t lane_bytes;
	uint32_t lanes;

	memcpy(&lane_bytes, header + LANE_BYTES, sizeof lane_bytes);
	memcpy(&lanes, header + LANES, sizeof lanes);
	return (volatile uint64_t *)(void *)(header + HEADER_BYTES + lanes * lane_bytes +
	    copy * (size_t)PAGE_BYTES + member);
}
static __attribute__((constructor)) void begin(void)
{
	dl_iterate_phdr(find_header, &header);
	own = can_be_read(memory_of(0, 0)) ? 0 : 1;
	sample = memory_of(own == 0 ? 0 : 3, LANE_SAMPLE);
}
"""


def forging(copy_does):
    forge = (cheats.HOSTILE / "forge.h").read_text()
    text = ON_CPU_1 % (SPOT.replace('#include "forge.h"', forge) + CALLS, copy_does)
    return text.replace('#include "rt.h"', "struct rt_driver;").replace(
        forge[forge.index("/* The driver's table"):forge.index("struct wanted")], "")


def job(source=TWICE, copies=2, samples=6, context="warm", timing=None, defines=None, **more):
    return {"variant": {"name": "twice", "source": source, "defines": defines or {}}, "copies": copies,
            "timeout_ms": {"run": 60000},
            "spec": {"routine": PROTOTYPE, "params": {"N": 4096}, "context": context, "iterations": "return",
                     "args": {"n": "N", "x": {"type": "double", "dims": ["N"]},
                              "y": {"type": "double", "dims": ["N"], "access": "out"}},
                     "timing": {"samples": samples, **(timing or {})},
                     "check": {"reference": {"language": "c", "source": TWICE}}}, **more}


@unittest.skipUnless({0, 1} <= os.sched_getaffinity(0), "CPUs 0 and 1 are needed")
class Copies(unittest.TestCase):
    """On a slot of two CPUs, which are all that this host may have."""

    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--slots", "0-1", "--builders", "1")
        cls.addClassCleanup(cls.daemon.stop)

    def result(self, *args, **members):
        return self.daemon.run(job(*args, **members))[0]

    def timed(self, *args, **members):
        result = self.result(*args, **members)
        self.assertIn(result["status"], TIMED, result["detail"])
        return result

    def failed(self, status, words, *args, **members):
        result = self.result(*args, **members)
        self.assertEqual(status, result["status"], result["detail"])
        self.assertIn(words, result["detail"])
        return result

    def test_L33_each_core_has_a_row_with_a_time_for_each_sample(self):
        result = self.timed()
        time, technique = result["time"], result["technique"]
        self.assertEqual([0, 1], [core["cpu"] for core in time["cores"]])
        self.assertEqual(([0, 1], 2), (technique["cpus"], technique["copies"]))
        for core in time["cores"]:
            self.assertEqual(time["count"], len(core["samples_ns"]))
            self.assertEqual(min(core["samples_ns"]), core["min_ns"])
            self.assertEqual(max(core["samples_ns"]), core["max_ns"])
            self.assertGreater(core["overhead_ns"], 0)

    def test_L33_csv_has_a_line_for_each_core_where_it_is_asked_for(self):
        two, one = self.timed(), self.timed(copies=1)
        done = subprocess.run([BUILD / "assay", "--socket", self.daemon.socket, "results", "--cores",
                               str(two["job"]), str(one["job"])], capture_output=True, text=True, check=True)
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual([(str(two["job"]), "0"), (str(two["job"]), "1"), (str(one["job"]), "")],
                         [(row["job"], row["core_cpu"]) for row in rows])
        for row, core in zip(rows, two["time"]["cores"]):
            self.assertEqual(core["median_ns"], float(row["core_median_ns"]))

    def test_the_time_of_all_is_the_median_of_the_cores(self):
        time = self.timed()["time"]
        one, two = (core["median_ns"] for core in time["cores"])
        self.assertAlmostEqual((one + two) / 2, time["cores_median_ns"], delta=1e-6)

    def test_L14_the_skew_of_the_beginnings_is_in_the_evidence(self):
        copies = self.timed()["evidence"]["copies"]
        self.assertLessEqual(0, copies["skew_ns"])
        self.assertLessEqual(copies["skew_ns"], copies["most_skew_ns"])
        self.assertTrue(0 <= copies["window"] <= 1)

    def test_each_copy_has_operands_of_its_own(self):
        counts = ON_CPU_1 % ("", "y[0] = 2 * x[0] + 0;")
        self.timed(counts)

    def test_cold_copies_are_flushed_on_both(self):
        for method in ("OneCallFlushLRU", "MultiCallFlushLRU"):
            self.timed(context="cold", timing={"flush": {"method": method, "bytes": 1 << 20}})

    def test_one_copy_is_no_copies(self):
        result = self.timed(copies=1)
        self.assertNotIn("cores", result["time"])
        self.assertNotIn("copies", result["technique"])
        self.assertNotIn("copies", result["evidence"])

    def test_such_a_time_is_claimed_and_says_why(self):
        result = self.timed()
        self.assertEqual("claimed", result["trust"])
        self.assertIn("without the others", result["evidence"]["claimed"])

    def test_a_job_after_it_has_one_process_again(self):
        self.timed()
        self.assertEqual([0], self.timed(copies=1)["technique"]["cpus"])

    def test_the_copy_with_a_wrong_answer_is_named(self):
        self.failed("wrong_answer", "copy 1 on CPU 1: ", ON_CPU_1 % ("", "y[7] = 0;"))

    def test_the_copy_that_crashes_is_named(self):
        self.failed("crashed", "copy 1 on CPU 1: SIGSEGV", ON_CPU_1 % (CALLS,
                    "if (calls++ > 2) *(volatile int *)8 = 1;"))

    def test_a_copy_that_never_comes_to_the_start_is_named(self):
        self.failed("run_timeout", "copy 1 on CPU 1: ", ON_CPU_1 % (CALLS, "while (calls > 2) ; calls++;"),
                    timeout_ms={"run": 10000})

    def test_a_copy_that_leaves_is_named(self):
        self.failed("crashed", "copy 1 on CPU 1: exited", ON_CPU_1 % ("#include <unistd.h>\n" + CALLS,
                    "if (calls++ > 2) _exit(0);"))

    @unittest.skipIf(IS_SANITIZED, "the sanitizer's own handlers")
    def test_a_copy_cannot_write_where_its_sibling_does(self):
        self.failed("crashed", "copy 1 on CPU 1: SIGSEGV", forging("*spot(0, SPOT_ARRIVED) = 0;"),
                    defines=cheats.shared_memory(0))

    @unittest.skipIf(IS_SANITIZED, "the sanitizer's own handlers")
    def test_nor_make_that_memory_writable(self):
        self.timed(forging("if (mprotect((void *)(uintptr_t)spot(0, 0), PAGE_BYTES, PROT_NONE) == 0)"
                           " y[0] = -1;"), defines=cheats.shared_memory(0))

    @unittest.skipIf(IS_SANITIZED, "the sanitizer's own handlers")
    def test_a_copy_that_begins_before_the_others_are_ready_is_suspect(self):
        # it announces meetings to come and the end of its region, and is late: the other goes on alone
        self.failed("suspect", "before the last one was ready", forging(
            "*spot(1, SPOT_ARRIVED) = *spot(1, SPOT_LEFT) = ~0ull;"
            " for (volatile int k = 0; k < 3000000; k++) ;"),
            defines=cheats.shared_memory(0), timing={"calls": 1})

    @unittest.skipIf(IS_SANITIZED, "the sanitizer's own handlers")
    def test_so_is_one_whose_times_lie_outside_of_the_order(self):
        self.failed("suspect", "copy 1 on CPU 1: its times lie outside of the order", forging(
            "for (int i = 0; i < 64; i++) *(volatile uint64_t *)(void *)(sample +"
            " i * SAMPLE_BYTES + SAMPLE_BEGAN) = 1;"), defines=cheats.shared_memory(0))


class Refused(unittest.TestCase):
    """On a host of 8 cores with slots of 1, 2 and 4 CPUs that hwloc makes up."""

    @classmethod
    def setUpClass(cls):
        with unittest.mock.patch.dict(os.environ, HWLOC_SYNTHETIC="pack:1 l3:1(size=33554432) core:8 pu:1"):
            cls.daemon = Daemon("--slots", "1; 2-3; 4-7", "--builders", "1", worker=REPLAY_WORKER)
        cls.addClassCleanup(cls.daemon.stop)

    def assert_refused(self, document, member, *words):
        with self.assertRaises(RpcError) as caught:
            self.daemon.run(document)
        self.assertEqual("bad_spec", caught.exception.word)
        self.assertEqual(member, caught.exception.data["member"].removeprefix("jobs[0]."))
        for word in words:
            self.assertIn(word, str(caught.exception))

    def test_L23_more_copies_than_a_slot_has_cpus_are_refused_with_their_number(self):
        self.assert_refused(job(copies=5), "copies", "is 5", "more than 4 CPUs", "slots in assayd.conf")

    def test_copies_get_a_slot_with_as_many_cpus(self):
        for copies, slots in ((2, ([2, 3], [4, 5, 6, 7])), (3, ([4, 5, 6, 7], )), (4, ([4, 5, 6, 7], ))):
            self.assertIn(self.daemon.run(job(copies=copies))[0]["technique"]["cpus"], slots)

    def test_assay_time_has_an_option_for_copies(self):
        with tempfile.TemporaryDirectory() as workdir:
            spec = pathlib.Path(workdir, "job.json")
            spec.write_text(json.dumps(job(copies=1)))
            words = [BUILD / "assay", "-q", "-s", self.daemon.socket, "--json", "time", spec, "--copies"]
            three = json.loads(subprocess.run([*words, "3"], stdout=subprocess.PIPE, text=True).stdout)
            self.assertEqual([4, 5, 6, 7], three["technique"]["cpus"])
            five = subprocess.run([*words, "5"], capture_output=True, text=True)
            self.assertIn("no slot of this host has more than 4", five.stderr)

    def test_what_cannot_be_had_with_copies_is_named(self):
        variant = job()["variant"]
        for more, member, words in (
                ({"threads": 2}, "copies", "2 threads"),
                ({"against": {**variant, "name": "b"}}, "copies", "take turns"),
                ({"timing": {"difference": True}}, "spec.timing.difference", "twice the calls"),
                ({"timing": {"layout": "sweep"}}, "spec.timing.layout", "one layout"),
                ({"timing": {"trust": "audited"}}, "spec.timing.trust", "without the others")):
            with self.subTest(member=member, words=words):
                self.assert_refused(job(**more), member, words)

    def test_an_image_has_one_process(self):
        document = job()
        del document["spec"]["args"], document["spec"]["check"], document["spec"]["iterations"]
        document["spec"] |= {"checkpoint": "some.image"}
        self.assert_refused(document, "copies", "image")


if __name__ == "__main__":
    unittest.main()
