# SPDX-License-Identifier: Apache-2.0
"""How the daemon copes with its workers: they die, talk nonsense, lose artifacts, hang.  The worker replays."""
import pathlib
import re
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import DaemonTest, job  # noqa: E402
from moved_clock import MovedClockDaemon  # noqa: E402


class Dispatch(DaemonTest):
    @classmethod
    def new_daemon(cls):
        return MovedClockDaemon(*cls.flags, worker=cls.worker)

    def run_job(self, meta, **members):
        """Submits one job and returns its result."""
        client = self.connect()
        client.call("job.submit", {"job": job(meta=meta, **members), "follow": True})
        return client.notification()["result"]

    def block_the_builder(self, client):
        """A job that builds until it is cancelled; its id."""
        blocker = client.call("job.submit", {"job": job(meta={"build": ["hang"]})})["ids"][0]
        while client.call("job.get", {"id": blocker})["state"] != "building":
            pass
        return blocker

    def test_a_clean_job_is_done_at_the_first_attempt(self):
        result = self.run_job({"samples": [30, 10, 20]})
        self.assertEqual(("ok", 1), (result["status"], result["attempts"]))
        self.assertEqual(10, result["time"]["min_ns"])
        self.assertEqual([30, 10, 20], result["time"]["samples_ns"])

    def test_a_worker_that_dies_while_building_is_replaced_and_the_job_tried_again(self):
        result = self.run_job({"build": ["die", "ok"]})
        self.assertEqual(("ok", 2), (result["status"], result["attempts"]))

    def test_a_worker_that_dies_while_timing_is_replaced_and_the_job_tried_again(self):
        result = self.run_job({"time": ["die", "ok"]})
        self.assertEqual(("ok", 2), (result["status"], result["attempts"]))

    def test_a_worker_that_talks_nonsense_is_replaced(self):
        result = self.run_job({"time": ["garbage", "ok"]})
        self.assertEqual(("ok", 2), (result["status"], result["attempts"]))

    def test_an_answer_to_another_job_is_not_believed(self):
        result = self.run_job({"build": ["wrong_job", "ok"]})
        self.assertEqual(("ok", 2), (result["status"], result["attempts"]))

    def test_a_fault_of_ours_that_stays_ends_internal_after_the_retries(self):
        result = self.run_job({"time": ["internal"]}, retries=1)
        self.assertEqual(("internal", "runtime"), (result["status"], result["invalidity"]))
        self.assertIn("replayed internal", result["detail"])

    def test_a_lost_artifact_is_built_again_and_costs_no_attempt(self):
        result = self.run_job({"time": ["missing", "ok"]}, retries=0)
        self.assertEqual(("ok", 1), (result["status"], result["attempts"]))

    def test_each_outcome_keeps_its_word(self):
        for word in ("build_failed", "build_timeout", "build_limit", "bad_spec"):
            self.assertEqual(word, self.run_job({"build": [word]})["status"])
        for word in ("load_failed", "crashed", "run_timeout", "run_limit", "forbidden", "wrong_answer", "not_finite",
                     "suspect", "too_noisy"):
            result = self.run_job({"time": [word]})
            self.assertEqual((word, f"replayed {word}"), (result["status"], result["detail"]))

    def test_a_bad_variant_stops_nobody_else(self):
        client = self.connect()
        plans = [{"time": ["crashed"]}, {}, {"build": ["build_failed"]}, {}, {"time": ["run_timeout"]}, {}]
        ids = client.call("job.submit", {"jobs": [job(meta=plan) for plan in plans], "follow": True})["ids"]
        words = {}
        while len(words) < len(ids):
            result = client.notification()["result"]
            words[result["job"]] = result["status"]
        self.assertEqual(["crashed", "ok", "build_failed", "ok", "run_timeout", "ok"], [words[i] for i in ids])

    def test_cancelling_a_job_that_is_being_timed_ends_it_cancelled(self):
        client = self.connect()
        ids = client.call("job.submit", {"job": job(meta={"time": ["hang"]}), "follow": True})["ids"]
        while client.call("job.get", {"id": ids[0]})["state"] != "timing":
            pass
        self.assertEqual(ids, client.call("job.cancel", {"ids": ids})["cancelled"])
        self.assertEqual("cancelled", client.notification()["result"]["status"])
        self.assertEqual("cancelled", client.call("job.get", {"id": ids[0]})["state"])

    def test_cancelling_a_job_that_waits_ends_it_at_once(self):
        client = self.connect()
        later = int(time.time()) + 3600
        ids = client.call("job.submit", {"job": job(not_before=later), "follow": True})["ids"]
        self.assertEqual("queued", client.call("job.get", {"id": ids[0]})["state"])
        client.call("job.cancel", {"id": ids[0]})
        self.assertEqual("cancelled", client.notification()["result"]["status"])
        self.assertEqual(ids, client.call("job.cancel", {"id": ids[0]})["final"])

    def test_a_job_whose_deadline_passes_while_it_waits_expires(self):
        client = self.connect()
        blocker = self.block_the_builder(client)
        waiting = job(deadline=int(time.time()) + 3600)
        client.call("job.submit", {"job": waiting, "follow": True})
        self.daemon.set_wall_clock(2 * 3600)
        self.addCleanup(self.daemon.set_wall_clock, 0)
        result = client.notification()["result"]
        self.assertEqual(("expired", "constraints"), (result["status"], result["invalidity"]))
        client.call("job.cancel", {"id": blocker})

    def test_higher_priority_goes_first(self):
        client = self.connect()
        blocker = self.block_the_builder(client)
        jobs = [job(priority=0), job(priority=50), job(priority=-50), job(priority=50)]
        ids = client.call("job.submit", {"jobs": jobs, "follow": True})["ids"]
        client.call("job.cancel", {"id": blocker})
        order = [client.notification()["result"]["job"] for _ in ids]
        self.assertEqual([ids[1], ids[3], ids[0], ids[2]], order)


