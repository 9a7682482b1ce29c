# SPDX-License-Identifier: Apache-2.0
"""
A daemon whose disk remembers (tests/support/recorded_disk.c), and power cuts played from that.

What a file system keeps at a power cut is all that was synced, and of later changes any part in any
order: each is kept, dropped, or torn at the bounds of sectors.
"""
import os
import pathlib
import struct
import tempfile

from harness import BUILD, Daemon

HEADER = struct.Struct("=cc6xqq")
SECTOR = 512
NAMES = {b"d": "assay.db", b"w": "assay.db-wal"}


class RecordedDaemon(Daemon):
    program = BUILD / "tests/assayd_recorded_disk"

    def __init__(self, *flags, **how):
        number, path = tempfile.mkstemp(prefix="assay-disk-")
        os.close(number)
        self.disk = pathlib.Path(path)
        self.environment = {"ASSAY_DISK": path}
        super().__init__(*flags, **how)

    def written(self):
        """A point in time: what was acknowledged before it must survive any cut after it."""
        return self.disk.stat().st_size


class Image:
    """A file as it was synced last, and its changes since then."""

    def __init__(self):
        self.synced, self.later = bytearray(), []

    def change(self, what, at, data):
        if what != b"S":
            self.later.append((what, at, data))
            return
        for change in self.later:
            apply(self.synced, *change)
        self.later = []

    def after_cut(self, dice):
        content = bytearray(self.synced)
        for what, at, data in self.later:
            fate = dice.choice(("kept", "dropped", "torn"))
            if fate == "kept" or (fate == "torn" and what == b"T"):
                apply(content, what, at, data)
            elif fate == "torn":
                for start in range(0, len(data), SECTOR):
                    if dice.random() < 0.5:
                        apply(content, what, at + start, data[start:start + SECTOR])
        return content


def apply(content, what, at, data):
    if what == b"T":
        del content[at:]
        return
    if len(content) < at:
        content.extend(bytes(at - len(content)))
    content[at:at + len(data)] = data


def changes(record):
    """(point in time after it, file, what, offset, data) of each change."""
    at = 0
    while at + HEADER.size <= len(record):
        file, what, offset, size = HEADER.unpack_from(record, at)
        at += HEADER.size
        data = record[at:at + size]
        at += size
        yield at, file, what, offset, data


def cuts(record, points, dice):
    """(point, {file name: content}) at each of these points in time, in their order."""
    images = {name: Image() for name in NAMES.values()}
    left = sorted(points)
    for at, file, what, offset, data in changes(record):
        images[NAMES[file]].change(what, offset, data)
        while left and left[0] <= at:
            yield at, {name: image.after_cut(dice) for name, image in images.items()}
            left.pop(0)
