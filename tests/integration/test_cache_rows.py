# SPDX-License-Identifier: Apache-2.0
# not for sanitizers: its jobs take the ways of other programs', and it looks at what results say
# time limit: 3600 s
"""
Where operands are when a routine is called (Whaley and Castaldo, sections 3 to 5), on the real
daemon: which method is chosen, what is refused, what a result says and proves of it.  What the
routine feels is judged in tests/timing/.
"""
import collections
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import chase  # noqa: E402
from chase import LINES, METHODS, spec, strided_spec  # noqa: E402
from harness import BUILD, RealDaemonTest, RpcError, assert_timed  # noqa: E402


TRIES, FEW = 30, 2


def job(how, *source):
    """With time for flushes of half a gigabyte of caches, beside others."""
    return chase.job(how, *source) | {"timeout_ms": {"run": 600000}}


class CacheRows(RealDaemonTest):
    def results(self, *jobs):
        return [self.proved(*each) for each in zip(jobs, self.daemon.run(*jobs))]

    def proved(self, document, result):
        """
        A switch to another thread voids a proof: then the job is done again, but not often if each
        flush takes seconds: it is never alone for so long.
        """
        for n in range(TRIES):
            is_proved = "places" in assert_timed(self, result)["evidence"]
            if is_proved or (n >= FEW and self.takes_seconds(result)):
                break
            (result,) = self.daemon.run(document)
        return assert_timed(self, result)

    def largest_cache(self):
        caches = self.daemon.call("host.get")["caches"]
        return max(caches.get(f"l{n}_bytes") or 0 for n in (1, 2, 3))

    def takes_seconds(self, result):
        return 8 * self.largest_cache() > 1 << 30 and result["stages_ms"]["run"] > 3000

    def assert_cold_by_proof(self, result):
        """
        Sentinel lines were read before each sample, unless this host's clock cannot distinguish
        memory from cache.  Each process finds that out anew, so samples of some may have no reading.
        """
        sentinel = result["evidence"]["sentinel"]
        if isinstance(sentinel, str):
            self.assertTrue(sentinel.startswith("off: "), sentinel)
            return
        counts = collections.Counter(result["time"]["process"]).values()
        sums = {sum(some) for n in range(1, len(counts) + 1)
                for some in itertools.combinations(counts, n)}
        self.assertIn(sentinel["read"], sums)
        self.assertTrue(sentinel["not_cold"] < 3 or 2 * sentinel["not_cold"] <= sentinel["read"],
                        sentinel)
        self.assertLess(sentinel["hot_ns"], sentinel["limit_ns"])

    def assert_refused(self, how):
        with self.assertRaises(RpcError) as refused:
            self.daemon.call("job.submit", {"job": job(how)})
        self.assertEqual("bad_spec", refused.exception.word)
        return json.dumps(refused.exception.data)

    def test_W30_W41_an_operand_may_stay_warm_beside_a_cold_one_by_each_method(self):
        for method in METHODS:
            mixed, cold = self.results(*(job(spec("cold", p, "cold", samples=3,
                                                  flush={"method": method}))
                                         for p in ("warm", "cold")))
            for result in (mixed, cold):
                self.assertEqual((method, "cold"),
                                 (result["technique"]["method"], result["technique"]["context"]))
                self.assert_cold_by_proof(result)
            # half as much moves: twice as many sets for one area
            if method == "MultiCallFlushLRU":
                self.assertGreaterEqual(mixed["technique"]["working_sets"],
                                        1.9 * cold["technique"]["working_sets"])

    def assert_proved(self, result, **asked):
        """Lines of each operand were read; elsewhere than asked would have been `internal`."""
        if "places" not in result["evidence"] and self.takes_seconds(result):
            return
        places = result["evidence"]["places"]
        self.assertEqual(asked, {name: place["asked"] for name, place in places.items()})
        for place in places.values():
            self.assertGreater(place["read"], 0)
            self.assertEqual(place["asked"] != "partial", place["judged"])
            self.assertAlmostEqual(1, sum(place[level] for level in ("l1", "l2", "l3", "memory")))

    def test_X8_each_level_is_proved_on_the_operands_one_beside_another(self):
        pairs = [(p, q) for p in ("L1", "L2", "L3", "cold") for q in ("L1", "L3", "cold") if p != q]
        for (p, q), result in zip(pairs, self.results(*(job(spec("cold", p, q)) for p, q in pairs))):
            self.assert_proved(result, P=p, Q=q)

    def test_X8_every_method_and_a_partial_flush_says_where_the_lines_were(self):
        for method in METHODS:
            (result,) = self.results(job(spec("cold", flush={"method": method})))
            self.assert_proved(result, P="cold", Q="cold")
        warm, little = self.results(job(spec("warm")), job(spec({"flush_bytes": 65536})))
        self.assert_proved(warm, P="warm", Q="warm")
        self.assert_proved(little, P="partial", Q="partial")

    def test_P40_a_flush_of_as_much_as_all_caches_need_is_proved_like_a_cold_one(self):
        (cold,) = self.results(job(spec("cold", samples=3, flush={"method": "OneCallFlushLRU"})))
        much = cold["technique"]["flush_bytes"]
        (flushed,) = self.results(job(spec({"flush_bytes": much}, samples=3)))
        self.assert_proved(flushed, P="cold", Q="cold")
        for member in ("tlb", "page_tables"):
            self.assertEqual(cold["technique"][member], flushed["technique"][member])

    def test_W29_W40_P40_a_flush_reads_as_much_as_its_level_holds_or_as_was_asked_for(self):
        caches = self.daemon.call("host.get")["caches"]
        sizes = {level: caches[level.lower() + "_bytes"] for level in ("L1", "L2", "L3")}
        contexts = [{"flush_level": level} for level, size in sizes.items()
                    if size] + [{"flush_bytes": 65536}]
        flushed = [r["technique"]["flush_bytes"]
                   for r in self.results(*(job(spec(c, samples=3)) for c in contexts))]
        self.assertEqual(65536, flushed.pop())
        self.assertEqual(sorted(flushed), flushed)
        for size, read in zip(filter(None, sizes.values()), flushed):
            self.assertGreaterEqual(read, size)

    def test_W29_an_instruction_that_flushes_lines_cannot_flush_a_part_of_the_caches(self):
        for context in ({"flush_level": "L1"}, {"flush_bytes": 65536}):
            said = self.assert_refused(spec(context, flush={"method": "OneCallFlushX86"}))
            self.assertIn("OneCallFlushLRU", said)

    def test_W38_the_sets_of_a_strided_operand_are_sized_by_what_is_touched_of_them(self):
        document = job(strided_spec("cold", samples=9, gate=False, flush={"method": "MultiCallFlushLRU"}))
        (cold,) = self.daemon.run(document)
        largest = self.largest_cache()
        if cold["status"] == "bad_spec":        # a line in four is touched, of at most eight times the cache
            self.assertIn("more than 4 GiB of working sets", cold["detail"])
            self.assertGreater(4 * 8 * largest, 4 << 30)
            return
        cold = self.proved(document, cold)
        self.assert_cold_by_proof(cold)
        touched = cold["technique"]["working_sets"] * 2 * LINES * 64
        self.assertGreaterEqual(touched, min(4 * largest, max(1 << 30, 2 * largest)))

    def test_W39_what_its_data_lead_is_refused_under_working_sets_and_the_way_out_is_named(self):
        said = self.assert_refused(spec("cold", flush={"method": "MultiCallFlushLRU"})
                                   | {"data_sensitive": True})
        self.assertIn("OneCallFlushX86", said)
        self.assertIn("OneCallFlushLRU", said)
        (result,) = self.results(job(spec("cold", samples=3) | {"data_sensitive": True}))
        self.assertTrue(result["technique"]["method"].startswith("OneCall"))

    def test_W51_all_of_a_large_routine_is_in_memory_before_its_first_sample(self):
        large = "void large(void) { __asm__ volatile (\".skip 1048576, 0x90\"); }"
        how = {"routine": "void large(void)", "context": "warm", "timing": {"samples": 3, "calls": 1, "gate": False}}
        (result,) = self.results(job(how, large))
        # in the sample with the fewest; it has 256 pages
        self.assertEqual(0, result["evidence"]["own_faults"])
        self.assertIn("InstLdGuard", result["technique"]["guards"])

    def test_W52_the_caveat_that_code_stays_in_cache_is_in_each_cold_result(self):
        for method in METHODS:
            size = {"bytes": 4 << 20} if method.endswith("LRU") else {}
            (result,) = self.daemon.run(job(spec("cold", samples=1, gate=False,
                                                 flush={"method": method, **size})))
            self.assertEqual("in cache", assert_timed(self, result)["technique"]["code"])

    def test_P38_the_command_line_chooses_the_flush(self):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "job.json")
            path.write_text(json.dumps(job(spec("cold", samples=5, gate=False))))
            for method in METHODS:
                said = subprocess.run([BUILD / "assay", "-s", self.daemon.socket, "--json", "time",
                                       path, "--flush", method],
                                      stdout=subprocess.PIPE, text=True,
                                      env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout
                result = assert_timed(self, json.loads(said))
                self.assertEqual(method, result["technique"]["method"])


if __name__ == "__main__":
    unittest.main()
