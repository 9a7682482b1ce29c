# SPDX-License-Identifier: Apache-2.0
"""
What the C backend of Kernel Tuner does with each variant, in one process: gcc makes an object, gcc links it, ctypes loads it,
it is called seven times and timed by its caller's clock, and it is unloaded.
usage: kernel_tuner_loop.py CPUS DIRECTORY FILE …     CPUS: "0,1".  Prints the seconds that it took.
"""
import _ctypes
import ctypes
import os
import pathlib
import subprocess
import sys
import time

CALLS = 7
N = 1000


def one(directory, source, operands):
    stem = directory / source.stem
    subprocess.run(["gcc", "-c", source, "-fPIC", "-std=c99", "-O3", "-o", f"{stem}.o"], check=True, stdout=subprocess.PIPE,
                   stderr=subprocess.STDOUT)
    subprocess.run(["gcc", f"{stem}.o", "-shared", "-o", f"{stem}.so"], check=True, stdout=subprocess.PIPE,
                   stderr=subprocess.STDOUT)
    library = ctypes.cdll.LoadLibrary(f"{stem}.so")
    routine = library.dotprod
    routine.restype = ctypes.c_double
    times = []
    for _ in range(CALLS):
        began = time.perf_counter()
        routine(N, *operands)
        times.append(time.perf_counter() - began)
    _ctypes.dlclose(library._handle)
    os.unlink(f"{stem}.o")
    os.unlink(f"{stem}.so")
    return sum(times) / CALLS


def main():
    os.sched_setaffinity(0, {int(cpu) for cpu in sys.argv[1].split(",")})
    directory = pathlib.Path(sys.argv[2])
    operands = [(ctypes.c_double * N)(*range(N)) for _ in range(2)]
    began = time.perf_counter()
    for source in sys.argv[3:]:
        one(directory, pathlib.Path(source), operands)
    print(time.perf_counter() - began)


if __name__ == "__main__":
    main()
