# SPDX-License-Identifier: Apache-2.0
"""
A daemon whose clocks a test sets while it runs (tests/support/moved_clock.c): its wall clock, as an
operator or NTP sets it, and its monotonic clock, so that limits pass without waiting.  Workers and
libraries keep the kernel's clocks.
"""
import mmap
import os
import struct
import tempfile
import time

from harness import BUILD, Daemon


class MovedClockDaemon(Daemon):
    program = BUILD / "tests/assayd_moved_clock"

    def __init__(self, *flags, clocks=bytes(24), **how):
        """clocks: by how much they are moved at first."""
        number, path = tempfile.mkstemp(prefix="assay-clocks-")
        os.write(number, clocks)
        self.clocks = mmap.mmap(number, 24)
        os.close(number)
        self.environment = {"ASSAY_CLOCKS": path}
        try:
            super().__init__(*flags, **how)
        finally:
            os.unlink(path)         # read before the daemon is ready

    def set_wall_clock(self, by_s):
        self.clocks[0:8] = struct.pack("=q", by_s)

    def pass_time(self, by_s):
        """Both clocks go on by as much."""
        wall_s, monotonic_s = struct.unpack("=qq", self.clocks[:16])
        self.clocks[:16] = struct.pack("=qq", wall_s + by_s, monotonic_s + by_s)

    def stop_time(self):
        """From now on no limit of the daemon's passes, however slow the machine is."""
        self.clocks[16:] = struct.pack("=q", int(time.monotonic()) + 1)
