# SPDX-License-Identifier: Apache-2.0
"""
Runs the experiments, all or those named (exp1 or exp1_curve): tables here, CSV and SVG under
build/experiments.  After each, what the papers claim is held against its tables (claims.py).  An
experiment that fails leaves its claims without a verdict, and the others follow.  All verdicts
stand at the end; exit status: how many claims do not hold.
"""
import argparse
import importlib
import pathlib
import sys
import time
import traceback

import claims
from lab import Lab

HERE = pathlib.Path(__file__).resolve().parent


def chosen(names):
    every = sorted(p.stem for p in HERE.glob("exp[0-9]*_*.py"))
    unknown = [n for n in names if not any(e == n or e.split("_")[0] == n for e in every)]
    if unknown:
        sys.exit(f"experiments: there is no {', '.join(unknown)}; there are {', '.join(every)}")
    return [e for e in every if not names or e in names or e.split("_")[0] in names]


def run(name, lab):
    """None, or why the experiment failed."""
    module = importlib.import_module(name)
    began = time.monotonic()
    print(f"\n{name}: {module.TITLE}", flush=True)
    try:
        module.main(lab)
        return None
    except Exception as failure:
        traceback.print_exc()
        return " ".join(f"{type(failure).__name__}: {failure}".split())
    finally:
        print(f"  {time.monotonic() - began:.0f} s", flush=True)


def judged(name, directory, failure):
    """[(claim, verdict, why)] of an experiment."""
    return [(claim, *((claims.CANNOT, failure) if failure else claim.judged(directory)))
            for claim in claims.CLAIMS.get(name, [])]


def show(verdicts):
    for claim, verdict, why in verdicts:
        print(f"  claim: {verdict}: {claim.row}, {claim.text}: {why}", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="tests/experiments/run.sh BUILD_DIRECTORY")
    parser.add_argument("--quick", action="store_true",
                        help="few points and turns, each within 20 s")
    parser.add_argument("names", nargs="*", help="exp1 … exp12; default: all")
    args = parser.parse_args()
    lab = Lab(quick=args.quick)
    verdicts = []
    for name in chosen(args.names):
        found = judged(name, lab.directory, run(name, lab))
        show(found)
        verdicts += found
    print(f"\ntables and plots are in {lab.directory}")
    show(verdicts)
    return sum(verdict == claims.DOES_NOT for _, verdict, _ in verdicts)


if __name__ == "__main__":
    sys.exit(main())
