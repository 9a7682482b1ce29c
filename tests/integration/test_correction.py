#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A ranking that is corrected for the drift of its sweep's yardstick.  The worker replays a host that slows down."""
import contextlib
import csv
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, REPLAY_WORKER, Daemon, DaemonTest, job  # noqa: E402
from moved_clock import MovedClockDaemon  # noqa: E402
from schemas import validator  # noqa: E402

RESULT = validator("result")


def sweep(name, ns, host, every=2, correct=True, **members):
    """Variants by their ns; host: how slow it is at the job 1, 2, …"""
    variants = [{"name": f"v{i}", "language": "c", "source": f"takes {x} ns"} for i, x in enumerate(ns)]
    return {"name": name, "spec": job()["spec"], "variants": variants, "meta": {"host": host},
            "yardstick": {"every": every, "correct": correct}, **members}


def run(daemon, document):
    daemon.call("sweep.create", {"sweep": document})
    daemon.call("job.wait", {"sweep": document["name"]})
    return daemon.call("results.best", {"sweep": document["name"], "top": 100})


def assay(daemon, *words):
    return subprocess.run([BUILD / "assay", "-s", daemon.socket, *map(str, words)], capture_output=True, text=True)


class CorrectionTest(DaemonTest):
    def test_D11_a_ranking_is_corrected_and_says_by_how_much_and_when_not(self):
        # jobs: Y v0 v1 Y v2 v3 Y; v2 is the fastest on a host that is as it was, not as it was timed
        best = run(self.daemon, sweep("s", [100, 104, 97, 99], [1, 1, 1, 1, 1.1, 1.1, 1.1]))
        self.assertEqual({"timings": 3, "first_ns": 100.0, "last_ns": 110.0, "drift": 1.1, "worst_step": 1.1},
                         {name: round(value, 9) for name, value in best["drift"].items()})
        by_name = {result["name"]: result for result in best["results"]}
        self.assertEqual(["noise", "noise"], [by_name[name]["uncorrected"] for name in ("v0", "v1")])
        for name, ns in ("v2", 97), ("v3", 99):
            taken = by_name[name]["time"]["value_ns"]
            self.assertAlmostEqual(1.1 * ns, taken, 9, "it stays as it was taken")
            self.assertTrue(ns <= by_name[name]["corrected_ns"] < taken)
        self.assertEqual({"corrected": 2, "noise": 2}, best["correction"]["results"])
        self.assertTrue(1 < best["correction"]["least"] <= best["correction"]["most"] <= 1.1)
        ranks = [result.get("corrected_ns", result["time"]["value_ns"]) for result in best["results"]]
        self.assertEqual(sorted(ranks), ranks)
        self.assertEqual(best["correction"], self.daemon.call("sweep.get", {"sweep": "s"})["correction"])
        for result in best["results"]:
            RESULT.validate(result)
            self.assertEqual(result, self.daemon.call("job.get", {"id": result["job"]})["result"])

    def test_D11_pages_are_in_the_corrected_order_and_name_it(self):
        first = self.daemon.call("queue.get")["states"]["done"]
        host = [1] * first + [1 + i / 100 for i in range(23)]
        best = run(self.daemon, sweep("p", [100 - 0.1 * i for i in range(17)], host, every=4))["results"]
        paged, query = [], {"sweep": "p", "status": "ok", "order": "fastest", "limit": 3}
        while True:
            page = self.daemon.call("results.query", query)
            self.assertEqual("corrected_ns", page["ranked_by"])
            paged += page["results"]
            if page["next"] is None:
                break
            query["cursor"] = page["next"]
        self.assertEqual(best, paged)
        self.assertNotEqual(sorted(range(17), key=lambda i: paged[i]["time"]["value_ns"]), list(range(17)))
        for more in {"name": "v3"}, {"routine": best[0]["routine"]}, {"since": 1}, {"ids": [r["job"] for r in best]}:
            found = self.daemon.call("results.query", {"sweep": "p", "order": "fastest", "limit": 100, **more})
            self.assertEqual([r for r in best if "name" not in more or r["name"] == "v3"], found["results"], more)
        landed = self.daemon.call("results.query", {"sweep": "p"})
        self.assertNotIn("ranked_by", landed)
        self.assertEqual(sorted(best, key=lambda r: r["cursor"]),
                         [r for r in landed["results"] if not r.get("yardstick")])

    def test_D11_failed_yardsticks_and_wild_ones_correct_nothing_and_say_so(self):
        start = sum(self.daemon.call("queue.get")["states"].values())
        failed = run(self.daemon, sweep("f", [50, 51, 52, 53], [1] * start + [1, 1, 1, 0, 1, 1, 1.1]))
        self.assertEqual({"failed": 4}, failed["correction"]["results"])
        self.assertEqual(["v0", "v1", "v2", "v3"], [result["name"] for result in failed["results"]])
        start = sum(self.daemon.call("queue.get")["states"].values())
        wild = run(self.daemon, sweep("w", [50, 51, 52, 53], [1] * start + [1, 1, 1, 1.3, 1, 1, 1.7]))
        self.assertEqual({"step": 2, "far": 2}, wild["correction"]["results"])
        self.assertIsNone(wild["correction"]["least"])

    def test_D11_without_correct_nothing_changes_and_the_option_asks_for_it(self):
        plain = run(self.daemon, sweep("plain", [10, 11], [1], correct=False))
        self.assertIsNone(plain["correction"])
        self.assertFalse([r for r in plain["results"] if "uncorrected" in r or "corrected_ns" in r])
        start = sum(self.daemon.call("queue.get")["states"].values())
        document = sweep("asked", [60, 61, 62, 63], [1] * start + [1, 1, 1, 1.1, 1.1, 1.1, 1.1])
        del document["yardstick"]
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(document, file)
            file.flush()
            created = assay(self.daemon, "sweep", "create", "--yardstick", "2", "--correct", file.name)
        self.assertEqual(0, created.returncode, created.stderr)
        self.daemon.call("job.wait", {"sweep": "asked"})
        best = assay(self.daemon, "best", "asked", "-n", "9")
        self.assertIn("the ranking is corrected for drift: 4 times were divided by 1.", best.stderr)
        self.assertIn("without drift 62.00 ns", best.stdout)
        self.assertIn("corrected for drift", assay(self.daemon, "sweep", "show", "asked").stderr)
        listed = assay(self.daemon, "results", "--sweep", "asked", "--order", "fastest")
        self.assertIn("ranked without the drift", listed.stderr)
        table = assay(self.daemon, "results", "--sweep", "asked", "--csv").stdout.splitlines()
        self.assertEqual(4, sum(row["corrected_ns"] != "" for row in csv.DictReader(table)))


