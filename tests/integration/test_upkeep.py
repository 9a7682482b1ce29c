# SPDX-License-Identifier: Apache-2.0
# not for sanitizers: its daemons take the ways of others, and it looks at what a calibration says
# takes about 100 s; time limit: 1800 s
"""What a host finds out about itself: its flush area by calibration, its noise floor by a reference kernel."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import BUILD, REPLAY_WORKER, Daemon, DaemonTest, job  # noqa: E402

FAR = 4102444800


def until_over(daemon):
    """host.get once no task of the daemon's own is under way."""
    while True:
        host = daemon.call("host.get")
        if not host["calibration"]["running"] and not host["reference"]["running"]:
            return host
        time.sleep(0.02)        # what is timed needs the CPU


def run(daemon, document):
    ids = daemon.call("job.submit", {"job": document})["ids"]
    daemon.call("job.wait", {"ids": ids})
    return daemon.call("job.get", {"id": ids[0]})["result"]


def ordered(daemon, document):
    """What came with the last order to time that job, after its end."""
    result = run(daemon, document)
    return json.loads((pathlib.Path(daemon.state) / f"replay-{result['job']}-time.json").read_text())


def cold_job():
    """One that is flushed by reading an area."""
    document = job()
    document["spec"] = {"routine": "double first(const double *X)", "args": {"X": {"dims": [100]}},
                        "timing": {"flush": {"method": "OneCallFlushLRU"}, "samples": 2}}
    document["variant"]["source"] = "double first(const double *X) { return X[0]; }\n"
    return document


class Calibration(DaemonTest):
    """The worker replays a cache that must be read over three times."""
    flags = ("--builders", "1")         # one that hangs holds up all

    def test_W26_the_area_is_grown_until_the_time_stops_rising_kept_and_used(self):
        state = tempfile.TemporaryDirectory()
        self.addCleanup(state.cleanup)
        daemon = Daemon(worker=REPLAY_WORKER, state=state.name)
        self.addCleanup(lambda: daemon.stop())
        self.assertIsNone(ordered(daemon, job()).get("calibrated"))
        self.assertTrue(daemon.call("host.calibrate")["running"])
        host = until_over(daemon)
        last = host["calibration"]["last"]
        self.assertEqual("found", last["outcome"])
        largest = max(host["caches"][c] for c in ("l1_bytes", "l2_bytes", "l3_bytes"))
        if largest == host["caches"]["l3_bytes"]:
            self.assertTrue(2 * largest < last["flush_bytes"] <= 3 * largest, last)
        self.assertEqual(last["caches"], host["caches"])
        sizes = [p["bytes"] for p in last["points"]]
        self.assertEqual(sorted(set(sizes)), sizes)
        self.assertEqual((0, 1), (last["points"][0]["coldness"], last["points"][-1]["coldness"]))
        for point in last["points"]:
            spec = daemon.call("job.get", {"id": point["job"]})["result"]
            self.assertEqual((os.getuid(), "dot_flushed"), (spec["submitter"], spec["name"]))
        known = {"flush_bytes": last["flush_bytes"],
                 **{f"{level.lower()}_bytes": last["levels"][level]["flush_bytes"] for level in ("L1", "L2")}}
        if host["caches"]["l3_bytes"]:
            self.assertEqual([2 * host["caches"][f"l{i}_bytes"] for i in (1, 2)], [known["l1_bytes"], known["l2_bytes"]])
        given = ordered(daemon, job()).get("calibrated")
        self.assertEqual(known, {name: given[name] for name in known})
        self.assertEqual(1, host["reference"]["kernels"][0]["count"])    # it ends with the reference

        daemon.stop()
        daemon = Daemon(worker=REPLAY_WORKER, state=state.name)
        self.assertEqual(host["calibration"], daemon.call("host.get")["calibration"])
        self.assertEqual(given, ordered(daemon, job()).get("calibrated"))

    def test_it_is_one_task_at_a_time_through_both_doors(self):
        blocker = self.daemon.call("job.submit", {"job": job(meta={"build": ["hang"]})})["ids"]
        while self.daemon.call("job.get", {"id": blocker[0]})["state"] != "building":
            pass
        self.daemon.call("host.reference")
        self.assert_refused(self.daemon, "host.calibrate", {}, "conflict", code=-32002)
        response = self.daemon.http("POST", "/v1/host/calibrate", {})
        self.assertEqual((409, "conflict"), (response.status, response.json()["word"]))
        self.assertEqual(405, self.daemon.http("GET", "/v1/host/calibrate").status)
        self.daemon.call("job.cancel", {"ids": blocker})
        until_over(self.daemon)
        response = self.daemon.http("POST", "/v1/host/reference", {})
        self.assertEqual((201, True), (response.status, response.json()["running"]))
        until_over(self.daemon)

    def test_the_reference_is_in_the_metrics(self):
        for _ in range(3):
            self.daemon.call("host.reference")
            until_over(self.daemon)
        metrics = self.daemon.http("GET", "/metrics").body.decode()
        self.assertIn('assay_reference_seconds{kernel="dot_warm"} 1', metrics)
        self.assertIn('assay_reference_cv{kernel="dot_cold"} 0', metrics)

    def test_a_calibration_that_is_cut_off_by_the_end_of_the_daemon_leaves_nothing_behind(self):
        daemon = Daemon(worker=REPLAY_WORKER)
        self.addCleanup(daemon.stop)
        daemon.call("host.calibrate")
        daemon.stop()


