# SPDX-License-Identifier: Apache-2.0
"""Whose turn it is: between users, and past jobs that could not be timed now.  The worker replays."""
import contextlib
import datetime
import json
import os
import pathlib
import shutil
import sqlite3
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import NOBODY, REPLAY_WORKER, TREE, Daemon, DaemonTest, job  # noqa: E402
from moved_clock import MovedClockDaemon  # noqa: E402

AHEAD_MAX = 64                  # built jobs of a user for slots of one width
DAY_S, MINUTE_S = 86400, 60


def states(client):
    return client.call("queue.get", {"limit": 0})["states"]


def window_around(now, minutes):
    """From an hour ago until so many minutes from now, in UTC."""
    first = now - datetime.timedelta(hours=1)
    last = now + datetime.timedelta(minutes=minutes)
    return f"{first:%H:%M}-{last:%H:%M}"


class Windows(unittest.TestCase):
    def setUp(self):
        zone = os.environ.get("TZ")
        os.environ["TZ"] = "UTC"
        self.addCleanup(os.environ.update, {"TZ": zone or ":/etc/localtime"})
        self.daemon = MovedClockDaemon(worker=REPLAY_WORKER)
        self.addCleanup(self.daemon.stop)

    def test_D10_D11_jobs_built_for_a_window_that_has_closed_block_nobody(self):
        client = self.daemon.connect()
        self.addCleanup(client.close)
        blocker = client.call("job.submit", {"job": job(meta={"time": ["hang"]}, priority=100)})["ids"][0]
        while client.call("job.get", {"id": blocker})["state"] != "timing":
            pass
        night = window_around(datetime.datetime.now(datetime.timezone.utc), 30)
        jobs = [job(name=f"v{i}", window=night, priority=50) for i in range(AHEAD_MAX + 10)]
        waiting = client.call("job.submit", {"jobs": jobs})["ids"]
        while states(client)["built"] < AHEAD_MAX:
            pass
        self.daemon.pass_time(2 * 3600)
        other = client.call("job.submit", {"job": job()})["ids"][0]
        client.call("job.cancel", {"id": blocker})
        client.call("job.wait", {"ids": [other]})
        self.assertEqual("done", client.call("job.get", {"id": other})["state"])
        self.assertEqual((AHEAD_MAX, 10), (states(client)["built"], states(client)["queued"]))
        self.daemon.pass_time(DAY_S - 2 * 3600 - 10 * MINUTE_S)
        client.call("job.wait", {"ids": waiting})
        self.assertEqual(len(jobs) + 1, states(client)["done"])

    def test_D11_a_job_sleeps_until_the_wall_clock_says_so_and_expires_by_it(self):
        client = self.daemon.connect()
        self.addCleanup(client.close)
        now = datetime.datetime.now(datetime.timezone.utc).timestamp()
        late = client.call("job.submit", {"job": job(not_before=int(now) + DAY_S)})["ids"]
        never = client.call("job.submit", {"job": job(not_before=int(now) + 9 * DAY_S,
                                                      deadline=int(now) + 10 * DAY_S)})["ids"]
        self.daemon.set_wall_clock(DAY_S + 60)
        client.call("job.wait", {"ids": late})
        self.assertEqual("queued", client.call("job.get", {"id": never[0]})["state"])
        self.daemon.set_wall_clock(11 * DAY_S)
        client.call("job.wait", {"ids": never})
        self.assertEqual("expired", client.call("job.get", {"id": never[0]})["state"])