class KilledTest(unittest.TestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.state = pathlib.Path(home.name)

    def start(self, kind=Daemon):
        daemon = kind(worker=REPLAY_WORKER, state=self.state)
        self.addCleanup(daemon.process.wait)
        self.addCleanup(daemon.process.kill)
        return daemon

    def test_D11_corrections_are_whole_after_kills_at_any_time(self):
        document = sweep("k", [100 + i % 7 for i in range(120)], [1 + i / 1000 for i in range(200)], every=10)
        daemon = self.start()
        daemon.call("sweep.create", {"sweep": document})
        for landed in range(20, 110, 30):
            while daemon.call("sweep.get", {"sweep": "k"})["statuses"].get("ok", 0) < landed:
                continue
            daemon.kill()
            daemon.client.close()
            daemon = self.start()
        daemon.call("job.wait", {"sweep": "k"})
        while daemon.call("sweep.get", {"sweep": "k"})["correction"]["results"].get("waiting"):
            daemon.call("server.info")
        best = daemon.call("results.best", {"sweep": "k", "top": 100})
        self.assertEqual(120, sum(best["correction"]["results"].values()))
        ranks = [result.get("corrected_ns", result["time"]["value_ns"]) for result in best["results"]]
        self.assertEqual(sorted(ranks), ranks)
        self.assertEqual((0, ""), (lambda r: (r.returncode, r.stderr))(assay(daemon, "check")))

    def test_D11_a_yardstick_of_many_results_corrects_the_others_in_slices(self):
        daemon = self.start()
        document = sweep("m", [100] * 200, [1] * 100 + [1.1] * 102, every=200)
        best = run(daemon, document)
        while best["correction"]["results"].get("waiting"):
            best = daemon.call("results.best", {"sweep": "m"})
        self.assertEqual({"corrected": 200}, best["correction"]["results"])

    def test_D11_a_wall_clock_that_is_set_in_between_changes_no_correction(self):
        daemon = self.start(MovedClockDaemon)
        # jobs: Y v0 v1 Y v2 v3 Y
        document = sweep("c", [100, 100, 100, 100], [1, 1, 1, 1, 1.1, 1.1, 1.1])
        daemon.call("sweep.create", {"sweep": document})
        while daemon.call("sweep.get", {"sweep": "c"})["statuses"].get("ok", 0) < 2:
            continue
        daemon.set_wall_clock(-86400)
        daemon.call("job.wait", {"sweep": "c"})
        best = daemon.call("results.best", {"sweep": "c", "top": 9})
        self.assertEqual({"noise": 2, "corrected": 2}, best["correction"]["results"])
        self.assertTrue(1 < best["correction"]["least"] <= best["correction"]["most"] <= 1.1)

    def test_D11_pruning_and_a_backup_keep_the_ranking_in_step_with_its_results(self):
        daemon = self.start()
        run(daemon, sweep("s", [100, 104, 97, 99], [1, 1, 1, 1, 1.1, 1.1, 1.1]))
        copy = self.state / "copy.db"
        self.assertEqual(0, assay(daemon, "backup", copy).returncode)
        with contextlib.closing(sqlite3.connect(copy)) as database:
            self.assertEqual([(4,)], database.execute("SELECT count(*) FROM ranks").fetchall())
        with contextlib.closing(sqlite3.connect(self.state / "assay.db")) as database, database:
            database.execute("UPDATE results SET finished = 1 WHERE job_id <= 3")
        self.assertEqual("pruned 3 results\n", assay(daemon, "prune", "--older-than", "9d").stdout)
        best = daemon.call("results.best", {"sweep": "s", "top": 9})
        self.assertEqual({"corrected": 2}, best["correction"]["results"])
        check = assay(daemon, "check")
        self.assertEqual(0, check.returncode, check.stdout)
        assay(daemon, "prune", "--older-than", "0d", "--sweep", "s")
        with contextlib.closing(sqlite3.connect(self.state / "assay.db")) as database:
            for table in "ranks", "yardsticks", "drifts", "corrections":
                self.assertEqual([(0,)], database.execute(f"SELECT count(*) FROM {table}").fetchall(), table)


if __name__ == "__main__":
    unittest.main(verbosity=2)
