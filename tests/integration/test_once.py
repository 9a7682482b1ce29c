#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A job that was timed before gets that result; one that is fresh is timed, and shows the noise."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import REPLAY_WORKER, Daemon, DaemonTest, RealDaemonTest, job  # noqa: E402

OWN = ("job", "cursor", "name", "meta", "submitted", "finished", "stages_ms", "binary", "driver")
TRIES = 30                      # of a job that others may disturb too much
VARIANT = {"name": "first", "language": "c", "source": "int same(const int N) { return N; }\n"}


def timed(result):
    """What a result and its repeats have in common."""
    return {name: value for name, value in result.items() if name not in (*OWN, "repeat_of")}


class OnceTest(DaemonTest):
    flags = ("--reuse-results", "yes")

    def named(self, source, name="first", meta=None, **members):
        return job(meta=meta, variant={**VARIANT, "source": source, "name": name}, **members)

    def test_D11_a_job_that_was_timed_before_gets_that_result_as_its_own(self):
        first, = self.daemon.run(self.named("takes 11 ns", meta={"by": "one"}))
        again, = self.daemon.run(self.named("takes 11 ns", "again", {"by": "two"}))
        third, = self.daemon.run(self.named("takes 11 ns", "third"))
        self.assertEqual(("ok", None), (first["status"], first.get("repeat_of")))
        self.assertEqual([first["job"]] * 2, [again["repeat_of"], third["repeat_of"]], "of the one that was timed")
        self.assertEqual(timed(first), timed(again))
        self.assertEqual(("again", {"by": "two"}), (again["name"], again["meta"]))
        self.assertLess(first["cursor"], again["cursor"])
        self.assertNotIn("run", again["stages_ms"], "no time of a slot")
        self.assertEqual("done", self.daemon.call("job.get", {"id": again["job"]})["state"])
        found = self.daemon.call("results.query", {"ids": [again["job"]]})["results"]
        self.assertEqual([again], found)

    def test_D11_a_fresh_job_is_timed_and_later_ones_get_the_newest(self):
        first, = self.daemon.run(self.named("takes 12 ns", meta={"samples": [12.0]}))
        fresh, = self.daemon.run(self.named("takes 12 ns", fresh=True))
        later, = self.daemon.run(self.named("takes 12 ns"))
        self.assertNotIn("repeat_of", fresh)
        self.assertIn("run", fresh["stages_ms"])
        self.assertEqual(fresh["job"], later["repeat_of"])
        self.assertNotEqual(first["job"], later["repeat_of"])

    def test_D11_other_terms_of_a_job_are_another_timing(self):
        base = self.named("takes 13 ns")
        self.daemon.run(base)
        others = [{**base, "spec": {**base["spec"], "params": {"N": 8}}},
                  {**base, "spec": {**base["spec"], "timing": {"samples": 4}}},
                  {**base, "threads": 2}, {**base, "timeout_ms": {"run": 5000}},
                  {**base, "against": VARIANT}, self.named("takes 14 ns")]
        for result in self.daemon.run(*others):
            self.assertNotIn("repeat_of", result)
        for result in self.daemon.run(*others):
            self.assertIn("repeat_of", result)

    def test_D11_a_repeated_comparison_names_its_own_sides(self):
        sides = {"variant": {**VARIANT, "source": "takes 3 ns"}, "against": {**VARIANT, "source": "takes 6 ns"}}
        first, = self.daemon.run(job(**sides))
        for side, name in ("variant", "b2"), ("against", "a2"):
            sides[side] = {**sides[side], "name": name}
        again, = self.daemon.run(job(**sides))
        self.assertEqual(first["job"], again["repeat_of"])
        self.assertEqual(("a2", "b2"), tuple(again["comparison"][side]["name"] for side in "ab"))
        self.assertEqual(first["comparison"]["ratio"], again["comparison"]["ratio"])

    def test_D11_only_ok_results_are_given_again(self):
        for word in "wrong_answer", "suspect", "too_noisy":
            doc = self.named(f"takes 15 ns, {word}", meta={"time": [word]})
            self.daemon.run(doc)
            self.assertNotIn("repeat_of", self.daemon.run(doc)[0], word)
        doc = self.named("takes 16 ns")
        self.daemon.run({**doc, "meta": {"build": ["build_failed"]}})
        self.assertNotIn("repeat_of", self.daemon.run(doc)[0])

    def test_D11_equal_jobs_that_are_alive_at_once_are_timed_once_in_one_slot(self):
        results = self.daemon.run(*[self.named("takes 17 ns", f"v{i}") for i in range(300)])
        self.assertEqual(["ok"] * 300, [result["status"] for result in results])
        self.assertEqual(1, sum("repeat_of" not in result for result in results))

    def test_D11_a_job_behind_an_equal_one_that_fails_is_timed(self):
        failed = self.named("takes 18 ns", meta={"time": ["crashed"]})
        results = self.daemon.run(failed, self.named("takes 18 ns"), self.named("takes 18 ns"))
        self.assertEqual(["crashed", "ok", "ok"], [result["status"] for result in results])
        self.assertEqual(results[1]["job"], results[2]["repeat_of"])

    def test_D11_a_cancelled_job_ends_so_even_if_it_was_timed_before(self):
        self.daemon.run(self.named("takes 19 ns"))
        slow = self.daemon.call("job.submit", {"job": self.named("x", meta={"build": ["hang"]})})["ids"]
        ids = self.daemon.call("job.submit", {"job": self.named("takes 19 ns", meta={"build": ["hang"]})})["ids"]
        self.daemon.call("job.cancel", {"ids": slow + ids})
        self.daemon.call("job.wait", {"ids": slow + ids})
        self.assertEqual("cancelled", self.daemon.call("job.get", {"id": ids[0]})["status"])

    def test_D11_a_sweep_shows_the_spread_of_what_it_timed_again(self):
        sweep = {"name": "noisy", "spec": job()["spec"], "fresh": True,
                 "variants": [{**VARIANT, "source": "spread"}] * 4}
        self.daemon.call("sweep.create", {"sweep": sweep})
        self.daemon.call("job.wait", {"sweep": "noisy"})
        noise = self.daemon.call("sweep.get", {"sweep": "noisy"})["noise"]
        self.assertEqual({"spread": 0.0, "identities": 1, "timings": 4}, noise)
        self.assertEqual(noise, self.daemon.call("results.best", {"sweep": "noisy"})["noise"])
        plain = {**sweep, "name": "plain", "fresh": False}
        self.daemon.call("sweep.create", {"sweep": plain})
        self.daemon.call("job.wait", {"sweep": "plain"})
        self.assertIsNone(self.daemon.call("sweep.get", {"sweep": "plain"})["noise"])


