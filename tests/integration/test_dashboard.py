# SPDX-License-Identifier: Apache-2.0
# not for sanitizers: the browser asks what test_http and test_export ask
"""The dashboard and reports in headless Chromium: a real daemon, real clicks and keys (row D8)."""
import contextlib
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import unittest
from urllib.parse import quote

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from authority import Authority
from browser import Browser, Missing
from harness import BUILD, REPLAY_WORKER, TREE, Daemon, RpcError, job
from stored import fill_history, fill_sweep, space
from wire import Wire

TRIES, TOO_NOISY = 10, 75
AXE = "axe-core@4.10.2"
MARKUP = "\"><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">"
SOURCE = f"""/* {MARKUP} </script><script>document.title = 'broken'</script> <!-- */
double sum(const int N, const double *X)
{{
	double s = 0;
	for (int i = 0; i < N; i += STEP)
		for (int k = i; k < i + STEP; k++)
			s += X[k];
	return s;
}}
"""
SPEC = {"routine": "double sum(const int N, const double *X)", "params": {"N": 512}, "args": {"N": "N", "X": {"dims": ["N"]}},
        "flops": "N", "context": "warm", "timing": {"samples": 6}}
SWEEP = {"name": f"dots {MARKUP}", "spec": SPEC, "template": {"language": "c", "name": MARKUP, "source": SOURCE},
         "space": {"STEP": [1, 4], "N": [512, 1024]}, "meta": {"note": MARKUP}}
# a name and a source that turn what stands behind them, where nothing holds them back
TURNED = "<b>evil</b>\u202e |x|"
HEBREW = "\u05e9\u05dc\u05d5\u05dd sum"
TRICKS = {"spec": {**SPEC, "context": "cold"}, "template": {"language": "c", "name": HEBREW, "source": f"/* \u202e |x| \u2066 */\n{SOURCE}"},
          "space": {"STEP": [1, 4], "FREE": [1, 2, 3]}}
STEPS = [(f"r{k}{MARKUP if k == 3 else ''}", 5000 if k < 5 else 4200) for k in range(9)]
POINTS = space({"NB": [4, 8, 16, 32], "MU": [1, 2, 4], "NU": [1, 2, 4], "flags": [["-O2"], ["-O3", "-march=native"]]})


