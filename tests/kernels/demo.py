# SPDX-License-Identifier: Apache-2.0
"""Real kernels through the whole of Assay: submit, queue, build, time, judge, store, query.  Called by demo.sh."""
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import sweeps

WORDS = 160             # of what the compiler or the check said about a bad variant
SOCKET = "assay.sock"


def duration(ns):
    for unit, scale in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= scale:
            return f"{ns / scale:.2f} {unit}"
    return f"{ns:.1f} ns"


class Demo:
    def __init__(self, build, state=None):
        self.build = pathlib.Path(build).resolve()
        self.state = pathlib.Path(state or self.build.parent / "demo").resolve()
        self.socket = self.state / SOCKET
        self.daemon = None

    def start(self):
        """A daemon of our own on a fresh state directory, up once its ready descriptor says so."""
        shutil.rmtree(self.state, ignore_errors=True)
        (self.state / "sweeps").mkdir(parents=True)
        ready, told = os.pipe()
        with open(self.state / "assayd.log", "w") as log:
            self.daemon = subprocess.Popen(
                [self.build / "assayd", "--state", self.state, "--socket", self.socket,
                 "--timing-cpus", "free", "--ready-fd", str(told)],
                stdin=subprocess.DEVNULL, stderr=log, pass_fds=[told])
        os.close(told)
        up = os.read(ready, 1)
        os.close(ready)
        if not up:
            sys.exit(f"the daemon did not start:\n{(self.state / 'assayd.log').read_text()}")

    def stop(self):
        if self.daemon is not None:
            self.daemon.terminate()
            self.daemon.wait()

    def assay(self, *words, **how):
        return subprocess.run([self.build / "assay", "--socket", self.socket, *words], text=True, **how)

    def run(self, document):
        """Submit one sweep through the command line and follow it to its end."""
        path = self.state / "sweeps" / f"{document['name']}.json"
        path.write_text(json.dumps(document, indent=1))
        done = self.assay("sweep", "create", path, "--follow", stdout=subprocess.DEVNULL)
        if done.returncode != 0:
            raise SystemExit(f"assay sweep create {path} ended with {done.returncode}")

    def ask(self, *words, **how):
        """What the command line answers, one result a line."""
        said = self.assay(*words, "--ndjson", stdout=subprocess.PIPE, **how).stdout
        return [json.loads(line) for line in said.splitlines()]

    def results(self, name):
        return sorted(self.ask("results", "--sweep", name, "--all", check=True), key=lambda r: r["job"])

    def best(self, name):
        """The best of the fastest three timed in turn, and those it cannot be told from; None: none ended ok."""
        found = self.ask("best", name, "--confirm", stderr=subprocess.DEVNULL)
        if not found:
            return None, []
        confirmed = found[0]["confirmed"]
        best, = (r for r in found[0]["results"] if r["job"] == confirmed["job"])
        return best, [tie["name"] for tie in confirmed["ties"]]


def speedup(first, result):
    """Minimum over minimum; none for a result that is not ok, or of another size."""
    if any(r["status"] != "ok" for r in (first, result)) or first["params"] != result["params"]:
        return "-"
    return f"{first['time']['min_ns'] / result['time']['min_ns']:.2f}x"


def row(result, first):
    start = f"  {result['name']:<14}{result['status']:<14}"
    if result["time"] is None:
        words = (result["detail"] or result["status_text"]).strip().splitlines()[0]
        return start + (words if len(words) <= WORDS else words[:WORDS - 1] + "…")
    t = result["time"]
    return start + (f"{duration(t['min_ns']):>10}{duration(t['median_ns']):>12}{100 * t['cv']:>8.1f} %"
                    f"{result['rate']['mflops_max']:>10.0f}{speedup(first, result):>10}{result['check']['max_abs']:>11.0e}")


def table(title, results):
    print(f"\n{title}")
    print(f"  {'variant':<14}{'status':<14}{'min':>10}{'median':>12}{'spread':>10}{'MFLOPS':>10}{'speed-up':>10}"
          f"{'error':>11}")
    for result in results:
        print(row(result, results[0]))


def left_out(results):
    """'3 too_noisy, 1 crashed': the jobs that no best can be of."""
    counts = collections.Counter(r["status"] for r in results if r["status"] != "ok")
    return ", ".join(f"{n} {status}" for status, n in counts.items())


def best_of_each(demo, names):
    print(f"\n  {'sweep':<18}{'best':<14}{'min':>10}{'MFLOPS':>10}  as fast, timed in turn (left out)")
    for name in names:
        best, ties = demo.best(name)
        out = left_out(demo.results(name))
        if best is None:
            print(f"  {name:<18}none is ok: {out}")
        else:
            print(f"  {name:<18}{best['name']:<14}{duration(best['time']['min_ns']):>10}"
                  f"{best['rate']['mflops_max']:>10.0f}  {', '.join(ties)}{f' ({out})' if out else ''}".rstrip())


def from_here(path):
    here = pathlib.Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def epilogue(demo, seconds):
    state = from_here(demo.state)
    assay = from_here(demo.build) / "assay"
    print(f"""
{seconds:.0f} s.  The sweeps are in {state}/sweeps, the database is {state}/assay.db.  To ask it again:

  sqlite3 -box {state}/assay.db "SELECT s.name AS sweep, r.name, r.value_ns
    FROM results r JOIN sweeps s ON s.id = r.sweep_id WHERE r.name LIKE 'avx2%' ORDER BY s.id"
  {assay} serve --state {state} --socket {state}/{SOCKET} &
  {assay} -s {state}/{SOCKET} results --sweep doitgen --speedup""")


def unexpected(results):
    """The variants that did not end as they should; noise is the host's."""
    for r in results:
        should = sweeps.BAD_ENDS[r["name"]]
        if r["status"] not in ((should, "too_noisy") if should == "ok" else (should,)):
            yield f"{r['name']} ended {r['status']}, not {should}"


def main():
    demo = Demo(*sys.argv[1:])
    began = time.monotonic()
    todo = sweeps.everything()
    demo.start()
    try:
        for title, document in todo:
            print(f"{document['name']:<18}{title}", flush=True)
            demo.run(document)
        print("\nspread: standard deviation over mean of the samples; speed-up: over the first of the sweep; error: the largest"
              "\ndifference from the reference's answer")
        for title, document in todo:
            results = demo.results(document["name"])
            table(f"{document['name']}: {title}", results)
        best_of_each(demo, [document["name"] for _, document in todo])
    finally:
        demo.stop()
    epilogue(demo, time.monotonic() - began)
    return "\n".join(unexpected(results)) or None


if __name__ == "__main__":
    sys.exit(main())