@unittest.skipIf(os.geteuid() != 0, "only root can be several users")
class Users(DaemonTest):
    def test_D10_ten_jobs_do_not_wait_behind_a_thousand_of_another(self):
        client = self.connect()
        # two of them wait for this program: until the ten are there, and until they are over
        gates = {20: self.daemon.state / "they came", 500: self.daemon.state / "they are over"}
        jobs = [job(name=f"v{i}", meta={"time": ["wait"], "gate": str(gates[i])} if i in gates else None)
                for i in range(1000)]
        many = client.call("job.submit", {"jobs": jobs, "follow": True})["ids"]
        first = client.notification()["result"]["job"]
        self.assertEqual(many[0], first)
        with self.daemon.connect_as_nobody() as other:
            ten = other.call("job.submit", {"jobs": [job(name=f"n{i}") for i in range(10)]})["ids"]
        gates[20].touch()
        client.call("job.wait", {"ids": ten})
        self.assertGreater(states(client)["queued"], 0)
        gates[500].touch()
        client.call("job.wait", {"ids": many})
        done = sqlite3.connect(f"file:{self.daemon.state}/assay.db?mode=ro", uri=True)
        with contextlib.closing(done):
            order = [row[0] for row in done.execute("SELECT job_id FROM results ORDER BY cursor")]
            users = dict(done.execute("SELECT uid, timed_s FROM users"))
        places = sorted(order.index(number) for number in ten)
        # beside the ten: what was being timed or was built for the slot when they came, and a share of the time
        others_between = places[-1] - places[0] - 9
        self.assertLessEqual(others_between, 10, places)
        self.assertEqual({0, NOBODY}, set(users))
        self.assertTrue(all(seconds > 0 for seconds in users.values()), users)


class Recovery(unittest.TestCase):
    def test_D11_a_long_queue_is_complete_for_calls_that_come_while_it_is_read(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        first = Daemon(state=home.name, worker=REPLAY_WORKER)
        self.addCleanup(first.stop)
        count = 5000
        variants = [{"language": "c", "name": f"v{i}", "source": "int same(const int N) { return N; }"}
                    for i in range(count)]
        first.call("sweep.create", {"sweep": {"name": "s", "spec": job()["spec"], "variants": variants,
                                              "not_before": "2100-01-01T00:00:00Z"}})
        first.kill()
        again = Daemon(state=home.name, worker=REPLAY_WORKER)
        self.addCleanup(again.stop)
        client = again.connect()
        self.addCleanup(client.close)
        asked = [client.send("job.wait", {"sweep": "s", "timeout_ms": 0}), client.send("queue.get", {"limit": 0}),
                 client.send("sweep.get", {"sweep": "s"}), client.send("sweep.cancel", {"sweep": "s"})]
        self.assertEqual({"done": False, "left": count}, client.result(asked[0]))
        self.assertEqual(count, client.result(asked[1])["states"]["queued"])
        self.assertEqual(count, client.result(asked[2])["states"]["queued"])
        self.assertEqual(count, client.result(asked[3])["cancelled"])


class OlderDatabase(unittest.TestCase):
    def test_D11_terms_of_an_older_database_are_read_from_its_documents(self):
        with tempfile.TemporaryDirectory() as home:
            path = pathlib.Path(home, "assay.db")
            shutil.copy(TREE / "tests/data/databases/version_4.db", path)
            with contextlib.closing(sqlite3.connect(path)) as db, db:
                number, doc = db.execute("SELECT id, doc FROM jobs WHERE open = 1").fetchone()
                texts = [{"window": "22:05-06:30", "not_before": "2100-01-01T00:30:00+00:30", "threads": 3},
                         {"deadline": 4102448400, "retries": 0, "not_before": 4102444800}]
                for change in texts:
                    db.execute("INSERT INTO jobs (spec_id, submitter, submitted, name, routine, priority, doc) "
                               "SELECT spec_id, submitter, submitted, name, routine, 7, ? FROM jobs WHERE id = ?",
                               (json.dumps({**json.loads(doc), **change}), number))
                db.execute("INSERT INTO jobs (spec_id, submitter, submitted, name, routine, priority, doc) "
                           "SELECT spec_id, submitter, submitted, name, routine, 9, '{' FROM jobs WHERE id = ?",
                           (number,))
                damaged = db.execute("SELECT max(id) FROM jobs").fetchone()[0]
            daemon = Daemon(state=home, worker=REPLAY_WORKER)
            self.addCleanup(daemon.stop)
            daemon.call("job.wait", {"ids": [damaged]})
            result = daemon.call("job.get", {"id": damaged})["result"]
            self.assertEqual(("bad_spec", "its document is damaged"), (result["status"], result["detail"]))
            with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
                rows = db.execute("SELECT not_before, deadline, window_from, window_to, threads, retries FROM jobs "
                                  "WHERE priority = 7 ORDER BY id").fetchall()
            self.assertEqual([(4102444800, 0, 22 * 60 + 5, 6 * 60 + 30, 3, 2),
                              (4102444800, 4102448400, -1, -1, 1, 0)], rows)
            daemon.stop()


if __name__ == "__main__":
    unittest.main()
