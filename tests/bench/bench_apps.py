# SPDX-License-Identifier: Apache-2.0
"""
Thirteen routines in applications of their own (applications.py) and what Assay says of them.  First
calls stand against the cold context, later calls against the context that `assay fit` proposes for
their time.  Another variant in its application stands against Assay's time in that same context.
Beside it are Google Benchmark and nanobench on the same routines.  The process is the unit of
chance.  A process of the application and a job of Assay's take turns, and the median of the turns'
ratios counts.  A routine whose ratios scatter has more turns.
"""
import math
import statistics

from figure import Figure, Unmeasured, laboratory

import applications as apps
import apps_specs

FIGURES = {"first_within_5": ">= 8", "later_within_3": ">= 10", "fit_predicts": ">= 6"}
ROUNDS, LATER_ROUNDS, MOST_ROUNDS, PEER_ROUNDS, ASKED_ROUNDS = 7, 7, 17, 3, 5
SETTLED = 0.01			# the standard error of the median ratio, at most
HEADERS = ["application", "first us", "cold", "later us", "fitted", "warm", "google", "nano",
           "other us", "predicted"]


class Case:
    """
    An application with all its readings: of each kind values in nanoseconds, or the calls of
    processes.  why: what prevented the rest.
    """

    def __init__(self, name, app):
        self.name, self.app, self.why, self.fit = name, app, None, None
        self.ns = {}

    def add(self, what, ns):
        self.ns.setdefault(what, []).append(ns)

    def each(self, what):
        """Of each turn; None: it had no quiet call."""
        values = self.ns.get(what, [])
        return apps.each_ns(values) if values and isinstance(values[0], list) else values

    def typical(self, what):
        return statistics.median(ns for ns in self.each(what) if ns) if self.ns.get(what) else None

    def ratios(self, what, truth):
        """Of turns; of the medians if the two did not take turns."""
        a, b = self.each(what), self.each(truth)
        if len(a) == len(b):
            return [x / y for x, y in zip(a, b) if y]
        return [self.typical(what) / self.typical(truth)] if a and b else []

    def off(self, what, truth):
        """Relative to the truth; None: one of the two is missing."""
        ratios = self.ratios(what, truth)
        return statistics.median(ratios) - 1 if ratios else None

    def is_settled(self, what, truth):
        ratios = self.ratios(what, truth)
        if len(ratios) < 2:
            return True
        middle = statistics.median(ratios)
        spread = 1.4826 * statistics.median(abs(r - middle) for r in ratios)
        return 1.2533 * spread / math.sqrt(len(ratios)) <= SETTLED

    def attempt(self, step, *more):
        """A step that fails leaves the case without what would follow."""
        if self.why is None:
            try:
                step(self, *more)
            except (RuntimeError, Unmeasured) as failure:
                self.why = " ".join(str(failure).split())


class Work:
    """The steps, on one daemon."""

    def __init__(self, bench, lab, daemon):
        self.bench, self.lab, self.daemon, self.shop = bench, lab, daemon, apps.Shop(lab)

    def value_ns(self, case, context, args=None, flags=apps.TUNED):
        variant, spec = apps.variant(case.name, flags), apps_specs.spec(case.app, context, args)
        result = self.lab.evaluate(variant, spec)
        return result["time"]["value_ns"]

    def early(self, case, backward):
        def application():
            program = self.shop.application(case.name)
            for when, calls in apps.in_application(self.lab, program).items():
                case.add(when, calls)

        steps = [application, lambda: case.add("cold", self.value_ns(case, "cold")),
                 lambda: case.add("warm", self.value_ns(case, "warm"))]
        for step in reversed(steps) if backward else steps:
            step()

    def peers(self, case):
        case.add("google", apps.google_ns(self.lab, self.shop.google(case.name)))
        if apps.nanobench_is_missing() is None:
            case.add("nano", apps.nano_ns(self.lab, self.shop.nano(case.name)))

    def fits(self, case):
        """The time is from processes right before the fit."""
        program = self.shop.application(case.name)
        for _ in range(ASKED_ROUNDS):
            case.add("asked", apps.in_application(self.lab, program)["later"])
        case.fit = apps.fitted(self.daemon, self.lab.directory, case.name, case.app,
                               case.typical("asked"))

    def late(self, case, backward):
        """The fit's own error is no part: the time is taken again, beside the application's."""
        context, args = case.fit["context"], case.fit.get("args")

        def tuned():
            program = self.shop.application(case.name)
            case.add("again", apps.in_application(self.lab, program)["later"])
            case.add("fitted", self.value_ns(case, context, args))

        def plain():
            if case.app.twin:
                program = self.shop.application(case.name, apps.PLAIN)
                case.add("other", apps.in_application(self.lab, program)["later"])
                case.add("predicted", self.value_ns(case, context, args, apps.PLAIN))

        for step in (plain, tuned) if backward else (tuned, plain):
            step()


def take_turns(cases, step, rounds, before=0):
    for i in range(before, before + rounds):
        for case in cases:
            case.attempt(step, i % 2 == 1)


def run(bench):
    """All cases, as far as each came."""
    cases = [Case(name, app) for name, app in apps.chosen().items()]
    lab = laboratory(bench, "apps")
    with lab.service() as daemon:
        work = Work(bench, lab, daemon)
        take_turns(cases, work.early, ROUNDS)
        for case in cases:
            case.attempt(work.fits)
        take_turns(cases, work.late, LATER_ROUNDS)
        for i in range(LATER_ROUNDS, MOST_ROUNDS):
            restless = [case for case in cases if not case.is_settled("fitted", "again")]
            take_turns(restless, work.late, 1, i)
        for _ in range(PEER_ROUNDS):
            for case in cases:
                case.attempt(work.peers)
    return cases


# ---- what is left of them ----

def row(case):
    def us(what):
        ns = case.typical(what)
        return "-" if ns is None else f"{ns / 1000:.4g}"

    def percent(what, truth):
        off = case.off(what, truth)
        return "-" if off is None else f"{100 * off:+.1f} %"

    return [case.name, us("first"), percent("cold", "first"), us("again"),
            percent("fitted", "again"), percent("warm", "later"), percent("google", "later"),
            percent("nano", "later"), us("other"), percent("predicted", "other")]


def within(cases, what, truth, limit):
    """How many are, and why the others could not be judged."""
    offs = {c.name: c.off(what, truth) for c in cases}
    near = sum(off is not None and abs(off) <= limit for off in offs.values())
    lost = [f"{c.name}: {c.why}" for c in cases if offs[c.name] is None and c.why]
    return near, "; ".join(lost) or None


def measure(bench):
    cases = run(bench)
    missing = apps.nanobench_is_missing()
    for line in [HEADERS, *map(row, cases)]:
        bench.note(" ".join(f"{word:>11}" for word in line))
    for case in cases:
        if case.fit:
            args = case.fit.get("args") or ""
            bench.note(f"{case.name}: {case.fit['outcome']} {case.fit['context']} {args}")
    if missing:
        bench.note(f"nanobench skipped: {missing}")
    asked = (("first_within_5", "cold", "first", 0.05, [c for c in cases if c.app.has_first]),
             ("later_within_3", "fitted", "again", 0.03, cases),
             ("fit_predicts", "predicted", "other", 0.05, [c for c in cases if c.app.twin]))
    for name, what, truth, limit, judged in asked:
        near, why = within(judged, what, truth, limit)
        yield Figure(name, near, f"of {len(judged)}", FIGURES[name], why)
