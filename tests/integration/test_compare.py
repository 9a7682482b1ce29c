# SPDX-License-Identifier: Apache-2.0
# time limit: 120 s
"""Two variants timed in turn, on the real daemon.  The kernels differ by so much that no host could hide it."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, Daemon, RpcError, trust_of_idle  # noqa: E402

PROTOTYPE = "double total(const int N, const double *X)"
PLAIN = PROTOTYPE + " { double s = 0; for (int i = 0; i < N; i++) s += X[i]; return s; }"
SLOW = PROTOTYPE + " { volatile double s = 0; for (int k = 0; k < 4; k++) { s = 0; for (int i = 0; i < N; i++) s += X[i]; } return s; }"
CRASH = PROTOTYPE + " { return N ? *(volatile double *)0 : X[0]; }"
WRONG = PROTOTYPE + " { return X[0] + N; }"


def variant(source, name):
    return {"source": source, "name": name}


def spec(context="warm", **timing):
    return {"routine": PROTOTYPE, "params": {"N": 2000}, "args": {"N": "N", "X": {"dims": ["N"]}}, "context": context,
            "timing": timing, "check": {"reference": {"source": PLAIN}, "rtol": 1e-9}}


class Comparing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def wait(self, ids):
        self.assertTrue(self.daemon.call("job.wait", {"ids": ids, "timeout_ms": 60000})["done"])
        return [self.daemon.call("job.get", {"id": i})["result"] for i in ids]

    def compare(self, against, source, how=None, **members):
        job = {"variant": variant(source, "b"), "against": variant(against, "a"), "spec": how or spec(), **members}
        (result,) = self.wait(self.daemon.call("job.submit", {"job": job})["ids"])
        return result

    def test_W63_the_faster_of_two_really_different_kernels_is_found(self):
        for against, source, verdict, winner in ((SLOW, PLAIN, "faster", "b"), (PLAIN, SLOW, "slower", "a")):
            result = self.compare(against, source)
            found = result["comparison"]
            self.assertEqual("ok", result["status"], result["detail"])
            self.assertEqual((verdict, winner, "interval"), (found["verdict"], found["winner"], found["ended_by"]))
            low, high = found["interval"]
            self.assertTrue(low <= found["ratio"] <= high)
            self.assertEqual(("a", "b"), (found["a"]["name"], found["b"]["name"]))
            self.assertGreaterEqual(found["pairs"], 11)
            if trust_of_idle(result) is not None:
                self.assertEqual((["audited", "audited"], "audited"), (found["trust"], result["trust"]), result["evidence"])
            self.assertEqual(result["time"]["median_ns"], found["b"]["median_ns"])

    def test_W64_a_kernel_is_as_fast_as_itself_and_the_smaller_wins_a_tie(self):
        how = {"resolution": 0.5, "tie_break": "size"}
        same = self.compare(PLAIN, PLAIN, compare=how)["comparison"]
        self.assertEqual(("indistinguishable", None), (same["verdict"], same["winner"]))
        self.assertEqual(same["a"]["binary"], same["b"]["binary"])
        larger = PLAIN + '\nvoid never(void) { __asm__ volatile (".skip 4096"); }'
        tie = self.compare(larger, PLAIN, compare=how)["comparison"]
        self.assertEqual(("indistinguishable", "b", "size"), (tie["verdict"], tie["winner"], tie["tie_broken_by"]))
        self.assertGreater(tie["code_bytes"][0], tie["code_bytes"][1] + 4000)

    def test_without_a_reference_or_with_threads_or_where_no_more_was_asked_for_both_are_claims(self):
        unchecked = spec()
        del unchecked["check"]
        for how, threads, why in ((unchecked, 1, "no reference"), (spec(trust="claimed"), 1, "no more was asked for"),
                                  (spec(), 2, "a thread of one could forge")):
            result = self.compare(SLOW, PLAIN, how, compare={"max_pairs": 11}, threads=threads)
            self.assertEqual((["claimed", "claimed"], "claimed"), (result["comparison"]["trust"], result["trust"]))
            self.assertIn(why, result["evidence"]["claimed"])
            self.assertNotIn("against_audits", result["evidence"])

    def test_cold_contexts_are_compared_by_each_method(self):
        for method in ("OneCallFlushX86", "OneCallFlushLRU", "MultiCallFlushLRU"):
            result = self.compare(SLOW, PLAIN, spec("cold", flush={"method": method}), compare={"max_pairs": 11})
            if result["status"] == "bad_spec":      # no instruction to flush with on this machine
                continue
            self.assertEqual("ok", result["status"], result["detail"])
            self.assertEqual((method, 11), (result["technique"]["method"], result["comparison"]["pairs"]))

    def test_the_one_that_fails_is_named(self):
        for source, status in ((CRASH, "crashed"), (WRONG, "wrong_answer"), ("int x", "build_failed"),
                               ("int x;", "load_failed")):
            for against, other, who in ((source, PLAIN, "against"), (PLAIN, source, "variant")):
                result = self.compare(against, other)
                self.assertEqual(status, result["status"])
                self.assertTrue(result["detail"].startswith(f"{who}: "), result["detail"])
                self.assertIsNone(result["comparison"])
                if status in ("crashed", "wrong_answer"):
                    self.assertEqual(who, result["evidence"]["failed"])

    def test_several_are_compared_with_the_first_and_a_key_makes_it_once(self):
        document = {"spec": spec(), "variants": [variant(SLOW, "slow"), variant(PLAIN, "one"), variant(PLAIN, "two")],
                    "key": "three"}
        made = self.daemon.call("compare.run", {"compare": document})
        self.assertEqual((2, 0), (len(made["ids"]), made["repeated"]))
        results = self.wait(made["ids"])
        self.assertEqual(["one", "two"], [r["name"] for r in results])
        self.assertEqual(["faster"] * 2, [r["comparison"]["verdict"] for r in results])
        again = self.daemon.call("compare.run", {"compare": document})
        self.assertEqual((made["ids"], 2), (again["ids"], again["repeated"]))
        posted = self.daemon.http("POST", "/v1/compare", document)
        self.assertEqual((201, made["ids"]), (posted.status, posted.json()["ids"]))

    def test_a_fault_is_told_in_the_document_s_own_terms(self):
        for document, member in (({"spec": spec(), "variants": [variant(PLAIN, "x")]}, "compare.variants"),
                                 ({"spec": spec(), "variants": [{}, variant(PLAIN, "x")]}, "compare.variants[0].source"),
                                 ({"spec": spec(), "variants": [variant(PLAIN, "x"), {"source": 1}]},
                                  "compare.variants[1].source")):
            with self.assertRaises(RpcError) as caught:
                self.daemon.call("compare.run", {"compare": document})
            self.assertEqual(("bad_spec", member), (caught.exception.word, caught.exception.data["member"]))

    def test_W65_of_the_two_best_of_a_sweep_it_is_told_whether_their_intervals_overlap(self):
        made = self.daemon.call("sweep.create", {"sweep": {"name": "two", "spec": spec(),
                                "variants": [variant(SLOW, "slow"), variant(PLAIN, "plain")]}})
        self.wait(made["ids"])
        best = self.daemon.call("results.best", {"sweep": "two", "top": 2})
        self.assertEqual("plain", best["results"][0]["name"])
        self.assertLess(best["difference"]["ratio"], 1)
        first, second = (result["time"]["ci95_ns"] for result in best["results"])
        self.assertEqual(second[0] <= first[1], best["difference"]["overlap"])

    def test_the_jobs_of_one_spec_are_compared_by_their_ids(self):
        jobs = [{"variant": variant(source, name), "spec": spec()} for source, name in ((SLOW, "slow"), (PLAIN, "plain"))]
        other = {"variant": variant(PLAIN, "other"), "spec": {**spec(), "params": {"N": 10}}}
        ids = self.daemon.call("job.submit", {"jobs": jobs + [other]})["ids"]
        made = self.daemon.call("compare.run", {"ids": ids[:2], "rule": {"max_pairs": 11}})
        (result,) = self.wait(made["ids"])
        self.assertEqual(("plain", "faster"), (result["name"], result["comparison"]["verdict"]))
        for params, word in (({"ids": ids[1:]}, "bad_request"), ({"ids": [ids[0], 999999]}, "not_found"),
                             ({"ids": ids[:1]}, "bad_request"), ({"ids": ids[:2], "compare": {}}, "bad_request")):
            with self.assertRaises(RpcError) as caught:
                self.daemon.call("compare.run", params)
            self.assertEqual(word, caught.exception.word)


class CommandLine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="assay-compare-")
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)
        for name, text in (("spec.json", json.dumps(spec())), ("slow.c", SLOW), ("plain.c", PLAIN), ("crash.c", CRASH),
                           ("again.c", PLAIN)):
            (self.dir / name).write_text(text)

    def assay(self, *words, code=0):
        ran = subprocess.run([BUILD / "assay", "-s", self.daemon.socket, *map(str, words)], cwd=self.dir, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=60,
                             env={**os.environ, "LC_ALL": "C.UTF-8"})
        self.assertEqual(code, ran.returncode, ran.stdout + ran.stderr)
        return ran

    def test_a_table_tells_who_is_faster_and_how_sure_that_is(self):
        said = self.assay("compare", "spec.json", "slow.c", "plain.c").stdout.splitlines()
        self.assertEqual(["variant", "median", "ratio", "interval", "verdict", "pairs"], said[0].split())
        self.assertEqual("slow", said[1].split()[0])
        self.assertEqual(("plain", "faster"), (said[2].split()[0], said[2].split()[-2]))
        both = json.loads(self.assay("compare", "--spec", "spec.json", "slow.c", "plain.c", "slow.c", "--json",
                                     "--resolution", "0.5", "--max-pairs", 11, "--smaller").stdout)["results"]
        self.assertEqual(["faster", "indistinguishable"], [r["comparison"]["verdict"] for r in both])
        self.assertEqual([11, 11], [r["comparison"]["pairs"] for r in both])

    def test_a_variant_that_fails_gives_its_code_and_says_which_it_was(self):
        ran = self.assay("compare", "spec.json", "plain.c", "crash.c", code=80)
        self.assertIn("crashed", ran.stdout)
        self.assertIn("variant: SIGSEGV", ran.stdout)

    def test_without_spec_or_with_one_variant_there_is_nothing_to_compare(self):
        self.assertIn("needs a spec", self.assay("compare", "a.c", "b.c", code=64).stderr)
        self.assertIn("two variants", self.assay("compare", "spec.json", "plain.c", code=64).stderr)
        self.assertIn("compare: ", self.assay("compare", "spec.json", "plain.c", "slow.c", "-H", "http://x", code=64).stderr)
        self.assertIn("slow.c", self.assay("compare", "spec.json", "plain.c", "slow.c", "-O", "-fplugin=x", code=65).stderr)

    def test_the_best_of_a_sweep_is_timed_in_turn_with_the_next_before_it_is_named(self):
        sources = (("slow", SLOW), ("one", PLAIN), ("two", PLAIN))
        (self.dir / "sweep.json").write_text(json.dumps({"name": "three", "spec": spec(), "variants": [
            variant(source, name) for name, source in sources]}))
        self.assay("sweep", "create", "sweep.json", "--follow")
        found = json.loads(self.assay("best", "three", "--confirm", "--json").stdout)
        confirmed = found["confirmed"]
        self.assertIn(confirmed["name"], ("one", "two"))
        self.assertEqual(confirmed["distinguishable"], not confirmed["ties"])
        self.assertNotIn("slow", [tie["name"] for tie in confirmed["ties"]])
        self.assertGreaterEqual(confirmed["rounds"], 1)
        self.assertEqual((0.05, "bonferroni", 3),
                         (confirmed["error"], confirmed["correction"]["method"], confirmed["correction"]["comparisons"]))
        for result in confirmed["comparisons"]:
            self.assertAlmostEqual(0.05 / 3, result["comparison"]["error"], places=12)
        two = json.loads(self.assay("best", "three", "--confirm=2", "--json").stdout)["confirmed"]
        self.assertEqual({"one", "two"} - {two["name"]}, {c["name"] for c in two["comparisons"]} - {two["name"]})
        said = self.assay("best", "three", "--confirm=2", "--error", "0.02").stdout
        self.assertIn("timed in turn: ", said)
        self.assertIn("at most 2 % over all comparisons (Bonferroni: 2 % in each of 1)", said)
        self.assertIn("--confirm", self.assay("best", "three", "--error", "0.02", code=64).stderr)


if __name__ == "__main__":
    unittest.main()
