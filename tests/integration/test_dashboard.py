# SPDX-License-Identifier: Apache-2.0
"""The dashboard and reports in headless Chromium: a real daemon, real clicks and keys (row D8)."""
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from urllib.parse import quote

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from authority import Authority
from browser import Browser, Missing
from harness import BUILD, REPLAY_WORKER, TREE, Daemon, job
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
        fill_sweep(cls.state / "assay.db", 2, POINTS, "dgemm")
        fill_history(cls.state / "assay.db", 2, STEPS, MARKUP)
        cls.daemon = Daemon(state=cls.state)
        cls.addClassCleanup(lambda: cls.daemon.stop())
        cls.base = "http://%s:%d" % cls.daemon.tcp
        history = cls.daemon.call("kernel.list")["kernels"][0]
        cls.history = "/history?" + "&".join(f"{k}={''.join(f'%{b:02x}' for b in history[k].encode())}" for k in ("routine", "name"))
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

    def open(self, path, **how):
        page = self.browser.page(**how)
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
        for name, path in self.pages.items():
            for width, dark in ((1280, False), (360, True)):
                with self.subTest(name, width=width):
                    page = self.open(path, width=width, dark=dark)
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
        page = browser.page()
        page.open("http://%s:%d/sweeps/long" % wire.address)
        rows = "[...document.querySelectorAll('tbody tr td.wide')].map((t) => t.innerText).sort().join()"
        page.until(f"{rows} === 'first'")
        stream = wire.wait_for("/events")
        first = daemon.call("job.get", {"id": made["ids"][0]})["result"]["cursor"]
        self.assertEqual(str(first), wire.header(stream, "Last-Event-ID"))
        wire.hold(stream)
        gate.touch()
        daemon.call("job.wait", {"ids": made["ids"][1:2]})
        cursor = daemon.call("job.get", {"id": made["ids"][1]})["result"]["cursor"]
        self.assertEqual("first", page.evaluate(rows), "it is asleep")
        wire.cut(stream)
        again = wire.wait_for("/events", after=stream)
        self.assertEqual(str(cursor), wire.header(again, "Last-Event-ID"))
        page.until(f"{rows} === 'first,gated'")
        daemon.call("job.cancel", {"id": made["ids"][2]})
        page.until("document.querySelector('.under').innerText.endsWith('over')")
        self.assertEqual([], [e for e in page.errors if "/events" not in e])


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
