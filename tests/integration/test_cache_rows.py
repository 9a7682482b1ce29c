# SPDX-License-Identifier: Apache-2.0
# time limit: 120 s
"""
Where operands are when a routine is called (Whaley and Castaldo, sections 3 to 5), shown on the real daemon by what
the routine feels: it follows pointers, one a cache line, so each step takes as long as its line is far.  Memory is tens
of times as far as the innermost cache; no test asks for more than a part of that.
"""
import base64
import json
import math
import os
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, Daemon, RpcError  # noqa: E402

METHODS = ("OneCallFlushX86", "OneCallFlushLRU", "MultiCallFlushLRU")
LINES, WORDS = 96, 32           # of each two lines, which a core may fetch together, one: 12 KiB, twice in any cache
ROUNDS = 8                      # at most: somebody else may want the core or the memory for a while
ROUTINE = "int chase(const unsigned *P, const unsigned *Q)"
CHASE = ROUTINE + f"""
{{
	unsigned p = 0, q = 0;
	for (int i = 0; i < {LINES}; i++)
		p = P[p];
	for (int i = 0; i < {LINES}; i++)
		q = Q[q];
	return p + q;
}}"""


def ring(step=29, every=WORDS):
    """Every element that is followed holds the place of the next, in an order that no prefetcher guesses."""
    words = [0] * (LINES * every)
    for i in range(LINES):
        words[i * every] = (i + step) % LINES * every
    return {"dims": [len(words)], "init": {"data": base64.b64encode(struct.pack(f"<{len(words)}I", *words)).decode()}}


def spec(context="cold", p=None, q=None, **timing):
    args = {"P": ring() | ({"cache": p} if p else {}), "Q": ring(31) | ({"cache": q} if q else {})}
    return {"routine": ROUTINE, "args": args, "context": context, "timing": timing}


def job(how, source=CHASE, name="chase", **members):
    return {"variant": {"source": source, "name": name, **members}, "spec": how}


