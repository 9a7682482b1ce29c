# SPDX-License-Identifier: Apache-2.0
"""Faults of workers: clocks that are set, workers that hang or flood.  A good worker replays."""
import math
import os
import pathlib
import re
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import REPLAY_WORKER, job  # noqa: E402
from moved_clock import MovedClockDaemon  # noqa: E402

DAY_S, GREETING_S = 86400, 60


def state_of(client, number):
    return client.call("job.get", {"id": number})["state"]


def begin(client, state="timing", **members):
    """A job that stays in this state until it is cancelled; its id."""
    stage = "build" if state == "building" else "time"
    number = client.call("job.submit", {"job": job(meta={stage: ["hang"]}, **members)})["ids"][0]
    while state_of(client, number) != state:
        pass
    return number


def result_of(client, number):
    while not client.call("job.wait", {"ids": [number], "timeout_ms": 30000})["done"]:
        pass
    return client.call("job.get", {"id": number})["result"]


class Clock(unittest.TestCase):
    def setUp(self):
        self.daemon = MovedClockDaemon(worker=REPLAY_WORKER)
        self.addCleanup(self.daemon.stop)

    def see_a_tick(self, wall_s):
        """The daemon looks at limits and deadlines at the same time; its wall clock is wall_s."""
        number = self.daemon.call("job.submit", {"job": job(deadline=int(wall_s) + 1)})["ids"][0]
        self.assertEqual("expired", result_of(self.daemon, number)["status"])

    def test_D10_a_clock_set_by_a_day_kills_no_worker_and_costs_no_attempt(self):
        number = begin(self.daemon, retries=0)
        pids = [slot["pid"] for slot in self.daemon.call("queue.get")["slots"]]
        for by_s in (DAY_S, -DAY_S):
            self.daemon.set_wall_clock(by_s)
            self.see_a_tick(time.time() + by_s)
            self.assertEqual("timing", state_of(self.daemon, number))
        self.assertEqual(pids, [slot["pid"] for slot in self.daemon.call("queue.get")["slots"]])
        self.daemon.call("job.cancel", {"id": number})
        result = result_of(self.daemon, number)
        self.assertEqual(("cancelled", 1), (result["status"], result["attempts"]))
        for stage, ms in result["stages_ms"].items():
            self.assertTrue(ms is None or 0 <= ms < 1000 * DAY_S / 2, (stage, ms))
        self.assertLess(result["finished"], time.time() - DAY_S / 2)    # shown as the wall clock has it

    def test_D10_an_order_that_takes_too_long_costs_its_worker(self):
        number = begin(self.daemon, retries=0)
        self.daemon.pass_time(DAY_S)
        result = result_of(self.daemon, number)
        self.assertEqual("internal", result["status"])
        self.assertIn("its worker is stuck, killed", self.daemon.log())


class Workers(unittest.TestCase):
    """Workers that are no good at first: each place has two of them, then one that replays."""
    script = """#!/bin/sh
# $2: role, $4: cpu
here=DIR/$2-$4
for n in 1 2; do mkdir $here-$n 2>/dev/null && { FAULT; }; done
exec REPLAY "$@"
"""

    def start(self, fault):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        worker = pathlib.Path(home.name, "worker")
        text = self.script.replace("DIR", home.name).replace("REPLAY", str(REPLAY_WORKER))
        worker.write_text(text.replace("FAULT", fault))
        os.chmod(worker, 0o755)
        # with more, some could be no good still when the job is over
        self.daemon = MovedClockDaemon("--builders", "1", worker=worker)
        self.addCleanup(self.daemon.stop)

    def due_s(self):
        """
        What must pass until a worker that is no good is found, or the next is started.  No time
        passes for a good one that is slow to start.
        """
        queue = self.daemon.call("queue.get")
        places = queue["slots"] + queue["builders"]
        if any(p["pid"] is not None and not p["ready"] and is_no_good(p["pid"]) for p in places):
            return GREETING_S + 1
        return max(p["retry_s"] or 0 for p in places)

    def run_a_job(self):
        number = self.daemon.call("job.submit", {"job": job()})["ids"][0]
        while not self.daemon.call("job.wait", {"ids": [number], "timeout_ms": 100})["done"]:
            self.daemon.pass_time(math.ceil(self.due_s()))
        result = self.daemon.call("job.get", {"id": number})["result"]
        self.assertEqual(("ok", 1), (result["status"], result["attempts"]))

    def test_D10_one_that_hangs_before_its_greeting_is_found_and_replaced(self):
        self.start("exec sleep 1000")
        self.run_a_job()
        self.assertIn("its worker sent no greeting in 60 s, killed", self.daemon.log())

    def test_D10_one_that_floods_costs_neither_memory_nor_log(self):
        for flood in ("exec yes >&3", "(exec timeout 20 yes >&3) & exec yes >&3",
                      "exec /usr/bin/python3 -c 'import os\nwhile True: os.write(3, b\"\\x02\\0\\0\\0{}\" * 1000)'"):
            with self.subTest(flood=flood):
                self.start(flood)
                self.run_a_job()
                self.assertLess(len(self.daemon.log()), 8192)
                self.assertLess(peak_mib(self.daemon.pid), 100)
                self.daemon.stop()

    def test_D1_one_whose_descendant_writes_without_end_works_on_and_the_log_stays_small(self):
        began = time.monotonic()
        self.start("(exec 3<&-; exec timeout 20 yes a line of noise) & exec REPLAY \"$@\"".replace("REPLAY", str(REPLAY_WORKER)))
        for _ in range(3):
            self.run_a_job()
        self.assertLess(len(self.daemon.log()), 10000 * (1 + time.monotonic() - began))
        self.assertIn(" a line of noise\n", self.daemon.log())
        self.assertLess(peak_mib(self.daemon.pid), 100)

    def test_D1_one_that_dies_has_its_last_words_in_the_log_before_its_end(self):
        self.start("echo error cannot go on >&2; exit 9")
        self.run_a_job()
        for number in re.findall(r"worker=(\d+) cannot go on", self.daemon.log()):
            self.assertRegex(self.daemon.log(), rf"error worker={number} cannot go on\n(.*\n)*.*worker={number} ended")
        self.assertIn("cannot go on", self.daemon.log())


def is_no_good(pid):
    """It is what the script has become in place of a worker that replays."""
    try:
        words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False            # it has ended
    is_daemon = words[0].endswith(b"assayd_moved_clock")        # a child before its exec
    return b"--role" not in words and words != [b""] and not is_daemon


def peak_mib(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024


if __name__ == "__main__":
    unittest.main()
