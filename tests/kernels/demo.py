# SPDX-License-Identifier: Apache-2.0
"""Real kernels through the whole of Assay: submit, queue, build, time, judge, store, query.  Called by demo.sh."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import sweeps

FEW_WORDS = 60


def duration(ns):
    for unit, scale in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= scale:
            return f"{ns / scale:.2f} {unit}"
    return f"{ns:.1f} ns"


class Demo:
    def __init__(self, build):
        self.build = pathlib.Path(build).resolve()
        self.state = self.build.parent / "demo"
        self.socket = self.state / "assay.sock"
        self.daemon = None

    def start(self):
        """A daemon of our own on a fresh state directory, up once its ready descriptor says so."""
        shutil.rmtree(self.state, ignore_errors=True)
        (self.state / "sweeps").mkdir(parents=True)
        ready, told = os.pipe()
        with open(self.state / "assayd.log", "w") as log:
            self.daemon = subprocess.Popen(
                [self.build / "assayd", "--state", self.state, "--socket", self.socket, "--ready-fd", str(told)],
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

    def results(self, name):
        said = self.assay("results", "--sweep", name, "--json", stdout=subprocess.PIPE, check=True).stdout
        results = [json.loads(line) for line in said.splitlines()]
        return sorted(results, key=lambda r: r["job"])


def row(result, first_ns):
    name = result["name"]
    if result.get("meta"):
        name += " " + " ".join(f"{k}={v}" for k, v in result["meta"].items())
    if result["status"] != "ok":
        why = (result["detail"] or result["status_text"]).strip().splitlines()[0]
        return f"  {name:<14}{result['status']:<14}{why[:FEW_WORDS]}"
    t = result["time"]
    speedup = f"{first_ns / t['min_ns']:.2f}x" if first_ns else "-"
    mflops = result["rate"]["mflops_max"]
    return (f"  {name:<14}{result['status']:<14}{duration(t['min_ns']):>10}{duration(t['median_ns']):>12}"
            f"{100 * t['cv']:>8.1f} %{mflops:>10.0f}{speedup:>10}")


def table(title, results):
    print(f"\n{title}")
    print(f"  {'variant':<14}{'status':<14}{'min':>10}{'median':>12}{'spread':>10}{'MFLOPS':>10}{'speed-up':>10}")
    first = results[0]["time"]
    for result in results:
        print(row(result, first and first["min_ns"]))


def main():
    demo = Demo(sys.argv[1])
    began = time.monotonic()
    todo = sweeps.everything()
    demo.start()
    try:
        for title, document in todo:
            print(f"{document['name']:<18}{title}", flush=True)
            demo.run(document)
        print("\nspread: standard deviation over mean of a variant's samples; speed-up: over the first of its sweep")
        for title, document in todo:
            table(f"{document['name']}: {title}", demo.results(document["name"]))
        print("\nthe best of each sweep")
        for _, document in todo:
            demo.assay("best", document["name"])
    finally:
        demo.stop()
    print(f"\n{time.monotonic() - began:.0f} s.  Everything is kept in {demo.state}; ask again with")
    print(f"  sqlite3 {demo.state}/assay.db 'SELECT …'")


if __name__ == "__main__":
    main()
