# SPDX-License-Identifier: Apache-2.0
"""
Runs every bench_*.py of this directory.  Each has FIGURES, the names that it measures with their goals, and
measure(bench), which yields Figures.  A ratio is always of things measured within one call.
"""
import importlib
import json
import pathlib
import sys
import traceback

from figure import Bench, Figure

HERE = pathlib.Path(__file__).resolve().parent


def chosen(names):
    """The modules that measure any of the named figures; all of them when none is named."""
    modules = [importlib.import_module(p.stem) for p in sorted(HERE.glob("bench_*.py"))]
    unknown = set(names) - {f for m in modules for f in m.FIGURES}
    if unknown:
        sys.exit(f"bench: no figure is called {', '.join(sorted(unknown))}")
    return [m for m in modules if not names or set(names) & set(m.FIGURES)]


def measured(module, bench):
    """The module's figures; those that it fails to bring are short, never unsaid."""
    missing = list(module.FIGURES)
    try:
        for figure in module.measure(bench):
            missing.remove(figure.name)
            yield figure
    except Exception:
        traceback.print_exc()
    yield from (Figure(name, None, "-", module.FIGURES[name]) for name in missing)


def keep(path, figures, names):
    """Writes them; a run of only some figures leaves the others as they were."""
    new = {f.name: f.as_json() for f in figures}
    old = {f["name"]: f for f in json.loads(path.read_text())} if names and path.exists() else {}
    path.write_text(json.dumps(list({**old, **new}.values()), indent=1) + "\n")


def main():
    bench = Bench()
    figures = []
    for module in chosen(sys.argv[1:]):
        for figure in measured(module, bench):
            print(figure, flush=True)
            figures.append(figure)
    keep(bench.directory / "figures.json", figures, sys.argv[1:])
    return 0 if all(f.value is not None for f in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
