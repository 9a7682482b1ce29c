# SPDX-License-Identifier: Apache-2.0
"""Faults of the host that stop a builder or a timing slot: full disks, directories that are gone."""
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from faulty_host import FaultyHostTest  # noqa: E402
from harness import assert_timed  # noqa: E402


def fill(path):
    """The rest of a file system; the file to remove."""
    ballast = pathlib.Path(path, "ballast")
    with contextlib.suppress(OSError), open(ballast, "wb", buffering=0) as f:
        while True:
            f.write(bytes(4096))
    return ballast


def mount_small(test, path):
    """A file system of its own on this directory, or the test is skipped."""
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "assay", path],
                                           stderr=subprocess.DEVNULL).returncode != 0:
        test.skipTest("no file system can be mounted here")
    test.addCleanup(subprocess.run, ["umount", "-l", path], check=True)


class Premises(FaultyHostTest):
    """The worker that compiles and times."""

    def results(self, ids):
        """Time passes faster in a pause alone: no limit of a job or of a greeting comes nearer."""
        while not self.daemon.call("job.wait", {"ids": ids, "timeout_ms": 500})["done"]:
            if any(self.paused("builders") + self.paused("slots")):
                self.daemon.pass_time(5)
        return [self.daemon.call("job.get", {"id": i})["result"] for i in ids]

    def assert_timed(self, ids, attempts):
        for result in self.results(ids):
            assert_timed(self, result)
            self.assertLessEqual(result["attempts"], attempts, result["detail"])

    def test_D10_a_full_disk_of_the_cache_pauses_building_and_burns_no_job(self):
        self.start()
        self.assert_timed(self.submit(1), 1)
        mount_small(self, self.state / "cache")
        ballast = fill(self.state / "cache")
        ids = self.submit(8, first=1)
        while None in self.paused("builders"):
            self.daemon.call("job.wait", {"ids": ids, "timeout_ms": 100})
        for _ in range(3):
            self.daemon.pass_time(61)
            self.assertFalse(self.daemon.call("job.wait", {"ids": ids[:1], "timeout_ms": 1100})["done"])
        for reason in self.paused("builders"):
            self.assertRegex(reason, "/cache: No space left on device")
        self.assertIn("building paused: ", self.daemon.log())
        ballast.unlink()
        self.assert_timed(ids, 1)
        self.assertEqual({None}, set(self.paused("builders")))
        self.assertIn("building goes on", self.daemon.log())

    def directories(self, name):
        """The cache; a builder's directory, a runner's: those in memory are named for the worker that they belong to."""
        if name == "cache":
            return [self.state / "cache"]
        workers = pathlib.Path(f"/proc/{self.daemon.pid}/task/{self.daemon.pid}/children").read_text().split()
        places = [self.state / "scratch", *pathlib.Path("/dev/shm").glob("assay-*")]
        return [path for place in places for w in workers for path in (*place.glob(f"{name}.{w}"), *place.glob(f"{name}.{w}.*"))]

    def test_D10_a_removed_cache_or_directory_of_a_worker_is_made_again(self):
        self.start()
        ids = self.submit(2)
        self.assert_timed(ids, 1)
        for n, gone in enumerate((["cache"], ["build"], ["bay"], ["cache", "build", "bay"]), 1):
            with self.subTest(gone=gone):
                for name in gone:
                    there = self.directories(name)
                    self.assertTrue(there, name)
                    for path in there:
                        shutil.rmtree(path)
                self.assert_timed(self.submit(3, first=10 * n) + self.submit(1, first=0), 2)

    def test_D10_a_damaged_object_is_built_again_and_no_variant_is_blamed(self):
        self.start()
        self.assert_timed(self.submit(4), 1)
        for path in (self.state / "cache").glob("??/*.so"):
            damaged = bytearray(path.read_bytes())
            middle = len(damaged) // 4
            damaged[middle:3 * middle] = b"\xf1" * (2 * middle)
            path.write_bytes(damaged)
        self.assert_timed(self.submit(4), 1)
        self.assertIn("the object is damaged: removed", self.daemon.log())


if __name__ == "__main__":
    unittest.main()