def slots_on_one_cache():
    """Two CPUs that share their last cache as hwloc sees it; None: there are none."""
    for index in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"), reverse=True):
        shared = (index / "shared_cpu_list").read_text().strip()
        return re.split("[-,]", shared)[:2] if re.search("[-,]", shared) else None
    return None


@unittest.skipIf(slots_on_one_cache() is None, "CPU 0 shares its last cache with no other")
class OneCache(DaemonTest):
    """Two slots on one last cache: a cold timing is alone on it."""
    flags = ("--slots", ";".join(slots_on_one_cache() or ()))

    def state(self, number):
        return self.daemon.call("job.get", {"id": number})["state"]

    def submit(self, context, **members):
        document = job(**members)
        document["spec"] = {"routine": "double first(const double *X)", "args": {"X": {"dims": [9]}},
                            "context": context}
        return self.daemon.call("job.submit", {"job": document})["ids"][0]

    def begin(self, *contexts):
        """Jobs that are timed until they are cancelled; returns once each of them has begun."""
        ids = [self.submit(context, meta={"time": ["hang"]}) for context in contexts]
        while any(self.state(number) != "timing" for number in ids):
            pass
        return ids

    def results(self, *ids):
        self.daemon.call("job.wait", {"ids": list(ids)})
        return [self.daemon.call("job.get", {"id": number})["result"] for number in ids]

    def wait_until_built(self, number):
        while self.state(number) in ("queued", "building"):
            pass
        return self.state(number)

    def test_warm_jobs_are_timed_side_by_side(self):
        running = self.begin("warm", "warm")
        self.daemon.call("job.cancel", {"ids": running})

    def test_a_cold_job_waits_for_what_runs_and_later_jobs_wait_for_it(self):
        running = self.begin("warm")
        cold = self.submit("cold")
        self.assertEqual("built", self.wait_until_built(cold))
        later = self.submit("warm")
        self.assertEqual("built", self.wait_until_built(later))
        self.assertEqual("built", self.state(cold))
        self.daemon.call("job.cancel", {"ids": running})
        first, second = self.results(cold, later)
        self.assertLess(first["cursor"], second["cursor"])

    def test_nothing_is_timed_beside_a_cold_job(self):
        running = self.begin("cold")
        others = [self.submit("warm"), self.submit("cold")]
        for other in others:
            self.assertEqual("built", self.wait_until_built(other))
        self.daemon.call("job.cancel", {"ids": running})
        self.assertEqual(["ok", "ok"], [r["status"] for r in self.results(*others)])


if __name__ == "__main__":
    unittest.main()
