# SPDX-License-Identifier: Apache-2.0
"""Runs the experiments, all or those named (exp1 or exp1_curve): tables here, CSV and SVG under build/experiments."""
import argparse
import importlib
import pathlib
import sys
import time

from lab import Lab

HERE = pathlib.Path(__file__).resolve().parent


def chosen(names):
    every = sorted(p.stem for p in HERE.glob("exp[0-9]*_*.py"))
    unknown = [n for n in names if not any(e == n or e.split("_")[0] == n for e in every)]
    if unknown:
        sys.exit(f"experiments: there is no {', '.join(unknown)}; there are {', '.join(every)}")
    return [e for e in every if not names or e in names or e.split("_")[0] in names]


def main():
    parser = argparse.ArgumentParser(prog="tests/experiments/run.sh BUILD_DIRECTORY")
    parser.add_argument("--quick", action="store_true", help="few points and turns, each within 20 s")
    parser.add_argument("names", nargs="*", help="exp1 … exp12; default: all")
    args = parser.parse_args()
    lab = Lab(quick=args.quick)
    for name in chosen(args.names):
        module = importlib.import_module(name)
        began = time.monotonic()
        print(f"\n{name}: {module.TITLE}", flush=True)
        module.main(lab)
        print(f"  {time.monotonic() - began:.0f} s", flush=True)
    print(f"\ntables and plots are in {lab.directory}")


if __name__ == "__main__":
    main()
