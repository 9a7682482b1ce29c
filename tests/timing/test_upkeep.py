# SPDX-License-Identifier: Apache-2.0
"""What a quiet host finds out about itself."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from harness import Daemon  # noqa: E402


class Upkeep(unittest.TestCase):
    def test_W26_a_calibration_finds_the_area_that_flushes_and_ends_with_the_reference(self):
        daemon = Daemon()
        self.addCleanup(daemon.stop)
        daemon.call("host.calibrate")
        errands = ("calibration", "reference")
        while any((host := daemon.call("host.get"))[errand]["running"] for errand in errands):
            continue
        last = host["calibration"]["last"]
        for point in last["points"]:
            print(f"{point['bytes'] >> 10:8} KiB: {point['time_ns']:10.1f} ns,",
                  f"coldness {point['coldness']:.2f}")
        print(f"{last['outcome']}: {last['flush_bytes']} bytes;",
              f"the largest cache has {host['caches']['l3_bytes']}")
        for kernel in host["reference"]["kernels"]:
            print(f"{kernel['kernel']}: {kernel['last_ns']:.1f} ns")
        self.assertEqual((None, None), (host["calibration"]["failed"], host["reference"]["failed"]))
        self.assertEqual("found", last["outcome"])
        largest = max(host["caches"][c] or 0 for c in ("l1_bytes", "l2_bytes", "l3_bytes"))
        self.assertTrue(largest <= last["flush_bytes"] <= 8 * largest, last["flush_bytes"])


if __name__ == "__main__":
    unittest.main()