class First(unittest.TestCase):
    """The daemon calibrates its host by itself, and a first cold job waits for that."""

    def test_a_cold_job_is_timed_with_what_its_calibration_found_and_a_warm_one_before_it(self):
        daemon = Daemon("--calibration-wait", "600", worker=REPLAY_WORKER)
        self.addCleanup(daemon.stop)
        self.assertIsNone(ordered(daemon, job()).get("calibrated"))
        self.assertIsNone(daemon.call("host.get")["calibration"]["last"])
        order = ordered(daemon, cold_job())
        self.assertEqual(daemon.call("host.get")["calibration"]["last"]["flush_bytes"],
                         order["calibrated"]["flush_bytes"])

    def test_a_cold_job_waits_no_longer_than_asked_and_its_result_says_that_sizes_are_defaults(self):
        daemon = Daemon("--calibration-wait", "1")      # for real: a calibration takes many
        self.addCleanup(daemon.stop)
        result = run(daemon, cold_job())
        self.assertEqual("default", result["technique"]["flush_size"])
        self.assertTrue(result["evidence"]["uncalibrated"])
        warm = run(daemon, job())
        self.assertNotIn("uncalibrated", warm["evidence"])


class Quiet(unittest.TestCase):
    """What each slot knows of quiet outlives its worker and its daemon."""
    KNOWN = {"clock": "cycle", "tick_hz": 2.5e9, "met_s": 0.5, "canary": {"base": 18636, "left": 900, "ns": 3010.0},
             "pace": {"base": 1654, "left": 800, "ns": 661.6}, "memory": {"base": 0, "left": 0, "ns": 0.0}}

    def setUp(self):
        state = tempfile.TemporaryDirectory()
        self.addCleanup(state.cleanup)
        self.state = state.name

    def start(self):
        daemon = Daemon(worker=REPLAY_WORKER, state=self.state)
        self.addCleanup(daemon.stop)
        return daemon

    def told(self, daemon, **meta):
        return ordered(daemon, job(meta=meta)).get("quiet")

    def test_the_first_order_to_the_next_worker_tells_it_and_no_other(self):
        daemon = self.start()
        self.assertIsNone(self.told(daemon))
        self.assertIsNone(self.told(daemon, quiet=self.KNOWN))
        self.assertIsNone(self.told(daemon))        # it knows
        run(daemon, job(meta={"time": ["die", "ok"]}))
        slower = {**self.KNOWN, "met_s": None, "canary": {"base": 18700, "left": 100, "ns": 3020.0}}
        self.told(daemon, quiet=slower)
        daemon.stop()

        daemon = self.start()
        told = self.told(daemon)
        self.assertEqual(slower, {k: told.get(k) for k in slower})
        self.assertIsNone(self.told(daemon))

    def test_a_worker_that_died_has_left_it_behind(self):
        daemon = self.start()
        self.told(daemon, quiet=self.KNOWN)
        self.assertEqual(self.KNOWN["pace"], self.told(daemon, time=["die", "ok"])["pace"])

    def test_host_shows_what_is_known_and_when_it_was_met_before_anything_is_timed(self):
        began = int(time.time())
        daemon = self.start()
        self.told(daemon, quiet=self.KNOWN)
        daemon.stop()
        daemon = self.start()
        while (slot := daemon.call("host.get")["slots"][0])["quiet"] is None:
            pass
        self.assertEqual((None, 18636), (slot["canary"], slot["quiet"]["canary"]["base"]))
        self.assertTrue(began - self.KNOWN["met_s"] <= slot["quiet"]["taken"] <= time.time())
        text = subprocess.run([BUILD / "assay", "-s", daemon.socket, "host"], stdout=subprocess.PIPE, text=True).stdout
        self.assertRegex(text, r"CPU \d+: nothing timed yet\n +quiet last met \d{4}-.*: "
                               r"canary 3\.010 µs, pace 661\.6 ns\n")


class CommandLine(DaemonTest):
    def assay(self, *words, code=0):
        done = subprocess.run([BUILD / "assay", "-s", self.daemon.socket, *words], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
        self.assertEqual(code, done.returncode, done.stderr)
        return done.stdout

    def test_calibrate_prints_the_curve_and_host_what_it_led_to(self):
        self.assertIn("none; assay host calibrate", self.assay("host"))
        text = self.assay("host", "calibrate")
        self.assertRegex(text, r"(?m)^ *flushed +time +coldness$")
        self.assertIn("found: larger areas make it no slower", text)
        document = json.loads(self.assay("--json", "host", "calibrate"))
        self.assertEqual("found", document["last"]["outcome"])
        host = self.assay("host")
        self.assertRegex(host, r"(?m)^calibration +flush area .* \(found, ")
        self.assertRegex(host, r"(?m)^reference +dot_warm 10\.00 ns, median 10\.00 ns \(2 times\)$")
        self.assertIn("noise floor", self.assay("host", "reference"))
        self.assay("host", "calibrat", code=64)


class ForReal(DaemonTest):
    """
    Built and timed.  A calibration may fail on a busy machine, or where neighbours share a cache of
    many hundred megabytes: for one of these reasons alone.  tests/timing/ judges the rest.
    """
    worker = None

    def test_W26_a_calibration_is_made_of_timings_and_what_it_found_is_read_to_flush(self):
        before = run(self.daemon, cold_job())["technique"]
        self.assertEqual("default", before["flush_size"])
        self.daemon.call("host.calibrate")
        calibration = until_over(self.daemon)["calibration"]
        found, after = calibration["flush_bytes"], run(self.daemon, cold_job())["technique"]
        if calibration["failed"] is not None:
            self.assertRegex(calibration["failed"], r"ended (too_noisy|suspect)|the time still rises")
        else:
            self.assertGreaterEqual(len(calibration["last"]["points"]), 4)
        if found is None:
            self.assertEqual(before["flush_bytes"], after["flush_bytes"])
        else:
            self.assertEqual((found, "calibrated"), (after["flush_bytes"], after["flush_size"]))


if __name__ == "__main__":
    unittest.main()
