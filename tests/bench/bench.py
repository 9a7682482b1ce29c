# SPDX-License-Identifier: Apache-2.0
"""
Runs every bench_*.py of this directory.  Each has FIGURES, the names that it measures with their
goals, and measure(bench), which yields Figures.  A ratio is always of things measured within one
call.

If a module fails, or takes longer than LIMIT_S, the rows of its missing figures have the reason,
and the other modules follow.  The table of all stands at the end.  Exit status: how many are short,
at most SHORT_AT_MOST.
"""
import contextlib
import importlib
import json
import pathlib
import signal
import sys
import traceback

from figure import Bench, Figure, Unmeasured

HERE = pathlib.Path(__file__).resolve().parent
LIMIT_S = 1200                  # for one module; the longest takes three minutes on a quiet host
SHORT_AT_MOST = 63              # from 64 on, an exit status has another meaning


class Broken:
    """In the place of a module that cannot be imported: one row with its name."""

    def __init__(self, name, why):
        self.__name__, self.why, self.FIGURES = name, why, {name: ">= 1"}

    def measure(self, _):
        raise Unmeasured(self.why)


def reason(failure):
    """A failure in one line."""
    text = " ".join(str(failure).split()) or "no reason given"
    is_reading = isinstance(failure, (Unmeasured, RuntimeError))
    return text if is_reading else f"{type(failure).__name__}: {text}"


def load(name):
    try:
        return importlib.import_module(name)
    except Exception as failure:
        traceback.print_exc()
        return Broken(name, reason(failure))


def chosen(names, directory=HERE):
    """The modules that measure any of the named figures; all of them when none is named."""
    modules = [load(p.stem) for p in sorted(directory.glob("bench_*.py"))]
    unknown = set(names) - {f for m in modules for f in m.FIGURES}
    if unknown:
        sys.exit(f"bench: no figure is called {', '.join(sorted(unknown))}")
    return [m for m in modules if not names or set(names) & set(m.FIGURES)]


@contextlib.contextmanager
def time_limit(seconds):
    def over(*_):
        raise Unmeasured(f"not done after {seconds} s")

    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def measured(module, bench):
    """The module's figures; missing ones are short, with the reason."""
    missing, why = list(module.FIGURES), "the module did not bring it"
    try:
        with time_limit(LIMIT_S):
            for figure in module.measure(bench):
                missing.remove(figure.name)
                yield figure
    except Unmeasured as failure:
        why = reason(failure)
    except Exception as failure:
        traceback.print_exc()
        why = reason(failure)
    yield from (Figure(name, None, "-", module.FIGURES[name], why) for name in missing)


def keep(path, figures, names):
    """Writes them; a run of only some figures leaves the others as they were."""
    new = {f.name: f.as_json() for f in figures}
    old = {f["name"]: f for f in json.loads(path.read_text())} if names and path.exists() else {}
    path.write_text(json.dumps(list({**old, **new}.values()), indent=1) + "\n")


def run_all(modules, bench, out=print):
    """The figures of all modules, each printed when it is there, and all again at the end."""
    figures = []
    for module in modules:
        for figure in measured(module, bench):
            out(figure, flush=True)
            figures.append(figure)
    short = [f for f in figures if not f.ok]
    out(f"\n{len(figures)} figures, {len(short)} short", flush=True)
    for figure in figures:
        out(figure, flush=True)
    return figures, min(len(short), SHORT_AT_MOST)


def main():
    bench = Bench()
    modules = chosen(sys.argv[1:])
    try:
        with time_limit(LIMIT_S):
            bench.calibrate()
    except Exception as failure:
        bench.note(f"not calibrated: {reason(failure)}")
    figures, short = run_all(modules, bench)
    keep(bench.directory / "figures.json", figures, sys.argv[1:])
    return short


if __name__ == "__main__":
    sys.exit(main())
