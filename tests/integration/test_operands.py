# SPDX-License-Identifier: Apache-2.0
"""
What an operand is when a routine is called, on the real daemon: the state of its lines, memory that
arguments share, no memory at all, strides that conflict.  Results record it, and refusals name the
member.
"""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, RealDaemonTest, RpcError, assert_timed  # noqa: E402

STENCIL = "void step(long n, const double *x, double *y)"
STEP = STENCIL + """
{
	for (long i = 1; i + 1 < n; i++)
		y[i] = x[i - 1] - 2 * x[i] + x[i + 1];
}"""
SIZE = 20000
TRIES = 30                      # of a sweep that others may disturb before it has begun
LIMITS = {"run": 600000, "build": 600000}       # ends for what hangs: some flushes read gigabytes


def stencil(x=None, y=None, **members):
    args = {"n": "N", "x": {"dims": ["N"]} | (x or {}),
            "y": {"dims": ["N"], "access": "out"} | (y or {})}
    return {"routine": STENCIL, "params": {"N": SIZE}, "args": args,
            "check": {"reference": {"source": STEP}}} | members


class OperandsTest(RealDaemonTest):
    def results(self, *specs, source=STEP):
        jobs = [{"variant": {"source": source}, "spec": spec, "timeout_ms": LIMITS} for spec in specs]
        return [assert_timed(self, result) for result in self.daemon.run(*jobs)]

    def assert_compared(self, result):
        """By eleven pairs at least; by fewer only where others took the time, and it says so."""
        comparison = assert_timed(self, result)["comparison"]
        least = 1 if comparison["ended_by"] in ("budget", "wall limit") else 11
        self.assertGreaterEqual(comparison["pairs"], least, comparison)

    def assert_spec_refused(self, spec, member, words, source=STEP):
        with self.assertRaises(RpcError) as refused:
            self.daemon.call("job.submit", {"job": {"variant": {"source": source}, "spec": spec}})
        said = json.dumps(refused.exception.data)
        self.assertEqual("bad_spec", refused.exception.word)
        self.assertIn(member, said)
        self.assertIn(words, said)


class States(OperandsTest):
    def states(self, result):
        operands = result["technique"]["operands"]
        return {name: (o["cache"], o["state"]) for name, o in operands.items()}

    def test_each_state_is_timed_and_recorded_with_the_operand(self):
        cold, warm, dirty, clean, placed, part = self.results(
            stencil(), stencil(context="warm", timing={"calls": 3}), stencil({"state": "dirty"}, context="warm"),
            stencil(None, {"state": "clean"}, context="warm"),
            stencil({"cache": "L2", "state": "dirty"}, {"cache": "L3", "state": "clean"}),
            stencil({"state": "dirty"}, context={"flush_bytes": 65536}))
        self.assertEqual({"x": ("cold", "clean"), "y": ("cold", "clean")}, self.states(cold))
        self.assertEqual({"x": ("warm", "clean"), "y": ("warm", "dirty")}, self.states(warm))
        self.assertEqual({"x": ("warm", "dirty"), "y": ("warm", "dirty")}, self.states(dirty))
        self.assertEqual({"x": ("warm", "clean"), "y": ("warm", "clean")}, self.states(clean))
        self.assertEqual({"x": ("L2", "dirty"), "y": ("L3", "clean")}, self.states(placed))
        self.assertEqual({"x": ("part", "dirty"), "y": ("part", "dirty")}, self.states(part))
        for result in (dirty, clean, placed, part):
            self.assertEqual(1, result["technique"]["calls"])
        self.assertEqual(3, warm["technique"]["calls"])

    def test_pages_that_the_template_shares_are_copied_before_any_region(self):
        """A store into a shared page would be a fault in each sample, or in the first one."""
        for dims in (SIZE, 1 << 20):
            result, = self.results(stencil({"state": "dirty"}, context="warm", params={"N": dims}))
            self.assertEqual(0, result["evidence"]["own_faults"], dims)

    def test_a_dirty_input_holds_what_a_clean_one_holds_in_the_same_runner(self):
        """The three jobs share a template, and the reference is called on operands as they are."""
        results = self.results(stencil(context="warm"), stencil({"state": "dirty"}, context="warm"),
                               stencil(context="warm"))
        self.assertTrue(all(r["check"]["passed"] for r in results))
        self.assertEqual(1, len({r["driver"] for r in results}))

    def test_dirty_operands_are_timed_in_a_comparison_and_in_layouts(self):
        spec = stencil({"state": "dirty"}, context="warm")
        job = {"variant": {"source": STEP}, "spec": spec, "against": {"source": STEP}, "timeout_ms": LIMITS}
        result, = self.daemon.run(job)
        self.assert_compared(result)
        for _ in range(TRIES):          # a time that was too noisy has no other layouts beside it
            swept, = self.results(spec | {"timing": {"layout": "sweep", "layouts": 4, "samples": 3}})
            if swept["status"] == "ok":
                break
        self.assertEqual(("ok", 4), (swept["status"], swept["layout"].get("layouts")))

    def test_a_state_that_cannot_be_is_refused_with_a_remedy(self):
        self.assert_spec_refused(stencil({"state": "dirty"}), "spec.args.x.state", "set cache to")
        self.assert_spec_refused(stencil({"state": "wet"}, context="warm"), "spec.args.x.state",
                                 "clean")
        self.assert_spec_refused(stencil({"cache": "warm", "state": "dirty"},
                                         timing={"flush": {"method": "MultiCallFlushLRU"}}),
                                 "spec.timing.flush.method", "several calls a sample")
        self.assert_spec_refused(stencil({"state": "dirty"}, context="warm",
                                         timing={"range_guard": "separate"}),
                                 "spec.timing.range_guard", "leave one of them out")


