# SPDX-License-Identifier: Apache-2.0
"""
Load on CPUs that are not timed on, a process a CPU of each kind: one computes, one copies memory.

    with load.beside(daemon, ("compute", "memory")):
        …

A process ends with the program that started it, however that ends.  It takes the time that others
leave: the builds of the next jobs, which are load, too, need not wait for it.
"""
import contextlib
import os
import subprocess
import sys

COPIED_BYTES = 64 << 20                 # beyond the caches of one core
STEPS = 200000                          # some 10 ms


def others(timing_cpus):
    """The CPUs of this program without these; all of them if none is left."""
    here = os.sched_getaffinity(0)
    return sorted(here - set(timing_cpus) or here)


@contextlib.contextmanager
def on(cpus, kinds):
    processes = [subprocess.Popen([sys.executable, __file__, kind, str(cpu)],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
                 for cpu in cpus for kind in kinds]
    try:
        for process in processes:
            process.stdout.readline()   # it has begun
        yield processes
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()
            process.stdout.close()


def beside(daemon, kinds):
    return on(others(daemon.call("host.get")["timing_cpus"]), kinds)


def compute():
    total = 0
    for i in range(STEPS):
        total ^= i * i
    return total


def memory(source=bytearray(COPIED_BYTES), target=bytearray(COPIED_BYTES)):
    target[:] = source


KINDS = {"compute": compute, "memory": memory}


def main():
    kind, cpu = sys.argv[1:]
    os.sched_setaffinity(0, {int(cpu)})
    os.nice(19)
    parent = os.getppid()
    print("begun", flush=True)
    while os.getppid() == parent:
        KINDS[kind]()


if __name__ == "__main__":
    main()
