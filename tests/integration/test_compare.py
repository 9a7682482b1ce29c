# SPDX-License-Identifier: Apache-2.0
"""
Two variants timed in turn, on the real daemon: what a comparison says of both, what it refuses, and
whom it blames.  Whether its verdict is right is judged in tests/timing/; test_paired.c and
test_pairs.c have the rules on recorded times.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, REPLAY_WORKER, TIMED, Daemon, RealDaemonTest, RpcError  # noqa: E402
from totals import CRASH, PLAIN, SLOW, WRONG, spec, variant  # noqa: E402

VERDICTS = ("faster", "slower", "indistinguishable")


def claimed(context="warm", **timing):
    """Without audits, which compare times."""
    return spec(context, trust="claimed", **timing)


class Comparing(RealDaemonTest):
    def wait(self, ids):
        while not self.daemon.call("job.wait", {"ids": ids, "timeout_ms": 30000})["done"]:
            continue
        return [self.daemon.call("job.get", {"id": i})["result"] for i in ids]

    def compare(self, against, source, how=None, **members):
        job = {"variant": variant(source, "b"), "against": variant(against, "a"),
               "spec": how or claimed(), **members}
        return self.daemon.run(job)[0]

    def assert_compared(self, result):
        """The parts of a comparison agree with each other under any verdict."""
        self.assertIn(result["status"], TIMED, result["detail"])
        c = result["comparison"]
        self.assertEqual(result["time"]["median_ns"], c["b"]["median_ns"])
        self.assertIn(c["verdict"], VERDICTS)
        if c["tie_broken_by"] is None:
            self.assertEqual({"faster": "b", "slower": "a"}.get(c["verdict"]), c["winner"])
        low, high = c["interval"] or (0, 1e9)           # too few pairs have none
        self.assertTrue(low <= c["ratio"] <= high, c)
        self.assertLessEqual(c["groups"], c["pairs"])
        self.assertEqual(c["between"] is None, c["groups"] < 2)
        if c["verdict"] != "indistinguishable":
            self.assertTrue(high < 1 if c["verdict"] == "faster" else low > 1, c)
        return c

    def test_W63_a_comparison_has_names_interval_verdict_and_winner_of_both(self):
        for against, source in ((SLOW, PLAIN), (PLAIN, SLOW)):
            c = self.assert_compared(self.compare(against, source))
            self.assertEqual(("a", "b"), (c["a"]["name"], c["b"]["name"]))
            self.assertNotEqual(c["a"]["binary"], c["b"]["binary"])

    def test_W64_of_two_that_cannot_be_told_apart_the_smaller_wins_if_size_breaks_ties(self):
        larger = PLAIN + '\nvoid never(void) { __asm__ volatile (".skip 4096"); }'
        tie = self.assert_compared(self.compare(larger, PLAIN,
                                                compare={"resolution": 0.5, "tie_break": "size"}))
        self.assertGreater(tie["code_bytes"][0], tie["code_bytes"][1] + 4000)
        is_tie = tie["verdict"] == "indistinguishable"
        self.assertEqual("size" if is_tie else None, tie["tie_broken_by"])
        self.assertEqual("b" if is_tie or tie["verdict"] == "faster" else "a", tie["winner"])

    def test_without_a_reference_or_with_threads_or_where_no_more_was_asked_for_both_are_claims(self):
        unchecked = spec()
        del unchecked["check"]
        for how, threads, why in ((unchecked, 1, "no reference"),
                                  (claimed(), 1, "no more was asked for"),
                                  (spec(), 2, "a thread of one could forge")):
            result = self.compare(SLOW, PLAIN, how, compare={"max_pairs": 11}, threads=threads)
            self.assert_compared(result)
            self.assertEqual((["claimed", "claimed"], "claimed"), (result["comparison"]["trust"], result["trust"]))
            self.assertIn(why, result["evidence"]["claimed"])
            self.assertNotIn("against_audits", result["evidence"])

    def test_cold_contexts_are_compared_by_each_method(self):
        for method in ("OneCallFlushX86", "OneCallFlushLRU", "MultiCallFlushLRU"):
            # all of a large cache takes long to flush, and its working sets as long to make
            size = {"bytes": 4 << 20} if method.endswith("LRU") else {}
            result = self.compare(SLOW, PLAIN, claimed("cold", flush={"method": method, **size}),
                                  compare={"max_pairs": 11})
            if result["status"] == "bad_spec":      # no instruction to flush with on this machine
                continue
            self.assertLessEqual(self.assert_compared(result)["pairs"], 11)
            self.assertEqual(method, result["technique"]["method"])

    def test_the_one_that_fails_is_named(self):
        for source, status in ((CRASH, "crashed"), (WRONG, "wrong_answer"), ("int x", "build_failed"),
                               ("int x;", "load_failed")):
            for against, other, failed in ((source, PLAIN, "against"), (PLAIN, source, "variant")):
                result = self.compare(against, other)
                self.assertEqual(status, result["status"])
                self.assertTrue(result["detail"].startswith(f"{failed}: "), result["detail"])
                self.assertIsNone(result["comparison"])
                if status in ("crashed", "wrong_answer"):
                    self.assertEqual(failed, result["evidence"]["failed"])

    def test_several_are_compared_with_the_first_and_a_key_makes_it_once(self):
        variants = [variant(SLOW, "slow"), variant(PLAIN, "one"), variant(PLAIN, "two")]
        document = {"spec": claimed(), "variants": variants,
                    "key": "three"}
        made = self.daemon.call("compare.run", {"compare": document})
        self.assertEqual((2, 0), (len(made["ids"]), made["repeated"]))
        results = self.wait(made["ids"])
        self.assertEqual(["one", "two"], [r["name"] for r in results])
        self.assertEqual(["slow"] * 2, [self.assert_compared(r)["a"]["name"] for r in results])
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

    def test_the_jobs_of_one_spec_are_compared_by_their_ids(self):
        jobs = [{"variant": variant(source, name), "spec": claimed()}
                for source, name in ((SLOW, "slow"), (PLAIN, "plain"))]
        other = {"variant": variant(PLAIN, "other"), "spec": {**claimed(), "params": {"N": 10}}}
        ids = self.daemon.call("job.submit", {"jobs": jobs + [other]})["ids"]
        made = self.daemon.call("compare.run", {"ids": ids[:2], "rule": {"max_pairs": 11}})
        (result,) = self.wait(made["ids"])
        self.assertEqual(("plain", "slow"), (result["name"],
                                             self.assert_compared(result)["a"]["name"]))
        for params, word in (({"ids": ids[1:]}, "bad_request"), ({"ids": [ids[0], 999999]}, "not_found"),
                             ({"ids": ids[:1]}, "bad_request"), ({"ids": ids[:2], "compare": {}}, "bad_request")):
            with self.assertRaises(RpcError) as caught:
                self.daemon.call("compare.run", params)
            self.assertEqual(word, caught.exception.word)


class CommandLine(unittest.TestCase):
    """Helpers around running assay, with one daemon for all tests of a class."""
    worker = None               # the real one

    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon(worker=cls.worker)
        cls.addClassCleanup(cls.daemon.stop)

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="assay-compare-")
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)
        for name, text in (("spec.json", json.dumps(claimed())), ("plain.c", PLAIN),
                           ("crash.c", CRASH)):
            (self.dir / name).write_text(text)

    def assay(self, *words, code=0):
        ran = subprocess.run([BUILD / "assay", "-s", self.daemon.socket, *map(str, words)], cwd=self.dir, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             stdin=subprocess.DEVNULL,
                             env={**os.environ, "LC_ALL": "C.UTF-8"})
        self.assertEqual(code, ran.returncode, ran.stdout + ran.stderr)
        return ran


class Failing(CommandLine):
    def test_a_variant_that_fails_gives_its_code_and_says_which_it_was(self):
        ran = self.assay("compare", "spec.json", "plain.c", "crash.c", code=80)
        self.assertIn("crashed", ran.stdout)
        self.assertIn("variant: SIGSEGV", ran.stdout)

    def test_without_spec_or_with_one_variant_there_is_nothing_to_compare(self):
        self.assertIn("needs a spec", self.assay("compare", "a.c", "b.c", code=64).stderr)
        self.assertIn("two variants", self.assay("compare", "spec.json", "plain.c", code=64).stderr)
        self.assertIn("crash.c", self.assay("compare", "spec.json", "plain.c", "crash.c", "-O",
                                            "-fplugin=x", code=65).stderr)


class Replayed(CommandLine):
    """The worker replays: each variant takes as long as its source says."""
    worker = REPLAY_WORKER
    SOURCES = (("slow", "400.0"), ("one", "100.0"), ("two", "100.5"))

    def setUp(self):
        super().setUp()
        for name, ns in self.SOURCES:
            (self.dir / f"{name}.c").write_text(f"{PLAIN} /* takes {ns} ns */")

    def test_a_table_shows_which_is_faster_and_how_sure_that_is(self):
        head, first, *rows = self.assay("compare", "spec.json", "slow.c", "one.c",
                                        "two.c").stdout.splitlines()
        self.assertEqual(["variant", "median", "ratio", "interval", "verdict", "pairs", "note"],
                         head.split())
        self.assertEqual("slow", first.split()[0])
        self.assertEqual([("one", "faster"), ("two", "faster")],
                         [(r.split()[0], r[head.index("verdict"):].split()[0]) for r in rows[:2]])
        spreads = "within 0.3 %, between processes 1.1 %; not checked"
        self.assertEqual(["not checked", spreads, spreads],
                         [r[head.index("note"):] for r in (first, *rows[:2])])
        both = json.loads(self.assay("compare", "--spec", "spec.json", "one.c", "two.c", "slow.c",
                                     "--json", "--resolution", "0.5", "--max-pairs", 11,
                                     "--smaller").stdout)["results"]
        self.assertEqual(["indistinguishable", "slower"],
                         [r["comparison"]["verdict"] for r in both])
        self.assertEqual([0.5, 0.5], [r["comparison"]["resolution"] for r in both])

    def test_W65_the_two_best_of_a_sweep_differ_by_a_ratio_and_their_intervals_overlap_or_not(self):
        variants = [variant((self.dir / f"{name}.c").read_text(), name) for name in ("slow", "one")]
        made = self.daemon.call("sweep.create",
                                {"sweep": {"name": "two", "spec": spec(), "variants": variants}})
        self.daemon.call("job.wait", {"ids": made["ids"]})
        best = self.daemon.call("results.best", {"sweep": "two", "top": 2})
        self.assertEqual(["one", "slow"], [result["name"] for result in best["results"]])
        self.assertEqual((0.25, False), (best["difference"]["ratio"],
                                         best["difference"]["overlap"]))

    def test_the_best_of_a_sweep_is_timed_in_turn_with_the_next_before_it_is_named(self):
        (self.dir / "sweep.json").write_text(json.dumps({"name": "three", "spec": claimed(),
                                                         "variants": [
            variant((self.dir / f"{name}.c").read_text(), name) for name, _ in self.SOURCES]}))
        self.assay("sweep", "create", "sweep.json", "--follow")
        found = json.loads(self.assay("best", "three", "--confirm", "--json").stdout)
        confirmed = found["confirmed"]
        self.assertEqual(("one", ["two"], False),
                         (confirmed["name"], [tie["name"] for tie in confirmed["ties"]],
                          confirmed["distinguishable"]))
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
