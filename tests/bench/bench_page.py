# SPDX-License-Identifier: Apache-2.0
"""
The dashboard in headless Chromium: how long a sweep page of 10 000 results takes until it is drawn
and can be used, with nothing cached, what crosses the network for it, and how large a report is.
"""
import shutil
import statistics

from bench_queue import fresh
from browser import Browser, Missing
from figure import Figure, Unmeasured
from harness import REPLAY_WORKER, Daemon
from stored import fill_sweep, space

FIGURES = {"page_ms": "<= 300", "page_kb": "<= 200", "report_kib": "<= 600"}
VISITS = 9
DIMS = {"NB": [4, 8, 12, 16, 24, 32, 40, 48, 64, 80], "MU": [1, 2, 3, 4, 6], "NU": [1, 2, 3, 4, 6], "KU": [1, 2, 4, 8, 16, 24, 32, 48, 64, 96],
        "PF": ["none", "A", "B", "AB"]}        # 10 000 points
SPEC = {"routine": "int dgemm(const int N, const int *X)", "params": {"N": 64},
        "args": {"N": "N", "X": {"type": "int", "dims": ["N"]}}, "context": "warm"}


def prepare(state):
    daemon = Daemon(state=state, worker=REPLAY_WORKER, http=False)
    for name in ("ten thousand", "thousand"):
        daemon.call("sweep.create", {"sweep": {"name": name, "spec": SPEC, "variants": [
            {"name": "first", "language": "c", "source": "/* takes 9000 ns */"}]}})
        daemon.call("job.wait", {"sweep": name})
    daemon.stop()
    points = space(DIMS)
    fill_sweep(state / "assay.db", 1, points, "dgemm")
    fill_sweep(state / "assay.db", 2, points[::10], "dgemm")


def visit(browser, url):
    """Milliseconds from the start of the navigation to the frame that shows the page; kB on the wire."""
    page = browser.page()
    page.open(url)
    ms = page.until("(performance.getEntriesByName('assay-usable')[0] || {}).startTime")
    if page.evaluate("document.querySelectorAll('tbody tr').length") < 50:
        raise Unmeasured("the page has no results")
    if page.errors:
        raise Unmeasured(f"the page's console: {page.errors[0]}")
    return ms, page.bytes / 1000


def measure(bench):
    state = fresh(bench, "page")
    prepare(state)
    daemon = Daemon(state=state, worker=REPLAY_WORKER)
    try:
        html = daemon.call("sweep.report", {"sweep": "thousand"})["html"]
        yield Figure("report_kib", len(html.encode()) / 1024, "KiB", FIGURES["report_kib"])
        try:
            browser = Browser()
        except Missing as why:
            raise Unmeasured(str(why)) from why
        with browser:
            url = "http://%s:%d/sweeps/1" % daemon.tcp
            visit(browser, url)             # the browser's own start
            visits = [visit(browser, url) for _ in range(VISITS)]
        bench.note("visits: " + ", ".join(f"{ms:.0f} ms {kb:.0f} kB" for ms, kb in visits))
        yield Figure("page_ms", statistics.median(ms for ms, _ in visits), "ms", FIGURES["page_ms"])
        yield Figure("page_kb", max(kb for _, kb in visits), "kB", FIGURES["page_kb"])
    finally:
        daemon.stop()
        shutil.rmtree(state)