def axe_script():
    """axe-core, fetched once; Missing if there is no npm or no registry."""
    directory = TREE / "build" / "npm"
    path = directory / f"{AXE.replace('@', '-')}.tgz"
    if not path.exists():
        directory.mkdir(parents=True, exist_ok=True)
        try:
            subprocess.run(["npm", "pack", AXE, "--silent"], cwd=directory, check=True, timeout=60, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        except (OSError, subprocess.SubprocessError) as why:
            raise Missing(f"{AXE} cannot be fetched: {why}") from why
    with tarfile.open(path) as archive:
        return archive.extractfile("package/axe.min.js").read().decode()


class Dashboard(unittest.TestCase):
    """One daemon, whose results are of a real sweep, and copies of them."""

    @classmethod
    def setUpClass(cls):
        try:
            cls.browser = cls.enterClassContext(Browser())
        except Missing as why:
            raise unittest.SkipTest(str(why)) from why
        for _ in range(TRIES):          # others may be too noisy for a time
            if cls.time_sweeps() == {"ok"}:
                break
        cls.make_old()
        fill_sweep(cls.state / "assay.db", 2, POINTS, "dgemm")
        fill_history(cls.state / "assay.db", 2, STEPS, MARKUP)
        fill_history(cls.state / "assay.db", 2, [(f"r{k}", 5000) for k in range(4)], "flat")
        fill_history(cls.state / "assay.db", 2, [("r0", 5000), ("r1", 2500)], "bare", repeats=1)
        with contextlib.closing(sqlite3.connect(cls.state / "assay.db")) as db, db:
            db.execute("UPDATE points SET low_ns = NULL, high_ns = NULL WHERE name = 'bare'")
        cls.daemon = Daemon(state=cls.state)
        cls.addClassCleanup(lambda: cls.daemon.stop())
        cls.base = "http://%s:%d" % cls.daemon.tcp
        cls.histories = {k["name"]: "/history?" + "&".join(f"{m}={quote(k[m], safe='')}" for m in ("routine", "name"))
                         for k in cls.daemon.call("kernel.list")["kernels"]}
        cls.history = cls.histories[MARKUP]
        cls.pages = {"now": "/", "sweep": "/sweeps/1", "many": "/sweeps/many", "result": "/jobs/1", "history": "/history",
                     "kernel": cls.history, "people": "/people", "named": f"/sweeps/{quote(SWEEP['name'], safe='')}", "none": f"/sweeps/{quote(f'nothing {MARKUP}', safe='')}"}

    @classmethod
    def time_sweeps(cls):
        """In a new state directory; how the jobs ended."""
        cls.state = pathlib.Path(tempfile.mkdtemp(prefix="assay-"))
        cls.addClassCleanup(shutil.rmtree, cls.state, True)
        daemon = Daemon(state=cls.state)
        daemon.call("sweep.create", {"sweep": SWEEP})
        daemon.call("sweep.create", {"sweep": {"name": "many", "spec": SPEC, "variants": [
            {"name": "first", "language": "c", "source": SOURCE, "defines": {"STEP": 1}}]}})
        for name in (SWEEP["name"], "many"):
            daemon.call("job.wait", {"sweep": name})
        ends = {result["status"] for result in daemon.call("results.query")["results"]}
        daemon.stop()
        return ends

    @classmethod
    def make_old(cls):
        """A sweep as an older daemon took it: its name has an override.  Two of its results repeat others."""
        daemon = Daemon(state=cls.state)
        ids = daemon.call("sweep.create", {"sweep": {"name": "turned", **TRICKS}})["ids"]
        daemon.call("job.wait", {"sweep": "turned"})
        daemon.stop()
        cls.turned = ids
        db = sqlite3.connect(cls.state / "assay.db")
        with db:
            db.execute("UPDATE sweeps SET name = ? WHERE name = 'turned'", (TURNED,))
            for k, (of, ns) in enumerate(((None, 1000.0), (0, 1000.0), (0, 1000.0), (None, 1000.4), (None, 1300.0), (4, 1300.0))):
                text, = db.execute("SELECT json FROM results WHERE job_id = ?", (ids[k],)).fetchone()
                result = json.loads(text)
                result["status"], result["sweep"]["name"] = "ok", TURNED
                result["time"] = {**(result["time"] or {}), "value_ns": ns, "median_ns": ns, "ci95_ns": [ns * 0.99, ns * (1.01 if k < 4 else 4)],
                                  "estimator": "median", "count": 4, "samples_ns": [ns, ns * 0.99, ns * 1.01, ns], "loud": [], "disturbed": [],
                                  "canary": [], "process": []}
                result["evidence"] = {**(result["evidence"] or {}), "warm_ns": 900.0, "cold_over_warm": 1.1}
                if of is not None:
                    result["repeat_of"] = ids[of]
                db.execute("UPDATE results SET json = ?, sum = NULL, status = 'ok', value_ns = ?, estimator = 'median' WHERE job_id = ?",
                           (json.dumps(result), ns, ids[k]))
        db.close()

    def open(self, path, **how):
        page = self.browser.page(**how)
        self.addCleanup(page.close)     # it would follow its stream, and draw, to the end of all tests
        page.open(self.base + path)
        return page

    def assert_clean(self, page):
        self.assertEqual([], [e for e in page.errors if "/sweeps/nothing" not in e])
        self.assertEqual([], [r for r in page.requests if not r.startswith((self.base, "data:", "file:"))])

    # ---- all pages ----

    def assert_no_markup(self, page, inline=1):
        scripts = page.evaluate("[...document.querySelectorAll('script')].map((s) => s.getAttribute('src'))")
        self.assertEqual((0, inline), (page.evaluate("document.querySelectorAll('img').length"), scripts.count(None)))
        self.assertLessEqual(set(scripts) - {None}, {"/web/assay.js", "/web/chart.js"})
        self.assertNotIn("broken", page.evaluate("document.title").replace(MARKUP, ""))

    def assert_accessible(self, page, axe):
        page.evaluate(axe)
        found = page.evaluate("axe.run({ resultTypes: ['violations'] }).then((r) => r.violations.map((v) => "
                              "({ id: v.id, impact: v.impact, nodes: v.nodes.slice(0, 3).map((n) => n.html + ' ' + n.failureSummary) })))")
        self.assertEqual([], [v for v in found if v["impact"] in ("serious", "critical")])

    def look_at_all(self, look):
        """Each page on a desk in light, and on a narrow phone in the dark."""
        for width, dark in ((1280, False), (360, True)):
            page = self.browser.page(width=width, dark=dark)
            self.addCleanup(page.close)
            for name, path in self.pages.items():
                with self.subTest(name, width=width):
                    page.open(self.base + path)
                    self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
                    self.assertEqual(name == "none", "Not found" in page.text("main"))
                    self.assert_no_markup(page)
                    if name not in ("many", "people"):
                        self.assertIn(MARKUP, page.text())
                    look(page)
                    self.assert_clean(page)

    def test_each_page_is_drawn_on_a_desk_and_a_phone_and_is_accessible(self):
        try:
            axe = axe_script()
        except Missing as why:
            self.look_at_all(lambda page: None)
            self.skipTest(f"{why}; else the pages are well")
        self.look_at_all(lambda page: self.assert_accessible(page, axe))

    def test_headers_keep_other_pages_and_scripts_out(self):
        answer = self.daemon.http("GET", "/", tcp=True)
        policy = answer.headers["Content-Security-Policy"]
        self.assertIn("default-src 'self'", policy)
        self.assertIn("frame-ancestors 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertEqual(("nosniff", "no-referrer"), (answer.headers["X-Content-Type-Options"], answer.headers["Referrer-Policy"]))
        for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://evil.example"}, {"Host": "evil.example"}):
            self.assertEqual(403, self.daemon.http("GET", "/v1/sweeps/1/points", headers=headers, tcp=True).status, headers)
        self.assertEqual(404, self.daemon.http("GET", "/web/..%2fassay.db").status)
        self.assertEqual(405, self.daemon.http("POST", "/", {}).status)

    def test_a_sweeps_page_announces_its_data_where_all_spell_its_name_alike(self):
        def announced(path):
            return [part.split(";")[0].strip(" <>") for part in self.daemon.http("GET", path, tcp=True).headers["Link"].split(",")]
        self.assertEqual(["/web/assay.js"], announced("/"))
        for path in ("/sweeps/a%22b", "/sweeps/%3E,%3C", "/sweeps/" + 200 * "x", "/jobs/1"):
            self.assertEqual(["/web/assay.js"], announced(path), path)
        self.assertEqual(["/web/assay.js", "/v1/sweeps/many", "/v1/sweeps/many/points?limit=20000&after=0"], announced("/sweeps/many"))
        page = self.open("/sweeps/many")
        asked = [r for r in page.requests if "/v1/sweeps/many" in r and not r.endswith("/events")]
        self.assertEqual(len(set(asked)), len(asked), "each once: what was announced is what the page asks for")
        self.assert_clean(page)

    def test_names_with_markup_are_text_in_each_export(self):
        for format in ("kernel-tuner", "t4", "t4-1.1", "csv", "ndjson", "markdown", "lnt", "bencher"):
            with self.subTest(format):
                answer = self.daemon.http("GET", f"/v1/sweeps/1/export?format={format}", tcp=True)
                self.assertEqual((200, "nosniff"), (answer.status, answer.headers["X-Content-Type-Options"]), answer.body)
                self.assertNotIn("html", answer.headers["Content-Type"])
                if format == "markdown":
                    self.assertNotIn(b"<", answer.body)

    # ---- by hand ----

    def test_D8_a_sweep_is_explored_by_mouse(self):
        page = self.open("/")
        page.click("many")
        page.until("document.body.dataset.ready && document.querySelector('h1').innerText === 'many'")
        table = "[...document.querySelectorAll('h2')].find((h) => h.innerText === 'All results').parentNode"
        first = f"{table}.querySelector('tbody tr td:nth-child(2)').innerText"
        self.assertIn(page.evaluate(first), page.text(".headline"))     # the fastest stands first
        fastest = page.evaluate(first)
        page.click("#sort-time")
        page.until(f"{first} !== {json.dumps(fastest)}")
        self.assertEqual("descending", page.evaluate("document.getElementById('sort-time').closest('th').getAttribute('aria-sort')"))
        page.click("#filter")
        page.type("NB=8 MU=2")
        page.until(f"[...{table}.querySelectorAll('tbody tr')].every((r) => r.innerText.includes('NB=8 MU=2'))")
        self.assertEqual(6, page.evaluate(f"{table}.querySelectorAll('tbody tr').length"))
        page.click("dgemm NB=8 MU=2 NU=1")
        page.until("location.pathname.startsWith('/jobs/') && document.body.dataset.ready")
        self.assertIn("dgemm NB=8 MU=2 NU=1", page.text("h1"))
        self.assert_clean(page)

    def test_D8_news_between_press_and_release_take_no_click_away(self):
        page = self.open("/")
        answers = "performance.getEntriesByType('resource').filter((e) => e.name.includes('/v1/queue'))"
        # the second: its stream of news is open; what it has found is shown, or the press would hold that back
        page.until(f"{answers}.length >= 2 && document.getElementById('main').getAttribute('aria-busy') === 'false'")
        page.evaluate("addEventListener('pointerdown', () => { window.pressedAt = performance.now(); }, true)")
        place = page.down("many")
        page.evaluate("window.pressed = [...document.querySelectorAll('a')].find((a) => a.innerText === 'many')")
        self.daemon.call("job.submit", {"jobs": [job("news")]})
        # or other news came just before the press: then what they brought is held back, and with it the question for these
        page.until(f"{answers}.some((e) => e.responseEnd > window.pressedAt) ||"
                   " (document.getElementById('main').getAttribute('aria-busy') === 'true' && performance.now() > window.pressedAt + 5000)")
        self.assertTrue(page.evaluate("window.pressed.isConnected"))
        page.up(place)
        page.until("document.body.dataset.ready && document.querySelector('h1').innerText === 'many'")

    def test_D8_the_curve_names_the_result_under_the_pointer(self):
        page = self.open("/sweeps/many")
        self.assertEqual([], [r for r in page.requests if r.endswith("/web/chart.js")], "it is drawn without")
        canvas = "document.querySelector('.chart canvas')"
        left, top, width = page.evaluate(f"(() => {{ const c = {canvas}; c.scrollIntoView({{ block: 'center' }});"
                                         " const b = c.getBoundingClientRect(); return [b.left, b.top, b.width]; })()")
        page.call("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": left + width / 2, "y": top + 60, "button": "none"})
        page.until("!document.querySelector('.tip').hidden")
        self.assertRegex(page.text(".tip"), r"^dgemm NB=\d+ .*: \d+\.\d+ (ns|µs)$")
        page.call("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": left, "y": top - 60, "button": "none"})
        page.until("document.querySelector('.tip').hidden")
        page.resize(500, 900)
        page.until(f"{canvas}.clientWidth < 480 && {canvas}.width === {canvas}.clientWidth")
        self.assert_clean(page)

    def test_forms_of_the_space_and_tables_behind_charts(self):
        page = self.open("/sweeps/many")
        self.assertEqual(1, page.evaluate("document.querySelectorAll('svg.parallel').length"))
        page.evaluate("(() => { const s = document.querySelectorAll('select'); const f = [...s].find((x) => x.options[0].value === 'map');"
                      " f.value = 'map'; f.dispatchEvent(new Event('change')); })()")
        page.until("document.querySelectorAll('svg.heat rect').length >= 12")
        page.click("The map as a table")
        page.until("[...document.querySelectorAll('details[open] td')].length >= 12")
        page = self.open("/sweeps/1")
        self.assertEqual(2, page.evaluate("document.querySelectorAll('.pivot td.wins').length"), "a winner for each size")
        self.assertEqual({"N=512", "N=1024"}, set(page.evaluate("[...document.querySelectorAll('.pivot thead th.n')].map((t) => t.innerText)")))
        self.assert_clean(page)

    def test_the_keyboard_reaches_everything(self):
        page = self.open("/sweeps/many")
        page.press("Tab")
        self.assertEqual("Skip to the content", page.focused())
        self.assertTrue(page.evaluate("document.activeElement.matches(':focus-visible') && getComputedStyle(document.activeElement).outlineStyle !== 'none'"))
        page.press("Enter")
        page.until("document.activeElement.id === 'main'")
        for _ in range(60):
            page.press("Tab")
            if page.evaluate("document.activeElement.id") == "sort-variant":
                break
        self.assertEqual("sort-variant", page.evaluate("document.activeElement.id"))
        page.press("Enter")
        page.until("document.getElementById('sort-variant').closest('th').getAttribute('aria-sort') === 'ascending'")
        self.assertEqual("sort-variant", page.evaluate("document.activeElement.id"), "the focus stays")

    def test_D8_a_result_can_be_repeated_as_its_page_says(self):
        page = self.open("/jobs/1")
        self.assertIn(SOURCE.strip().splitlines()[-1], page.text())
        self.assertTrue(page.evaluate("document.querySelectorAll('canvas').length >= 3"))
        command = page.evaluate("[...document.querySelectorAll('pre')].pop().textContent")
        self.assertTrue(command.startswith("assay time - <<'END'\n"))
        run = subprocess.run(["sh", "-c", command.replace("assay time", f"{BUILD}/assay -s {self.daemon.socket} --json time", 1)],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        self.assertIn(run.returncode, (0, TOO_NOISY), run.stderr)
        again = json.loads(run.stdout)
        text = json.dumps(again)
        self.assertIn(self.daemon.call("job.get", {"id": 1})["result"]["binary"], text, "the same object was timed")
        self.assertNotIn("repeat_of", text)

    def test_history_marks_the_step_that_is_more_than_noise(self):
        page = self.open(self.history)
        self.assertIn("The last significant step was r5", page.text(".headline"))
        self.assertIn("faster", page.text(".headline"))
        page.click("#only")
        page.until("document.querySelectorAll('tbody tr').length === 1")
        self.assertIn("a step: p\u00a0<\u00a00.001", page.text("tbody"))
        page.evaluate("(() => { const s = document.querySelectorAll('select'); const [a, b] = [s[s.length - 2], s[s.length - 1]];"
                      " for (const [e, v] of [[a, 0], [b, 8]]) { e.value = v; e.dispatchEvent(new Event('change')); } })()")
        page.until("[...document.querySelectorAll('.headline')].pop().innerText.includes('That is more than noise')")
        self.assert_clean(page)

    def test_a_history_says_no_more_than_its_intervals_do(self):
        flat = self.open(self.histories["flat"]).text(".headline")
        self.assertRegex(flat, r"^No single step between revisions is more than noise. Since r0 its change cannot be told from noise \(p")
        page = self.open(self.histories["bare"])
        self.assertEqual("Since r0 it is 50 % faster, but there is no interval to judge that by.", page.text(".headline"))
        self.assertIn("not known: no interval", page.text("tbody"))

    # ---- names that turn text ----

    def places(self, page, words):
        """Where each character of a text stands, from the left; None: no text node has these words."""
        return page.evaluate(f"""(() => {{
            const words = {json.dumps(words)}, walk = document.createTreeWalker(document.getElementById("main"), NodeFilter.SHOW_TEXT);
            for (let node; (node = walk.nextNode());) {{
                const at = node.data.indexOf(words);
                if (at < 0) continue;
                return [...words].map((_, i) => {{
                    const range = document.createRange();
                    range.setStart(node, at + i);
                    range.setEnd(node, at + i + 1);
                    return range.getBoundingClientRect().left;
                }});
            }}
            return null;
        }})()""")

    def assert_in_order(self, page, words):
        lefts = self.places(page, words)
        self.assertEqual(sorted(lefts), lefts, f"{words!r} is turned")

    def test_names_and_sources_do_not_turn_the_words_around_them(self):
        job = self.turned[0]
        page = self.open(f"/jobs/{job}")
        self.assertEqual(f"Sweep <b>evil</b>\\u202e |x| · job {job}", page.text(".crumb"))
        self.assert_in_order(page, f"job {job}")
        self.assert_in_order(page, '"fresh":true')
        self.assert_in_order(page, " sum STEP=1 FREE=1")
        shown = page.evaluate("document.body.textContent + document.title")
        self.assertNotRegex(shown, "[\x80-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]")
        pres = page.evaluate("[...document.querySelectorAll('pre')].map((p) => p.textContent)")
        self.assertIn("/* \\u202e |x| \\u2066 */\n", pres[-2])
        self.assertIn("2 characters in it would not be seen", page.text("main"))
        document = json.loads(pres[-1].split("\n")[1])
        self.assertEqual(TRICKS["template"]["source"], document["variant"]["source"], "the command has the source itself")
        page = self.open(f"/sweeps/{self.daemon.call('job.get', {'id': job})['sweep']['id']}")
        self.assertEqual("<b>evil</b>\\u202e |x|", page.text("h1"))
        self.assert_in_order(page, " with ")
        page = self.open("/")
        self.assertIn("<b>evil</b>\\u202e |x|", page.text("main"))
        self.assert_clean(page)

    def test_a_name_that_turns_text_is_refused_with_its_place(self):
        with self.daemon.connect() as to:
            for name, words in ((f"a {TURNED}", "its character 14 is U+202E"), ("a\u200b", "its character 2 is U+200B"), ("\x85", "control characters: its character 1 is U+0085")):
                with self.assertRaises(RpcError) as caught:
                    to.call("sweep.create", {"sweep": {**SWEEP, "name": name}})
                self.assertEqual("sweep.name", caught.exception.data["member"])
                self.assertIn(words, caught.exception.data["reason"])

    def test_tables_and_files_show_what_turns_text(self):
        for format, shown in (("csv", "\\u202e"), ("markdown", "\\\\u202e")):
            answer = self.daemon.http("GET", f"/v1/sweeps/{quote(TURNED, safe='')}/export?format={format}", tcp=True)
            self.assertIn(shown, answer.body.decode())
            self.assertNotIn("\u202e", answer.body.decode())
        told = subprocess.run([BUILD / "assay", "-s", self.daemon.socket, "sweep", "list"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertIn("<b>evil</b>\\u202e |x|", told)

    # ---- what a page claims ----

    def test_results_with_the_same_code_are_marked_and_not_called_tied(self):
        page = self.open(f"/sweeps/{quote(TURNED, safe='')}")
        self.assertIn("2 others have the same code and were not timed again. 1 other cannot be told apart from it: their 95 % intervals overlap.",
                      page.text(".headline"))
        rows = page.evaluate("[...document.querySelectorAll('.sorts tbody tr')].map((r) => r.innerText)")
        self.assertEqual(6, len(rows))
        self.assertEqual(3, sum(": not timed again" in row for row in rows))
        self.assertEqual(2, sum("\tsame code\t" in row for row in rows), rows)
        self.assertEqual(1, sum("\t≈ " in row for row in rows), rows)

    def test_wide_intervals_say_from_where_to_where(self):
        page = self.open(f"/sweeps/{quote(TURNED, safe='')}")
        self.assertIn("1.287 µs … 5.200 µs", page.text(".sorts tbody"))
        self.assertNotRegex(page.text("main"), r"± \d{3,} %")
        self.assertIn("the median is between 1.287 µs and 5.200 µs", self.open(f"/jobs/{self.turned[4]}").text(".headline"))

    def test_a_histogram_has_a_line_at_the_warm_time(self):
        page = self.open(f"/jobs/{self.turned[0]}")
        name = "[...document.querySelectorAll('canvas')].find((c) => c.getAttribute('aria-label').startsWith('Histogram'))"
        self.assertIn("a line at warm 900.0 ns", page.evaluate(f"{name}.getAttribute('aria-label')"))
        page.until(f"Chart.getChart({name}).markedAt")
        marked = page.evaluate(f"(() => {{ const c = Chart.getChart({name}); return [c.chartArea.left, c.markedAt, c.scales.x.getPixelForValue(c.data.datasets[0].data.findIndex((n) => n > 0))]; }})()")
        self.assertTrue(marked[0] < marked[1] < marked[2], f"warm is left of all cold ones: {marked}")
        self.assertRegex(page.text("main"), r"4 samples of \d+ calls? each")

    def test_sweeps_show_how_many_were_not_timed(self):
        page = self.open("/")
        row = "[...document.querySelectorAll('tr')].find((r) => r.innerText.startsWith('many'))"
        self.assertRegex(page.evaluate(f"{row}.innerText"), r"(\d+) of \1 · \d+ not timed")
        self.assertTrue(page.evaluate(f"{row}.querySelector('.track .untimed').getBoundingClientRect().width > 0"))
        self.assertRegex(page.evaluate(f"{row}.querySelector('[role=progressbar]').getAttribute('aria-valuetext')"), r"(\d+) of \1, \d+ not timed")

    def test_a_phone_is_told_that_there_is_more_at_the_right(self):
        page = self.open("/sweeps/many", width=390)
        page.evaluate("(() => { const f = [...document.querySelectorAll('select')].find((x) => x.options[0].value === 'map');"
                      " f.value = 'lines'; f.dispatchEvent(new Event('change')); })()")
        page.until("document.querySelector('svg.parallel') && document.querySelector('.scroller.more')")
        self.assertIn("Scroll sideways for more", page.text("main"))
        page.evaluate("document.querySelector('.scroller.more').scrollLeft = 10000")
        page.until("!document.querySelector('.scroller.more')")
        self.assertTrue(page.evaluate("[...document.querySelectorAll('.sorts td')].every((t) => t.matches('.wide') || t.dataset.label)"))
        self.assertNotIn("Scroll sideways for more", self.open("/sweeps/many").text("main"))

    def test_a_sweep_of_several_sizes_says_which_one_its_headline_is_of(self):
        self.assertTrue(self.open("/sweeps/1").text(".headline").startswith("Fastest at N=512 (one of 2 sizes): "))

    # ---- news ----

    def test_a_page_follows_the_queue_and_comes_back_right_from_sleep(self):
        page = self.open("/sweeps/live")        # there is no such sweep yet
        self.assertEqual("Not found", page.text("h1"))
        page = self.open("/")
        self.daemon.call("sweep.create", {"sweep": {**SWEEP, "name": "live"}})
        page.until("[...document.querySelectorAll('td')].some((t) => t.innerText === 'live')")
        sweep = self.open("/sweeps/live")
        sweep.until("document.querySelector('.under').innerText.endsWith('over') && document.querySelectorAll('.pivot td').length === 4")
        self.assert_clean(sweep)
        page.evaluate("Object.defineProperty(document, 'hidden', { configurable: true, value: true }); document.dispatchEvent(new Event('visibilitychange'))")
        page.until("document.getElementById('main').getAttribute('aria-busy') === 'false'")
        asked = len(page.requests)
        self.daemon.call("sweep.create", {"sweep": {**SWEEP, "name": "while it slept"}})
        self.daemon.call("job.wait", {"sweep": "while it slept"})
        self.assertNotIn("while it slept", page.text("main"))
        self.assertEqual(asked, len(page.requests), "it asks for nothing while nobody looks")
        page.evaluate("Object.defineProperty(document, 'hidden', { configurable: true, value: false }); document.dispatchEvent(new Event('visibilitychange'))")
        page.until("[...document.querySelectorAll('tr')].some((t) => t.innerText.includes('while it slept') && t.innerText.includes('4 of 4'))")
        self.assert_clean(page)

    # ---- reports ----

    def test_D8_a_report_needs_no_daemon(self):
        path = self.state / "report.html"
        with open(path, "wb") as to:
            subprocess.run([BUILD / "assay", "-s", self.daemon.socket, "report", SWEEP["name"]], stdout=to, check=True)
        page = self.browser.page()
        page.open(path.as_uri())
        self.assertEqual(MARKUP, page.text("h1").replace("dots ", ""))
        self.assert_no_markup(page, inline=3)
        page.evaluate("document.querySelector('.headline a').click()")
        page.until("location.hash.startsWith('#job-') && document.querySelectorAll('canvas').length >= 3 && document.body.dataset.ready")
        self.assertIn("document.title = 'broken'", page.text("pre"))
        self.assertNotEqual("broken", page.evaluate("document.title"))
        self.assertEqual([path.as_uri()], [r.split("#")[0] for r in page.requests if not r.startswith("data:")])
        self.assertEqual([], page.errors)


class Streams(unittest.TestCase):
    """Between the browser and the daemon stands a wire that can be held and cut."""

    def test_a_browser_that_slept_over_a_stream_goes_on_behind_its_last_event(self):
        try:
            browser = self.enterContext(Browser())
        except Missing as why:
            self.skipTest(str(why))
        daemon = Daemon(worker=REPLAY_WORKER)
        self.addCleanup(daemon.stop)
        wire = self.enterContext(Wire(daemon.tcp))
        gate = daemon.state / "gate"
        document = job()
        made = daemon.call("sweep.create", {"sweep": {"name": "long", "spec": document["spec"], "variants": [
            {**document["variant"], "name": name} for name in ("first", "gated", "endless")],
            "meta": {"ends": {"gated": "wait", "endless": "hang"}, "gate": str(gate)}}})
        daemon.call("job.wait", {"ids": made["ids"][:1]})
        page = browser.page()
        page.open("http://%s:%d/sweeps/long" % wire.address)
        rows = "[...document.querySelectorAll('tbody tr td.wide')].map((t) => t.innerText).sort().join()"
        page.until(f"{rows} === 'first'")
        stream = wire.wait_for("/events")
        first = daemon.call("job.get", {"id": made["ids"][0]})["result"]["cursor"]
        self.assertEqual(str(first), wire.header(stream, "Last-Event-ID"))
        wire.hold()
        gate.touch()
        daemon.call("job.wait", {"ids": made["ids"][1:2]})
        cursor = daemon.call("job.get", {"id": made["ids"][1]})["result"]["cursor"]
        self.assertEqual("first", page.evaluate(rows), "it is asleep")
        last = wire.cut()
        page.until(f"{rows} === 'first,gated'")
        wire.cut()      # once more: a page that was shown just then may have a stream that was not cut
        again = wire.wait_for("/events", after=wire.wait_for("/v1/sweeps/long HTTP", after=last))
        self.assertEqual(str(cursor), wire.header(again, "Last-Event-ID"))
        daemon.call("job.cancel", {"id": made["ids"][2]})
        page.until("document.querySelector('.under').innerText.endsWith('over')")
        self.assertEqual([], [e for e in page.errors if "/v1/" not in e])


class Tokens(unittest.TestCase):
    """Over TLS, where each reader has a token and sources are their owner's."""

    @classmethod
    def setUpClass(cls):
        try:
            cls.browser = cls.enterClassContext(Browser())
        except Missing as why:
            raise unittest.SkipTest(str(why)) from why
        cls.ca = Authority()
        cls.addClassCleanup(shutil.rmtree, cls.ca.top)
        for name, role in (("alice", "submit"), ("bob", "read")):
            cls.ca.add(name, role)
        cls.ca.write()
        cls.daemon = Daemon(*cls.ca.flags(), worker=REPLAY_WORKER)
        cls.addClassCleanup(cls.daemon.stop)
        cls.daemon.run(job("secret"))
        cls.base = f"https://127.0.0.1:{cls.daemon.tls[1]}"

    def sign_in(self, page, token):
        page.until("document.body.dataset.ready === 'sign-in' && document.activeElement.id === 'token'")
        page.type(token)
        page.press("Enter")

    def test_a_reader_signs_in_and_sees_what_is_shared(self):
        page = self.browser.page(any_certificate=True)
        page.open(self.base + "/jobs/1")
        self.assertNotIn("secret", page.text())
        self.sign_in(page, "wrong-" + self.ca.tokens["bob"])
        page.until("document.querySelector('[role=alert]')")
        self.sign_in(page, self.ca.tokens["bob"])
        page.until("document.body.dataset.ready === 'yes'")
        self.assertEqual("secret", page.text("h1"))
        self.assertIn("not shared with you", page.text("main"))
        self.assertNotIn("return N", page.evaluate("document.documentElement.outerHTML"))
        page.click("Now")
        page.until("location.pathname === '/' && document.body.dataset.ready === 'yes'")
        page.click("Sign out")
        page.until("document.body.dataset.ready === 'sign-in'")


if __name__ == "__main__":
    unittest.main()
