# SPDX-License-Identifier: Apache-2.0
"""
Runs the programs of a suite side by side and adds up what they said; tests/run.sh starts it.

A program has 1800 s, or N where its source says "time limit: N s": a limit ends a hang and is no
measure of anything.  One whose source says "takes about N s" starts early, so that all lanes end
together.  One whose source says "runs alone" has the machine to itself, because others would meet
its limits or it theirs.  One whose source says "not for sanitizers" is left out of their build.
"""
import concurrent.futures
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

import verdicts

TREE = pathlib.Path(__file__).resolve().parent.parent.parent
LIMIT_S, GRACE_S, POLL_S = 1800, 5, 0.05
SLOWEST = 20
# folders of tests/
SUITES = {"check": ("integration", "unit"), "timing": ("timing",)}


def seconds_in(text, words, otherwise):
    found = re.search(rf"{words} (\d+) s\b", text)
    return int(found[1]) if found else otherwise


class Program:
    def __init__(self, name, command, source, kind):
        self.name, self.command, self.kind = name, command, kind
        text = source.read_text(encoding="utf-8")
        self.limit_s = seconds_in(text, "time limit:", LIMIT_S)
        self.expected_s = seconds_in(text, "takes about", 0)
        self.alone = "runs alone" in text
        self.for_sanitizers = "not for sanitizers" not in text
        self.process, self.cpu_s = None, 0

    def run(self):
        """To its end, or to the end of its time."""
        began = time.monotonic()
        # no pipe: what a program leaves behind would hold it open
        with tempfile.TemporaryFile() as output:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=output,
                                            stderr=subprocess.STDOUT, cwd=TREE,
                                            start_new_session=True)
            self.ended = self.how_it_ends()
            output.seek(0)
            self.output = output.read().decode(errors="replace")
        self.seconds = time.monotonic() - began
        self.passed, self.failed, self.skipped = self.kind.count(self.output)
        if self.ended is None and self.passed + self.failed + self.skipped == 0:
            self.ended = "it ran no test"
        if self.ended is not None and self.failed == 0:
            self.failed = 1             # it failed as a whole

    def how_it_ends(self):
        """None: well."""
        status = self.wait(self.limit_s)
        if status is not None:
            return f"the program ended with {status}" if status != 0 else None
        self.kill(signal.SIGTERM)
        ended = self.wait(GRACE_S) is not None
        self.kill(signal.SIGKILL)
        if not ended:
            self.wait(math.inf)
        return f"its {self.limit_s} s were over"

    def wait(self, seconds):
        """Its status; None: it goes on.  Its CPU time has that of children it has waited for."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if pid != 0:
                self.cpu_s = usage.ru_utime + usage.ru_stime
                self.process.returncode = os.waitstatus_to_exitcode(status)
                return self.process.returncode
            time.sleep(POLL_S)
        return None

    def kill(self, number):
        """It, and what it has started."""
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def report(self, suite):
        skipped = f" {self.skipped:3} skipped" if self.skipped else " " * 12
        print(f"  {self.name:40} {self.passed:4} passed {self.failed:3} failed"
              f"{skipped} {self.seconds:7.1f} s {self.cpu_s:7.1f} s of CPU")
        if suite == "timing":
            self.report_verdicts()
        elif self.failed:
            print("".join(f"    {line}\n" for line in self.output.splitlines()), end="")
        sys.stdout.flush()

    def report_verdicts(self):
        """
        Each with the figures that its test printed; what comes with a failure is left to a run by
        hand.
        """
        for word, test, said in self.kind.verdicts(self.output):
            end = next((i for i, line in enumerate(said) if line.startswith("---- log of")),
                       len(said))
            print(f"    {word:8}{test}", *said[:end], sep="\n            ")

    def failures(self):
        return verdicts.lines(self.kind, self.name, self.output, self.ended)


def rules(build):
    """Of the tree: programs that test no program."""
    path = TREE / "tests/include_rules.sh"
    yield Program("include_rules", [path, build], path, verdicts.Rules())
    path = TREE / "tests/rows.py"
    yield Program("rows", [sys.executable, "-B", path], path, verdicts.Rules())


def programs(build, folder):
    """Of C and of Python, in this folder of tests/."""
    for source in sorted((TREE / "tests" / folder).glob("test_*")):
        if source.suffix == ".c":
            built = source.stem if folder == "unit" else source.stem.replace("test", folder, 1)
            yield Program(f"{folder}/{source.stem}", [build / "tests" / built], source,
                          verdicts.Cmocka())
        elif source.suffix == ".py":
            verbose = ["-v"] if folder == "timing" else []
            yield Program(f"{folder}/{source.stem}", [sys.executable, "-u", source, *verbose],
                          source, verdicts.Unittest())


def run_all(some, lanes, suite):
    """Prints each program's account when it has ended."""
    lock = threading.Lock()

    def run(program):
        program.run()
        with lock:
            program.report(suite)

    with concurrent.futures.ThreadPoolExecutor(lanes) as pool:
        try:
            for done in concurrent.futures.as_completed([pool.submit(run, p) for p in some]):
                done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for program in some:
                if program.process is not None:
                    program.kill(signal.SIGKILL)
            raise


def lanes_of(suite):
    """
    Measured times are taken one program at a time; other programs wait for most of their time.
    """
    return 1 if suite == "timing" else int(os.environ.get("JOBS") or min(8, 2 * os.cpu_count()))


def stop(*_):
    raise KeyboardInterrupt


def sum_up(build, some):
    """What all of them came to; true if none failed."""
    passed, failed, skipped = (sum(getattr(p, m) for p in some)
                               for m in ("passed", "failed", "skipped"))
    place = build.relative_to(TREE) if build.is_relative_to(TREE) else build
    print(f"{len(some)} programs of {place}; the slowest:")
    for program in sorted(some, key=lambda p: -p.seconds)[:SLOWEST]:
        print(f"  {program.seconds:7.1f} s {program.cpu_s:7.1f} s of CPU  {program.name}")
    if skipped:
        print(f"{skipped} skipped: something is not installed or not permitted here; "
              "a program run by hand with -v says what")
    for program in some:
        if program.failed:
            print(*program.failures(), sep="\n")
    print(f"{passed} passed, {failed} failed")
    return failed == 0


def main():
    build, suite = pathlib.Path(sys.argv[1]).resolve(), (sys.argv[2:] or ["check"])[0]
    if suite not in SUITES or not build.is_dir():
        sys.exit("usage: tests/run.sh BUILD [check | timing]")
    signal.signal(signal.SIGTERM, stop)
    # background jobs of a shell ignore it, and what they start would, too
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ["ASSAY_BUILD"] = str(build)
    some = list(rules(build)) if suite == "check" else []
    for folder in SUITES[suite]:
        some += programs(build, folder)
    if build.name == "asan":
        some = [p for p in some if p.for_sanitizers]
    some.sort(key=lambda p: -p.expected_s)
    run_all([p for p in some if not p.alone], lanes_of(suite), suite)
    run_all([p for p in some if p.alone], 1, suite)
    return 0 if sum_up(build, some) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