SCAN = "void scan(long n, const double *x, double *y)"
IN_PLACE = SCAN + """
{
	double sum = 0;
	for (long i = 0; i < n; i++)
		y[i] = sum = 0.5 * (sum + x[i]);
}"""
SHIFT = "long shift(long n, const int *from, int *to, const char *note)"
MOVE = SHIFT + """
{
	__builtin_memmove(to, from, (unsigned long)n * sizeof *to);
	return note == 0 ? from - to : 1 << 30;
}"""
# what it reads it has overwritten, where the two overlap
FORGETS = SHIFT + """
{
	for (long i = 0; i < n; i++)
		to[i] = from[i];
	return note == 0 ? from - to : 1 << 30;
}"""


def scan(**members):
    return {"routine": SCAN, "params": {"N": SIZE},
            "args": {"n": "N", "x": {"dims": ["N"]}, "y": {"same_as": "x"}},
            "check": {"reference": {"source": IN_PLACE}}} | members


def shift(**members):
    return {"routine": SHIFT, "params": {"N": SIZE},
            "args": {"n": "N - 8", "from": {"dims": ["N"]}, "to": {"same_as": "from", "from": 8},
                     "note": None},
            "check": {"reference": {"source": MOVE}}} | members


class Shared(OperandsTest):
    def test_a_routine_is_timed_in_place_by_each_method_and_the_memory_is_treated_once(self):
        # flushes of the largest caches would take gigabytes, which a host may not have
        flushes = [{"method": "OneCallFlushX86"}] + [{"method": m, "bytes": 8 * MIB}
                   for m in ("OneCallFlushLRU", "MultiCallFlushLRU")]
        specs = [scan(timing={"flush": flush, "samples": 5}) for flush in flushes]
        for result in self.results(*specs, scan(context="warm"), source=IN_PLACE):
            operand, = result["technique"]["operands"].values()
            self.assertEqual(("inout", {"y": {"from": 0}}), (operand["access"], operand["shared"]))
            self.assertTrue(result["check"]["passed"])
            self.assertEqual(SIZE, result["check"]["compared"])
            # restored before each call, or a scan of a scan would fade away
            self.assertEqual("restored per call", result["technique"]["inout"])

    def test_parts_that_overlap_are_passed_as_they_are_and_null_as_a_null_pointer(self):
        right, = self.results(shift(context="warm"), source=MOVE)
        self.assertEqual({"from"}, set(right["technique"]["operands"]))
        self.assertEqual({"to": {"from": 8}}, right["technique"]["operands"]["from"]["shared"])
        wrong, = self.daemon.run({"variant": {"source": FORGETS}, "spec": shift(context="warm")})
        self.assertEqual("wrong_answer", wrong["status"])
        self.assertEqual("from", wrong["check"]["first_bad"]["operand"])

    def test_shared_operands_are_audited_and_compared(self):
        spec = scan(context="warm", params={"N": 200000})
        job = {"variant": {"source": IN_PLACE}, "spec": spec, "timeout_ms": LIMITS}
        audited, = self.daemon.run(job)
        self.assertGreaterEqual(assert_timed(self, audited)["evidence"]["audits"]["rounds"], 2)
        self.assertEqual(0, audited["evidence"]["audits"]["wrong"])
        compared, = self.daemon.run(job | {"against": {"source": IN_PLACE}})
        self.assert_compared(compared)

    def test_a_null_pointer_that_is_followed_crashes_the_routine_and_no_more(self):
        spec = {"routine": "int get(const int *at)", "args": {"at": None}}
        job = {"variant": {"source": "int get(const int *at) { return *at; }"}, "spec": spec}
        crashed, = self.daemon.run(job)
        self.assertEqual("crashed", crashed["status"])
        self.assertIn("SIGSEGV", crashed["detail"])

    def test_what_cannot_be_shared_is_refused_with_a_remedy(self):
        def args(y):
            return scan(args={"n": "N", "x": {"dims": ["N"]}, "y": y})
        self.assert_spec_refused(args({"same_as": "n"}), "spec.args.y.same_as", "has dims")
        self.assert_spec_refused(args({"same_as": "x", "init": 1}), "spec.args.y.init",
                                 "leave it out")
        self.assert_spec_refused(args({"same_as": "x", "from": "N"}), "spec.args.y.from",
                                 "elements")
        self.assert_spec_refused(scan(args={"n": None, "x": None, "y": None}), "spec.args.n",
                                 "an expression")


