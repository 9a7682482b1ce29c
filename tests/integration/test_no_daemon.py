# SPDX-License-Identifier: Apache-2.0
"""Questions about results while no daemon runs: what `assay time` has kept is there, for root as for others."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import harness
from command import ASSAY, CommandTest, environment
from harness import AS_NOBODY, TIMED, job
from processes import processes, text_of

SYSTEM_SOCKET = pathlib.Path("/run/assay/assay.sock")
UNAVAILABLE, NOT_FOUND, CANCELLED, TOO_NOISY = 69, 66, 87, 75
# of a variant that is busy until it is interrupted
BUSY = {**job("busy"), "timeout_ms": {"run": 3600000}, "variant": {"name": "busy", "language": "c", "source": "int same(const int N) { volatile int n = N; while (n) n = N; return n; }\n"}}


@unittest.skipIf(SYSTEM_SOCKET.exists(), "the system's daemon runs, or has left its socket")
class NoDaemon(CommandTest):
    """A user with a home of its own, and no daemon."""

    def setUp(self):
        super().setUp()
        self.env = environment(HOME=self.dir, ASSAY_CALIBRATION_WAIT="0")
        self.state = self.dir / ".local/state/assay"

    def document(self, *words, **how):
        return json.loads(self.assay(*words, "--json", **how).stdout)

    def time_one(self):
        path = self.file("kept.json", json.dumps(job("kept")))
        result = self.document("time", path, code=(0, TOO_NOISY))
        self.assertIn(result["status"], TIMED)
        return result

    def left_over(self):
        """Daemons of this home that still run."""
        return [pid for pid in processes() if str(self.state).encode() in text_of(pid, "cmdline")]

    def test_D9_what_time_has_kept_is_found_by_every_question(self):
        kept = self.time_one()
        found = self.document("results")["results"]
        self.assertEqual([(kept["job"], "kept", kept["time"])], [(r["job"], r["name"], r["time"]) for r in found])
        number = str(kept["job"])
        self.assertEqual("done", self.document("queue", number)["state"])
        self.assertEqual({"ready": False}, {"ready": self.document("queue")["readiness"]["ready"]})
        self.assertIn("int same", self.assay("results", "--spec", number).stdout)
        self.assertEqual([], self.document("sweep", "list")["sweeps"])
        self.assertIn("no sweep", self.assay("best", "none", code=NOT_FOUND).stderr)
        self.assertTrue(self.document("check")["ok"])
        copy = self.dir / "copy.db"
        self.assay("backup", copy)
        self.assertGreater(copy.stat().st_size, 0)
        self.assertEqual([], self.left_over())
        serving = subprocess.Popen([ASSAY, "serve", "--log", "error"], env=self.env, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.assertIn("serving", serving.stderr.readline())
        self.assertEqual(found, self.document("results")["results"])
        serving.terminate()
        serving.communicate(timeout=harness.TIMEOUT_S)

    def test_D9_while_another_command_times_its_daemon_is_asked(self):
        self.time_one()
        path = self.file("busy.json", json.dumps(BUSY))
        timing = subprocess.Popen([ASSAY, "time", path], env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(timing.communicate)
        while not (queue := self.queue())["jobs"]:
            self.assertIsNone(timing.poll(), "the busy variant is timed")
        self.assertEqual("busy", queue["jobs"][0]["name"])
        self.assertEqual(["kept"], [r["name"] for r in self.document("results")["results"]])
        timing.terminate()

    def queue(self):
        """By whichever daemon: there is none to ask while one starts or ends."""
        said = self.assay("queue", "--json", code=(0, UNAVAILABLE)).stdout
        return json.loads(said) if said else {"jobs": []}

    def test_D9_many_questions_at_once_take_turns_and_a_timing_keeps_its_result(self):
        self.time_one()
        asking = [subprocess.Popen([ASSAY, "results", "--json"], env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) for _ in range(6)]
        second = self.time_one()
        for process in asking:
            said = process.communicate(timeout=harness.TIMEOUT_S)[0]
            self.assertEqual(0, process.returncode)
            self.assertEqual("kept", json.loads(said)["results"][0]["name"])
        self.assertIn(second["job"], [r["job"] for r in self.document("results")["results"]])

    def leave_a_job(self):
        """The id of a job whose daemon was ended with its command."""
        timing = subprocess.Popen([ASSAY, "time", self.file("busy.json", json.dumps(BUSY))], env=self.env,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(timing.communicate)
        while not (queue := self.queue())["jobs"]:
            self.assertIsNone(timing.poll(), "the busy variant is timed")
        timing.kill()
        timing.wait()
        return str(queue["jobs"][0]["id"])

    def test_D9_wait_says_what_is_over_and_what_no_daemon_goes_on_with(self):
        kept = str(self.time_one()["job"])
        self.assertEqual("kept", self.document("wait", kept)["results"][0]["name"])
        left = self.leave_a_job()
        said = self.assay("wait", kept, left, code=UNAVAILABLE).stderr
        self.assertIn("1 job is not over, and no daemon runs that would go on with it", said)
        self.assertIn("assay serve", said)

    def test_D9_a_job_that_no_daemon_goes_on_with_is_cancelled(self):
        left = self.leave_a_job()
        self.assertEqual("cancelled 1 job\n", self.assay("cancel", left).stdout)
        self.assertEqual("cancelled 0 jobs; 1 was over already\n", self.assay("cancel", left).stdout)
        self.assertEqual("cancelled", self.document("wait", left, code=CANCELLED)["results"][0]["status"])
        self.assertEqual([], self.left_over())

    def test_D9_the_host_is_described_where_nothing_was_timed(self):
        self.assertIn("cpu_model", json.dumps(self.document("host")))
        self.assertIn("cpu model", self.assay("host").stdout)
        self.assertEqual([], self.left_over())

    def test_a_question_before_anything_was_timed_makes_nothing(self):
        for words in (["results"], ["best", "x"], ["sweep", "list"], ["queue"]):
            said = self.assay(*words, code=UNAVAILABLE).stderr
            self.assertIn("start one with: assay serve", said)
        self.assertFalse(self.state.exists())

    def test_a_socket_that_is_named_stands_alone(self):
        self.time_one()
        nowhere = self.dir / "nowhere.sock"
        self.assay("-s", nowhere, "results", code=UNAVAILABLE)
        self.env["ASSAY_SOCKET"] = str(nowhere)
        self.assay("results", code=UNAVAILABLE)
        self.assay("-H", f"unix:{nowhere}", "results", code=UNAVAILABLE)

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "only root can leave a socket that others may not use")
    def test_D9_a_socket_that_root_left_stops_no_other_user(self):
        left = self.dir / "run"
        left.mkdir()
        for path in (self.dir, left):
            path.chmod(0o755)
        home = self.dir / "home"
        home.mkdir()
        os.chown(home, harness.NOBODY, harness.NOBODY)
        serving = subprocess.Popen([ASSAY, "-s", left / "assay.sock", "serve", "--state", self.dir / "st", "--log", "error"], env=self.env,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        serving.stderr.readline()
        serving.kill()
        serving.communicate()
        self.assertTrue((left / "assay.sock").exists())
        environment_of_other = {**self.env, "HOME": str(home), "XDG_RUNTIME_DIR": str(self.dir)}
        (self.dir / "assay").symlink_to(left)
        ran = subprocess.run([*AS_NOBODY, ASSAY, "results"], env=environment_of_other, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
        self.assertEqual(UNAVAILABLE, ran.returncode, ran.stderr)
        self.assertIn("nothing has been timed without a daemon", ran.stderr)


if __name__ == "__main__":
    unittest.main()