class CacheRows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def results(self, *jobs):
        ids = self.daemon.call("job.submit", {"jobs": list(jobs)})["ids"]
        self.assertTrue(self.daemon.call("job.wait", {"ids": ids, "timeout_ms": 60000})["done"])
        results = [self.daemon.call("job.get", {"id": i})["result"] for i in ids]
        for result in results:
            self.assertIn(result["status"], ("ok", "too_noisy"), result["detail"])
        return results

    def least_ns(self, is_seen, *specs):
        """The least times of specs, by turns, until they show what there is to see: noise makes all of them longer."""
        least = [math.inf] * len(specs)
        for _ in range(ROUNDS):
            results = self.results(*map(job, specs))
            least = [min(ns, r["time"]["min_ns"]) for ns, r in zip(least, results)]
            if is_seen(*least):
                break
        return least

    def assert_cold_by_proof(self, result):
        sentinel = result["evidence"]["sentinel"]
        if isinstance(sentinel, dict):                      # where this host's clock can tell
            self.assertLess(2 * sentinel["not_cold"], sentinel["read"] + 1)

    def test_W30_W41_one_operand_held_warm_beside_a_cold_one_lies_between_the_extremes(self):
        for method in METHODS:
            def how(p, q):
                return spec("cold", p, q, samples=7, gate=False, flush={"method": method})

            def lie_between(warm, p_warm, q_warm, cold):
                return all(mixed > 1.5 * warm and cold > 1.2 * mixed for mixed in (p_warm, q_warm))
            times = self.least_ns(lie_between, spec("warm", samples=7, gate=False), how("warm", "cold"),
                                  how("cold", "warm"), how("cold", "cold"))
            self.assertTrue(lie_between(*times), (method, times))

    def test_W29_W40_P40_the_more_is_flushed_the_longer_it_takes(self):
        caches = self.daemon.call("host.get")["caches"]
        levels = [level for level in ("L1", "L2", "L3") if caches.get(level.lower() + "_bytes")]
        contexts = ["warm", *({"flush_level": level} for level in levels)]

        def rise(warm, *flushed):
            return (flushed[0] > 1.3 * warm and             # out of L1 alone
                    (len(flushed) == 1 or flushed[-1] > 1.5 * flushed[0]) and
                    all(more > 0.9 * less for less, more in zip(flushed, flushed[1:])))
        times = self.least_ns(rise, *(spec(c, samples=15, gate=False) for c in contexts))
        self.assertTrue(rise(*times), times)

        def rise_by_size(none, some, much):
            return some > 1.3 * none and much > 1.3 * some
        sizes = [0, 2 * caches["l1_bytes"], 2 * caches[levels[-1].lower() + "_bytes"]]
        times = self.least_ns(rise_by_size, *(spec({"flush_bytes": n} if n else "warm", samples=15, gate=False)
                                              for n in sizes))
        self.assertTrue(rise_by_size(*times), times)

    def test_W29_an_instruction_that_flushes_lines_cannot_flush_a_part_of_the_caches(self):
        for context in ({"flush_level": "L1"}, {"flush_bytes": 65536}):
            with self.assertRaises(RpcError) as refused:
                self.daemon.call("job.submit", {"job": job(spec(context, flush={"method": "OneCallFlushX86"}))})
            self.assertEqual("bad_spec", refused.exception.word)
            self.assertIn("OneCallFlushLRU", json.dumps(refused.exception.data))

    def test_W38_a_strided_operand_is_cold_although_only_a_part_of_its_space_is_touched(self):
        strided = {"P": ring(29, 64) | {"stride": 64}, "Q": ring(31, 64) | {"stride": 64}}

        def how(context, **flush):
            timing = {"samples": 9, "gate": False, **({"flush": flush} if flush else {})}
            return {"routine": ROUTINE, "args": strided, "context": context, "timing": timing}
        warm, cold = self.results(job(how("warm")), job(how("cold", method="MultiCallFlushLRU")))
        self.assertGreater(cold["time"]["min_ns"], 1.5 * warm["time"]["min_ns"])
        self.assert_cold_by_proof(cold)
        touched = cold["technique"]["working_sets"] * 2 * LINES * 64
        caches = self.daemon.call("host.get")["caches"]
        self.assertGreaterEqual(touched, 4 * max(caches.get(f"l{n}_bytes") or 0 for n in (1, 2, 3)))

    def test_W39_what_its_data_lead_is_refused_under_working_sets_and_the_way_out_is_named(self):
        how = spec("cold", flush={"method": "MultiCallFlushLRU"}) | {"data_sensitive": True}
        with self.assertRaises(RpcError) as refused:
            self.daemon.call("job.submit", {"job": job(how)})
        self.assertEqual("bad_spec", refused.exception.word)
        said = json.dumps(refused.exception.data)
        self.assertIn("OneCallFlushX86", said)
        self.assertIn("OneCallFlushLRU", said)
        (result,) = self.results(job(spec("cold", samples=3) | {"data_sensitive": True}))
        self.assertTrue(result["technique"]["method"].startswith("OneCall"))

    def test_W42_the_first_sample_of_working_sets_is_as_cold_as_the_others(self):
        how = spec("cold", samples=5, gate=False, flush={"method": "MultiCallFlushLRU", "walk": "backward"})
        shares = []
        for result in self.results(*[job(how)] * 5):
            first, *others = result["time"]["samples_ns"]
            shares.append(first / statistics.median(others))
            self.assert_cold_by_proof(result)
        self.assertGreater(statistics.median(shares), 0.6)
        self.assertLess(statistics.median(shares), 1.7)

    def test_W51_all_of_a_large_routine_is_in_memory_before_its_first_sample(self):
        large = "void large(void) { __asm__ volatile (\".skip 1048576, 0x90\"); }"
        how = {"routine": "void large(void)", "context": "warm", "timing": {"samples": 3, "calls": 1, "gate": False}}
        (result,) = self.results(job(how, large))
        self.assertLess(result["evidence"]["faults"], 8)    # of 16 for 256 pages, if none had been there
        self.assertIn("InstLdGuard", result["technique"]["guards"])

    def test_W52_the_dummy_call_comes_before_the_flush_and_the_caveat_is_told(self):
        """One sample is one order: had the call come after the flush, it would have brought its operands in."""
        warm, *cold = self.results(job(spec("warm", samples=3, gate=False)),
                                   *(job(spec("cold", samples=1, gate=False, flush={"method": m})) for m in METHODS))
        for result in cold:
            self.assertGreater(result["time"]["min_ns"], 1.5 * warm["time"]["min_ns"], result["technique"]["method"])
            self.assertEqual("in cache", result["technique"]["code"])

    def test_P38_the_command_line_chooses_the_flush_and_what_it_costs_is_in_no_time(self):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "job.json")
            path.write_text(json.dumps(job(spec("cold", samples=5, gate=False))))

            def timed(*words):
                said = subprocess.run([BUILD / "assay", "-s", self.daemon.socket, "--json", "time", path, *words],
                                      stdout=subprocess.PIPE, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout
                result = json.loads(said)
                return result["technique"]["method"], result["time"]["min_ns"]
            for method in METHODS:
                chosen, ns = timed("--flush", method)
                self.assertEqual(method, chosen)
                self.assertLess(ns, 200e3, method)              # reading an area takes milliseconds
        areas = [spec("cold", samples=3, gate=False, flush={"method": "OneCallFlushLRU", "bytes": n << 20})
                 for n in (128, 256)]

        def are_alike(small, large):                            # the flush itself takes twice as long
            return large < 1.7 * small
        times = self.least_ns(are_alike, *areas)
        self.assertTrue(are_alike(*times), times)


if __name__ == "__main__":
    unittest.main()
