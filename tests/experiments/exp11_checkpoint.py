# SPDX-License-Identifier: Apache-2.0
"""
Section 3.2 of Yi, Whaley and others: how far before the call a checkpoint has to be entered.  The application looks words up
in a tree; what it takes for the last search itself, with no checkpoint anywhere near, is held against Assay's time of that
call in images with more and more calls before it: none of them (immediate) to a thousand (delayed).

Warm, an image's memory is where putting it back has left it, in the outer caches, so an immediate call lacks only what the
inner caches and the branch predictors would have learnt.  Cold, all of it is flushed before the image runs, as a restarted
process would find it, and the delay is all that brings anything back.  By the paper's rule the delay is enough where a longer
one no longer changes the time; what that costs is the time that a sample takes.
"""
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile

import lab as l
from plot import Plot

TITLE = "section 3.2: how long the delay of a checkpoint must be"
WORDS = l.TESTS / "checkpoint"
SAME = 0.05			# delays whose times differ by less are the same
CONTEXTS = ("warm", "cold")


def enter(program, image, call):
    """The image of the call of assay_enter_checkpoint of this number, from 1; what it says."""
    run = subprocess.run([program, image, "each"], env=os.environ | {"ASSAY_CHECKPOINT_AT": str(call)}, check=True,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return run.stderr


def in_application(lab, program, image):
    """ns of the last search, in runs that enter no checkpoint."""
    said = [l.run(["taskset", "-c", l.TIMING_CPU, program, image, 1 << 20]) for _ in range(lab.pick(40, 10))]
    return statistics.median(float(re.search(r"in (\d+) ns", s)[1]) for s in said)


def smallest_sufficient(times):
    """Of {delay: ns}, the first that the next one does not change (the paper's rule)."""
    delays = sorted(times)
    for shorter, longer in zip(delays, delays[1:]):
        if abs(times[shorter] - times[longer]) < SAME * times[longer]:
            return shorter
    return delays[-1]


def main(lab):
    delays = lab.pick([0, 1, 2, 3, 5, 10, 30, 100, 300, 1000], [0, 1, 3, 30])
    images = pathlib.Path(tempfile.mkdtemp(prefix="assay-images-"))
    program = lab.build("words_app", [WORDS / "words_app.c", l.BUILD / "libassay-checkpoint.a"],
                        [*l.TIMER_FLAGS, f"-I{l.TESTS.parent / 'client/agent'}"])
    variant = {"name": "words_find", "language": "c", "source": (WORDS / "words_find.c").read_text()}
    spec = json.loads((WORDS / "words.spec.json").read_text())
    times, spent = {c: {} for c in CONTEXTS}, {}
    try:
        own = in_application(lab, program, images / "none.image")
        with lab.service("--images", str(images)):
            calls = int(enter(program, images / "none.image", 0).split()[1])
            for d in delays:
                enter(program, images / f"d{d}.image", calls - d)
                for context in CONTEXTS:
                    result = lab.evaluate(variant, spec | {"checkpoint": f"d{d}.image", "context": context})
                    times[context][d] = l.typical_ns(result)
                    spent[d] = result["stages_ms"]["run"]
    finally:
        shutil.rmtree(images)
    rows = [[d, *(x for c in CONTEXTS for x in (times[c][d], times[c][d] / own)), spent[d]] for d in delays]
    print(f"  in the application: {own:.0f} ns")
    lab.report("exp11_checkpoint", ["calls before", "warm ns", "to in-app", "cold ns", "to in-app", "cold job ms"], rows)
    for context in CONTEXTS:
        longest = times[context][delays[-1]]
        print(f"  {context}: immediate is {times[context][0] / longest:.2f} times the longest delay; "
              f"{smallest_sufficient(times[context])} calls are enough by the paper's rule ({100 * SAME:.0f} %)")
    plot = Plot(TITLE, "calls between entering and the timed one (+ 1)", "time, ns", log_x=True)
    for context in CONTEXTS:
        plot.line(context, [d + 1 for d in delays], [times[context][d] for d in delays])
    plot.line("in the application", [1, delays[-1] + 1], [own, own])
    lab.plot(plot, "exp11_checkpoint")
