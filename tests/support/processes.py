# SPDX-License-Identifier: Apache-2.0
"""What runs now, as /proc has it: a process may end between any two of these reads, which is no error."""
import collections
import os
import pathlib

Process = collections.namedtuple("Process", "name state parent started")
GONE = FileNotFoundError, ProcessLookupError


def text_of(pid, name):
    """Bytes of one of the process's files; none where it has ended, or is another user's and hidden."""
    try:
        return pathlib.Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def processes():
    """{pid: Process} of all, zombies among them; `started`, in clock ticks, tells a pid's next process from this one."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if stat := text_of(pid, "stat").decode(errors="replace"):
            name, rest = stat.split("(", 1)[1].rsplit(")", 1)
            state, parent, *more = rest.split()
            found[int(pid)] = Process(name, state, int(parent), int(more[17]))
    return found


def descendants(pid):
    """{pid: Process} of all below a process."""
    every = processes()
    found, more = {}, [pid]
    while more:
        of = more.pop()
        below = {p: process for p, process in every.items() if process.parent == of}
        found.update(below)
        more += below
    return found


def left_of(earlier):
    """Those of an earlier {pid: Process} that still run."""
    return {pid: process for pid, process in processes().items()
            if pid in earlier and process.started == earlier[pid].started and process.state != "Z"}


def open_files(pid):
    """What the process's descriptors name, one for each.  PermissionError where they may not be read."""
    found = []
    try:
        for fd in os.listdir(f"/proc/{pid}/fd"):
            try:
                found.append(os.readlink(f"/proc/{pid}/fd/{fd}"))
            except GONE:
                pass            # closed meanwhile
    except GONE:
        pass                    # it has ended
    return found


def paths_under(top):
    """All files and directories below a directory, in which others come and go."""
    return [pathlib.Path(where, name) for where, directories, files in os.walk(top) for name in (*directories, *files)]
