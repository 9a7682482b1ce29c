# SPDX-License-Identifier: Apache-2.0
"""A daemon whose host gets faults, and whose pauses pass without waiting."""
import pathlib
import tempfile
import unittest

from harness import job
from moved_clock import MovedClockDaemon


class FaultyHostTest(unittest.TestCase):
    def start(self, *flags, worker=None):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.state = pathlib.Path(home.name)
        self.daemon = MovedClockDaemon(*flags, state=self.state, worker=worker)
        self.addCleanup(self.daemon.stop)

    def submit(self, n, first=0, **members):
        jobs = [job(name=f"v{i}", **members) for i in range(first, first + n)]
        for i, document in enumerate(jobs, first):
            document["variant"]["source"] += f"int other{i};\n"
        return self.daemon.call("job.submit", {"jobs": jobs})["ids"]

    def results(self, ids):
        while not self.daemon.call("job.wait", {"ids": ids, "timeout_ms": 500})["done"]:
            self.daemon.pass_time(5)
        return [self.daemon.call("job.get", {"id": i})["result"] for i in ids]

    def paused(self, places):
        return [place["paused"] for place in self.daemon.call("queue.get")[places]]