GEMV = "double trace(const double *a)"
TRACE = GEMV + """
{
	double sum = 0;
	for (long i = 0; i < 256; i++)
		sum += a[256 * i];
	return sum;
}"""


class Strides(OperandsTest):
    def trace(self, *dims, **operand):
        return {"routine": GEMV, "context": "warm",
                "args": {"a": {"dims": list(dims), "init": 1} | operand}}

    def conflicts(self, *specs):
        return [r["evidence"].get("conflicts") for r in self.results(*specs, source=TRACE)]

    def test_X17_large_strides_that_share_few_sets_are_in_the_evidence(self):
        square, padded, strided = self.conflicts(self.trace(512, 512), self.trace(520, 516),
                                                 self.trace(512 * 512, stride=512))
        ways = self.daemon.call("host.get")["caches"]["l1_ways"]
        for found in (square, strided):
            self.assertEqual((4096, 512), (found["a"]["stride_bytes"], found["a"]["lines"]))
            self.assertLess(found["a"]["sets"], found["a"]["of_sets"])
            self.assertIn(ways, (0, -1, found["a"]["ways"]))
        self.assertIsNone(padded)

    def test_X17_the_command_line_names_the_risk_and_a_remedy(self):
        with tempfile.TemporaryDirectory() as directory:
            spec, source = pathlib.Path(directory, "trace.json"), pathlib.Path(directory, "trace.c")
            spec.write_text(json.dumps(self.trace(512, 512)))
            source.write_text(TRACE)
            words = [BUILD / "assay", "-s", self.daemon.socket, "time", spec, source]
            done = subprocess.run(words, capture_output=True, text=True,
                                  env={**os.environ, "LC_ALL": "C"})
        said = " ".join(done.stdout.split())
        self.assertIn("512 lines of a are 4096 bytes apart", said)
        self.assertIn("leading dimension or stride", said)

    def test_calls_and_flushed_bytes_are_columns_of_csv(self):
        result, = self.results(self.trace(256, 256), source=TRACE)
        words = [BUILD / "assay", "-s", self.daemon.socket, "results", "--csv", str(result["job"])]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        row, = [r for r in csv.DictReader(io.StringIO(done.stdout))
                if r["job"] == str(result["job"])]
        self.assertEqual((str(result["technique"]["calls"]), "0"),
                         (row["calls"], row["flush_bytes"]))


MIB = 1 << 20


