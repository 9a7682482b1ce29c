#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""
The real worker behind a relay, which leaves the last reply of each kind in $ASSAY_REPLIES:
hello-build, hello-time, built, timed (tests/support/replay_replies.c).
"""
import json
import os
import pathlib
import select
import socket
import struct
import subprocess
import sys

DAEMON_FD = 3
REPLIES = pathlib.Path(os.environ["ASSAY_REPLIES"])


def keep(body):
    kind = json.loads(body.split(b"\n")[0])["kind"]
    name = f"hello-{sys.argv[2]}" if kind == "hello" else kind
    new = REPLIES / f"{name}.{os.getpid()}"
    new.write_bytes(body)
    new.rename(REPLIES / name)


def frames(data):
    """The bodies of whole frames, and what is left."""
    while len(data) >= 4 and len(data) >= 4 + (size := struct.unpack_from("<I", data)[0]):
        keep(data[4:4 + size])
        data = data[4 + size:]
    return data


def relay(daemon, worker):
    unread = b""
    while True:
        for end in select.select([daemon, worker], [], [])[0]:
            data = end.recv(1 << 20)
            if not data:
                return
            (worker if end is daemon else daemon).sendall(data)
            if end is worker:
                unread = frames(unread + data)


def main():
    ours, theirs = socket.socketpair()
    daemon = socket.socket(fileno=DAEMON_FD)
    program = pathlib.Path(os.environ["ASSAY_BUILD"]).resolve() / "assay-worker"

    def on_three():
        os.dup2(theirs.fileno(), DAEMON_FD)

    process = subprocess.Popen([program, *sys.argv[1:]], preexec_fn=on_three, pass_fds=[DAEMON_FD])
    theirs.close()
    relay(daemon, ours)
    ours.close()
    process.wait()


main()