class YardstickTest(DaemonTest):
    flags = ("--reuse-results", "yes")

    def sweep(self, name, count, **yardstick):
        variants = [{**VARIANT, "name": f"v{i}", "source": f"takes {20 + i} ns"} for i in range(count)]
        self.daemon.call("sweep.create", {"sweep": {"name": name, "spec": job()["spec"], "variants": variants,
                                                    "yardstick": yardstick}})
        self.daemon.call("job.wait", {"sweep": name})
        return self.daemon.call("results.query", {"sweep": name})["results"]

    def test_D11_the_yardstick_is_timed_first_after_every_n_jobs_and_last_and_never_ranked(self):
        results = self.sweep("seven", 7, every=3)
        order = ["Y" if result.get("yardstick") else result["name"] for result in results]
        by_id = [kind for _, kind in sorted(zip([result["job"] for result in results], order))]
        self.assertEqual(["Y", "v0", "v1", "v2", "Y", "v3", "v4", "v5", "Y", "v6", "Y"], by_id)
        yardsticks = [result for result in results if result.get("yardstick")]
        self.assertEqual({"v0"}, {result["name"] for result in yardsticks})
        self.assertFalse([result for result in yardsticks if "repeat_of" in result], "each is timed")
        best = self.daemon.call("results.best", {"sweep": "seven", "top": 20})
        self.assertEqual([f"v{i}" for i in range(7)], [result["name"] for result in best["results"]])
        self.assertEqual({"timings": 4, "first_ns": 20.0, "last_ns": 20.0, "drift": 1.0, "worst_step": 1.0},
                         best["drift"])
        self.assertEqual(best["drift"], self.daemon.call("sweep.get", {"sweep": "seven"})["drift"])

    def test_D11_a_variant_can_be_named_as_the_yardstick(self):
        results = self.sweep("named", 2, variant="v1")
        self.assertEqual({"v1"}, {result["name"] for result in results if result.get("yardstick")})
        refused = {"name": "no", "spec": job()["spec"], "variants": [VARIANT], "yardstick": {"variant": "none"}}
        self.assert_refused(self.connect(), "sweep.create", {"sweep": refused}, "bad_spec", "sweep.yardstick.variant")

    def test_D11_the_same_sweep_again_has_the_same_yardsticks(self):
        sweep = {"name": "again", "key": "k", "spec": job()["spec"], "yardstick": {"every": 1},
                 "template": {**VARIANT, "source": "takes 9 ns"}, "space": {"A": [1, 2]}}
        first = self.daemon.call("sweep.create", {"sweep": sweep})
        again = self.daemon.call("sweep.create", {"sweep": sweep})
        self.assertEqual((5, True, first["ids"]), (len(first["ids"]), again["existed"], again["ids"]))


class RestartTest(unittest.TestCase):
    def test_D11_results_are_given_again_by_a_later_daemon_but_not_where_it_is_switched_off(self):
        doc = job()
        state = self.enterContext(tempfile.TemporaryDirectory(prefix="assay-"))
        first = Daemon("--reuse-results", "yes", worker=REPLAY_WORKER, state=state)
        timed_job = first.run(doc)[0]["job"]
        first.kill()
        first.client.close()
        for setting, expected in ("yes", timed_job), ("no", None), ("yes", None):
            daemon = Daemon("--reuse-results", setting, worker=REPLAY_WORKER, state=state)
            result, = daemon.run(doc)
            daemon.stop()
            if expected is None and setting == "yes":       # what was timed in between is newer
                self.assertEqual(between, result["repeat_of"])
            else:
                self.assertEqual(expected, result.get("repeat_of"))
            between = result["job"]


class RealOnceTest(RealDaemonTest):
    flags = ("--reuse-results", "yes")

    def test_D11_sources_that_build_to_the_same_bytes_are_timed_once(self):
        def of(source):
            return job(variant={**VARIANT, "source": source, "flags": ["-O2"]})
        for _ in range(TRIES):          # only what is ok is given again
            first, = self.daemon.run(of("int same(const int N) { return N; }\n"))
            if first["status"] != "too_noisy":
                break
        same, other = self.daemon.run(of("/* another text */\nint same(int N) { return N + 1 - 1; }\n"),
                                      of("int same(const int N) { return N + (N >> 4); }\n"))
        self.assertEqual("ok", first["status"], first["detail"])
        self.assertEqual(first["job"], same["repeat_of"])
        self.assertNotEqual(first["binary"], same["binary"], "the name of its own recipe")
        self.assertNotIn("repeat_of", other)


if __name__ == "__main__":
    unittest.main(verbosity=2)