class Memory(OperandsTest):
    def sum_of(self, size, context="warm", **operand):
        return {"routine": "long sum(long n, const char *x)", "params": {"N": size},
                "args": {"n": "N", "x": {"dims": ["N"]} | operand}, "context": context,
                "timing": {"samples": 5, "trust": "claimed"},
                "check": {"reference": {"source": self.SUM}}}

    SUM = "long sum(long n, const char *x) { long s = 0; while (n-- > 0) s += x[n]; return s; }"

    def lodgings(self, *specs):
        operands = [r["technique"]["operands"]["x"] for r in self.results(*specs, source=self.SUM)]
        return [(o["memory"], o["pages"]) for o in operands]

    def test_X5_heap_or_static_and_the_size_of_pages_are_chosen_and_recorded(self):
        off = "[never]" in pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled").read_text()
        if off:
            self.skipTest("this host gives no huge pages")
        auto, small, huge, few, static, large = self.lodgings(
            self.sum_of(8 * MIB), self.sum_of(8 * MIB, pages="small"),
            self.sum_of(8 * MIB, pages="huge"), self.sum_of(5000),
            self.sum_of(5000, memory="static"),
            self.sum_of(8 * MIB, memory="static", pages="small"))
        self.assertEqual([("heap", "small"), ("heap", "small")], [small, few])
        self.assertEqual([("static", "small"), ("static", "small")], [static, large])
        # a host may be out of them: then the result says so
        self.assertEqual(auto[0], "heap")
        self.assertIn(huge[1], ("huge", "mixed", "small"))

    def test_X5_static_operands_are_timed_in_each_state_and_layout_and_audited(self):
        static = {"memory": "static"}
        specs = [stencil(static, static, context=c)
                 for c in ("cold", "warm", {"flush_bytes": 65536})]
        specs += [stencil(static, static | {"state": "clean"}, context="warm"),
                  stencil(static | {"state": "dirty"}, static, context="warm"),
                  stencil(static, static, context="warm",
                          timing={"layout": "sweep", "layouts": 4, "samples": 3}),
                  stencil(static, {"cache": "cold"}, context="warm", params={"N": 1 << 18})]
        for result in self.results(*specs):
            self.assertTrue(result["check"]["passed"])
            self.assertEqual("static", result["technique"]["operands"]["x"]["memory"])
            self.assertNotEqual("MultiCallFlushLRU", result["technique"]["method"])

    def test_X5_an_overrun_of_a_static_operand_is_found_as_one_of_another(self):
        beyond = STENCIL + " { y[n + 600] = x[0]; }"
        result, = self.daemon.run({"variant": {"source": beyond},
                                   "spec": stencil(None, {"memory": "static"}, context="warm")})
        self.assertEqual("crashed", result["status"])
        self.assertIn("beyond the end of operand y", result["detail"])

    def test_X5_static_memory_has_one_place(self):
        for timing, member in (({"flush": {"method": "MultiCallFlushLRU"}}, "flush.method"),
                               ({"calls": 4}, "calls"),
                               ({"range_guard": "separate"}, "range_guard")):
            self.assert_spec_refused(stencil(None, {"memory": "static"}, timing=timing),
                                     f"spec.timing.{member}", "static: it has one place")
        self.assert_spec_refused(self.sum_of(2 << 30, memory="static"), "spec.args.x.memory",
                                 "use \\\"heap\\\"")

    def test_X10_memory_is_bound_to_a_node_or_refused_where_there_is_no_such_node(self):
        nodes = pathlib.Path("/sys/devices/system/node/has_memory")
        if not nodes.exists():
            self.skipTest("a kernel without memory nodes")
        number = int(nodes.read_text().strip().replace("-", ",").split(",")[0])
        bound, local = self.results(self.sum_of(MIB, node=number), self.sum_of(MIB, node="local"),
                                    source=self.SUM)
        self.assertEqual(number, bound["technique"]["operands"]["x"]["node"])
        self.assertIsInstance(local["technique"]["operands"]["x"]["node"], int)
        remote, = self.daemon.run({"variant": {"source": self.SUM},
                                   "spec": self.sum_of(MIB, node="remote")})
        if nodes.read_text().strip().isdigit():
            self.assertEqual("bad_spec", remote["status"])
            self.assertIn("spec.args.x.node", remote["detail"])
            self.assertIn("one memory node", remote["detail"])
        else:
            self.assertNotEqual(local["technique"]["operands"]["x"]["node"],
                                assert_timed(self, remote)["technique"]["operands"]["x"]["node"])
        nowhere, = self.daemon.run({"variant": {"source": self.SUM},
                                    "spec": self.sum_of(MIB, node=1023)})
        self.assertEqual("bad_spec", nowhere["status"])
        self.assert_spec_refused(self.sum_of(MIB, node="far"), "spec.args.x.node", "local")


if __name__ == "__main__":
    unittest.main()
