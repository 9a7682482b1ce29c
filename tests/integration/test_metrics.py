# SPDX-License-Identifier: Apache-2.0
"""GET /metrics: strictly Prometheus text, every family as proto/PROTOCOL.md lists it, and each one moves with work."""
import collections
import os
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness
from harness import Daemon, job

LISTED = re.findall(r"^\| `((?:assay|process)_\w+)`((?: `\w+`)*) \| (\w+) \|",
                    (harness.TREE / "proto" / "PROTOCOL.md").read_text(), re.MULTILINE)
NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
SAMPLE = re.compile(rf'({NAME})(?:\{{((?:{NAME}="(?:[^"\\\n]|\\[\\n"])*",?)*)\}})? (\S+)\Z')
LABEL = re.compile(rf'({NAME})="((?:[^"\\\n]|\\[\\n"])*)"(?:,|\Z)')
USER_SECONDS = f"assay_user_timing_seconds_total uid={os.geteuid()}"
TYPES = ("counter", "gauge", "histogram")


class Family:
    def __init__(self, kind):
        self.kind = kind
        self.samples = {}       # by (name, labels)


def parse(text):
    """Families by name; refuses what the format's text does not allow."""
    families, family, named = {}, None, None
    assert text.endswith("\n")
    for line in text[:-1].split("\n"):
        if line.startswith("# HELP "):
            named, words = line[7:].split(" ", 1)
            assert re.fullmatch(NAME, named) and words and named not in families, line
        elif line.startswith("# TYPE "):
            name, kind = line[7:].split(" ")
            assert name == named and kind in TYPES, line
            family = families[name] = Family(kind)
        else:
            sample = SAMPLE.match(line)
            assert sample, line
            name, labels = sample[1], dict(LABEL.findall(sample[2] or ""))
            base = re.sub(r"_(bucket|sum|count)\Z", "", name) if family.kind == "histogram" else name
            assert base == named, f"{line}: not below its head"
            key = (name, tuple(sorted(labels.items())))
            assert key not in family.samples, f"{line}: twice"
            family.samples[key] = float(sample[3])
    for name, family in families.items():
        check(name, family)
    return families


def check(name, family):
    if family.kind == "counter":
        assert name.endswith("_total"), name
    if family.kind in ("counter", "histogram"):
        assert all(value >= 0 for value in family.samples.values()), name
    if family.kind == "histogram":
        buckets = [(float(dict(labels)["le"]), value) for (n, labels), value in family.samples.items()
                   if n == f"{name}_bucket"]
        assert buckets == sorted(buckets) and buckets[-1][0] == float("inf"), name
        assert [v for _, v in buckets] == sorted(v for _, v in buckets), name
        assert buckets[-1][1] == family.samples[f"{name}_count", ()], name
        assert (f"{name}_sum", ()) in family.samples, name


