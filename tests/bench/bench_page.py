# SPDX-License-Identifier: Apache-2.0
"""
The dashboard in headless Chromium: how long a sweep page of 10 000 results takes until it is drawn
and can be used, with nothing cached, what crosses the network for it, and how large a report is.

The page can be used (its mark "assay-usable") when a frame has shown its headline, the curve of the
best so far and the first 50 rows of the table, which can be sorted and filtered from then on.  The
picture of the space comes after that.  Each visit opens a window of its own, for whose address bar
Chromium loads pages at the same time as ours, and closes it: ten open sweeps with their streams of
news would slow the next visit by a third.  Notes say what a visit takes in a window that is open
already, and how long the first paint of the page's icon takes.
"""
import shutil
import statistics
import time

from bench_queue import fresh
from browser import Browser, Missing
from figure import Figure, Unmeasured
from harness import REPLAY_WORKER, Daemon
from stored import fill_sweep, space

FIGURES = {"page_ms": "<= 300", "page_kb": "<= 200", "report_kib": "<= 600"}
VISITS = 9
SETTLE_S = 1.0              # after which Chromium has loaded its own pages
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


PARTS = """(() => {
	const [page] = performance.getEntriesByType("navigation"), [paint] = performance.getEntriesByType("paint");
	const data = performance.getEntriesByType("resource").find((r) => r.name.includes("/points"));
	return { "page is there": page.responseEnd, "data asked for": data.startTime, "first paint": paint.startTime,
	         "scripts have run": page.domContentLoadedEventStart, "data are there": data.responseEnd };
})()"""


def floor_ms(browser, icon):
    """Milliseconds until Chromium has painted next to nothing."""
    page = browser.page()
    page.open(icon, ready="true")
    ms = page.until("(performance.getEntriesByType('paint')[0] || {}).startTime")
    page.close()
    return ms


def visit(browser, url, settle_s=0):
    """
    Milliseconds from the start of the navigation to the frame that shows the page; kB on the wire;
    when its parts were there.
    """
    page = browser.page()
    time.sleep(settle_s)
    page.open(url)
    ms = page.until("(performance.getEntriesByName('assay-usable')[0] || {}).startTime")
    if page.evaluate("document.querySelectorAll('tbody tr').length") < 50:
        raise Unmeasured("the page has no results")
    if page.errors:
        raise Unmeasured(f"the page's console: {page.errors[0]}")
    seen = ms, page.bytes / 1000, page.evaluate(PARTS)
    page.close()
    return seen


def visit_often(browser, url, settle_s=0):
    visit(browser, url)             # the browser's own start
    return [visit(browser, url, settle_s) for _ in range(VISITS)]


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
            visits = visit_often(browser, url)
            settled = statistics.median(ms for ms, *_ in visit_often(browser, url, SETTLE_S))
            floors = [floor_ms(browser, "http://%s:%d/web/icon.svg" % daemon.tcp) for _ in range(VISITS)]
        bench.note("visits: " + ", ".join(f"{ms:.0f} ms {kb:.0f} kB" for ms, kb, _ in visits))
        bench.note("medians in ms: " + ", ".join(f"{name} {statistics.median(parts[name] for *_, parts in visits):.0f}"
                                                 for name in visits[0][2]) + f"; next to nothing is painted {statistics.median(floors):.0f}; "
                   f"usable in an open window {settled:.0f}")
        yield Figure("page_ms", statistics.median(ms for ms, *_ in visits), "ms", FIGURES["page_ms"])
        yield Figure("page_kb", max(kb for _, kb, _ in visits), "kB", FIGURES["page_kb"])
    finally:
        daemon.stop()
        shutil.rmtree(state)
