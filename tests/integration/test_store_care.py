# SPDX-License-Identifier: Apache-2.0
"""A copy of the database while the daemon runs, a start from it, and what a check finds.  The worker replays."""
import contextlib
import json
import os
import pathlib
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, REPLAY_WORKER, TIMEOUT_S, TREE, Daemon, RpcError, job  # noqa: E402

SCHEMA = TREE / "schema"


def assay(daemon, *words):
    return subprocess.run([BUILD / "assay", "-s", daemon.socket, *map(str, words)], capture_output=True, text=True)


class Care(unittest.TestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.home = pathlib.Path(home.name)

    def start(self, name):
        (self.home / name).mkdir(exist_ok=True)
        daemon = Daemon(state=self.home / name, worker=REPLAY_WORKER)
        self.addCleanup(daemon.process.wait)
        self.addCleanup(daemon.process.terminate)
        return daemon

    def damage(self, state, sql):
        with contextlib.closing(sqlite3.connect(state / "assay.db", timeout=TIMEOUT_S)) as database, database:
            database.execute(sql)

    def test_D10_a_backup_is_a_database_to_start_from_and_overwrites_nothing(self):
        first = self.start("a")
        results = first.run(*[job(name=f"v{i}") for i in range(5)])
        copy = self.home / "copy.db"
        run = assay(first, "backup", copy)
        self.assertEqual((0, ""), (run.returncode, run.stderr))
        first.run(job(name="later"))
        again = assay(first, "backup", copy)
        self.assertEqual(67, again.returncode, again.stderr)
        self.assertEqual(0o600, os.stat(copy).st_mode & 0o777)
        (self.home / "b").mkdir()
        shutil.copy(copy, self.home / "b" / "assay.db")
        second = self.start("b")
        self.assertEqual(results, second.call("results.query", {})["results"])
        self.assertEqual(0, assay(second, "check").returncode)
        self.assertEqual(6, second.run(job(name="new"))[0]["job"])

    def test_D10_a_queue_read_from_the_disk_keeps_the_log_of_writes_short(self):
        """A statement that stays open in the daemon would keep SQLite from every checkpoint."""
        first = self.start("a")
        later = 4000000000
        first.call("job.submit", {"jobs": [job(name=f"w{i}", not_before=later) for i in range(300)]})
        ids = first.call("job.submit", {"jobs": [job(name=f"v{i}") for i in range(300)]})["ids"]
        first.kill()
        daemon = self.start("a")
        while not daemon.call("job.wait", {"ids": ids, "timeout_ms": 30000})["done"]:
            continue
        end = time.monotonic() + TIMEOUT_S
        with contextlib.closing(sqlite3.connect(self.home / "a/assay.db")) as database:
            while True:         # a statement that is under way ends soon
                ((_, logged, copied),) = database.execute("PRAGMA wal_checkpoint(PASSIVE)")
                if logged == copied or time.monotonic() > end:
                    break
        self.assertEqual(logged, copied)

    def test_D10_a_check_names_each_damaged_row_and_pages_leave_results_out(self):
        daemon = self.start("a")
        daemon.run(*[job(name=f"v{i}") for i in range(5)])
        whole = assay(daemon, "check")
        self.assertEqual((0, "whole: 5 results, 5 jobs\n"), (whole.returncode, whole.stdout))
        self.damage(daemon.state, "UPDATE results SET json = replace(json, 'job', 'jub') WHERE job_id = 2")
        self.damage(daemon.state, "UPDATE jobs SET doc = replace(doc, 'v3', 'v9') WHERE id = 4")
        self.damage(daemon.state, "UPDATE counters SET n = n + 1 WHERE sweep_id = 0 AND what = 'jobs'")
        page = daemon.call("results.query", {})
        self.assertEqual(([1, 3, 4, 5], [2]), ([r["job"] for r in page["results"]], page["damaged"]))
        daemon.call("results.query", {})
        self.assertEqual(1, daemon.log().count("job=2 its stored result is damaged"))
        run = assay(daemon, "check")
        self.assertEqual(74, run.returncode, run.stderr)
        self.assertEqual(["damaged: result of job 2", "damaged: job 4",
                          "counters: sweep 0, jobs: counted 6, there are 5"], run.stdout.splitlines())
        self.assertFalse(json.loads(assay(daemon, "--json", "check").stdout)["ok"])

    @contextlib.contextmanager
    def locked(self, daemon):
        """Another process holds the write lock."""
        with contextlib.closing(sqlite3.connect(daemon.state / "assay.db", TIMEOUT_S, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            yield
            database.execute("ROLLBACK")

    def test_D10_while_another_process_has_the_lock_reads_go_on_and_a_submission_waits(self):
        daemon = self.start("a")
        daemon.run(job(name="before"))
        with daemon.connect() as writer:
            with self.locked(daemon):
                submission = writer.send("job.submit", {"jobs": [job(name="meanwhile")]})
                other = writer.send("sweep.create", {"sweep": {"name": "s", "spec": job()["spec"],
                                                               "variants": [job()["variant"]]}})
                self.assertEqual(1, daemon.call("results.query", {})["results"][0]["job"])
                while "locked" not in daemon.http("GET", "/readyz").body.decode():
                    continue
                while "another process holds its write lock: writes wait" not in daemon.log():
                    continue
                self.assertFalse(select.select([writer.socket], [], [], 0)[0])
            self.assertEqual([2], writer.result(submission)["ids"])
            self.assertEqual([3], writer.result(other)["ids"])
        self.assertTrue(daemon.call("job.wait", {"ids": [2, 3]})["done"])
        self.assertEqual(200, daemon.http("GET", "/readyz").status)
        self.assertEqual(1, daemon.log().count("writes wait"))

    def test_D10_a_result_that_meets_the_lock_waits_in_memory_and_is_stored_then(self):
        daemon = self.start("a")
        gate = self.home / "gate"       # what comes behind it ends while the lock is taken
        metas = [None] * 100 + [{"time": ["wait"], "gate": str(gate)}] + [None] * 99
        ids = daemon.call("job.submit", {"jobs": [job(name=f"v{i}", meta=m) for i, m in enumerate(metas)]})["ids"]
        with self.locked(daemon):
            gate.touch()
            while "locked" not in daemon.http("GET", "/readyz").body.decode():
                daemon.call("server.info")
        self.assertTrue(daemon.call("job.wait", {"ids": ids})["done"])
        found = [r["job"] for r in daemon.call("results.query", {"limit": 1000})["results"]]
        self.assertEqual((ids, ids), (sorted(found), sorted(set(found))))
        self.assertNotIn("could not be stored", daemon.log())
        self.assertEqual(0, assay(daemon, "check").returncode)

    def test_D10_a_yardstick_that_ends_at_the_lock_is_kept_once_when_it_is_free(self):
        daemon = self.start("a")
        for times in 1, 2:
            with self.locked(daemon):
                running = daemon.connect()
                call = running.send("host.reference")
                while "locked" not in daemon.http("GET", "/readyz").body.decode():
                    continue
            running.result(call)
            running.close()
            while daemon.call("host.get")["reference"]["running"]:
                daemon.call("server.info")
            reference = daemon.call("host.get")["reference"]
            self.assertIsNone(reference["failed"])
            self.assertEqual([times] * 2, [len(kernel["history"]) for kernel in reference["kernels"]])

    def test_D10_what_waited_for_the_lock_when_the_daemon_was_stopped_was_not_acknowledged(self):
        daemon = self.start("a")
        with daemon.connect() as writer, self.locked(daemon):
            submission = writer.send("job.submit", {"jobs": [job()]})
            while "locked" not in daemon.http("GET", "/readyz").body.decode():
                continue
            daemon.process.kill()
            self.assertEqual([], [m for m in writer.received() if m.get("id") == submission])
        daemon.process.wait()
        self.assertEqual([], self.start("a").call("queue.get")["jobs"])

    def make_old(self, daemon, ids):
        with contextlib.closing(sqlite3.connect(daemon.state / "assay.db", TIMEOUT_S)) as database, database:
            database.executemany("UPDATE results SET finished = finished - 8640000 WHERE job_id = ?",
                                 [[i] for i in ids])

    def test_D10_pruning_removes_old_results_with_jobs_and_empty_sweeps_and_numbers_go_on(self):
        daemon = self.start("a")
        kept = daemon.run(job(name="kept", key="k"), job(name="old", key="o"))[0]
        point = job()
        sweep = daemon.call("sweep.create", {"sweep": {"name": "s", "variants": [point["variant"]] * 100,
                                                       "spec": point["spec"] | {"params": {"N": 8}}}})["ids"]
        daemon.call("job.wait", {"ids": sweep})
        newest = daemon.run(job(name="last", spec=point["spec"] | {"params": {"N": 9}}))[0]["job"]
        self.make_old(daemon, [2, *sweep])
        self.assertEqual("101 results would be pruned\n",
                         assay(daemon, "prune", "--older-than", "90d", "--dry-run").stdout)
        run = assay(daemon, "prune", "--older-than", "90d")
        self.assertEqual((0, "pruned 101 results\n"), (run.returncode, run.stdout), run.stderr)
        self.assertEqual([kept["job"], newest], [r["job"] for r in daemon.call("results.query", {})["results"]])
        for call, params in (("job.get", {"id": 2}), ("job.wait", {"ids": [2]}), ("job.spec", {"id": 2})):
            with self.assertRaises(RpcError) as refusal:
                daemon.call(call, params)
            self.assertEqual("not_found", refusal.exception.word)
            self.assertIn("was pruned", refusal.exception.data["reason"])
        with self.assertRaises(RpcError):
            daemon.call("sweep.get", {"sweep": "s"})
        with contextlib.closing(sqlite3.connect(daemon.state / "assay.db")) as database:
            self.assertEqual([(1,), (3,)], database.execute("SELECT id FROM specs ORDER BY id").fetchall())
        again = daemon.run(job(name="old", key="o"))[0]
        self.assertEqual(newest + 1, again["job"])
        check = assay(daemon, "check")
        self.assertEqual((0, "whole: 3 results, 3 jobs\n"), (check.returncode, check.stdout))
        self.assertIn("assay_jobs_total", daemon.http("GET", "/metrics").body.decode())

    def for_all(self):
        """A daemon that every user of the host reaches, with a result of this one."""
        daemon = Daemon("--socket-mode", "0666", worker=REPLAY_WORKER)
        self.addCleanup(daemon.stop)
        os.chmod(daemon.state, 0o755)
        daemon.run(job(name="roots"))
        return daemon

    def test_D10_a_user_prunes_its_own_results_alone_and_a_sweep_limits_it(self):
        daemon = self.for_all()
        with daemon.connect_as_nobody() as other:
            daemon.run(job(name="theirs"), client=other)
            for user in (0, "root"):
                self.assertEqual("denied", self.refused(other, user).word)
            self.assertEqual("not_found", self.refused(other, "no-such-user").word)
            self.assertEqual(1, other.call("store.prune", {"older_than_s": 0})["results"])
        self.assertEqual([1], [r["job"] for r in daemon.call("results.query", {})["results"]])

    def refused(self, client, user):
        with self.assertRaises(RpcError) as refusal:
            client.call("store.prune", {"older_than_s": 0, "user": user})
        return refusal.exception

    def test_D10_an_operator_prunes_a_users_results_by_name(self):
        daemon = self.for_all()
        with daemon.connect_as_nobody() as other:
            daemon.run(job(name="theirs"), client=other)
        run = assay(daemon, "prune", "--older-than", "0d", "--user", "nobody")
        self.assertEqual((0, "pruned 1 result\n"), (run.returncode, run.stdout), run.stderr)
        self.assertEqual(["roots"], [r["name"] for r in daemon.call("results.query", {})["results"]])

    def test_D10_results_older_than_the_setting_keep_are_pruned_after_a_reload(self):
        (self.home / "assayd.conf").write_text("")
        (self.home / "a").mkdir()
        daemon = Daemon("--config", self.home / "assayd.conf", state=self.home / "a", worker=REPLAY_WORKER)
        self.addCleanup(daemon.process.wait)
        self.addCleanup(daemon.process.terminate)
        daemon.run(job(name="old"), job(name="new"))
        self.make_old(daemon, [1])
        (self.home / "assayd.conf").write_text("keep = 90d\n")
        daemon.process.send_signal(signal.SIGHUP)
        while "pruned results=1 " not in daemon.log():
            continue
        self.assertEqual([2], [r["job"] for r in daemon.call("results.query", {})["results"]])

    def old_database(self):
        """Version 6, with a job and its result."""
        state = self.home / "old"
        state.mkdir()
        with contextlib.closing(sqlite3.connect(state / "assay.db")) as database, database:
            for file in sorted(SCHEMA.glob("00[1-6]-*.sql")):
                database.executescript(file.read_text())
            document = job(name="old")
            spec = json.dumps(document.pop("spec"), sort_keys=True, separators=(",", ":"))
            database.execute("INSERT INTO specs VALUES (1, 1, ?)", [spec])
            database.execute("INSERT INTO jobs (id, spec_id, submitter, submitted, name, routine, priority, open, doc)"
                             " VALUES (1, 1, 0, 1e9, 'old', 'r', 0, 0, ?)", [json.dumps(document)])
            database.execute("INSERT INTO results (job_id, submitter, status, name, routine, finished, json)"
                             " VALUES (1, 0, 'ok', 'old', 'r', 1e9, '{\"job\": 1}')")
            database.execute("PRAGMA user_version = 6")
        return state

    def test_D10_a_database_of_an_older_version_is_copied_before_it_is_changed(self):
        state = self.old_database()
        daemon = self.start("old")
        self.assertEqual([1], [r["job"] for r in daemon.call("results.query", {})["results"]])
        self.assertIn("made before the migration", daemon.log())
        copy = state / "assay.db.v6"
        with contextlib.closing(sqlite3.connect(copy)) as database:
            self.assertEqual([(6,)], database.execute("PRAGMA user_version").fetchall())
            self.assertEqual([("old",)], database.execute("SELECT name FROM jobs").fetchall())
        before = copy.read_bytes()
        daemon.stop()
        shutil.copy(copy, state / "assay.db")
        again = self.start("old")
        self.assertIn("is there already, and stays", again.log())
        self.assertEqual(before, copy.read_bytes())

    def test_D10_without_a_copy_a_database_of_an_older_version_stays_as_it_is(self):
        state = self.old_database()
        (state / "assay.db.v6.part").mkdir()
        with self.assertRaises(RuntimeError) as refusal:
            Daemon(state=state, worker=REPLAY_WORKER)
        self.assertIn("the database is unchanged", str(refusal.exception))
        with contextlib.closing(sqlite3.connect(state / "assay.db")) as database:
            self.assertEqual([(6,)], database.execute("PRAGMA user_version").fetchall())


if __name__ == "__main__":
    unittest.main()