class Metrics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--builders", "1", worker=harness.REPLAY_WORKER)
        cls.addClassCleanup(cls.daemon.stop)

    def scrape(self, daemon=None):
        """Values by name and labels."""
        response = (daemon or self.daemon).http("GET", "/metrics")
        self.assertEqual((200, "0.0.4"), (response.status, response.headers.get_param("version")))
        self.families = parse(response.body.decode())
        flat = collections.defaultdict(float)
        for family in self.families.values():
            for (name, labels), value in family.samples.items():
                flat[name + "".join(f" {k}={v}" for k, v in labels)] = value
        return flat

    def test_D1_all_families_are_in_the_document_with_their_type_and_label(self):
        self.daemon.run(job("timed"))
        self.scrape()
        self.assertEqual({name: kind for name, _, kind in LISTED},
                         {name: family.kind for name, family in self.families.items()})
        labels = {name: label for name, label, _ in LISTED}
        for name, family in self.families.items():
            for _, pairs in family.samples:
                given = {key for key, _ in pairs} - ({"le"} if family.kind == "histogram" else set())
                self.assertEqual(set(labels[name].replace("`", "").split()), given, name)

    def test_D1_work_moves_them(self):
        before = self.scrape()
        self.daemon.run(job("good"), job("bad", meta={"build": ["build_failed"]}))
        after = self.scrape()
        moved = {name: after[name] - before[name] for name in after}
        self.assertEqual(2, moved["assay_jobs_total"])
        self.assertEqual(1, moved["assay_results_total status=ok"])
        self.assertEqual(1, moved["assay_waiting_seconds_count"])
        self.assertEqual(2, moved["assay_build_seconds_count"])
        self.assertEqual(1, moved["assay_timing_seconds_count"])
        self.assertGreater(moved["assay_timing_seconds_sum"], 0)
        self.assertGreater(moved[USER_SECONDS], 0)
        self.assertGreater(moved["assay_commit_seconds_count"], 0)
        self.assertGreaterEqual(moved["assay_http_answers_total code=200"], 1)
        self.daemon.http("GET", "/nowhere")
        self.assertEqual(before["assay_http_answers_total code=404"] + 1, self.scrape()["assay_http_answers_total code=404"])

    def test_D1_seconds_of_users_go_on_after_a_restart_and_when_results_are_pruned(self):
        with tempfile.TemporaryDirectory() as state:
            for attempt in (1, 2, 3):
                daemon = Daemon(state=state, worker=harness.REPLAY_WORKER)
                self.addCleanup(daemon.stop)
                begin = self.scrape(daemon)[USER_SECONDS]
                if attempt > 1:
                    self.assertEqual(end, begin)
                daemon.run(job(f"good{attempt}"), job("twice", meta={"time": ["internal", "ok"]}))
                end = self.scrape(daemon)[USER_SECONDS]
                self.assertGreater(end, begin)
                self.assertEqual(2, daemon.call("store.prune", {"older_than_s": 0})["results"])
                self.assertEqual(end, self.scrape(daemon)[USER_SECONDS])
                daemon.stop()

    def test_D1_the_oldest_job_and_busy_slots_are_seen(self):
        self.assertEqual(0, self.scrape()["assay_oldest_job_age_seconds"])
        ids = self.daemon.call("job.submit", {"jobs": [job("hangs", meta={"time": ["hang"]})]})["ids"]
        while self.scrape()["assay_slots state=busy"] != 1:
            continue
        now = self.scrape()
        self.assertGreater(now["assay_oldest_job_age_seconds"], 0)
        self.assertEqual(1, now["assay_jobs state=timing"])
        self.assertEqual(0, now["assay_slots state=idle"])
        self.daemon.call("job.cancel", {"ids": ids})
        self.daemon.call("job.wait", {"ids": ids})

    def test_D1_a_dead_worker_is_a_restart_and_a_malformed_message_a_kill(self):
        before = self.scrape()
        self.daemon.run(job("dies", meta={"time": ["die", "ok"]}), job("lies", meta={"build": ["garbage", "ok"]}))
        while self.scrape()["assay_worker_restarts_total"] < before["assay_worker_restarts_total"] + 2:
            continue
        after = self.scrape()
        self.assertEqual(before["assay_worker_kills_total reason=malformed"] + 1,
                         after["assay_worker_kills_total reason=malformed"])

    def test_D1_what_the_gate_refused_is_counted(self):
        before = self.scrape()
        evidence = {"taken": 50, "canary_rejected": 7, "memory_rejected": 2}
        self.daemon.run(job("noisy", meta={"evidence": evidence}))
        after = self.scrape()
        self.assertEqual((50, 7, 2), tuple(after[name] - before[name] for name in (
            "assay_samples_total", "assay_gate_rejects_total by=canary", "assay_gate_rejects_total by=memory")))

    def test_D1_files_and_the_process_have_sizes(self):
        folder = self.daemon.state / "cache" / "ab"
        folder.mkdir(parents=True)
        (folder / "object.so").write_bytes(bytes(12345))
        self.addCleanup(folder.rmdir)
        self.addCleanup((folder / "object.so").unlink)
        database = self.daemon.state / "assay.db"
        while True:             # the cache is measured now and then; the database may grow meanwhile
            size, now = database.stat().st_size, self.scrape()
            if (now["assay_cache_bytes"] == 12345 and now["assay_loop_lag_seconds_count"] > 0
                    and size == database.stat().st_size):
                break
        self.assertEqual(size, now["assay_database_bytes"])
        for name in ("assay_wal_bytes", "assay_database_free_bytes", "assay_cache_free_bytes", "process_open_fds",
                     "assay_loop_lag_seconds_count", "process_resident_memory_bytes", "assay_ready"):
            self.assertGreater(now[name], 0, name)
        with self.daemon.connect(), self.daemon.connect():
            # those of the daemon's own doing come and go
            while self.scrape()["process_open_fds"] < now["process_open_fds"]:
                continue

    def test_D1_a_line_that_is_too_long_is_a_connection_cut_off(self):
        before, cut_off = self.scrape(), "assay_connections_cut_off_total door=rpc reason=malformed"
        with self.daemon.connect() as client:
            try:
                client.send_bytes(b"x" * (17 << 20))
            except (BrokenPipeError, ConnectionResetError):
                pass
            self.assertTrue(client.is_cut_off())
        self.assertEqual(before[cut_off] + 1, self.scrape()[cut_off])


class Parser(unittest.TestCase):
    """The test's own parser refuses."""
    def test_the_parser_refuses_what_is_no_exposition(self):
        good = "# HELP a b\n# TYPE a gauge\na 1\n"
        parse(good)
        for bad in (good[:-1], "a 1\n", good + "b 1\n", good + "a 2\n", good.replace("gauge", "counter"),
                    good.replace("gauge", "number"), good.replace("a 1", "a one"), good + good):
            with self.subTest(bad), self.assertRaises((AssertionError, ValueError, AttributeError)):
                parse(bad)


if __name__ == "__main__":
    unittest.main()
